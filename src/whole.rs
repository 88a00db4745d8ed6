//! Files that are whole or not there: written aside, synced, then renamed.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// The folder of a path, `.` if it names none.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A file to be published in this folder, which goes away unless it is.
pub(crate) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".fairdeal-")
        .suffix(".part")
        .tempfile_in(folder)
}

/// Gives a temporary file that is complete its name, in the same folder, and
/// makes both last. A file of that name is replaced.
pub(crate) fn publish(temporary: NamedTempFile, path: &Path) -> io::Result<()> {
    readable_by_all(temporary.as_file())?;
    temporary.as_file().sync_all()?;
    temporary.persist(path).map_err(|error| error.error)?;
    sync_folder(folder_of(path))
}

/// A temporary file is its owner's alone; what it becomes is for all to read.
fn readable_by_all(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Makes a rename in this folder last.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}
