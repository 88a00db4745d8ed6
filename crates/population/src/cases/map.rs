//! Opens a case file. This is the only module that maps a file, and the only one that handles the
//! signal of a map whose file was truncated.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::Path;

use memmap2::Mmap;

use super::file::CaseFile;
use super::header::Header;
use super::open_error::OpenError;
use super::record::CaseRecord;
use super::stamp::FileStamp;

/// The bytes of an opened case file.
#[derive(Debug)]
pub enum CaseBytes {
    /// A read-only map of the file, the open file, and its stamp from before the map.
    Mapped(Mmap, File, FileStamp),
    /// A copy in memory: the length in bytes, and the bytes in aligned units.
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
    /// Whether the file has the size and the time of the last write that it had when it was mapped.
    /// A copy in memory cannot change.
    ///
    /// A file that was removed from its folder, or replaced by renaming, stays as it was mapped. A
    /// writer that sets the time back is not noticed here, but when the file is opened again.
    pub fn is_unchanged(&self) -> bool {
        match self.owner() {
            CaseBytes::Mapped(_, file, stamp) => file.metadata().is_ok_and(|now| {
                // The path identifies a file only where there are no inodes.
                stamp.has_content_of(&FileStamp::of(Path::new(""), &now))
            }),
            CaseBytes::Copied(..) => true,
        }
    }

    /// The stamp of the mapped file; `None` for a copy in memory.
    pub(crate) fn stamp(&self) -> Option<&FileStamp> {
        match self.owner() {
            CaseBytes::Mapped(.., stamp) => Some(stamp),
            CaseBytes::Copied(..) => None,
        }
    }
}

/// Maps a case file read-only and checks its header.
///
/// # Errors
///
/// [`OpenError`] if the file cannot be read or is not a complete case file.
pub fn open(path: &Path) -> Result<CaseFile<CaseBytes>, OpenError> {
    let advice = "allow more address space (ulimit -v)";
    opened(path, advice, |file, there| {
        let stamp = FileStamp::of(path, there);
        Ok(CaseBytes::Mapped(map(&file)?, file, stamp))
    })
}

/// Reads a case file into memory and checks its header: for file systems on which a mapped file may
/// be truncated.
///
/// # Errors
///
/// As [`open`].
pub fn read(path: &Path) -> Result<CaseFile<CaseBytes>, OpenError> {
    let advice = "free memory, or map the file instead of reading it into memory";
    opened(path, advice, |mut file, there| {
        let length = usize::try_from(there.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
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

/// Opens a file and gets its bytes with the given function. Nothing is mapped or allocated if the
/// file's length differs from the length that its header requires.
fn opened(
    path: &Path,
    advice: &'static str,
    bytes_of: impl FnOnce(File, &Metadata) -> io::Result<CaseBytes>,
) -> Result<CaseFile<CaseBytes>, OpenError> {
    let failed = |source| OpenError::Io {
        path: path.to_owned(),
        source,
    };
    // Opening something other than a file, such as a pipe, might never return.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("is not a regular file")));
    }
    let file = File::open(path).map_err(failed)?;
    let damaged = |damage| OpenError::Damaged {
        path: path.to_owned(),
        damage,
    };
    let there = file.metadata().map_err(failed)?;
    let bytes = there.len();
    let start = start_of(&file).map_err(failed)?;
    Header::from_start(&start, bytes).map_err(damaged)?;
    let owned = bytes_of(file, &there).map_err(|source| match source.kind() {
        io::ErrorKind::OutOfMemory => OpenError::Memory {
            path: path.to_owned(),
            bytes,
            advice,
        },
        _ => failed(source),
    })?;
    CaseFile::new(owned).map_err(damaged)
}

/// Reads the first bytes of a file: the header, if it is a case file.
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
    // SAFETY: the map is read-only, and its bytes are only read as plain integers that are checked
    // before they are used, so bytes modified by another process cannot break an invariant of this
    // crate. A map cannot prevent another process from truncating the file; this is documented on
    // `CaseFile`. This program replaces case files only by renaming.
    unsafe { Mmap::map(file) }
}

/// Installs a handler that ends the process with this message on standard error and this exit code
/// when it reads a part of a map beyond the end of a truncated file, or that the disk cannot read.
///
/// Without the handler the process ends without a message. Nothing is cleaned up: complete files
/// stay, and so do files that are being written. Only the message and code of the first call take
/// effect. On systems other than Unix this function does nothing.
///
/// # Errors
///
/// If the system rejects the handler.
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

/// The handler of SIGBUS.
#[cfg(unix)]
mod cut_short {
    use std::io;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// The message, and the exit code.
    pub(super) static LAST_WORDS: OnceLock<(&str, u8)> = OnceLock::new();
    /// Whether a thread is already ending the process.
    static LEAVING: AtomicBool = AtomicBool::new(false);

    /// Installs the handler in place of Rust's handler for stack overflows. Rust's handler restores
    /// the default action, so a second thread that reads beyond the end would end the process
    /// before the first has printed the message.
    #[allow(unsafe_code)]
    pub(super) fn install() -> io::Result<()> {
        // SAFETY: a `sigaction` of zeros is a valid value of that plain structure, and its mask is
        // then set to the empty mask. The handler has the signature that SA_SIGINFO requires, and
        // calls only functions that POSIX lists as safe in a signal handler.
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
        // SAFETY: the system passes a valid `siginfo_t` to a handler with SA_SIGINFO.
        let reason = unsafe { info.as_ref() }.map(|info| info.si_code);
        let Some((message, code)) = LAST_WORDS
            .get()
            .filter(|_| reason == Some(libc::BUS_ADRERR))
        else {
            // Faulty memory, or a signal sent by another process: take the default action.
            // SAFETY: both may be called in a handler; the signal is delivered when it returns.
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
        // SAFETY: both may be called in a handler; the message is static. A failure to write it is
        // ignored, since nothing else can be done.
        unsafe {
            let _ = libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
            libc::_exit(i32::from(*code));
        }
    }
}
