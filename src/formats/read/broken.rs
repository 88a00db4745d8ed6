//! Broken files, one defect each: the parsers find it, say it, and nothing else.

use super::bigdeal::{Ber, Bhg, Cds, Csv, Rzd};
use super::dlm::Dlm;
use super::duplimate::{Bri, Dge, Dup};
use super::lin::Lin;
use super::text::{DealList, Oneline};
use super::{Entry, Parser, What, testing};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/broken/");

/// The parser of a format, by the name that the table of defects has for it.
fn parser(format: &str) -> Box<dyn Parser> {
    match format {
        "ber" => Box::new(Ber),
        "bhg" => Box::new(Bhg::default()),
        "bri" => Box::new(Bri),
        "cds" => Box::new(Cds),
        "csv" => Box::new(Csv::default()),
        "deal" => Box::new(DealList),
        "dge" => Box::new(Dge),
        "dlm" => Box::new(Dlm::default()),
        "dup" => Box::new(Dup),
        "lin" => Box::new(Lin::default()),
        "oneline" => Box::new(Oneline),
        "rzd" => Box::new(Rzd::default()),
        _ => panic!("no format goes by {format}"),
    }
}

/// Line, board, kind and reason, as the table has them; nothing for a deal.
fn defect(entry: &Entry) -> Option<[String; 4]> {
    let (kind, reason) = match &entry.what {
        What::Deal(_) => return None,
        What::Incomplete(fault) => ("incomplete", fault.to_string()),
        What::Invalid(fault) => ("invalid", fault.to_string()),
        What::Unused => ("unused", String::new()),
    };
    let line = (entry.place + 1).to_string();
    let board = entry.board.map(|board| board.to_string());
    Some([line, board.unwrap_or_default(), kind.to_owned(), reason])
}

#[test]
fn every_defect_is_found_and_said() {
    let mut table = csv::Reader::from_path(format!("{FOLDER}expected-machines.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    assert!(rows.len() > 60);
    for file in rows.chunk_by(|one, other| one[0] == other[0]) {
        let (name, parser) = (&file[0][0], parser(&file[0][1]));
        let bytes = std::fs::read(format!("{FOLDER}{name}")).unwrap();
        let entries = testing::whole(&*parser, &bytes);
        let found: Vec<_> = entries.iter().filter_map(defect).collect();
        let expected = file
            .iter()
            .map(|row| [2, 3, 4, 5].map(|field| row[field].to_owned()));
        assert_eq!(found, Vec::from_iter(expected), "{name}");
        testing::cuts_change_nothing(&*parser, &bytes);
    }
}
