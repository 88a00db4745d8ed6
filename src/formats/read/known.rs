//! The formats that can be read, and the readers of each.

use super::Parser;
use super::bigdeal::{Ber, Bhg, Cds, Csv, Rzd};
use super::dlm::Dlm;
use super::duplimate::{Bri, Dge, Dup};
use super::lin::Lin;
use super::lines::ByLine;
use super::pbn::Pbn;
use super::rbn::Rbn;
use crate::number::Scheme;

/// A format of deals that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// Portable Bridge Notation, any that PBN 2.1 lets programs import.
    Pbn,
    /// Bridge Base Online's LIN.
    Lin,
    /// Richard's Bridge Notation.
    Rbn,
    /// Duplimate's DUP.
    Dup,
    /// BRI: north's, east's and south's cards as numbers.
    Bri,
    /// DGE: four hands with suit symbols of code page 437.
    Dge,
    /// Duplimate's DLM.
    Dlm,
    /// A line a deal, as dealer's `printoneline`.
    Oneline,
    /// A line a deal, as `deal -l` prints.
    DealList,
    /// A PBN deal string a line.
    Line,
    /// Lists of deals for double-dummy solvers: a deal string in quotes a line.
    Dds,
    /// Bernasconi's: a digit a card.
    Ber,
    /// Borel's: a letter a card.
    Bhg,
    /// Sixteen suits, board and dealer/vulnerability, comma-separated.
    Csv,
    /// Kops': a byte for the four cards of a rank.
    Rzd,
    /// The same with the number of the board.
    Cds,
    /// A number a line.
    Number(Scheme),
}

impl InputFormat {
    /// All of them, with what they go by and what they are.
    const LIST: [(Self, &'static str, &'static str); 24] = {
        use InputFormat as F;
        use Scheme as S;
        [
            (F::Pbn, "pbn", "PBN: Portable Bridge Notation"),
            (F::Lin, "lin", "LIN: Bridge Base Online, also its vugraph"),
            (F::Rbn, "rbn", "RBN: Richard's Bridge Notation"),
            (F::Dup, "dup", "DUP: Duplimate's dealing machine"),
            (
                F::Bri,
                "bri",
                "BRI: dealing machines, three hands as card numbers",
            ),
            (
                F::Dge,
                "dge",
                "DGE: dealing machines, four hands with suit symbols",
            ),
            (
                F::Dlm,
                "dlm",
                "DLM: Duplimate's boards 1 to 99, two cards a letter",
            ),
            (
                F::Oneline,
                "oneline",
                "A line a deal, as dealer's printoneline",
            ),
            (F::DealList, "deal", "A line a deal, as deal -l"),
            (F::Line, "line", "A PBN deal string a line"),
            (
                F::Dds,
                "dds",
                "Lists for double-dummy solvers: PBN 0 0 .. \"N:...\"",
            ),
            (
                F::Ber,
                "ber",
                "BER: 52 digits a deal, the owners of the cards",
            ),
            (
                F::Bhg,
                "bhg",
                "BHG: 52 letters a deal, the cards of the owners",
            ),
            (
                F::Csv,
                "csv",
                "Sixteen suits, board number and dealer/vulnerability",
            ),
            (F::Rzd, "rzd", "RZD: 13 bytes a deal"),
            (F::Cds, "cds", "CDS: the board's number and 13 bytes a deal"),
            (
                F::Number(S::Pavlicek),
                "pavlicek",
                "A number a line, Pavlicek's",
            ),
            (
                F::Number(S::PavlicekSuits),
                "pavlicek-suits",
                "A number a line, Pavlicek's with the cards suit by suit",
            ),
            (
                F::Number(S::Andrews),
                "andrews",
                "A number a line, Andrews'",
            ),
            (
                F::Number(S::BigDeal),
                "bigdeal",
                "A number a line, BigDeal's (.goe)",
            ),
            (
                F::Number(S::Ending),
                "ending",
                "A number a line, Pavlicek's of endings with hands of one size",
            ),
            (
                F::Number(S::EndingAny),
                "ending-any",
                "A number a line, of endings with hands of any sizes",
            ),
            (
                F::Number(S::Base5),
                "base5",
                "A number a line, a digit of base 5 a card",
            ),
            (
                F::Number(S::Zbs),
                "zbs",
                "Four hex words a line, one a suit",
            ),
        ]
    };

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::LIST.into_iter().map(|(format, ..)| format)
    }

    /// The format of this name; `number` is what `deal --format number` writes, `goe` what
    /// BigDeal's numbers are in.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "number" => Some(Self::Number(Scheme::Pavlicek)),
            "goe" => Some(Self::Number(Scheme::BigDeal)),
            _ => Self::all().find(|format| format.name() == name),
        }
    }

    /// The name: `pbn`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// What it is, in a line.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.row().2
    }

    /// The format of a file that begins with these bytes, by what they hold; 64 KiB are
    /// enough. Nothing of numbers, which look alike in every scheme.
    #[must_use]
    pub fn detect(head: &[u8]) -> Option<Self> {
        super::detect::detect(head)
    }

    fn row(self) -> &'static (Self, &'static str, &'static str) {
        let place = Self::LIST.iter().position(|&(format, ..)| format == self);
        &Self::LIST[place.expect("every format is in the list")]
    }

    /// Whether its files are text, and may begin with a byte order mark.
    pub(super) const fn is_text(self) -> bool {
        !matches!(
            self,
            Self::Dup | Self::Bri | Self::Dge | Self::Ber | Self::Rzd | Self::Cds
        )
    }

    /// A parser at the beginning of a file.
    pub(super) fn parser(self) -> Box<dyn Parser> {
        match self {
            Self::Pbn => Box::new(Pbn::default()),
            Self::Rbn => Box::new(Rbn::default()),
            Self::Line | Self::Dds | Self::Oneline | Self::DealList | Self::Number(_) => {
                Box::new(ByLine(self))
            }
            Self::Lin => Box::new(Lin::default()),
            Self::Dup => Box::new(Dup),
            Self::Bri => Box::new(Bri),
            Self::Dge => Box::new(Dge),
            Self::Dlm => Box::new(Dlm::default()),
            Self::Ber => Box::new(Ber),
            Self::Bhg => Box::new(Bhg::default()),
            Self::Csv => Box::new(Csv::default()),
            Self::Rzd => Box::new(Rzd::default()),
            Self::Cds => Box::new(Cds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_goes_by_its_name() {
        for format in InputFormat::all() {
            assert_eq!(InputFormat::named(format.name()), Some(format));
            assert!(!format.description().is_empty());
        }
        let names: Vec<&str> = InputFormat::all().map(InputFormat::name).collect();
        assert_eq!(names.len(), 24);
        assert_eq!(
            InputFormat::named("number"),
            Some(InputFormat::Number(Scheme::Pavlicek))
        );
        assert_eq!(InputFormat::named("PBN"), None);
    }
}
