//! Archives and compressed files: every supported kind is read, and no file, however crafted, uses
//! more than its budget or crashes the program.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;

use fairdeal::formats::read::{EntryKind, Input, InputEntry, ReadError, read};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

fn pbn() -> Vec<u8> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/fixtures/records/bigdeal/set1.pbn"
    );
    fs::read(path).unwrap()
}

/// Boards in a file of other boards.
const BOARDS: usize = 36;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default())
            .unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn header(name: &str, size: usize) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.set_size(size as u64);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in entries {
        tar.append(&header(name, bytes.len()), *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

/// The name of a file, and its boards or why it cannot be read.
type Boards = (String, Result<usize, String>);

/// The names of all files in an input, and the boards of each, or why they cannot be read.
fn boards(inputs: Vec<Input>) -> Vec<Boards> {
    let mut all = Vec::new();
    for input in inputs {
        let name = input.name().to_owned();
        match input.unpack() {
            Err(error) => all.push((name, Err(told(&error)))),
            Ok(inputs) => {
                for input in inputs {
                    let name = input.name().to_owned();
                    let mut count = 0;
                    let mut sink = |found: InputEntry<'_>| {
                        count += usize::from(matches!(found.what, EntryKind::Deal(_)));
                        ControlFlow::Continue(())
                    };
                    let end = read(input, None, &mut sink, &mut |_| ControlFlow::Continue(()));
                    all.push((name, end.map(|_| count).map_err(|error| told(&error))));
                }
            }
        }
    }
    all
}

fn told(error: &ReadError) -> String {
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        told += &format!(": {deeper}");
        cause = deeper.source();
    }
    assert!(!told.contains(char::is_control), "{told:?}");
    // As a thread that panicked would have it.
    assert!(!told.contains("reading stopped"), "{told}");
    told
}

/// The same of bytes in a file and in a stream, which have to agree.
fn boards_in(bytes: &[u8]) -> Result<Vec<Boards>, String> {
    let [of_file, of_stream] = boards_in_both(bytes);
    assert_eq!(of_file, of_stream);
    of_file
}

fn boards_in_both(bytes: &[u8]) -> [Result<Vec<Boards>, String>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    fs::write(&path, bytes).unwrap();
    let of_file = Input::open(&path).map(boards).map_err(|error| told(&error));
    let stream = Slow(Cursor::new(bytes.to_vec()));
    let of_stream = Input::of_reader("in", stream).map(boards);
    let of_stream = of_stream.map_err(|error| told(&error));
    let folder = format!("{}/", folder.path().display());
    let short = |text: String| text.replace(&folder, "");
    let of_file = of_file.map_err(short).map(|all| {
        let each = all.into_iter();
        each.map(|(name, count)| (short(name), count.map_err(short)))
            .collect()
    });
    [of_file, of_stream]
}

/// A stream of which a read gives a few bytes, as many as show that a name is no line of text.
struct Slow(Cursor<Vec<u8>>);

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let few = buffer.len().min(if self.0.position() < 2_000 {
            120
        } else {
            70_000
        });
        self.0.read(&mut buffer[..few])
    }
}

fn whole(names: &[&str]) -> Vec<Boards> {
    names
        .iter()
        .map(|&name| (name.to_owned(), Ok(BOARDS)))
        .collect()
}

#[test]
fn compressed_files_are_read_also_twice() {
    let pbn = pbn();
    for packed in [
        gzip(&pbn),
        gzip(&gzip(&pbn)),
        [gzip(&pbn[..5_000]), gzip(&pbn[5_000..])].concat(),
    ] {
        assert_eq!(boards_in(&packed).unwrap(), whole(&["in"]));
    }
    let thrice = boards_in(&gzip(&gzip(&gzip(&pbn)))).unwrap();
    let why = thrice[0].1.clone().unwrap_err();
    assert_eq!(why, "in is compressed more than twice; unpack it first");
}

#[test]
fn other_compressions_are_named() {
    let begun = |sign: &[u8]| [sign, &[0; 500]].concat();
    for (program, bytes) in [
        ("xz", begun(b"\xFD7zXZ\0\0\x04\xE6\xD6\xB4F")),
        ("bzip2", begun(b"BZh91AY&SY")),
        ("zstd", begun(b"\x28\xB5\x2F\xFD")),
    ] {
        let expected = format!("is compressed by {program}, which is unsupported");
        for packed in [bytes.clone(), gzip(&bytes)] {
            let found = boards_in(&packed).unwrap();
            assert_eq!(found, [("in".to_owned(), Err(format!("in {expected}")))]);
        }
        let found = boards_in(&zip(&[("a", &bytes), ("b.pbn", &pbn())])).unwrap();
        assert_eq!(found[0].1, Err(format!("in:a {expected}")));
        assert_eq!(found[1..], whole(&["in:b.pbn"]));
    }
    // The first bytes of a line are not enough.
    let text = [b"BZh9 is a line beside the deals.\n", &pbn()[..]].concat();
    assert_eq!(boards_in(&text).unwrap(), whole(&["in"]));
}

#[test]
fn archives_by_tar_are_read_plain_and_compressed() {
    let pbn = pbn();
    let long = format!("{}/set.pbn", "x".repeat(300));
    let mut builder = tar::Builder::new(Vec::new());
    builder
        .append(&header("a.pbn", pbn.len()), &pbn[..])
        .unwrap();
    // GNU's long name.
    let mut plain = tar::Header::new_gnu();
    plain.set_size(pbn.len() as u64);
    builder.append_data(&mut plain, &long, &pbn[..]).unwrap();
    // The same name in a pax header, with an end of line in it; and a prefix by POSIX.
    let name = "b\nc.pbn";
    builder
        .append_pax_extensions([("path", name.as_bytes())])
        .unwrap();
    builder
        .append(&header("short", pbn.len()), &pbn[..])
        .unwrap();
    let mut ustar = tar::Header::new_ustar();
    let deep = format!("{}/{}", "y".repeat(90), "z".repeat(90));
    ustar.set_path(&deep).unwrap();
    ustar.set_size(pbn.len() as u64);
    ustar.set_cksum();
    builder.append(&ustar, &pbn[..]).unwrap();
    builder
        .append(&header("q.pbn.gz", gzip(&pbn).len()), &gzip(&pbn)[..])
        .unwrap();
    let tar = builder.into_inner().unwrap();
    let names = ["a.pbn", &long, name, &deep, "q.pbn.gz"].map(|name| format!("in:{name}"));
    let expected = whole(&names.each_ref().map(String::as_str));
    for packed in [
        tar.clone(),
        gzip(&tar),
        gzip(&gzip(&tar)),
        // The blocks at the end, and the padding of the last file.
        tar[..tar.len() - 1_024].to_vec(),
        [&tar[..], b"what comes after the end"].concat(),
    ] {
        assert_eq!(boards_in(&packed).unwrap(), expected);
    }
}

#[test]
fn what_is_no_regular_file_is_no_file_and_names_are_only_names() {
    let pbn = pbn();
    let mut builder = tar::Builder::new(Vec::new());
    for (kind, name) in [
        (tar::EntryType::Directory, "folder/"),
        (tar::EntryType::Symlink, "symbolic"),
        (tar::EntryType::Link, "hard"),
        (tar::EntryType::Char, "device"),
        (tar::EntryType::Block, "disk"),
        (tar::EntryType::Fifo, "pipe"),
    ] {
        let mut other = header(name, 0);
        other.set_entry_type(kind);
        // Some programs write a size, though no bytes follow.
        other.set_size(1_000);
        other.set_cksum();
        builder.append(&other, io::empty()).unwrap();
    }
    let mut sparse = header("sparse", 512);
    sparse.set_entry_type(tar::EntryType::GNUSparse);
    sparse.as_mut_bytes()[482] = 1;
    sparse.set_cksum();
    let mut extended = vec![0; 512];
    extended[504] = 1;
    extended.extend([0; 1_024]);
    builder.get_mut().extend(sparse.as_bytes());
    builder.get_mut().extend(&extended);
    builder
        .append_pax_extensions([("GNU.sparse.major", &b"1"[..])])
        .unwrap();
    builder
        .append(&header("sparse too", pbn.len()), &pbn[..])
        .unwrap();
    for name in ["/etc/passwd", "../../up.pbn", "a\x1b[31mb"] {
        builder.append(&header(name, pbn.len()), &pbn[..]).unwrap();
    }
    let tar = builder.into_inner().unwrap();
    let names = ["in:/etc/passwd", "in:../../up.pbn", "in:a\x1b[31mb"];
    assert_eq!(boards_in(&tar).unwrap(), whole(&names));
    assert!(!Path::new("/up.pbn").exists());
}

#[test]
fn archives_in_archives_are_read_one_level_deep() {
    let pbn = pbn();
    let inner_zip = zip(&[("1.pbn", &pbn), ("2.pbn", &pbn)]);
    let inner_tar = tar(&[("3.pbn", &pbn)]);
    let entries: [(&str, &[u8]); 4] = [
        ("a.zip", &inner_zip),
        ("b.tar", &inner_tar),
        ("c.tgz", &gzip(&inner_tar)),
        ("d.pbn.gz", &gzip(&pbn)),
    ];
    let names = [
        "in:a.zip:1.pbn",
        "in:a.zip:2.pbn",
        "in:b.tar:3.pbn",
        "in:c.tgz:3.pbn",
        "in:d.pbn.gz",
    ];
    for outer in [zip(&entries), tar(&entries), gzip(&tar(&entries))] {
        assert_eq!(boards_in(&outer).unwrap(), whole(&names));
    }
    // One more is refused; the files beside it are read.
    let deep = zip(&[("deep.zip", &inner_zip), ("4.pbn", &pbn)]);
    let found = boards_in(&tar(&[("outer.zip", &deep), ("5.pbn", &pbn)])).unwrap();
    assert_eq!(found[1..], whole(&["in:outer.zip:4.pbn", "in:5.pbn"]));
}

#[test]
fn truncated_archives_are_errors_with_their_name() {
    let pbn = pbn();
    let tar = tar(&[("1.pbn", &pbn), ("2.pbn", &pbn)]);
    let end = tar.len() - 1_024;
    let packed = [
        zip(&[("1.pbn", &pbn)]),
        gzip(&tar),
        gzip(&pbn),
        tar[..end].to_vec(),
    ];
    for whole in packed {
        for part in [1, 2, 3, 7, 9, 10] {
            let length = whole.len() * part / 11;
            let error = match boards_in(&whole[..length]) {
                Err(error) => error,
                Ok(found) => {
                    let failed = found.into_iter().find_map(|(_, count)| count.err());
                    failed.unwrap_or_else(|| panic!("{part}: {:?}", &whole[..4]))
                }
            };
            assert!(error.starts_with("in cannot be "), "{error}");
        }
    }
}

#[test]
fn archives_of_nothing_say_so() {
    let empty = |bytes: &[u8]| boards_in(bytes).unwrap_err();
    assert_eq!(empty(&zip(&[])), "in: the archive is empty");
    let mut folder = header("folder/", 0);
    folder.set_entry_type(tar::EntryType::Directory);
    folder.set_cksum();
    let mut tar = folder.as_bytes().to_vec();
    tar.extend([0; 1_024]);
    assert_eq!(empty(&tar), "in: the archive is empty");
}

/// Hostile claims of sizes, which memory is not taken for.
#[test]
fn a_tar_archive_that_claims_more_than_it_has_is_refused() {
    let mut claims = header("big.pbn", 0);
    claims.set_size(u64::MAX / 4);
    claims.set_cksum();
    let error = boards_in(claims.as_bytes()).unwrap_err();
    assert!(error.ends_with("truncated"), "{error}");
    let mut long = header("././@LongLink", 2 << 20);
    long.set_entry_type(tar::EntryType::GNULongName);
    long.set_cksum();
    let mut bytes = long.as_bytes().to_vec();
    bytes.resize(3 << 20, b'x');
    let error = boards_in(&bytes).unwrap_err();
    assert!(error.ends_with("the name of a file is too long"), "{error}");
}

/// Whatever bytes of an archive are changed, reading it ends, and says on one line what is wrong.
#[test]
fn damaged_archives_never_end_the_program() {
    let pbn = pbn();
    let part = &pbn[..2_000];
    let inner = zip(&[("1.pbn", part)]);
    let tar = tar(&[("1.pbn", part), ("2.zip", &inner)]);
    let all = [
        zip(&[("1.pbn", part), ("2.tar", &tar)]),
        tar.clone(),
        gzip(&tar),
        gzip(part),
    ];
    let mut runner = TestRunner::new(ProptestConfig::with_cases(60));
    let changes = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4);
    let strategy = (
        0..all.len(),
        changes,
        any::<prop::sample::Index>(),
        any::<bool>(),
    );
    runner
        .run(&strategy, |(which, changes, end, is_cut)| {
            let mut bytes = all[which].clone();
            for (at, byte) in changes {
                // Most of what can be damaged is near the beginning and the end.
                let length = bytes.len();
                let at = at.index(length.min(400));
                let at = if byte % 3 == 0 { length - 1 - at } else { at };
                bytes[at] ^= byte;
            }
            if is_cut {
                bytes.truncate(end.index(bytes.len()) + 1);
            }
            // How much of a damaged stream is decoded depends on how it comes.
            let _ = boards_in_both(&bytes);
            Ok(())
        })
        .unwrap();
}

/// A file that shrinks while it is read: a board of it is read, then most of it is taken away.
#[test]
fn a_file_that_is_truncated_while_it_is_read_is_an_error_with_its_name() {
    let mut text = Vec::new();
    while text.len() < 32 << 20 {
        text.extend(pbn());
    }
    let folder = tempfile::tempdir().unwrap();
    let mut tar = tar::Builder::new(Vec::new());
    tar.append(&header("1.pbn", text.len()), &text[..]).unwrap();
    let workers = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    for (name, bytes) in [
        ("club.pbn", text.clone()),
        ("club.tar", tar.into_inner().unwrap()),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, &bytes).unwrap();
        let input = Input::open(&path).unwrap().remove(0);
        let mut is_first = true;
        let mut sink = |_: InputEntry<'_>| {
            if std::mem::take(&mut is_first) {
                let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
                file.set_len(1_000_000).unwrap();
            }
            ControlFlow::Continue(())
        };
        // One worker: few pieces are read ahead.
        let end =
            workers.install(|| read(input, None, &mut sink, &mut |_| ControlFlow::Continue(())));
        let error = told(&end.map(|_| ()).unwrap_err());
        assert!(error.contains(name), "{error}");
        let expected = format!(
            "truncated from {} to 1000000 bytes while being read; try again when it no longer changes",
            bytes.len()
        );
        assert!(error.ends_with(&expected), "{error}");
    }
}
