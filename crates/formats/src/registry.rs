//! The registry of formats: one row per format, with its names, its reader and its writer.
//!
//! A new format needs a row here and a file in `read/`, `write/` or both.

use super::read::{
    ByLine, DealLists, Parser, bigdeal, csv as tables, diagram, dlm, duplimate as machines, json,
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
    #[cfg(feature = "html")]
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
    /// Site, date and round of the event.
    pub details: bool,
    /// The method of scoring.
    pub scoring: bool,
    /// The players' names.
    pub names: bool,
    /// Calls, and cards in the order of the play.
    pub play: bool,
    /// Contract and declarer, also without an auction.
    pub contract: bool,
    /// The number of tricks that the declarer took.
    pub result: bool,
    /// Other tags of PBN.
    pub other: bool,
    /// The type of each deal of a mix.
    pub deal_type: bool,
    /// A comment on each board.
    pub comment: bool,
    /// The same board at several tables.
    pub tables: bool,
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
        scoring: false,
        names: false,
        play: false,
        contract: false,
        result: false,
        other: false,
        deal_type: false,
        comment: false,
        tables: false,
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
    const RECORD: Self = Self {
        event: true,
        details: true,
        scoring: true,
        names: true,
        play: true,
        contract: true,
        result: true,
        comment: true,
        tables: true,
        ..Self::BOARD
    };
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
    /// Whether files are text, which may begin with a byte order mark.
    is_text: bool,
    reader: Option<BoardReader>,
    writer: Option<BoardWriter>,
    carries: Carries,
    /// The ending of a file's name, and the media type.
    file: [&'static str; 2],
}

/// A row begins as a text that is neither read nor written.
impl FormatRow {
    const fn described(self, description: &'static str) -> Self {
        Self {
            description,
            ..self
        }
    }

    const fn of_bytes(self) -> Self {
        let is_text = false;
        Self { is_text, ..self }
    }

    const fn read(self, reader: BoardReader) -> Self {
        let reader = Some(reader);
        Self { reader, ..self }
    }

    const fn written(self, writer: BoardWriter) -> Self {
        let writer = Some(writer);
        Self { writer, ..self }
    }

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
        BoardReader::Parser(|| Box::new($parser))
    };
}

/// The media type of files that browsers only store.
const BYTES: &str = "application/octet-stream";

const ROWS: &[FormatRow] = {
    use BoardWriter::{Boards, Continued, File, Recorded, Solved};
    use write::{csv, dealer, duplimate, text};

    const fn row(format: Format, names: &'static [&'static str]) -> FormatRow {
        FormatRow {
            format,
            names,
            description: "",
            is_text: true,
            reader: None,
            writer: None,
            carries: Carries::NOTHING,
            file: ["txt", BYTES],
        }
    }

    const fn numbers(scheme: Scheme, names: &'static [&'static str]) -> FormatRow {
        row(Format::Number(scheme), names)
            .read(BoardReader::Numbers(scheme))
            .written(BoardWriter::Numbers(scheme))
    }

    &[
        row(Format::Line, &["line"])
            .described("One PBN deal string per line")
            .read(parser!(ByLine::DealStrings))
            .written(Boards(text::write_line)),
        row(Format::Pbn, &["pbn"])
            .described("PBN: Portable Bridge Notation")
            .read(parser!(pbn::Pbn::default()))
            .written(Recorded(write::pbn::write))
            .in_files("pbn", BYTES)
            .carrying(Carries {
                other: true,
                deal_type: true,
                tricks: true,
                ..Carries::RECORD
            }),
        row(Format::Lin, &["lin"])
            .described("LIN: Bridge Base Online, also its vugraph")
            .read(parser!(lin::Lin::default()))
            .written(Recorded(write::lin::write))
            .in_files("lin", BYTES)
            .carrying(Carries {
                names: true,
                play: true,
                result: true,
                deal_type: true,
                comment: true,
                ..Carries::BOARD
            }),
        #[cfg(feature = "html")]
        row(Format::Html, &["html"])
            .described("A page of hand diagrams to print")
            .written(BoardWriter::Sheets)
            .in_files("html", "text/html; charset=utf-8")
            .carrying(Carries {
                event: true,
                names: true,
                deal_type: true,
                comment: true,
                tricks: true,
                layout: true,
                ..Carries::BOARD
            }),
        row(Format::Rbn, &["rbn"])
            .described("RBN: Richard's Bridge Notation")
            .read(parser!(rbn::Rbn::default()))
            .written(Continued(write::rbn::write))
            .in_files("rbn", BYTES)
            .carrying(Carries::RECORD),
        row(Format::Dup, &["dup"])
            .described("DUP: Duplimate's dealing machine, at most 99 boards")
            .of_bytes()
            .read(parser!(machines::Dup))
            .written(File(duplimate::write_dup))
            .in_files("dup", BYTES),
        row(Format::Bri, &["bri"])
            .described("BRI: dealing machines, three hands as card numbers")
            .of_bytes()
            .read(parser!(machines::Bri))
            .written(Boards(duplimate::write_bri))
            .in_files("bri", BYTES),
        row(Format::Dge, &["dge"])
            .described("DGE: dealing machines, four hands with suit symbols")
            .of_bytes()
            .read(parser!(machines::Dge))
            .written(Boards(duplimate::write_dge))
            .in_files("dge", BYTES),
        row(Format::Dlm, &["dlm"])
            .described("DLM: Duplimate's boards 1 to 99, two cards a letter")
            .read(parser!(dlm::Dlm::default())),
        row(Format::Csv, &["csv"])
            .described(
                "Tables: a deal, four hands or sixteen suits per row, with a header or without",
            )
            .read(parser!(tables::Csv::default()))
            .written(Recorded(csv::write))
            .in_files("csv", "text/csv; charset=utf-8")
            .carrying(Carries {
                deal_type: true,
                ..Carries::BOARD
            }),
        row(Format::Oneline, &["oneline"])
            .described("One line per deal, as dealer's printoneline")
            .read(parser!(ByLine::Oneline))
            .written(Boards(text::write_oneline)),
        row(Format::Compact, &["compact"])
            .described("Four lines per deal, as dealer's printcompact")
            .read(parser!(layouts::COMPACT))
            .written(Boards(text::write_compact)),
        row(Format::All, &["all"])
            .described("Four hands side by side, as dealer's printall")
            .read(parser!(layouts::ALL))
            .written(Boards(text::write_all))
            .carrying(Carries::NUMBER),
        row(Format::Ew, &["ew"])
            .described("West's and east's hands side by side, as dealer's printew")
            .read(parser!(layouts::EW))
            .written(Boards(text::write_ew)),
        row(Format::Pages, &["pages"])
            .described("A page for each seat, four hands side by side, as dealer's print")
            .read(parser!(pages::Pages::default()))
            .written(File(dealer::write_pages)),
        row(Format::DealList, &["deal"])
            .described("One line per deal, as deal -l")
            .read(parser!(ByLine::DealList)),
        row(Format::Dds, &["dds"])
            .described("Lists for double-dummy solvers: PBN 0 0 .. \"N:...\"")
            .read(parser!(DealLists::default())),
        row(Format::DdLine, &["ddline"])
            .described("Deal's ddline: four hands and double-dummy tricks per line")
            .read(parser!(ByLine::DdLine)),
        row(Format::Redeal, &["redeal"])
            .described("Four hands with suit symbols per line, as redeal prints")
            .read(parser!(ByLine::Redeal)),
        row(Format::Diagram, &["diagram"])
            .described("Diagrams of four hands, as Deal, redeal -l, books and mails have them")
            .read(parser!(diagram::Diagrams::default())),
        row(Format::Links, &["links"])
            .described("Links to Bridge Base's hand viewer, in HTML, tables or text")
            .read(parser!(links::Links::default())),
        row(Format::Gib, &["gib"])
            .described("GIB: four hands from west per line, with double-dummy results")
            .read(parser!(ByLine::Gib)),
        row(Format::Ben, &["ben"])
            .described("BEN: dealer, vulnerability and four hands from north per line")
            .read(parser!(ByLine::Ben)),
        row(Format::Zrd, &["zrd"])
            .described("ZRD: Pavlicek's 23 bytes per deal, with double-dummy results")
            .of_bytes()
            .read(parser!(zrd::Zrd))
            .written(Solved)
            .carrying(Carries {
                tricks: true,
                ..Carries::NOTHING
            }),
        row(Format::Ber, &["ber"])
            .described("BER: 52 digits per deal, the owner of each card")
            .of_bytes()
            .read(parser!(bigdeal::Ber)),
        row(Format::Bhg, &["bhg"])
            .described("BHG: 52 letters per deal, the cards of each player")
            .read(parser!(bigdeal::Bhg::default())),
        row(Format::Rzd, &["rzd"])
            .described("RZD: 13 bytes per deal")
            .of_bytes()
            .read(parser!(bigdeal::Rzd::default())),
        row(Format::Cds, &["cds"])
            .described("CDS: board number and 13 bytes per deal")
            .of_bytes()
            .read(parser!(bigdeal::Cds)),
        row(Format::Json, &["json", "jsonl"])
            .described(
                "JSON objects, one per line or in an array: number, dealer, vulnerability, hands",
            )
            .read(parser!(json::Json))
            .written(Recorded(write::json::write))
            .in_files("json", "application/json")
            .carrying(Carries {
                deal_type: true,
                ..Carries::RECORD
            }),
        numbers(Scheme::Pavlicek, &["pavlicek", "number"])
            .described("One number per line, Pavlicek's"),
        numbers(Scheme::PavlicekSuits, &["pavlicek-suits"])
            .described("One number per line, Pavlicek's with the cards suit by suit"),
        numbers(Scheme::Andrews, &["andrews"]).described("One number per line, Andrews'"),
        numbers(Scheme::BigDeal, &["bigdeal", "goe"])
            .described("One number per line, BigDeal's (.goe)"),
        numbers(Scheme::Ending, &["ending"])
            .described("One number per line, Pavlicek's for endings with hands of one size"),
        numbers(Scheme::EndingAny, &["ending-any"])
            .described("One number per line, for endings with hands of any sizes"),
        numbers(Scheme::Base5, &["base5"])
            .described("One number per line, one base-5 digit per card"),
        numbers(Scheme::Zbs, &["zbs"]).described("Four hex words per line, one per suit"),
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
    pub fn named(name: &str) -> Option<Self> {
        let row = ROWS.iter().find(|row| row.names.contains(&name));
        row.map(|row| row.format)
    }

    /// The names that the command line accepts, the printed one first.
    pub fn names(self) -> &'static [&'static str] {
        self.row().names
    }

    /// The printed name, such as `pbn`.
    pub fn name(self) -> &'static str {
        self.names()[0]
    }

    /// A one-line description.
    pub fn description(self) -> &'static str {
        self.row().description
    }

    fn row(self) -> &'static FormatRow {
        let row = ROWS.iter().find(|row| row.format == self);
        row.expect("every format has a row")
    }

    /// The ending of a file's name, such as `pbn`.
    pub fn file_ending(self) -> &'static str {
        self.row().file[0]
    }

    /// The written format of files with this ending.
    pub fn of_ending(ending: &str) -> Option<Self> {
        let ending = ending.to_ascii_lowercase();
        let is_named = |format: &Self| format.file_ending() == ending;
        let named = Self::named(&ending).filter(|format| format.row().writer.is_some());
        named.or_else(|| Self::written().find(is_named))
    }

    /// The media type of a file, such as `text/csv; charset=utf-8`.
    pub fn media_type(self) -> &'static str {
        self.row().file[1]
    }

    /// The parts of a board that the format stores.
    pub fn carries(self) -> Carries {
        self.row().carries
    }

    /// The maximum number of boards of a file.
    pub fn most_boards(self) -> u64 {
        match self {
            Self::Dup => write::duplimate::MOST_DUP_BOARDS,
            _ => u64::MAX,
        }
    }

    /// Whether all boards are written at the end of a file, in which their places are their numbers.
    pub fn is_written_at_end(self) -> bool {
        matches!(self.row().writer, Some(BoardWriter::File(_)))
    }

    /// Whether the files are text, which may begin with a byte order mark.
    pub(super) fn is_text(self) -> bool {
        self.row().is_text
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
        assert_eq!(names.len(), 39 + usize::from(cfg!(feature = "html")));
        assert_eq!(Format::named("PBN"), None);
    }
}
