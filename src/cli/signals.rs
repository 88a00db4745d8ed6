//! SIGINT and SIGTERM: the first requests an orderly stop, the second ends the program. SIGXFSZ: the
//! write fails.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level::emulate_default_handler;

use fairdeal::Error;

/// A second signal within this time is part of the same request: `timeout` sends one to the program
/// and one to its group.
const SAME_REQUEST: Duration = Duration::from_millis(300);

/// Whether the program was asked to stop.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

/// Lets a write beyond the system's limit of a file's size (`ulimit -f`) fail with an error, as on a
/// full disk, instead of ending the program.
pub(super) fn outlive_large_files() -> Result<(), Error> {
    // Handled and not ignored, because programs that this one starts would inherit that.
    #[cfg(unix)]
    signal_hook::flag::register(libc::SIGXFSZ, Arc::default()).map_err(Error::io)?;
    Ok(())
}

impl Interrupt {
    /// Handles the signals from now on. The first one sets the flag; the second ends the program at
    /// once.
    pub(super) fn listen() -> Result<Self, Error> {
        let interrupt = Self::default();
        let asked = Arc::clone(&interrupt.0);
        let each_signal = each_signal().map_err(Error::io)?;
        let listen = move || {
            let mut first = None;
            each_signal(&mut |signal| {
                let first: Instant = *first.get_or_insert_with(Instant::now);
                if asked.swap(true, Ordering::Relaxed) && first.elapsed() >= SAME_REQUEST {
                    // This returns only if it fails; then the next signal is handled.
                    let _ = emulate_default_handler(signal);
                }
            });
        };
        let thread = thread::Builder::new().name("signals".to_owned());
        thread.spawn(listen).map_err(Error::io)?;
        Ok(interrupt)
    }

    /// Whether a stop was requested.
    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Handles SIGINT and SIGTERM from now on, and returns a function that calls its argument at each
/// of them and does not return.
#[cfg(unix)]
fn each_signal() -> io::Result<impl FnOnce(&mut dyn FnMut(i32)) + Send + 'static> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    Ok(move |handle: &mut dyn FnMut(i32)| signals.forever().for_each(handle))
}

/// Handles Ctrl-C from now on, and returns a function that calls its argument at each of them and
/// does not return. Signals of Windows cannot be awaited, so it asks twenty times a second.
#[cfg(not(unix))]
fn each_signal() -> io::Result<impl FnOnce(&mut dyn FnMut(i32)) + Send + 'static> {
    let signals = [SIGINT, SIGTERM].map(|signal| (signal, Arc::new(AtomicBool::new(false))));
    for (signal, came) in &signals {
        signal_hook::flag::register(*signal, Arc::clone(came))?;
    }
    Ok(move |handle: &mut dyn FnMut(i32)| {
        loop {
            thread::sleep(Duration::from_millis(50));
            for (signal, came) in &signals {
                if came.swap(false, Ordering::Relaxed) {
                    handle(*signal);
                }
            }
        }
    })
}
