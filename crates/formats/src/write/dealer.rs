//! Layouts that only dealer prints: its own PBN, and pages of hands by seat.

use std::io::{self, Write};

pub use super::text::write_all;

use super::Board;
use super::text::write_hands;
use crate::bridge::{Deal, Hand, Seat, Suit};

/// Number of hands side by side on a page.
const COLUMNS: usize = 4;

/// Writes DealerV2_4's `export`: options that predeal these hands, such as
/// `-N SAK2,HT543,D98,C7654 `.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write_export(out: &mut dyn Write, deal: &Deal, seats: &[Seat]) -> io::Result<()> {
    for (place, &seat) in seats.iter().enumerate() {
        let space = if place == 0 { "" } else { " " };
        let holdings = Suit::ALL.map(|suit| (suit, deal.hand(seat).holding(suit).to_string()));
        let held = holdings.iter().filter(|(_, ranks)| !ranks.is_empty());
        let held: Vec<String> = held
            .map(|(suit, ranks)| format!("{}{ranks}", suit.letter()))
            .collect();
        write!(out, "{space}-{} {} ", seat.letter(), held.join(","))?;
    }
    writeln!(out)
}

/// Writes dealer's `printpbn`; `event` names the source of the deal, `title` is that of the script,
/// `date` is like `2021.11.21`.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write_pbn(
    out: &mut dyn Write,
    board: &Board,
    event: &str,
    title: Option<&str>,
    date: &str,
) -> io::Result<()> {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    write!(out, "[Event \"{}\"]\n[Site \"-\"]\n", escaped(event))?;
    if let Some(title) = title {
        writeln!(out, "[Description \"{}\"]", escaped(title))?;
    }
    write!(out, "[Date \"{date}\"]\n[Board \"{}\"]\n", board.number)?;
    for seat in ["West", "North", "East", "South"] {
        writeln!(out, "[{seat} \"-\"]")?;
    }
    writeln!(out, "[Dealer \"{}\"]", board.dealer.letter())?;
    writeln!(out, "[Vulnerable \"{}\"]", board.vulnerable.name())?;
    writeln!(out, "[Deal \"{}\"]", board.deal)?;
    for tag in ["Declarer", "Contract", "Result"] {
        writeln!(out, "[{tag} \"?\"]")?;
    }
    writeln!(out)
}

/// Writes a page for each seat's hands.
pub(crate) fn write_pages(out: &mut dyn Write, deals: &[Deal]) -> io::Result<()> {
    for seat in Seat::ALL {
        let hands: Vec<Hand> = deals.iter().map(|deal| deal.hand(seat)).collect();
        write_page(out, seat, &hands)?;
    }
    Ok(())
}

/// Writes dealer's `print(north)`: a seat's hands on a page, four side by side, and a form feed.
///
/// # Errors
///
/// If writing fails.
pub(crate) fn write_page(out: &mut dyn Write, seat: Seat, hands: &[Hand]) -> io::Result<()> {
    let name = match seat {
        Seat::North => "North",
        Seat::East => "East",
        Seat::South => "South",
        Seat::West => "West",
    };
    write!(out, "\n\n{name} hands:\n\n\n\n")?;
    for (row, hands) in hands.chunks(COLUMNS).enumerate() {
        for place in 0..hands.len() {
            write!(out, "{:4}.               ", row * COLUMNS + place + 1)?;
        }
        writeln!(out)?;
        write_hands(out, hands)?;
    }
    write!(out, "\x0c")
}
