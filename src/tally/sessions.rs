//! Sessions: boards that were played together, as one was chosen to be.

use std::collections::BTreeMap;

use crate::bridge::{Deal, Seat};

/// What is kept of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Session {
    /// Its boards.
    pub boards: u32,
    /// The sum of their flatness F, the sum of the squares of sixteen suit lengths.
    pub flatness: u64,
    /// Empty suits, of the sixteen of each board.
    pub voids: u32,
}

impl Session {
    /// The session of these boards.
    ///
    /// # Panics
    ///
    /// If there are 2^28 or more.
    #[must_use]
    pub fn of<'d>(deals: impl IntoIterator<Item = &'d Deal>) -> Self {
        let (mut boards, mut flatness, mut voids) = (0, 0, 0);
        for deal in deals {
            let lengths = Seat::ALL.map(|seat| deal.hand(seat).lengths());
            let lengths = lengths.as_flattened();
            boards += 1;
            flatness += lengths.iter().map(|&n| u64::from(n).pow(2)).sum::<u64>();
            voids += lengths.iter().map(|&n| u32::from(n == 0)).sum::<u32>();
        }
        // With at most twelve empty suits and a flatness of 676 a board.
        assert!(boards < 1 << 28, "a session of {boards} boards");
        Self {
            boards,
            flatness,
            voids,
        }
    }
}

/// The sessions of a collection, if it says which deals were played together; how many
/// there are of each kind, so that memory does not grow with them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sessions(BTreeMap<Session, u64>);

impl Sessions {
    /// Adds a session.
    pub fn add(&mut self, session: Session) {
        *self.0.entry(session).or_default() += 1;
    }

    /// Those that differ, and how many there are of each.
    pub fn iter(&self) -> impl Iterator<Item = (&Session, u64)> {
        self.0.iter().map(|(session, count)| (session, *count))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.values().sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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
        assert_eq!(sessions.len(), 2);
        assert!(sessions.iter().eq([(&expected, 2)]));
    }
}
