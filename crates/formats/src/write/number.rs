//! Numbers of deals, in any scheme.

use std::io::{self, Write};

use crate::bridge::{Deal, Ending};
use crate::number::{Coding, Scheme, zbs};

/// Writes a deal's number in decimal on one line, or its four words for zbs.
pub(super) fn write(out: &mut dyn Write, scheme: Scheme, deal: &Deal) -> io::Result<()> {
    match scheme.coding() {
        Coding::Deals { encode, .. } => writeln!(out, "{}", encode(deal)),
        Coding::Endings { encode, .. } => {
            let number = encode(&Ending::from(*deal));
            writeln!(out, "{}", number.expect("every scheme numbers whole deals"))
        }
        Coding::Words => writeln!(out, "{}", zbs::text(&Ending::from(*deal))),
    }
}
