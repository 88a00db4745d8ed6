//! Kinds of files as people have them: each with its format, its boards and its first deal.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::ops::ControlFlow;
use std::path::Path;

use fairdeal::formats::read::{Input, InputEntry, What, read};

/// A file: its format, and each board as its number and its deal, or what is wrong.
fn boards(name: &str) -> (String, Vec<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name);
    let mut boards = Vec::new();
    let mut sink = |found: InputEntry<'_>| {
        let number = found
            .board
            .map_or("-".to_owned(), |board| board.to_string());
        match found.what {
            What::Deal(deal) => boards.push(format!("{number} {deal}")),
            What::Incomplete(fault) => boards.push(format!("{number} incomplete: {fault}")),
            What::Invalid(fault) => boards.push(format!("{number} invalid: {fault}")),
            What::Unused | What::Text => {}
        }
        ControlFlow::Continue(())
    };
    let input = Input::open(&path).unwrap().remove(0);
    match read(input, None, &mut sink, &mut |_| ControlFlow::Continue(())) {
        Ok(summary) => (summary.format.unwrap().name().to_owned(), boards),
        Err(error) => (error.to_string(), boards),
    }
}

const ANN: &str = "N:T9.K976.A85.A943 8754.Q.T763.KQT5 AKQ3.J42.QJ9.J72 J62.AT853.K42.86";

/// Each of these files was not recognised, or not read as legal deals.
#[test]
fn each_kind_of_file_is_read() {
    for (name, format, expected) in [
        (
            "field/void-dash/void.pbn",
            "pbn",
            vec![
                "1 N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"
                    .to_owned(),
            ],
        ),
        ("field/utf16/board.pbn", "pbn", vec![format!("1 {ANN}")]),
        (
            "field/lin-wrapped/wrapped.lin",
            "lin",
            vec![format!("1 {ANN}")],
        ),
    ] {
        assert_eq!(boards(name), (format.to_owned(), expected), "{name}");
    }
}
