//! Opening a case file: the one place where a file is mapped, and the one that knows what
//! the system does to who reads a map whose file was cut short.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::Path;

use memmap2::Mmap;

use super::file::CaseFile;
use super::header::{Header, checksum};
use super::in_use;
use super::open_error::OpenError;
use super::record::CaseRecord;
use super::watch::{Watch, WatchError};

/// The bytes of an opened case file.
#[derive(Debug)]
pub enum CaseBytes {
    /// A read-only map of the file, which is watched since before it was made; and the file,
    /// which is marked as in use for as long as it is open.
    Mapped(Mmap, Box<Watch>, File),
    /// A copy in memory; the length in bytes, and the bytes in aligned units.
    Copied(usize, Vec<CaseRecord>),
}

impl AsRef<[u8]> for CaseBytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Mapped(map, ..) => map,
            Self::Copied(length, units) => &bytemuck::cast_slice(units)[..*length],
        }
    }
}

impl CaseFile<CaseBytes> {
    /// Checks that the file is still what it was when it was mapped; a copy in memory always
    /// is.
    ///
    /// If nothing but the time of its last status change differs, the checksums of all records
    /// and of the index decide, see [`Watch`].
    ///
    /// # Errors
    ///
    /// [`WatchError`] if the file vanished, cannot be read, was replaced or altered.
    pub fn check_unchanged(&self) -> Result<(), WatchError> {
        match self.owner() {
            CaseBytes::Mapped(_, watch, _) => watch.check(|| {
                self.records_are_sound() && checksum(self.index_bytes()) == self.header().index_hash
            }),
            CaseBytes::Copied(..) => Ok(()),
        }
    }
}

/// Maps a case file read-only and checks its header. The file is locked, shared with other
/// readers, for as long as the map lives: [`remove_unless_in_use`](super::remove_unless_in_use)
/// leaves it.
///
/// # Errors
///
/// [`OpenError`] if the file cannot be read or is not a whole case file.
pub fn open(path: &Path) -> Result<CaseFile<CaseBytes>, OpenError> {
    let advice = "allow more address space (ulimit -v)";
    let watch = Box::new(Watch::new(path)?);
    opened(path, advice, |file, _| {
        Ok(CaseBytes::Mapped(map(&file)?, watch, file))
    })
}

/// Reads a case file into memory and checks its header: for file systems whose
/// files may be shortened under a map.
///
/// # Errors
///
/// As [`open`].
pub fn read(path: &Path) -> Result<CaseFile<CaseBytes>, OpenError> {
    let advice = "free some, or map the file instead of reading it into memory";
    opened(path, advice, |mut file: File, bytes| {
        let length = usize::try_from(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let count = length.div_ceil(size_of::<CaseRecord>());
        let mut units: Vec<CaseRecord> = Vec::new();
        units
            .try_reserve_exact(count)
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        units.resize(count, bytemuck::Zeroable::zeroed());
        file.rewind()?;
        file.read_exact(&mut bytemuck::cast_slice_mut(&mut units)[..length])?;
        Ok(CaseBytes::Copied(length, units))
    })
}

/// Opens a file whose bytes are had so; nothing is mapped or reserved for a file whose
/// length is not the one that its header calls for.
fn opened(
    path: &Path,
    advice: &'static str,
    bytes_of: impl FnOnce(File, u64) -> io::Result<CaseBytes>,
) -> Result<CaseFile<CaseBytes>, OpenError> {
    let failed = |source| OpenError::Io {
        path: path.to_owned(),
        source,
    };
    // What is no file might never answer to being opened.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("is not a regular file")));
    }
    let file = in_use::open(path).map_err(failed)?;
    let damaged = |damage| OpenError::Damaged {
        path: path.to_owned(),
        damage,
    };
    let bytes = file.metadata().map_err(failed)?.len();
    let start = start_of(&file).map_err(failed)?;
    Header::from_start(&start, bytes).map_err(damaged)?;
    let owned = bytes_of(file, bytes).map_err(|source| match source.kind() {
        io::ErrorKind::OutOfMemory => OpenError::Memory {
            path: path.to_owned(),
            bytes,
            advice,
        },
        _ => failed(source),
    })?;
    CaseFile::new(owned).map_err(damaged)
}

/// The first bytes of a file: its header, if it is a case file.
fn start_of(file: &File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    for _ in ["the first page", "the rest"] {
        let missing = Header::wanted(&start).saturating_sub(start.len());
        file.take(missing as u64).read_to_end(&mut start)?;
    }
    Ok(start)
}

/// Maps a whole file read-only.
#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and its bytes are only ever read as plain
    // integers that are checked before they are used, so bytes that another
    // process alters cannot break an invariant of this crate. Truncation of
    // the file by another process is outside what a map can prevent and is
    // documented on `CaseFile`; this program itself only ever replaces case
    // files by renaming.
    unsafe { Mmap::map(file) }
}

/// Has the process end with this message on standard error and this exit code when it reads
/// a part of a map that the file no longer has, or that the disk does not give.
///
/// Without it the process ends without a word. Nothing is cleaned up: what is whole stays,
/// what is being written stays as it is. Of several calls the first holds. Where a file that is
/// mapped cannot be cut short, nothing is done.
///
/// # Errors
///
/// If the system does not take the request.
pub fn leave_when_cut_short(message: &'static str, code: u8) -> io::Result<()> {
    #[cfg(unix)]
    {
        cut_short::LAST_WORDS.get_or_init(|| (message, code));
        cut_short::install()
    }
    #[cfg(not(unix))]
    {
        let _ = (message, code);
        Ok(())
    }
}

/// What happens at SIGBUS.
#[cfg(unix)]
mod cut_short {
    use std::io;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// The message, and the exit code.
    pub(super) static LAST_WORDS: OnceLock<(&str, u8)> = OnceLock::new();
    /// Whether a thread is about to leave.
    static LEAVING: AtomicBool = AtomicBool::new(false);

    /// Sets the handler, in the place of the one that Rust has for overflowing stacks: that
    /// one goes back to the default before another could be called, so that a second thread
    /// that meets the same end would take the process with it before the first has spoken.
    #[allow(unsafe_code)]
    pub(super) fn install() -> io::Result<()> {
        // SAFETY: a `sigaction` of zeros is a valid value of that plain structure, and its
        // mask is then set to the empty one. The handler has the signature that SA_SIGINFO
        // asks for, and calls nothing but what POSIX lists as safe in a signal handler.
        let set = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void) =
                handle;
            action.sa_sigaction = handler as libc::sighandler_t;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut())
        };
        match set {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    #[allow(unsafe_code)]
    extern "C" fn handle(
        signal: libc::c_int,
        info: *mut libc::siginfo_t,
        _context: *mut libc::c_void,
    ) {
        // SAFETY: the system gives a handler with SA_SIGINFO a valid `siginfo_t`.
        let reason = unsafe { info.as_ref() }.map(|info| info.si_code);
        let Some((message, code)) = LAST_WORDS
            .get()
            .filter(|_| reason == Some(libc::BUS_ADRERR))
        else {
            // Broken memory, or another process's wish: what happens by default.
            // SAFETY: both may be called in a handler; the signal comes when it returns.
            unsafe {
                libc::signal(signal, libc::SIG_DFL);
                libc::raise(signal);
            }
            return;
        };
        if LEAVING.swap(true, Ordering::Relaxed) {
            loop {
                // SAFETY: may be called in a handler. Another thread ends the process.
                unsafe { libc::pause() };
            }
        }
        // SAFETY: both may be called in a handler; the message is static. Nothing is left to
        // do if it cannot be written.
        unsafe {
            let _ = libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
            libc::_exit(i32::from(*code));
        }
    }
}
