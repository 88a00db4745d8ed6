//! Why an input cannot be read.

use std::io;

use crate::printable::printable;

/// Why an input cannot be read, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be opened, or reading or decompressing it failed.
    #[error("{name} cannot be read", name = printable(name))]
    Io {
        /// What the input goes by.
        name: String,
        /// What failed.
        source: io::Error,
    },
    /// It is no archive that can be read, or an entry is not.
    #[error("{name} cannot be unpacked; unpack it yourself and name its files", name = printable(name))]
    Archive {
        /// What the archive goes by.
        name: String,
        /// What is wrong with it.
        source: io::Error,
    },
    /// It is an archive in an archive in an archive.
    #[error("{name} is an archive within two others; unpack it yourself and name its files", name = printable(name))]
    Nested {
        /// What the archive goes by.
        name: String,
    },
    /// No file is in the archive.
    #[error("{name}: the archive is empty", name = printable(name))]
    EmptyArchive {
        /// What the archive goes by.
        name: String,
    },
    /// Nothing is in it.
    #[error("{name} is empty", name = printable(name))]
    Empty {
        /// What the input goes by.
        name: String,
    },
    /// Its beginning is like that of no format.
    #[error(
        "{name}: format not recognised; name it with --format (--format help lists all)", name = printable(name))]
    Unknown {
        /// What the input goes by.
        name: String,
    },
    /// The format is only written.
    #[error(
        "fairdeal writes `{format}` but does not read it; `audit --format help` lists the formats it reads"
    )]
    OnlyWritten {
        /// The format's name.
        format: &'static str,
    },
    /// Its beginning is that of something else.
    #[error("{name} is {what}", name = printable(name))]
    Other {
        /// What the input goes by.
        name: String,
        /// What it is, and what to do.
        what: &'static str,
    },
    /// Numbers look alike in every scheme.
    #[error(
        "{name} holds numbers; name their numbering with --format pavlicek, bigdeal, andrews ..", name = printable(name))]
    Numbers {
        /// What the input goes by.
        name: String,
    },
    /// A record goes on and on.
    #[error(
        "{name}: no record of {format} ends within {mib} MiB from byte {byte}; check --format",
        mib = .bytes >> 20, name = printable(name))]
    TooLong {
        /// What the input goes by.
        name: String,
        /// The format that it was read as.
        format: &'static str,
        /// Where the record begins.
        byte: u64,
        /// How much of it was read.
        bytes: u64,
    },
}
