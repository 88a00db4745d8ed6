//! Sessions: boards that were played together, of which a director may have selected the set.

use std::collections::BTreeMap;

use crate::bridge::{Deal, Seat};

/// The summary of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Session {
    /// Number of boards.
    pub boards: u32,
    /// Sum of the boards' flatness F, the sum of the squares of sixteen suit lengths.
    pub flatness: u64,
    /// Number of voids.
    pub voids: u32,
}

impl Session {
    /// Summarises the session of these boards.
    ///
    /// # Panics
    ///
    /// If there are 2^28 or more.
    #[must_use]
    pub(crate) fn of<'d>(deals: impl IntoIterator<Item = &'d Deal>) -> Self {
        let (mut boards, mut flatness, mut voids) = (0, 0, 0);
        for deal in deals {
            let lengths = Seat::ALL.map(|seat| deal.hand(seat).lengths());
            let lengths = lengths.as_flattened();
            boards += 1;
            flatness += lengths.iter().map(|&n| u64::from(n).pow(2)).sum::<u64>();
            voids += lengths.iter().map(|&n| u32::from(n == 0)).sum::<u32>();
        }
        // Each board has at most twelve voids and a flatness of 676.
        assert!(boards < 1 << 28, "session too long: {boards} boards");
        Self {
            boards,
            flatness,
            voids,
        }
    }
}

/// The sessions of a collection, if it states which deals were played together. Equal summaries are
/// counted, so that memory does not grow with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sessions(BTreeMap<Session, u64>);

impl Sessions {
    /// Adds a session.
    pub(crate) fn add(&mut self, session: Session) {
        *self.0.entry(session).or_default() += 1;
    }

    /// Returns the different sessions and their counts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Session, u64)> {
        self.0.iter().map(|(session, count)| (session, *count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Hand;

    #[test]
    fn a_session_sums_squares_and_voids_of_its_boards() {
        let suits = [0, 16, 32, 48].map(|lane| Hand::from_bits(0x1FFF << lane));
        let wildest = Deal::new(suits).expect("a suit each");
        let session = Session::of([&wildest, &wildest]);
        let expected = Session {
            boards: 2,
            flatness: 2 * 676,
            voids: 24,
        };
        assert_eq!(session, expected);
        let mut sessions = Sessions::default();
        sessions.add(session);
        sessions.add(session);
        assert!(sessions.iter().eq([(&expected, 2)]));
    }
}
