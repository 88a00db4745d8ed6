//! Whether the start of a file has boards of a format, and not only a line that looks like one.

use memchr::memmem;

use super::{EntryKind, Fault, FilePiece, lin, marked, text};
use crate::Format;
use crate::bridge::NotationError;

/// Number of cards of two hands.
const TWO_HANDS: u32 = 26;

/// Whether a text that has a line of this format is one of its files.
pub(super) fn of_format(format: Format, head: &[u8]) -> bool {
    match format {
        // No other text has their tags and labels, so a file with nothing but faults is one too.
        Format::Pbn | Format::Dlm | Format::Rbn => true,
        Format::Lin => {
            is_lin(head) && Boards::of(format, head).most_are(|what| !lin::is_no_token(what))
        }
        Format::Ew => Boards::of(format, head).most_are(|what| {
            matches!(
                what,
                EntryKind::Incomplete(Fault::Missing { cards: TWO_HANDS })
            )
        }),
        // Numbers between dots, commas or bars may look like hands, so one must be a deal. Hands
        // behind a seat's letter are meant as such.
        Format::Line if !text::lines(head).any(text::is_deal_string) => of_deals(format, head),
        Format::Gib | Format::DealList | Format::DdLine => of_deals(format, head),
        Format::Bhg | Format::Csv | Format::Diagram => of_deals(format, head),
        _ => Boards::of(format, head).most_are_hands(),
    }
}

/// Whether at least half of the boards at the start of a file have readable hands, and one is a
/// legal deal.
pub(super) fn of_deals(format: Format, head: &[u8]) -> bool {
    let boards = Boards::of(format, head);
    let is_deal = |what: &EntryKind| matches!(what, EntryKind::Deal(_));
    boards.most_are_hands() && boards.0.iter().any(is_deal)
}

/// Whether a text has a token with hands.
fn is_lin(head: &[u8]) -> bool {
    memmem::find_iter(head, b"md|").any(|at| {
        let (_, hands) = lin::dealer(&head[at + 3..]);
        hands.starts_with(b",") || marked::marker(hands).is_some()
    })
}

/// The boards at the start of a file.
struct Boards(Vec<EntryKind>);

impl Boards {
    fn of(format: Format, head: &[u8]) -> Self {
        let mut found = FilePiece::default();
        if let Some(mut parser) = format.parser() {
            let cut = parser.cut(head);
            let whole = if cut > 0 { &head[..cut] } else { head };
            parser.read(whole, true, &mut found);
        }
        let whats = found.entries.into_iter().map(|entry| entry.what);
        Self(
            whats
                .filter(|what| !matches!(what, EntryKind::Unused | EntryKind::Text))
                .collect(),
        )
    }

    /// Whether there are boards, and at least half of them are of this kind.
    fn most_are(&self, is_kind: impl Fn(&EntryKind) -> bool) -> bool {
        let count = self.0.iter().filter(|what| is_kind(what)).count();
        count > 0 && 2 * count >= self.0.len()
    }

    /// Whether at least half of the boards have hands that can be read, legal or not.
    fn most_are_hands(&self) -> bool {
        self.most_are(|what| match what {
            EntryKind::Deal(_) | EntryKind::Incomplete(_) => true,
            EntryKind::Invalid(fault) => matches!(
                fault,
                Fault::Twice { .. }
                    | Fault::Deal(_)
                    | Fault::Notation(NotationError::Twice { .. } | NotationError::Deal(_))
            ),
            EntryKind::Unused | EntryKind::Text => false,
        })
    }
}
