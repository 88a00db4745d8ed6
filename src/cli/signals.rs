//! SIGINT and SIGTERM: the first asks for an end, the second is one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::failure::Failure;

/// Whether the program was asked to end.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Takes the signals from now on. After the first, whoever asks is told so; the second
    /// ends the program at once.
    pub(super) fn listen() -> Result<Self, Failure> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            let asked = || Arc::clone(&interrupt.0);
            flag::register_conditional_default(signal, asked()).map_err(Failure::io)?;
            flag::register(signal, asked()).map_err(Failure::io)?;
        }
        Ok(interrupt)
    }

    /// Whether it was.
    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
