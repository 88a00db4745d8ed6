//! The registry of formats: one row per format, with its names, its reader and its writer.
//!
//! A new format needs a row here and a file in `read/`, `write/` or both.

use super::read::{
    ByLine, Lists, Parser, bigdeal, csv as tables, diagram, dlm, duplimate as machines, json,
    layouts, lin, links, pages, pbn, rbn, zrd,
};
use super::write::{self, BoardWriter};
use crate::number::Scheme;

/// A file format of deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One PBN deal string per line, north first.
    Line,
    /// Portable Bridge Notation 2.1: writes the export format, reads the import format.
    Pbn,
    /// Bridge Base Online's LIN.
    Lin,
    /// Diagrams of hands to print, as a page of HTML.
    #[cfg(feature = "cli")]
    Html,
    /// Richard's Bridge Notation.
    Rbn,
    /// Duplimate's DUP: at most 99 boards.
    Dup,
    /// BRI: north's, east's and south's cards as numbers.
    Bri,
    /// DGE: four hands with suit symbols of code page 437.
    Dge,
    /// Duplimate's DLM.
    Dlm,
    /// Tables of deals, hands or suits; written as sixteen suits, board and dealer/vulnerability.
    Csv,
    /// One line per deal, as dealer's `printoneline`.
    Oneline,
    /// Four lines per deal, as dealer's `printcompact`.
    Compact,
    /// Four hands side by side, as dealer's `printall`.
    All,
    /// West's and east's hands side by side, as dealer's `printew`.
    Ew,
    /// A page for each seat's hands, as dealer's `print`.
    Pages,
    /// One line per deal, as `deal -l` prints.
    DealList,
    /// Four hands and their double-dummy tricks per line, as Deal's `ddline`.
    DdLine,
    /// Four hands with suit symbols per line, as redeal prints.
    Redeal,
    /// Diagrams of four hands, as Deal, books and mails print them.
    Diagram,
    /// Links to Bridge Base Online's hand viewer, in HTML, tables or text.
    Links,
    /// Lists of deals for double-dummy solvers: one quoted deal string per line.
    Dds,
    /// GIB's lists: four hands from west, and their double-dummy results.
    Gib,
    /// Lists of deals for bidding programs: dealer, vulnerability, four hands.
    Ben,
    /// Pavlicek's compressed deals with their double-dummy results.
    Zrd,
    /// BER (Bernasconi): one digit per card.
    Ber,
    /// BHG (Borel): one letter per card.
    Bhg,
    /// RZD (Kops): one byte for the four cards of a rank.
    Rzd,
    /// CDS: as RZD, with the board number.
    Cds,
    /// JSON objects, as `deal --json` prints them one per line, or in an array.
    Json,
    /// One number per line.
    Number(Scheme),
}

/// The parts of a board that a format stores, besides the cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carries {
    /// The board number.
    pub number: bool,
    /// The dealer and the vulnerability.
    pub dealer: bool,
    /// The event's name.
    pub event: bool,
    /// Site, date and method of scoring.
    pub details: bool,
    /// The players' names.
    pub names: bool,
    /// A comment on each board.
    pub comment: bool,
    /// Double-dummy tricks.
    pub tricks: bool,
    /// The layout of sheets of paper.
    pub layout: bool,
}

impl Carries {
    const NOTHING: Self = Self {
        number: false,
        dealer: false,
        event: false,
        details: false,
        names: false,
        comment: false,
        tricks: false,
        layout: false,
    };
    const NUMBER: Self = Self {
        number: true,
        ..Self::NOTHING
    };
    const BOARD: Self = Self {
        dealer: true,
        ..Self::NUMBER
    };
}

/// Whether files are text, which may begin with a byte order mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    Text,
    Bytes,
}

/// The reader of a format's files.
#[derive(Clone, Copy)]
enum BoardReader {
    /// A parser, at the beginning of a file.
    Parser(fn() -> Box<dyn Parser>),
    /// Lines of numbers.
    Numbers(Scheme),
}

/// The description of a format.
struct FormatRow {
    format: Format,
    /// The names on the command line, the printed one first.
    names: &'static [&'static str],
    description: &'static str,
    content: Content,
    reader: Option<BoardReader>,
    writer: Option<BoardWriter>,
    carries: Carries,
    /// The ending of a file's name, and the media type.
    file: [&'static str; 2],
}

impl FormatRow {
    /// The same row for a format with files of this ending and media type.
    const fn in_files(self, ending: &'static str, media_type: &'static str) -> Self {
        let file = [ending, media_type];
        Self { file, ..self }
    }

    /// The same row for a format that stores these parts of a board.
    const fn carrying(self, carries: Carries) -> Self {
        Self { carries, ..self }
    }
}

/// A reader that is a parser.
macro_rules! parser {
    ($parser:expr) => {
        Some(BoardReader::Parser(|| Box::new($parser)))
    };
}

/// The media type of files that browsers only store.
const BYTES: &str = "application/octet-stream";

const ROWS: &[FormatRow] = {
    use BoardWriter::{Boards, File, Labelled, Solved};
    use Content::{Bytes, Text};
    use write::{csv, dealer, duplimate, text};

    const fn row(
        format: Format,
        names: &'static [&'static str],
        description: &'static str,
        content: Content,
        reader: Option<BoardReader>,
        writer: Option<BoardWriter>,
    ) -> FormatRow {
        FormatRow {
            format,
            names,
            description,
            content,
            reader,
            writer,
            carries: Carries::NOTHING,
            file: ["txt", BYTES],
        }
    }

    const fn numbers(
        scheme: Scheme,
        names: &'static [&'static str],
        description: &'static str,
    ) -> FormatRow {
        let (reader, writer) = (BoardReader::Numbers(scheme), BoardWriter::Numbers(scheme));
        row(
            Format::Number(scheme),
            names,
            description,
            Text,
            Some(reader),
            Some(writer),
        )
    }

    &[
        row(
            Format::Line,
            &["line"],
            "One PBN deal string per line",
            Text,
            parser!(ByLine::DealStrings),
            Some(Boards(text::write_line)),
        ),
        row(
            Format::Pbn,
            &["pbn"],
            "PBN: Portable Bridge Notation",
            Text,
            parser!(pbn::Pbn::default()),
            Some(Labelled(write::pbn::write)),
        )
        .in_files("pbn", BYTES)
        .carrying(Carries {
            event: true,
            details: true,
            names: true,
            comment: true,
            tricks: true,
            ..Carries::BOARD
        }),
        row(
            Format::Lin,
            &["lin"],
            "LIN: Bridge Base Online, also its vugraph",
            Text,
            parser!(lin::Lin::default()),
            Some(Labelled(write::lin::write)),
        )
        .in_files("lin", BYTES)
        .carrying(Carries {
            names: true,
            comment: true,
            ..Carries::BOARD
        }),
        #[cfg(feature = "cli")]
        row(
            Format::Html,
            &["html"],
            "A page of hand diagrams to print on A4",
            Text,
            None,
            Some(BoardWriter::Sheets),
        )
        .in_files("html", "text/html; charset=utf-8")
        .carrying(Carries {
            event: true,
            names: true,
            comment: true,
            tricks: true,
            layout: true,
            ..Carries::BOARD
        }),
        row(
            Format::Rbn,
            &["rbn"],
            "RBN: Richard's Bridge Notation",
            Text,
            parser!(rbn::Rbn::default()),
            Some(Labelled(write::rbn::write)),
        )
        .in_files("rbn", BYTES)
        .carrying(Carries {
            event: true,
            ..Carries::NUMBER
        }),
        row(
            Format::Dup,
            &["dup"],
            "DUP: Duplimate's dealing machine, at most 99 boards",
            Bytes,
            parser!(machines::Dup),
            Some(File(duplimate::write_dup)),
        )
        .in_files("dup", BYTES),
        row(
            Format::Bri,
            &["bri"],
            "BRI: dealing machines, three hands as card numbers",
            Bytes,
            parser!(machines::Bri),
            Some(Boards(duplimate::write_bri)),
        ),
        row(
            Format::Dge,
            &["dge"],
            "DGE: dealing machines, four hands with suit symbols",
            Bytes,
            parser!(machines::Dge),
            Some(Boards(duplimate::write_dge)),
        ),
        row(
            Format::Dlm,
            &["dlm"],
            "DLM: Duplimate's boards 1 to 99, two cards a letter",
            Text,
            parser!(dlm::Dlm::default()),
            None,
        ),
        row(
            Format::Csv,
            &["csv"],
            "Tables: a deal, four hands or sixteen suits per row, with a header or without",
            Text,
            parser!(tables::Csv::default()),
            Some(Boards(csv::write)),
        )
        .in_files("csv", "text/csv; charset=utf-8")
        .carrying(Carries::BOARD),
        row(
            Format::Oneline,
            &["oneline"],
            "One line per deal, as dealer's printoneline",
            Text,
            parser!(ByLine::Oneline),
            Some(Boards(text::write_oneline)),
        ),
        row(
            Format::Compact,
            &["compact"],
            "Four lines per deal, as dealer's printcompact",
            Text,
            parser!(layouts::COMPACT),
            Some(Boards(text::write_compact)),
        ),
        row(
            Format::All,
            &["all"],
            "Four hands side by side, as dealer's printall",
            Text,
            parser!(layouts::ALL),
            Some(Boards(text::write_all)),
        )
        .carrying(Carries::NUMBER),
        row(
            Format::Ew,
            &["ew"],
            "West's and east's hands side by side, as dealer's printew",
            Text,
            parser!(layouts::EW),
            Some(Boards(text::write_ew)),
        ),
        row(
            Format::Pages,
            &["pages"],
            "A page for each seat, four hands side by side, as dealer's print",
            Text,
            parser!(pages::Pages::default()),
            Some(File(dealer::write_pages)),
        ),
        row(
            Format::DealList,
            &["deal"],
            "One line per deal, as deal -l",
            Text,
            parser!(ByLine::DealList),
            None,
        ),
        row(
            Format::Dds,
            &["dds"],
            "Lists for double-dummy solvers: PBN 0 0 .. \"N:...\"",
            Text,
            parser!(Lists::default()),
            None,
        ),
        row(
            Format::DdLine,
            &["ddline"],
            "Deal's ddline: four hands and double-dummy tricks per line",
            Text,
            parser!(ByLine::DdLine),
            None,
        ),
        row(
            Format::Redeal,
            &["redeal"],
            "Four hands with suit symbols per line, as redeal prints",
            Text,
            parser!(ByLine::Redeal),
            None,
        ),
        row(
            Format::Diagram,
            &["diagram"],
            "Diagrams of four hands, as Deal, redeal -l, books and mails have them",
            Text,
            parser!(diagram::Diagrams::default()),
            None,
        ),
        row(
            Format::Links,
            &["links"],
            "Links to Bridge Base's hand viewer, in HTML, tables or text",
            Text,
            parser!(links::Links::default()),
            None,
        ),
        row(
            Format::Gib,
            &["gib"],
            "GIB: four hands from west per line, with double-dummy results",
            Text,
            parser!(ByLine::Gib),
            None,
        ),
        row(
            Format::Ben,
            &["ben"],
            "BEN: dealer, vulnerability and four hands from north per line",
            Text,
            parser!(ByLine::Ben),
            None,
        ),
        row(
            Format::Zrd,
            &["zrd"],
            "ZRD: Pavlicek's 23 bytes per deal, with double-dummy results",
            Bytes,
            parser!(zrd::Zrd),
            Some(Solved),
        )
        .carrying(Carries {
            tricks: true,
            ..Carries::NOTHING
        }),
        row(
            Format::Ber,
            &["ber"],
            "BER: 52 digits per deal, the owner of each card",
            Bytes,
            parser!(bigdeal::Ber),
            None,
        ),
        row(
            Format::Bhg,
            &["bhg"],
            "BHG: 52 letters per deal, the cards of each player",
            Text,
            parser!(bigdeal::Bhg::default()),
            None,
        ),
        row(
            Format::Rzd,
            &["rzd"],
            "RZD: 13 bytes per deal",
            Bytes,
            parser!(bigdeal::Rzd::default()),
            None,
        ),
        row(
            Format::Cds,
            &["cds"],
            "CDS: board number and 13 bytes per deal",
            Bytes,
            parser!(bigdeal::Cds),
            None,
        ),
        row(
            Format::Json,
            &["json", "jsonl"],
            "JSON objects, one per line or in an array: number, dealer, vulnerability, hands",
            Text,
            parser!(json::Json),
            Some(Boards(write::json::write)),
        )
        .in_files("json", "application/json")
        .carrying(Carries::BOARD),
        numbers(
            Scheme::Pavlicek,
            &["pavlicek", "number"],
            "One number per line, Pavlicek's",
        ),
        numbers(
            Scheme::PavlicekSuits,
            &["pavlicek-suits"],
            "One number per line, Pavlicek's with the cards suit by suit",
        ),
        numbers(
            Scheme::Andrews,
            &["andrews"],
            "One number per line, Andrews'",
        ),
        numbers(
            Scheme::BigDeal,
            &["bigdeal", "goe"],
            "One number per line, BigDeal's (.goe)",
        ),
        numbers(
            Scheme::Ending,
            &["ending"],
            "One number per line, Pavlicek's for endings with hands of one size",
        ),
        numbers(
            Scheme::EndingAny,
            &["ending-any"],
            "One number per line, for endings with hands of any sizes",
        ),
        numbers(
            Scheme::Base5,
            &["base5"],
            "One number per line, one base-5 digit per card",
        ),
        numbers(
            Scheme::Zbs,
            &["zbs"],
            "Four hex words per line, one per suit",
        ),
    ]
};

impl Format {
    /// The formats that can be read.
    pub fn read() -> impl Iterator<Item = Self> {
        let rows = ROWS.iter().filter(|row| row.reader.is_some());
        rows.map(|row| row.format)
    }

    /// The formats that can be written.
    pub fn written() -> impl Iterator<Item = Self> {
        let rows = ROWS.iter().filter(|row| row.writer.is_some());
        rows.map(|row| row.format)
    }

    /// The format of a lower-case name such as `pbn`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let row = ROWS.iter().find(|row| row.names.contains(&name));
        row.map(|row| row.format)
    }

    /// The names that the command line accepts, the printed one first.
    #[must_use]
    pub fn names(self) -> &'static [&'static str] {
        self.row().names
    }

    /// The printed name, such as `pbn`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// A one-line description.
    #[must_use]
    pub fn description(self) -> &'static str {
        self.row().description
    }

    fn row(self) -> &'static FormatRow {
        let row = ROWS.iter().find(|row| row.format == self);
        row.expect("every format has a row")
    }

    /// The ending of a file's name, such as `pbn`.
    #[must_use]
    pub fn file_ending(self) -> &'static str {
        self.row().file[0]
    }

    /// The media type of a file, such as `text/csv; charset=utf-8`.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        self.row().file[1]
    }

    /// The parts of a board that the format stores.
    #[must_use]
    pub fn carries(self) -> Carries {
        self.row().carries
    }

    /// The maximum number of boards of a file.
    #[must_use]
    pub fn most_boards(self) -> u64 {
        match self {
            Self::Dup => write::duplimate::MOST_DUP_BOARDS,
            _ => u64::MAX,
        }
    }

    /// Whether all boards are written at the end of a file, in which their places are their numbers.
    pub(crate) fn is_written_at_end(self) -> bool {
        matches!(self.row().writer, Some(BoardWriter::File(_)))
    }

    /// Whether the files are text, which may begin with a byte order mark.
    pub(super) fn is_text(self) -> bool {
        self.row().content == Content::Text
    }

    /// A parser at the beginning of a file; `None` if the format cannot be read.
    pub(super) fn parser(self) -> Option<Box<dyn Parser>> {
        Some(match self.row().reader? {
            BoardReader::Parser(parser) => parser(),
            BoardReader::Numbers(scheme) => Box::new(ByLine::Numbers(scheme)),
        })
    }

    /// The writer of the format; `None` if the format cannot be written.
    pub(super) fn writer(self) -> Option<BoardWriter> {
        self.row().writer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_goes_by_its_names_and_has_a_use() {
        let mut names = Vec::new();
        for row in ROWS {
            assert!(row.reader.is_some() || row.writer.is_some());
            assert!(!row.description.is_empty());
            assert_eq!(row.format.name(), row.names[0]);
            for name in row.names {
                assert_eq!(Format::named(name), Some(row.format));
                names.push(name);
            }
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 39 + usize::from(cfg!(feature = "cli")));
        assert_eq!(Format::named("PBN"), None);
    }
}
