//! The table of double-dummy tricks of a game: the section `OptimumResultTable`.

use crate::bridge::{Seat, Strain, TrickTable};
use crate::read::notation;

/// Maximum length of a table in bytes. A table of twenty rows needs about two hundred.
const LONGEST_TABLE: usize = 4096;

/// A table being read.
#[derive(Debug)]
pub(super) struct ResultTable {
    /// The columns named in the tag, in their order.
    columns: Vec<Column>,
    /// The rows so far.
    text: Vec<u8>,
    /// Whether no tag has ended the table yet.
    is_open: bool,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Declarer,
    Denomination,
    Result,
    Other,
}

impl ResultTable {
    /// The name of the tag before a table.
    pub(super) const NAME: &'static [u8] = b"OptimumResultTable";

    /// Begins the table with these columns: names separated by `;`, each with an optional order
    /// (`+`, `-`) before it and width (`\2R`) behind it.
    pub(super) fn new(value: &[u8]) -> Self {
        let value = &value[..value.len().min(LONGEST_TABLE)];
        let columns = value.split(|&byte| byte == b';').map(|column| {
            let end = column.iter().position(|&byte| byte == b'\\');
            let name = column[..end.unwrap_or(column.len())].trim_ascii();
            match name
                .strip_prefix(b"+")
                .or(name.strip_prefix(b"-"))
                .unwrap_or(name)
            {
                b"Declarer" => Column::Declarer,
                b"Denomination" => Column::Denomination,
                b"Result" => Column::Result,
                _ => Column::Other,
            }
        });
        Self {
            columns: columns.collect(),
            text: Vec::new(),
            is_open: true,
        }
    }

    /// Adds text outside of tags and comments, unless a tag has ended the table.
    pub(super) fn add(&mut self, text: &[u8]) {
        if self.is_open {
            let room = (LONGEST_TABLE + 1).saturating_sub(self.text.len());
            self.text.extend_from_slice(&text[..text.len().min(room)]);
        }
    }

    /// Ends the table: a tag follows.
    pub(super) fn close(&mut self) {
        self.is_open = false;
    }

    /// The tricks, if the table gives each number exactly once or repeats it unchanged.
    pub(super) fn tricks(&self) -> Option<TrickTable> {
        if self.text.len() > LONGEST_TABLE {
            return None;
        }
        let words = self.text.split(u8::is_ascii_whitespace);
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
        if !words.len().is_multiple_of(self.columns.len()) {
            return None;
        }
        let mut known = [[None; Strain::COUNT]; 4];
        for row in words.chunks_exact(self.columns.len()) {
            let value = |column| {
                let place = self.columns.iter().position(|other| *other == column)?;
                Some(row[place])
            };
            let declarer = declarer(value(Column::Declarer)?)?;
            let strain = strain(value(Column::Denomination)?)?;
            let tricks = str::from_utf8(value(Column::Result)?).ok()?.parse().ok()?;
            let place: &mut Option<u8> = &mut known[declarer.index()][strain.index()];
            if *place.get_or_insert(tricks) != tricks {
                return None;
            }
        }
        if known.iter().flatten().any(Option::is_none) {
            return None;
        }
        TrickTable::new(|seat, strain| {
            known[seat.index()][strain.index()].expect("every number is known")
        })
    }
}

fn declarer(word: &[u8]) -> Option<Seat> {
    match word {
        &[letter] => notation::seat(letter),
        _ => None,
    }
}

fn strain(word: &[u8]) -> Option<Strain> {
    let is_named = |strain: &Strain| strain.name().as_bytes().eq_ignore_ascii_case(word);
    Strain::ALL.into_iter().find(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of a table in which declarer takes `tricks`.
    fn rows(row: impl Fn(Seat, Strain) -> String) -> String {
        let all = Seat::ALL.into_iter().flat_map(|seat| {
            let row = &row;
            Strain::ALL.map(move |strain| row(seat, strain))
        });
        all.collect()
    }

    fn tricks(columns: &str, rows: &str) -> Option<TrickTable> {
        let mut table = ResultTable::new(columns.as_bytes());
        table.add(rows.as_bytes());
        table.tricks()
    }

    fn number(seat: Seat, strain: Strain) -> u8 {
        (3 * seat.index() + strain.index()) as u8 % 14
    }

    #[test]
    fn columns_and_rows_may_come_in_any_order() {
        let expected = TrickTable::new(number);
        let usual = rows(|seat, strain| {
            format!(
                "{} {strain:>2} {:>2}\n",
                seat.letter(),
                number(seat, strain)
            )
        });
        let columns = r"Declarer;Denomination\2R;Result\2R";
        assert_eq!(tricks(columns, &usual), expected);
        let other = rows(|seat, strain| {
            let letter = seat.letter().to_ascii_lowercase();
            format!("{} {} x {letter}\r\n", number(seat, strain), strain.name())
        });
        let columns = r"+Result;Denomination;Remark;-Declarer\1R";
        assert_eq!(tricks(columns, &other), expected);
    }

    #[test]
    fn other_tables_have_no_tricks() {
        let columns = r"Declarer;Denomination;Result";
        let row = |seat: Seat, strain| format!("{} {strain} 7\n", seat.letter());
        let whole = rows(row);
        assert!(tricks(columns, &whole).is_some());
        let twice = format!("{whole}N NT 7\n");
        assert!(tricks(columns, &twice).is_some());
        for (columns, text) in [
            (columns, whole.replacen("N NT 7\n", "", 1)),
            (columns, format!("{whole}N NT 8\n")),
            (columns, whole.replacen("N NT 7", "N NT 14", 1)),
            (columns, whole.replacen("N NT 7", "N NT", 1)),
            (columns, whole.replacen("N NT 7", "N NT -", 1)),
            (columns, whole.replacen("N NT 7", "X NT 7", 1)),
            (columns, whole.replacen("N NT 7", "N NS 7", 1)),
            (columns, whole.repeat(LONGEST_TABLE / whole.len() + 1)),
            ("Declarer;Denomination", "N NT\n".repeat(20)),
            ("", whole.clone()),
        ] {
            assert_eq!(tricks(columns, &text), None, "{text}");
        }
        let most = LONGEST_TABLE / whole.len();
        assert!(tricks(columns, &whole.repeat(most)).is_some());
    }

    #[test]
    fn a_tag_ends_a_table() {
        let columns = br"Declarer;Denomination;Result";
        let mut table = ResultTable::new(columns);
        table.add(rows(|seat, strain| format!("{} {strain} 7\n", seat.letter())).as_bytes());
        table.close();
        table.add(b"text of another section");
        assert!(table.tricks().is_some());
    }
}
