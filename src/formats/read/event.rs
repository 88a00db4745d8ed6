//! What an event goes by, whole: the parts that a file leaves as before, filled in.

use super::{Event, Piece};

/// The event of a deal, as far as the file tells.
///
/// Events are the same if their names are; parts that are unknown (missing, empty,
/// `?`) do not count. Neither does the time of day in a date: `2013-11-23 11:23` is
/// `2013-11-23`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventName {
    parts: [Box<str>; 4],
    text: String,
    hash: u64,
    keys: [u32; 4],
}

/// The place of the date among the parts.
const DATE: usize = 2;

impl Default for EventName {
    fn default() -> Self {
        Self::of(Default::default())
    }
}

impl EventName {
    fn of(mut parts: [Box<str>; 4]) -> Self {
        let day = day_of(&parts[DATE]);
        if day.len() < parts[DATE].len() {
            parts[DATE] = day.into();
        }
        let known = || parts.iter().filter(|part| is_known(part));
        let text = known().map(|part| &**part).collect::<Vec<_>>().join(", ");
        // Where a part is matters too: a date is no round.
        let mut hasher = blake3::Hasher::new();
        for part in &parts {
            let part = if is_known(part) { part } else { "" };
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        Self {
            text,
            hash: u64::from_le_bytes(first),
            keys: parts.each_ref().map(|part| key_of(part)),
            parts,
        }
    }

    /// A number of each part: name, site, date and round; 0 where it is unknown.
    ///
    /// Different parts have the same number once in 2^32.
    #[must_use]
    pub const fn keys(&self) -> [u32; 4] {
        self.keys
    }

    /// The parts that are known, with commas between: `Spring Cup, Lyon, 2024.05.01, 2`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A number of the name: the same for the same event, on every machine.
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether the file tells anything of it.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.text.is_empty()
    }

    /// The event after this one, of which some parts may be as before.
    fn next(&mut self, event: &Event) {
        let pairs = || self.parts.iter().zip(&event.0);
        if pairs().all(|(part, new)| new.as_ref().is_none_or(|new| new == part)) {
            return;
        }
        let mut parts = std::mem::take(&mut self.parts);
        for (part, new) in parts.iter_mut().zip(&event.0) {
            if let Some(new) = new {
                part.clone_from(new);
            }
        }
        *self = Self::of(parts);
    }
}

/// A date without the time of day.
fn day_of(date: &str) -> &str {
    let date = date.trim();
    let end = date.find([' ', 'T', 't']);
    match end {
        Some(end)
            if date[..end].ends_with(|c: char| c.is_ascii_digit()) && date[end..].contains(':') =>
        {
            &date[..end]
        }
        _ => date,
    }
}

/// A number of a part: 0 if it is unknown, and only then.
fn key_of(part: &str) -> u32 {
    if !is_known(part) {
        return 0;
    }
    let hash = blake3::hash(part.trim().to_lowercase().as_bytes());
    let mut first = [0; 4];
    first.copy_from_slice(&hash.as_bytes()[..4]);
    u32::from_le_bytes(first).max(1)
}

fn is_known(part: &str) -> bool {
    !matches!(part.trim(), "" | "?" | "#")
}

/// Goes through the events of pieces in their order.
#[derive(Debug, Default)]
pub(super) struct Running {
    name: EventName,
    /// How many events of the piece have been.
    done: usize,
}

impl Running {
    /// The name of the event at this place of a piece; places do not decrease.
    pub(super) fn name(&mut self, piece: &Piece, place: usize) -> &EventName {
        while self.done <= place {
            let Some(event) = piece.events.get(self.done) else {
                break;
            };
            self.name.next(event);
            self.done += 1;
        }
        &self.name
    }

    /// Goes on to the next piece.
    pub(super) fn end(&mut self, piece: &Piece) {
        if let Some(last) = piece.events.len().checked_sub(1) {
            self.name(piece, last);
        }
        self.done = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(parts: [&str; 4]) -> Event {
        Event(parts.map(|part| (part != "#").then(|| part.into())))
    }

    #[test]
    fn what_is_as_before_is_filled_in_and_what_is_unknown_left_out() {
        let mut running = Running::default();
        let mut piece = Piece::default();
        assert!(!running.name(&piece, 0).is_known());
        piece.events = vec![
            Event::default(),
            event(["Cup", "?", "", "1"]),
            event(["#", "Lyon", "#", "2"]),
        ];
        assert_eq!(running.name(&piece, 1).text(), "Cup, 1");
        let first = running.name(&piece, 1).hash();
        running.end(&piece);
        piece.events = vec![Event::default(), event(["Cup", "", "?", "1"])];
        assert_eq!(running.name(&piece, 0).text(), "Cup, Lyon, 2");
        assert_eq!(running.name(&piece, 1).hash(), first);
    }

    #[test]
    fn the_time_of_day_is_no_part_of_a_date() {
        let name = |date: &str| EventName::of(["Cup", "", date, ""].map(Into::into));
        for date in ["2013-11-23 11:23", "2013-11-23T11:23:00Z", " 2013-11-23"] {
            assert_eq!(name(date), name("2013-11-23"), "{date}");
        }
        assert_eq!(name("2013.11.23 1st").text(), "Cup, 2013.11.23 1st");
        assert_ne!(name("2013-11-24").keys(), name("2013-11-23").keys());
        assert_eq!(name("?").keys()[DATE], 0);
    }

    #[test]
    fn the_same_words_in_other_parts_are_another_event() {
        let name = |parts: [&str; 4]| EventName::of(parts.map(Into::into)).hash();
        assert_ne!(name(["a", "", "", ""]), name(["", "a", "", ""]));
        assert_ne!(name(["ab", "c", "", ""]), name(["a", "bc", "", ""]));
    }
}
