//! Files of scripts: their text, and the files beside them that they include.

use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::no_condition;
use crate::error::Error;
use crate::language::MAX_CONDITION_BYTES;
use crate::printable::display_path;

/// The text of a script from the bytes of its file: UTF-8, or UTF-16 with a byte order mark.
///
/// # Errors
///
/// If the bytes are not text, or the text is empty.
pub fn script_text(bytes: Vec<u8>, name: &str) -> Result<String, Error> {
    let text =
        decoded(bytes).map_err(|why| Error::input(format!("{name} is not a condition: {why}")))?;
    match text.trim().is_empty() {
        true => Err(no_condition(name)),
        false => Ok(text),
    }
}

/// The text of these bytes, without a byte order mark, or the reason why they are not text.
fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    let unit: fn([u8; 2]) -> u16 = match bytes[..] {
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ => {
            if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
                return Err(format!("byte {at} is not text"));
            }
            // Old scripts have comments and texts in Latin-1, whose bytes equal its code points.
            let text = String::from_utf8(bytes).unwrap_or_else(|error| {
                let bytes = error.into_bytes();
                bytes.into_iter().map(char::from).collect()
            });
            let unmarked = text.strip_prefix('\u{feff}').map(str::to_owned);
            return Ok(unmarked.unwrap_or(text));
        }
    };
    let (pairs, rest) = bytes[2..].as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
    let text = text.filter(|text| !text.contains('\0'));
    text.ok_or_else(|| "it begins as UTF-16 and is not; save it as UTF-8".to_owned())
}

/// The file that a script in this folder includes: its name and its text. Only a regular file in
/// the folder is read, and no link is followed; of an address, the last part names the file.
///
/// # Errors
///
/// The reason why it is not read.
pub fn included_file(folder: &Path, target: &str) -> Result<(String, String), String> {
    let is_address = target.contains("://");
    let target = match is_address {
        true => target.rsplit('/').next().unwrap_or_default(),
        false => target,
    };
    let parts = Path::new(target).components();
    let parts: Vec<Component<'_>> = parts.filter(|part| *part != Component::CurDir).collect();
    let is_inside = |part: &Component<'_>| matches!(part, Component::Normal(_));
    if parts.is_empty() || !parts.iter().all(is_inside) || target.contains('\\') {
        return Err("it is not in the script's folder".to_owned());
    }
    let mut path: PathBuf = folder.to_owned();
    for (place, part) in parts.iter().enumerate() {
        path.push(part);
        let is_last = place + 1 == parts.len();
        let found = fs::symlink_metadata(&path).map_err(|_| {
            let what = if is_address {
                "addresses are not fetched, and there is no"
            } else {
                "no"
            };
            format!(
                "{what} file {} beside the script",
                display_path(Path::new(target))
            )
        })?;
        if is_last && !found.is_file() || !is_last && !found.is_dir() {
            return Err(format!("{} is not a regular file", display_path(&path)));
        }
    }
    let mut bytes = Vec::new();
    let limit = MAX_CONDITION_BYTES as u64 + 1;
    let file =
        fs::File::open(&path).map_err(|error| format!("{}: {error}", display_path(&path)))?;
    let read = file.take(limit).read_to_end(&mut bytes);
    read.map_err(|error| format!("{}: {error}", display_path(&path)))?;
    if bytes.len() as u64 == limit {
        return Err(format!("{} is longer than 1 MiB", display_path(&path)));
    }
    let name = path.to_string_lossy().into_owned();
    let text = decoded(bytes).map_err(|why| format!("{}: {why}", display_path(&path)))?;
    Ok((name, text))
}
