//! Progress for people: a bar if standard error is a terminal, otherwise occasional log lines.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use fairdeal::printable::rounded;

use super::log;

/// Templates of the bars: counted items, bytes of a known total, bytes of an unknown total, and
/// work without a count.
const COUNTED: &str =
    "{prefix:8} {bar:32} {percent:>3} %  {human_pos} of {human_len}  {rate}  {left}  {msg}";
const BYTES: &str =
    "{prefix:8} {bar:32} {percent:>3} %  {bytes} of {total_bytes}  {rate_of_bytes}  {left}  {msg}";
const STREAM: &str = "{prefix:8} {spinner}  {bytes}  {rate_of_bytes}  {elapsed}  {msg}";
const WORK: &str = "{prefix:8} {spinner}  {elapsed}";

/// Interval between the frames of a bar.
const TURN: Duration = Duration::from_millis(200);

/// Interval between the progress lines of a log.
const PULSE: Duration = Duration::from_secs(30);

/// Progress of a stage: a bar, or lines in a log.
#[derive(Clone, Debug)]
pub(super) struct Progress {
    bar: ProgressBar,
    pulse: Arc<Pulse>,
}

/// State of the log lines: the start, the lines so far, and the last look.
#[derive(Debug)]
struct Pulse {
    what: &'static str,
    clock: Instant,
    every: Duration,
    /// Position at the start.
    from: AtomicU64,
    /// Number of intervals that have been logged or skipped.
    told: AtomicU64,
    /// S and the verdict at the last look.
    look: Mutex<Option<(f64, &'static str)>>,
}

impl Pulse {
    /// Returns whether a line is due; true for only one of the calling threads.
    fn is_due(&self) -> bool {
        let times = (self.clock.elapsed().as_nanos() / self.every.as_nanos()) as u64;
        times > self.told.load(Ordering::Relaxed)
            && times > self.told.fetch_max(times, Ordering::Relaxed)
    }

    /// Returns the last look, even if another thread panicked while it held the lock.
    fn look(&self) -> MutexGuard<'_, Option<(f64, &'static str)>> {
        self.look.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress {
    fn new(what: &'static str, bar: ProgressBar, every: Duration) -> Self {
        let pulse = Pulse {
            what,
            clock: Instant::now(),
            every,
            from: AtomicU64::new(0),
            told: AtomicU64::new(0),
            look: Mutex::new(None),
        };
        let pulse = Arc::new(pulse);
        Self { bar, pulse }
    }

    /// Advances by `more`.
    pub(super) fn inc(&self, more: u64) {
        self.bar.inc(more);
        self.log_if_due();
    }

    /// Sets the position.
    pub(super) fn set_position(&self, done: u64) {
        self.bar.set_position(done);
        self.log_if_due();
    }

    /// Sets the total.
    pub(super) fn set_length(&self, length: u64) {
        self.bar.set_length(length);
    }

    /// Starts from a position that an earlier run reached.
    pub(super) fn go_on_from(&self, done: u64) {
        self.pulse.from.store(done, Ordering::Relaxed);
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// Shows the result of a look.
    pub(super) fn looked(&self, s: f64, so_far: &'static str) {
        self.bar.set_message(look_in_words(s, so_far));
        *self.pulse.look() = Some((s, so_far));
    }

    /// Shows a message beside the bar.
    pub(super) fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Runs `work` while the bar is hidden.
    pub(super) fn suspend<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    /// Removes the bar.
    pub(super) fn finish_and_clear(&self) {
        self.bar.finish_and_clear();
    }

    fn log_if_due(&self) {
        if !tracing::enabled!(target: "progress", tracing::Level::INFO) || !self.pulse.is_due() {
            return;
        }
        let pulse = &self.pulse;
        let (done, of) = (self.bar.position(), self.bar.length().filter(|of| *of > 0));
        let seconds = pulse.clock.elapsed().as_secs_f64();
        let per_second = done.saturating_sub(pulse.from.load(Ordering::Relaxed)) as f64 / seconds;
        let left = of.map(|of| of.saturating_sub(done) as f64 / per_second);
        let look = *pulse.look();
        tracing::info!(
            target: "progress",
            what = pulse.what,
            done,
            of,
            share = of.map(|of| done as f64 / of as f64),
            per_second,
            seconds_left = left,
            s = look.map(|(s, _)| s),
            so_far = look.map(|(_, so_far)| so_far),
            "progress"
        );
    }
}

/// Starts a bar that counts up to `length`; draws nothing if `quiet` or without a terminal.
pub(super) fn progress(what: &'static str, length: u64, quiet: bool) -> Progress {
    Progress::new(what, drawn(what, Some(length), COUNTED, quiet), PULSE)
}

/// Starts a bar of bytes read, or a spinner if the total is unknown.
pub(super) fn reading(bytes: Option<u64>, quiet: bool) -> Progress {
    let template = if bytes.is_some() { BYTES } else { STREAM };
    Progress::new("read", drawn("read", bytes, template, quiet), PULSE)
}

/// Starts a spinner for work without a known length.
pub(super) fn spinner(what: &'static str, quiet: bool) -> Progress {
    Progress::new(what, drawn(what, None, WORK, quiet), PULSE)
}

/// Shows a spinner while `work` runs.
pub(super) fn during<T>(what: &'static str, quiet: bool, work: impl FnOnce() -> T) -> T {
    let spinner = spinner(what, quiet);
    let done = work();
    spinner.finish_and_clear();
    done
}

/// S at a look and the verdict so far, as a bar's message.
fn look_in_words(s: f64, so_far: &str) -> String {
    match s.is_finite() {
        true => format!("S = {s:.1}, {so_far}"),
        false => so_far.to_owned(),
    }
}

/// Ignores a broken pipe: the reader may leave early, and the work is done anyway.
pub(super) fn unless_closed(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn drawn(what: &'static str, length: Option<u64>, template: &str, quiet: bool) -> ProgressBar {
    let target = match quiet || !log::leaves_room_for_bars() {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr_with_hz(5),
    };
    let bar = ProgressBar::with_draw_target(length, target);
    bar.set_style(style(template));
    bar.set_prefix(what);
    if !bar.is_hidden() {
        // The time goes on while a disk keeps the work waiting.
        bar.enable_steady_tick(TURN);
    }
    bar
}

/// Style of a template, with this program's own keys.
fn style(template: &str) -> ProgressStyle {
    // Errors of writing into the text of a bar are ignored.
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
            // Before any progress, the time left is unknown.
            if state.pos() > 0 && state.per_sec() > 0.0 {
                let _ = write!(out, "{} left", time(state.eta()));
            }
        },
    )
}

/// A duration for people: three digits below a minute, two units above.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        ..59.95 => format!(
            "{} s",
            rounded(seconds, if seconds < 0.995 { 2 } else { 3 })
        ),
        _ => time(Duration::from_secs_f64(seconds)),
    }
}

/// A number with at most four digits and a unit: `123.4 M`.
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

/// A duration in its two largest units.
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
    use std::io::{Read as _, Seek as _};

    use indicatif::InMemoryTerm;

    use super::*;

    /// Renders a template at a position.
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
        let message = look_in_words(-0.16, "nothing so far");
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
    fn a_line_is_due_once_after_every_while() {
        let bar = ProgressBar::hidden();
        let long = Progress::new("deals", bar.clone(), Duration::from_secs(3600));
        assert!(!long.pulse.is_due());
        let short = Progress::new("deals", bar, Duration::from_millis(1));
        std::thread::sleep(Duration::from_millis(2));
        assert!(short.pulse.is_due());
        short.pulse.told.store(u64::MAX, Ordering::Relaxed);
        assert!(!short.pulse.is_due());
    }

    #[test]
    fn a_log_has_a_line_of_progress_when_it_is_due() {
        let mut written = tempfile::tempfile().unwrap();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(Mutex::new(written.try_clone().unwrap()))
            .event_format(log::LineFormatter)
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            let bar = ProgressBar::with_draw_target(Some(4000), ProgressDrawTarget::hidden());
            let progress = Progress::new("deals", bar, Duration::from_millis(1));
            progress.go_on_from(500);
            progress.looked(-0.25, "nothing so far");
            std::thread::sleep(Duration::from_millis(2));
            progress.inc(500);
        });
        let mut text = String::new();
        written.rewind().unwrap();
        written.read_to_string(&mut text).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        for part in [
            " INFO  progress: progress done=1000 of=4000 per_second=",
            " s=-0.25 seconds_left=",
            " share=0.25 so_far=\"nothing so far\" what=deals",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
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
            look_in_words(f64::NEG_INFINITY, "nothing so far"),
            "nothing so far"
        );
        assert_eq!(look_in_words(7.25, "FAIL"), "S = 7.2, FAIL");
    }
}
