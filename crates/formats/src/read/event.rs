//! Complete names of events: parts that a file leaves unchanged are filled in.

use super::{Event, FilePiece};

/// The event of a deal, as far as the file names it.
///
/// Events are equal if their names are equal. Unknown parts (missing, empty, `?`) are ignored,
/// and so is the time of day in a date: `2013-11-23 11:23` equals `2013-11-23`.
#[derive(Clone, Debug)]
pub struct EventName {
    parts: [Box<str>; 4],
    text: String,
    hash: u64,
    keys: [u32; 4],
}

/// Index of the date among the parts.
const DATE: usize = 2;

impl PartialEq for EventName {
    fn eq(&self, other: &Self) -> bool {
        let mut parts = self.parts.iter().zip(&other.parts).enumerate();
        parts.all(|(place, (one, other))| match place {
            DATE => day_of(one) == day_of(other),
            _ => one == other,
        })
    }
}

impl Eq for EventName {}

impl Default for EventName {
    fn default() -> Self {
        Self::of(Default::default())
    }
}

impl EventName {
    fn of(parts: [Box<str>; 4]) -> Self {
        let whole = parts;
        let mut parts = whole.each_ref().map(|part| &**part);
        parts[DATE] = day_of(parts[DATE]);
        let known = parts.into_iter().filter(|part| is_known(part));
        let text = known.collect::<Vec<_>>().join(", ");
        // The position of a part matters too: a date is not a round.
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            let part = if is_known(part) { part } else { "" };
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let mut first = [0; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        Self {
            text,
            hash: u64::from_le_bytes(first),
            keys: parts.map(key_of),
            parts: whole,
        }
    }

    /// A hash of each part (name, site, date and round); 0 for an unknown part.
    ///
    /// Two different parts have the same hash with probability 2^-32.
    pub const fn keys(&self) -> [u32; 4] {
        self.keys
    }

    /// Name, site, date and round; empty where unknown.
    pub(super) fn parts(&self) -> [Box<str>; 4] {
        let mut parts = self.parts.clone();
        for part in parts.iter_mut().filter(|part| !is_known(part)) {
            *part = Box::default();
        }
        parts
    }

    /// The known parts, separated by commas: `Spring Cup, Lyon, 2024.05.01, 2`.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A hash of the name, equal for equal events on every machine.
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether the file names any part of the event.
    pub fn is_known(&self) -> bool {
        !self.text.is_empty()
    }

    /// Changes to the next event, which may leave some parts unchanged.
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

/// A hash of a part: 0 if and only if the part is unknown.
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

/// The current event while the events of pieces are visited in order.
#[derive(Debug, Default)]
pub(super) struct CurrentEvent {
    name: EventName,
    /// Number of events of the piece visited so far.
    done: usize,
}

impl CurrentEvent {
    /// The name of the event at an index of a piece; indices must not decrease.
    pub(super) fn name(&mut self, piece: &FilePiece, place: usize) -> &EventName {
        while self.done <= place {
            let Some(event) = piece.events.get(self.done) else {
                break;
            };
            self.name.next(event);
            self.done += 1;
        }
        &self.name
    }

    /// Moves on to the next piece.
    pub(super) fn end(&mut self, piece: &FilePiece) {
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
        let mut running = CurrentEvent::default();
        let mut piece = FilePiece::default();
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
