//! JSON on standard output: one document, or one object per line.

use std::io::{self, Write};

use serde::Serialize;

/// Writes an indented document, as in run.json.
pub(super) fn document(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Writes an object on its own line.
pub(super) fn line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}
