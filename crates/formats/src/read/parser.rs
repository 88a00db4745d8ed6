//! What a reader of a format does with pieces of a file.

use super::entry::FilePiece;
use super::text::whole_lines;

/// Reads one format piece by piece, and keeps the state that the next piece needs.
///
/// A piece ends where [`Parser::cut`] says; the last one ends with the file.
pub trait Parser: Send + Sync {
    /// Whether the parser has no state that affects the next piece.
    fn is_fresh(&self) -> bool {
        true
    }

    /// Number of these bytes that make a good piece; 0 if more bytes are needed.
    fn cut(&self, bytes: &[u8]) -> usize {
        whole_lines(bytes)
    }

    /// Reads a piece; `last` says whether the file ends with it.
    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece);
}
