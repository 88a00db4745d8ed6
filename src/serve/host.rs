//! Where the pages are answered: by a server with threads, or by WebAssembly in a browser, which has
//! one thread.

use std::io;

use crate::threads;

/// Whether a server answers: it has threads, and a folder that outlasts it, for runs.
pub(super) const IS_SERVER: bool = threads::ARE_SUPPORTED;

/// Does work that takes a while beside the thread that answers, if there is another one. Returns
/// `None` if it panicked.
pub(super) async fn unblock<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    match IS_SERVER {
        true => tokio::task::spawn_blocking(work).await.ok(),
        false => Some(work()),
    }
}

/// Reads or writes a file as [`unblock`] does.
pub(super) async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let done = unblock(work).await;
    done.unwrap_or_else(|| Err(io::Error::other("a file was not read or written")))
}
