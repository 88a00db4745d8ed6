//! Properties of every reader of deals for any input; case files in memory.

mod cases;

pub use cases::{Aligned, listed, repaired};

use fairdeal::bridge::{Deal, TrickTable};
use fairdeal::formats::read::{EntryKind, read_bytes, read_cut};
use fairdeal::formats::{Board, Format, Writer};

/// All entries as text.
fn found(bytes: &[u8], format: Format, cuts: &[usize]) -> Vec<String> {
    let mut all = Vec::new();
    read_cut(bytes, format, cuts, &mut |found| {
        let (line, board, dealer) = (found.line, found.board, found.dealer);
        let (event, what) = (found.event.text(), &found.what);
        all.push(format!("{line} {board:?} {dealer:?} {event:?} {what:?}"));
    });
    all
}

/// Reads any bytes as a format.
///
/// Nothing panics. The first two bytes choose where pieces are cut, which must not change the
/// entries. Deals are legal, and are read back after they are written.
pub fn read(data: &[u8], format: Format) {
    let (cuts, bytes) = data.split_at(data.len().min(2));
    let step = cuts.first().map_or(1, |&cut| usize::from(cut) + 1);
    let offset = cuts.last().map_or(0, |&cut| usize::from(cut));
    let _ = Format::detect(bytes);
    let whole = found(bytes, format, &[]);
    let cuts: Vec<usize> = (offset..bytes.len()).step_by(step).collect();
    assert_eq!(found(bytes, format, &cuts), whole);

    let mut deals = Vec::new();
    for (.., what) in read_bytes(bytes, format) {
        match what {
            EntryKind::Deal(deal) => deals.push(deal),
            EntryKind::Incomplete(fault) | EntryKind::Invalid(fault) => {
                let reason = fault.to_string();
                assert!(!reason.is_empty() && !reason.contains('\n'), "{reason:?}");
            }
            EntryKind::Unused | EntryKind::Text => {}
        }
    }
    for deal in &deals {
        assert_eq!(Deal::new(*deal.hands()), Ok(*deal));
    }
    let name = match format.name() {
        "pavlicek" => "number",
        name => name,
    };
    // Some formats are only read.
    let is_written = |format: &Format| Format::written().any(|written| written == *format);
    if let Some(writes) = Format::named(name).filter(is_written) {
        // At most as many as a DUP file can have.
        deals.truncate(99);
        assert_eq!(written_and_read(&deals, writes, format), deals);
    }
}

fn written_and_read(deals: &[Deal], writes: Format, reads: Format) -> Vec<Deal> {
    let mut out = Vec::new();
    let boards = deals.len() as u64;
    let Ok(mut writer) = Writer::new(&mut out, writes, boards, "fuzz") else {
        panic!("there is room for {boards} boards");
    };
    for (number, deal) in (1..).zip(deals) {
        let mut board = Board::new(number, *deal);
        // For formats that store double-dummy tricks.
        board.tricks = TrickTable::new(|seat, strain| (seat.index() + strain.index()) as u8);
        assert!(writer.write(&board).is_ok());
    }
    assert!(writer.finish().is_ok());
    let again = read_bytes(&out, reads).into_iter();
    let deals = again.filter_map(|(.., what)| match what {
        EntryKind::Deal(deal) => Some(deal),
        _ => None,
    });
    deals.collect()
}
