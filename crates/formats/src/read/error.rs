//! Errors of reading an input.

use std::io;

use crate::Format;
use crate::error::Remedy;
use crate::printable::printable;

/// The reason why an input cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The input cannot be opened, read or decompressed.
    #[error("{name} cannot be read", name = printable(name))]
    Io {
        /// Name of the input.
        name: String,
        /// The cause.
        source: io::Error,
    },
    /// The archive or one of its entries cannot be read.
    #[error("{name} cannot be unpacked; unpack it yourself and name its files", name = printable(name))]
    Archive {
        /// Name of the archive.
        name: String,
        /// The cause.
        source: io::Error,
    },
    /// Archives are nested three deep.
    #[error("{name} is an archive within two others; unpack it yourself and name its files", name = printable(name))]
    Nested {
        /// Name of the archive.
        name: String,
    },
    /// The archive contains no file.
    #[error("{name}: the archive is empty", name = printable(name))]
    EmptyArchive {
        /// Name of the archive.
        name: String,
    },
    /// The input is empty.
    #[error("{name} is empty", name = printable(name))]
    Empty {
        /// Name of the input.
        name: String,
    },
    /// The format is not recognised.
    #[error("{name}: format not recognised", name = printable(name))]
    Unknown {
        /// Name of the input.
        name: String,
    },
    /// The format can be written but not read.
    #[error("fairdeal writes `{format}` but does not read it")]
    OnlyWritten {
        /// The format's name.
        format: &'static str,
    },
    /// The input is compressed by a program whose files are not decompressed.
    #[error("{name} is compressed by {program}, which is unsupported", name = printable(name))]
    Compressed {
        /// Name of the input.
        name: String,
        /// The program.
        program: &'static str,
    },
    /// The input is a file of another kind.
    #[error("{name} is {what}", name = printable(name))]
    Other {
        /// Name of the input.
        name: String,
        /// The kind of file, and what to do with it.
        what: &'static str,
    },
    /// The input has numbers, whose scheme cannot be detected.
    #[error("{name} holds numbers of an unknown numbering", name = printable(name))]
    Numbers {
        /// Name of the input.
        name: String,
    },
    /// The input goes on in another format.
    #[error(
        "{name} changes from {} to {} at line {line}; split it there",
        .from.name(), .to.name(), name = printable(name))]
    Changed {
        /// Name of the input.
        name: String,
        /// The format that the input was read as, or that of the text before its first deal.
        from: Format,
        /// The format that follows.
        to: Format,
        /// The line of the first deal in it.
        line: u64,
    },
    /// A record is too long.
    #[error(
        "{name}: no {format} record ends within {mib} MiB from byte {byte}",
        mib = .bytes >> 20, name = printable(name))]
    TooLong {
        /// Name of the input.
        name: String,
        /// The format that the input was read as.
        format: &'static str,
        /// Byte offset of the start of the record.
        byte: u64,
        /// Number of bytes of the record that were read.
        bytes: u64,
    },
}

impl ReadError {
    /// What a person can do about it.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Unknown { .. } => Some(Remedy::NameFormat),
            Self::OnlyWritten { .. } => Some(Remedy::ChooseReadFormat),
            Self::Compressed { program, .. } => Some(Remedy::Decompress(program)),
            Self::Numbers { .. } => Some(Remedy::NameNumbering),
            Self::TooLong { .. } => Some(Remedy::CheckFormat),
            _ => None,
        }
    }
}
