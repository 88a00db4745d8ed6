//! Progress for people: a bar on standard error, if that is a terminal.

use std::io;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar that counts up to `length`; nothing is drawn off a terminal or when `quiet`.
pub(super) fn progress(what: &'static str, length: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr_with_hz(5));
    let style = ProgressStyle::with_template(
        "{prefix:8} {bar:32} {percent:>3} %  {human_pos} of {human_len}  {per_sec}  {eta} left  {msg}",
    );
    bar.set_style(style.expect("the template is a constant that a test draws"));
    bar.set_prefix(what);
    bar
}

/// Whoever read our output may leave: what is done is done all the same.
pub(super) fn unless_closed(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A bar of bytes read, or a spinner if nobody knows how many there are.
pub(super) fn reading(bytes: Option<u64>, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let target = ProgressDrawTarget::stderr_with_hz(5);
    let bar = ProgressBar::with_draw_target(bytes, target);
    let template = match bytes {
        Some(_) => {
            "{prefix:8} {bar:32} {percent:>3} %  {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left  {msg}"
        }
        None => "{prefix:8} {spinner}  {bytes}  {bytes_per_sec}  {elapsed}  {msg}",
    };
    let style = ProgressStyle::with_template(template);
    bar.set_style(style.expect("the template is a constant that a test draws"));
    bar.set_prefix("read");
    bar
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_bars_template_is_sound() {
        super::progress("deals", 10, false).finish_and_clear();
        super::reading(Some(10), false).finish_and_clear();
        super::reading(None, false).finish_and_clear();
    }
}
