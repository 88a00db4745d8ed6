//! The files of a tar archive: their names and positions.
//!
//! Supports the ustar and pax headers of POSIX, GNU's long names, and headers from before 1988.
//! Only regular files are returned, because links, devices and sparse files have no text of their
//! own. A name with `..` is only a name. The crate `tar` is not used, because it loads names of any
//! length into memory and splits pax headers at line ends, which names may contain.

use std::io::{self, Read};
use std::ops::Range;

use super::budget::{ArchiveBudget, invalid};
use super::shared_file::SharedFile;

/// Block size in bytes: headers and contents are padded to it.
pub(super) const BLOCK: usize = 512;

/// Maximum length of a long name or a pax header, in bytes.
const LONGEST_EXTENSION: u64 = 1 << 20;

/// Position of a file's mode in a header.
const MODE: Range<usize> = 100..108;

/// A regular file in an archive.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TarMember {
    pub(super) name: String,
    /// Position of its first byte in the archive.
    pub(super) start: u64,
    pub(super) size: u64,
}

/// Whether these bytes are the start of a tar archive.
pub(super) fn is_header(head: &[u8]) -> bool {
    let block = head.first_chunk();
    block.is_some_and(|block| TarHeader(block).is_sound() && is_mode(&block[MODE]))
}

/// Whether more bytes are needed to recognise a tar archive.
pub(super) fn may_be_header(head: &[u8]) -> bool {
    let is_line = head.contains(&b'\n') && !head.contains(&0);
    head.len() < BLOCK && !is_line && head.get(MODE).is_none_or(is_mode)
}

/// Whether these bytes are a file's mode.
fn is_mode(mode: &[u8]) -> bool {
    let is_digit = |byte: &u8| b"01234567 \0".contains(byte);
    mode.iter().all(is_digit) && mode.last().is_some_and(|end| b" \0".contains(end))
}

/// The regular files of an archive, in order.
pub(super) fn members(file: &SharedFile, budget: &ArchiveBudget) -> io::Result<Vec<TarMember>> {
    let mut walk = Walk {
        file: file.at(0),
        next: 0,
        extension: Extension::default(),
    };
    let mut members = Vec::new();
    while let Some(member) = walk.next()? {
        if let Some(member) = member {
            budget.take_file()?;
            budget.take_listed(member.name.len() as u64)?;
            members.push(member);
        }
    }
    Ok(members)
}

/// Values for the next file from earlier headers.
#[derive(Debug, Default)]
struct Extension {
    name: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

/// A walk from header to header.
struct Walk {
    file: SharedFile,
    /// Position of the next header.
    next: u64,
    extension: Extension,
}

impl Walk {
    /// Reads the next header. Returns `None` at the end, and `Some(None)` if it is not that of a
    /// regular file.
    fn next(&mut self) -> io::Result<Option<Option<TarMember>>> {
        if self.next == self.file.length() {
            // The blocks that mark the end may be missing.
            return Ok(None);
        }
        let block = self.block()?;
        if block.iter().all(|&byte| byte == 0) {
            return Ok(None);
        }
        let header = TarHeader(&block);
        if !header.is_sound() {
            return Err(invalid("a header is corrupted"));
        }
        let kind = header.kind();
        let size = header.size().ok_or(io::ErrorKind::InvalidData)?;
        match kind {
            b'L' => {
                let mut name = self.extension_bytes(size)?;
                name.truncate(length_before_nul(&name));
                self.extension.name = Some(name);
                return Ok(Some(None));
            }
            b'x' => {
                let bytes = self.extension_bytes(size)?;
                self.extension.read_pax(&bytes);
                return Ok(Some(None));
            }
            // The long name of a link, and global headers: neither names a file.
            b'K' | b'g' => {
                self.skip(size)?;
                return Ok(Some(None));
            }
            b'S' => {
                let mut is_extended = block[482] != 0;
                while is_extended {
                    is_extended = self.block()?[504] != 0;
                }
            }
            _ => {}
        }
        let extension = std::mem::take(&mut self.extension);
        let (start, size) = (self.next, extension.size.unwrap_or(size));
        // Links, devices and folders have no bytes, whatever their size.
        if !(b'1'..=b'6').contains(&kind) {
            self.skip(size)?;
        }
        let name = extension.name.unwrap_or_else(|| header.name());
        let is_file = matches!(kind, 0 | b'0' | b'7') && !name.ends_with(b"/");
        let name = String::from_utf8_lossy(&name).into_owned();
        let member = TarMember { name, start, size };
        Ok(Some((is_file && !extension.is_sparse).then_some(member)))
    }

    /// Reads the next block.
    fn block(&mut self) -> io::Result<[u8; BLOCK]> {
        let (mut block, at) = ([0; BLOCK], self.next);
        self.skip(BLOCK as u64)?;
        self.file.at(at).read_exact(&mut block)?;
        Ok(block)
    }

    /// Skips bytes and their padding.
    fn skip(&mut self, size: u64) -> io::Result<()> {
        let end = self.next.checked_add(size);
        if end.is_none_or(|end| end > self.file.length()) {
            return Err(invalid("truncated"));
        }
        // The padding of the last file may be missing.
        let padded = size.next_multiple_of(BLOCK as u64);
        self.next = (self.next + padded).min(self.file.length());
        Ok(())
    }

    /// Reads the bytes after a header that extends the next header.
    fn extension_bytes(&mut self, size: u64) -> io::Result<Vec<u8>> {
        if size > LONGEST_EXTENSION {
            return Err(invalid("the name of a file is too long"));
        }
        let (mut bytes, at) = (vec![0; size as usize], self.next);
        self.skip(size)?;
        self.file.at(at).read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

impl Extension {
    /// Reads the records of a pax header, such as `25 path=a name of a file\n`, where 25 is the
    /// length of the record.
    fn read_pax(&mut self, mut bytes: &[u8]) {
        let record = |bytes: &[u8]| -> Option<(usize, usize)> {
            let space = bytes.iter().take(20).position(|&byte| byte == b' ')?;
            let length = str::from_utf8(&bytes[..space]).ok()?.parse().ok()?;
            (length > space + 1 && length <= bytes.len()).then_some((space + 1, length))
        };
        while let Some((begin, length)) = record(bytes) {
            let text = &bytes[begin..length - 1];
            bytes = &bytes[length..];
            let Some(equals) = text.iter().position(|&byte| byte == b'=') else {
                continue;
            };
            let (key, value) = (&text[..equals], &text[equals + 1..]);
            match key {
                b"path" => self.name = Some(value.to_vec()),
                b"size" => {
                    let digits = str::from_utf8(value).ok();
                    self.size = digits.and_then(|digits| digits.parse().ok());
                }
                _ => self.is_sparse |= key.starts_with(b"GNU.sparse."),
            }
        }
    }
}

/// The block of a header.
struct TarHeader<'b>(&'b [u8; BLOCK]);

impl TarHeader<'_> {
    /// Whether the checksum and the size are valid.
    fn is_sound(&self) -> bool {
        let field = 148..156;
        let bytes = self.0.iter().enumerate();
        let bytes = bytes.map(|(at, &byte)| if field.contains(&at) { b' ' } else { byte });
        // Some programs summed the bytes as signed numbers.
        let (unsigned, signed) = bytes.fold((0, 0), |(unsigned, signed), byte| {
            (unsigned + i64::from(byte), signed + i64::from(byte as i8))
        });
        let told = octal(&self.0[field]).and_then(|sum| i64::try_from(sum).ok());
        let is_sum = told.is_some_and(|told| told == unsigned || told == signed);
        is_sum && self.size().is_some()
    }

    /// The name of the file, including its folder.
    fn name(&self) -> Vec<u8> {
        let text = |bytes: &[u8]| bytes[..length_before_nul(bytes)].to_vec();
        let (name, prefix) = (text(&self.0[..100]), text(&self.0[345..500]));
        // GNU headers have times where POSIX headers have the folder.
        match &self.0[257..263] == b"ustar\0" && !prefix.is_empty() {
            true => [prefix, name].join(&b'/'),
            false => name,
        }
    }

    fn kind(&self) -> u8 {
        self.0[156]
    }

    fn size(&self) -> Option<u64> {
        let field = &self.0[124..136];
        match field[0] {
            // GNU's encoding of sizes of 8 GiB and more.
            0x80 if field[..4] == [0x80, 0, 0, 0] => {
                field.last_chunk().copied().map(u64::from_be_bytes)
            }
            _ => octal(field),
        }
    }
}

fn length_before_nul(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| byte != 0).count()
}

/// A number in octal digits, surrounded by spaces or NULs.
fn octal(field: &[u8]) -> Option<u64> {
    let text = str::from_utf8(field).ok()?;
    let digits = text.trim_matches([' ', '\0']);
    u64::from_str_radix(digits, 8).ok()
}
