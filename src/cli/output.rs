//! Progress for people: a bar on standard error, if that is a terminal.

use std::io;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use fairdeal::battery::Level;

/// What a bar of things counted shows, of bytes read, of bytes nobody knows the number of, and of
/// what takes its time without counting.
const COUNTED: &str =
    "{prefix:8} {bar:32} {percent:>3} %  {human_pos} of {human_len}  {rate}  {left}  {msg}";
const BYTES: &str =
    "{prefix:8} {bar:32} {percent:>3} %  {bytes} of {total_bytes}  {rate_of_bytes}  {left}  {msg}";
const STREAM: &str = "{prefix:8} {spinner}  {bytes}  {rate_of_bytes}  {elapsed}  {msg}";
const WORK: &str = "{prefix:8} {spinner}  {elapsed}";

/// Time between two pictures of a spinner.
const TURN: Duration = Duration::from_millis(200);

/// A bar that counts up to `length`; nothing is drawn off a terminal or when `quiet`.
pub(super) fn progress(what: &'static str, length: u64, quiet: bool) -> ProgressBar {
    drawn(what, Some(length), COUNTED, quiet)
}

/// A bar of bytes read, or a spinner if nobody knows how many there are.
pub(super) fn reading(bytes: Option<u64>, quiet: bool) -> ProgressBar {
    let template = if bytes.is_some() { BYTES } else { STREAM };
    drawn("read", bytes, template, quiet)
}

/// A spinner while something is done that cannot say how far it is.
pub(super) fn during<T>(what: &'static str, quiet: bool, work: impl FnOnce() -> T) -> T {
    let spinner = drawn(what, None, WORK, quiet);
    if !spinner.is_hidden() {
        spinner.enable_steady_tick(TURN);
    }
    let done = work();
    spinner.finish_and_clear();
    done
}

/// S at a look and the verdict so far, for a bar's message.
pub(super) fn so_far(s: f64, level: Level) -> String {
    match s.is_finite() {
        true => format!("S = {s:.1}, {}", level.so_far()),
        false => level.so_far().to_owned(),
    }
}

/// Whoever read our output may leave: what is done is done all the same.
pub(super) fn unless_closed(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn drawn(what: &'static str, length: Option<u64>, template: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(5));
    bar.set_style(style(template));
    bar.set_prefix(what);
    bar
}

/// The style of a template, with the keys that are ours.
fn style(template: &str) -> ProgressStyle {
    // Nothing is left to do if a picture cannot be put together.
    let style = ProgressStyle::with_template(template)
        .expect("the templates are constants that a test draws")
        .with_key(
            "rate",
            |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{}/s", amount(state.per_sec()));
            },
        )
        .with_key(
            "rate_of_bytes",
            |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let _ = write!(out, "{}B/s", amount(state.per_sec()));
            },
        );
    style.with_key(
        "left",
        |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // Before anything is done nobody knows.
            if state.pos() > 0 && state.per_sec() > 0.0 {
                let _ = write!(out, "{} left", time(state.eta()));
            }
        },
    )
}

/// A number with four digits at most and its unit: `123.4 M`.
fn amount(number: f64) -> String {
    let mut number = number.max(0.0);
    for unit in ["", "k", "M", "G"] {
        if number < 999.95 {
            return match unit {
                "" => format!("{number:.1} "),
                unit => format!("{number:.1} {unit}"),
            };
        }
        number /= 1000.0;
    }
    format!("{number:.1} T")
}

/// A time by its two largest units.
fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} min {:02} s", seconds % 60),
        3600..172_800 => format!("{hours} h {:02} min", minutes % 60),
        _ => format!("{days} d {:02} h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use indicatif::InMemoryTerm;

    use super::*;

    /// What a bar of this template shows at a place.
    fn picture(template: &str, length: Option<u64>, position: u64, message: &str) -> String {
        let term = InMemoryTerm::new(4, 200);
        let target = ProgressDrawTarget::term_like(Box::new(term.clone()));
        let bar = ProgressBar::with_draw_target(length, target);
        bar.set_style(style(template));
        bar.set_prefix("deals");
        bar.set_message(message.to_owned());
        bar.set_position(position);
        bar.tick();
        let shown = term.contents();
        bar.finish_and_clear();
        shown
    }

    #[test]
    fn a_bar_shows_share_counts_rate_time_left_and_the_verdict_so_far() {
        let message = so_far(-0.16, Level::Inconclusive);
        let shown = picture(COUNTED, Some(10_000_000), 2_500_000, &message);
        for part in [
            "deals ",
            " 25 %  2,500,000 of 10,000,000  ",
            "/s  ",
            "S = -0.2, nothing so far",
        ] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let shown = picture(BYTES, Some(1 << 20), 1 << 19, "");
        assert!(shown.contains(" 50 %  512.00 KiB of 1.00 MiB  "), "{shown}");
        assert!(picture(STREAM, None, 1 << 19, "").contains("512.00 KiB"));
        assert!(picture(WORK, None, 0, "").contains("deals"));
    }

    #[test]
    fn nobody_knows_how_long_it_takes_before_anything_is_done() {
        assert!(!picture(COUNTED, Some(100), 0, "").contains("left"));
    }

    #[test]
    fn rates_have_units_and_times_two_of_them() {
        let amounts = [0.0, 12.34, 999.94, 999.96, 123.4e6, 2.5e9, 7e12].map(amount);
        let wanted = [
            "0.0 ", "12.3 ", "999.9 ", "1.0 k", "123.4 M", "2.5 G", "7.0 T",
        ];
        assert_eq!(amounts, wanted);
        let times = [0, 59, 60, 3599, 3600, 172_799, 172_800].map(Duration::from_secs);
        let wanted = [
            "0 s",
            "59 s",
            "1 min 00 s",
            "59 min 59 s",
            "1 h 00 min",
            "47 h 59 min",
            "2 d 00 h",
        ];
        assert_eq!(times.map(time), wanted);
    }

    #[test]
    fn before_there_is_evidence_s_is_not_named() {
        assert_eq!(
            so_far(f64::NEG_INFINITY, Level::Inconclusive),
            "nothing so far"
        );
        assert_eq!(so_far(7.25, Level::Fail), "S = 7.2, FAIL");
    }
}
