//! Standard error: warnings, errors, and with `--log` a log of progress.
//!
//! With `--log-format json`, every line is a JSON object.

use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Args, ValueEnum};
use fairdeal::printable::printable;
use fairdeal::utc::UtcTime;
use serde::Serialize;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::values::{self, NameParser};

/// The level and format of standard error.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Logs")]
pub(super) struct LogOptions {
    /// Write progress to standard error
    ///
    /// Logs events of this level and above. Without --log, only warnings and errors are printed.
    #[arg(long, value_name = "LEVEL", value_parser = levels(), global = true)]
    log: Option<LevelFilter>,

    /// Log format: text, or JSON lines
    ///
    /// With json, warnings and errors are JSON too, and --log is info by default.
    #[arg(long, value_name = "FORMAT", value_parser = values::choice::<LogFormat>(),
        global = true)]
    log_format: Option<LogFormat>,
}

/// Parser of the values of `--log`.
fn levels() -> NameParser<impl TypedValueParser<Value = LevelFilter>> {
    let all = [
        (LevelFilter::ERROR, "error"),
        (LevelFilter::WARN, "warn"),
        (LevelFilter::INFO, "info"),
        (LevelFilter::DEBUG, "debug"),
    ];
    let named = |(level, name)| (level, PossibleValue::new(name));
    values::named(all.into_iter().map(named))
}

/// `--log-format`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

/// Format of standard error, set by [`LogOptions::begin`].
static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Whether neither warnings nor notes are printed.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Prints neither warnings nor notes from here on.
pub(super) fn silence_warnings() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

impl LogOptions {
    /// Starts the log, if it was requested.
    pub(super) fn begin(self) {
        if let Some(format) = self.log_format {
            // Only this function sets it, once.
            let _ = FORMAT.set(format);
        }
        if is_json() {
            std::panic::set_hook(Box::new(|panic| error(panic)));
        }
        let level = match (self.log, self.log_format) {
            (None, None) => return,
            (level, _) => level.unwrap_or(LevelFilter::INFO),
        };
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(io::stderr)
            // An internal error could not be printed either, and would panic.
            .log_internal_errors(false)
            .event_format(LineFormatter);
        subscriber.init();
    }
}

/// Selects JSON if these arguments, which could not be parsed, request it.
pub(super) fn guess_format(arguments: impl Iterator<Item = impl AsRef<OsStr>>) {
    let mut is_format = false;
    for argument in arguments {
        let argument = argument.as_ref();
        if argument == "--log-format=json" || is_format && argument == "json" {
            let _ = FORMAT.set(LogFormat::Json);
        }
        is_format = argument == "--log-format";
    }
}

/// Whether all lines on standard error are JSON.
pub(super) fn is_json() -> bool {
    FORMAT.get() == Some(&LogFormat::Json)
}

/// Whether bars may be drawn: not between the lines of a log.
pub(super) fn leaves_room_for_bars() -> bool {
    !is_json() && !tracing::enabled!(Level::INFO)
}

/// Prints a warning, unless warnings are silenced.
pub(super) fn warning(text: impl fmt::Display) -> io::Result<()> {
    unless_quiet(|| say(Level::WARN, "warning: ", &text.to_string()))
}

/// Prints a note, unless warnings are silenced.
pub(super) fn note(text: impl fmt::Display) -> io::Result<()> {
    unless_quiet(|| say(Level::INFO, "note: ", &text.to_string()))
}

fn unless_quiet(print: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    match IS_QUIET.load(Ordering::Relaxed) {
        true => Ok(()),
        false => print(),
    }
}

/// Prints information that the user requested.
pub(super) fn tell(text: impl fmt::Display) -> io::Result<()> {
    say(Level::INFO, "", &text.to_string())
}

/// Prints an error. Fails silently if standard error is closed.
pub(super) fn error(text: impl fmt::Display) {
    let _ = say(Level::ERROR, "error: ", &text.to_string());
}

/// Prints an error whose text already has its label.
pub(super) fn rendered_error(text: &str) {
    let _ = match is_json() {
        true => say(Level::ERROR, "", plain(text)),
        false => writeln!(io::stderr(), "{text}"),
    };
}

/// Prints a warning whose text already has its label, unless warnings are silenced.
pub(super) fn rendered_warning(text: &str) -> io::Result<()> {
    unless_quiet(|| match is_json() {
        true => say(Level::WARN, "", plain(text)),
        false => writeln!(io::stderr(), "{text}"),
    })
}

/// Formats a message in advance, for printing in a signal handler.
pub(super) fn last_words(words: &'static str) -> &'static str {
    if !is_json() {
        return words;
    }
    let line = LogLine {
        timestamp: None,
        ..LogLine::new(Level::ERROR, plain(words))
    };
    // Leaked once; it is printed at the end of the program at most.
    Box::leak((line.json() + "\n").into_boxed_str())
}

/// The text of an error or a warning without its label.
fn plain(text: &str) -> &str {
    let text = text.trim_end();
    let bare = text.strip_prefix("error: ");
    let bare = bare.or_else(|| text.strip_prefix("warning: "));
    bare.unwrap_or(text)
}

/// Prints a line at any log level.
fn say(level: Level, label: &str, text: &str) -> io::Result<()> {
    let line = match is_json() {
        true => LogLine::new(level, text).json() + "\n",
        false => format!("{label}{text}\n"),
    };
    io::stderr().lock().write_all(line.as_bytes())
}

/// A line of a log.
#[derive(Serialize)]
struct LogLine<'l> {
    /// `None` in prepared messages, whose time is not known in advance.
    timestamp: Option<String>,
    level: &'static str,
    target: &'l str,
    message: &'l str,
    fields: Map<String, Value>,
}

impl<'l> LogLine<'l> {
    fn new(level: Level, message: &'l str) -> Self {
        Self {
            // UTC by RFC 3339, to the millisecond.
            timestamp: Some(format!("{:.3}", UtcTime::now())),
            level: level.as_str(),
            target: "fairdeal",
            message,
            fields: Map::new(),
        }
    }

    fn json(&self) -> String {
        serde_json::to_string(self).expect("texts and a map of plain values are JSON")
    }

    /// `2026-11-22T21:04:05.123Z INFO run: look deals=16384 s=-0.12`.
    fn text(&self) -> String {
        let Self {
            timestamp,
            level,
            target,
            message,
            fields,
        } = self;
        let timestamp = timestamp.as_deref().unwrap_or_default();
        let mut line = format!("{timestamp} {level:5} {target}: {message}");
        for (name, value) in fields {
            // A text without spaces needs no quotes.
            let bare = value.as_str().filter(|text| is_bare(text));
            let written = match bare {
                Some(text) => write!(line, " {name}={text}"),
                None => write!(line, " {name}={}", printable(&value.to_string())),
            };
            written.expect("a string takes all");
        }
        line
    }
}

/// Whether a text needs no quotes in a line.
fn is_bare(text: &str) -> bool {
    let is_plain =
        |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '=' | '\\');
    !text.is_empty() && text.chars().all(is_plain)
}

/// Formats events as lines.
pub(super) struct LineFormatter;

impl<S, N> FormatEvent<S, N> for LineFormatter
where
    S: Subscriber + for<'s> LookupSpan<'s>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(
        &self,
        _context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut fields = EventFields::default();
        event.record(&mut fields);
        let line = LogLine {
            target: event.metadata().target(),
            fields: fields.others,
            ..LogLine::new(*event.metadata().level(), &fields.message)
        };
        match is_json() {
            true => writeln!(writer, "{}", line.json()),
            false => writeln!(writer, "{}", line.text()),
        }
    }
}

/// Fields of an event; tracing omits those without a value.
#[derive(Default)]
struct EventFields {
    message: String,
    others: Map<String, Value>,
}

impl EventFields {
    fn insert(&mut self, field: &Field, value: impl Into<Value>) {
        self.others.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for EventFields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        match field.name() {
            "message" => self.message = format!("{value:?}"),
            _ => self.insert(field, format!("{value:?}")),
        }
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "message" => value.clone_into(&mut self.message),
            _ => self.insert(field, value),
        }
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.insert(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.insert(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.insert(field, value);
    }

    /// Null if it is not finite.
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.insert(field, value);
    }

    /// A string, because JSON readers keep 53 bits.
    fn record_u128(&mut self, field: &Field, value: u128) {
        self.insert(field, value.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fairdeal::utc::day_number;

    fn line(fields: Map<String, Value>) -> LogLine<'static> {
        LogLine {
            timestamp: Some("2026-11-22T21:04:05.123Z".to_owned()),
            target: "run",
            fields,
            ..LogLine::new(Level::INFO, "look")
        }
    }

    #[test]
    fn a_line_of_text_quotes_what_has_spaces() {
        let fields = [
            ("deals", Value::from(16384)),
            ("s", Value::from(-0.125)),
            ("so_far", Value::from("nothing so far")),
            ("seed", Value::from("0x5eed")),
            ("condition", Value::from("a\nb")),
        ];
        let fields = fields.map(|(name, value)| (name.to_owned(), value));
        let fields = Map::from_iter(fields);
        let text = line(fields).text();
        assert!(
            text.starts_with("2026-11-22T21:04:05.123Z INFO  run: look "),
            "{text}"
        );
        for part in [
            " deals=16384",
            " s=-0.125",
            " so_far=\"nothing so far\"",
            " seed=0x5eed",
            " condition=\"a\\nb\"",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn a_line_of_json_has_five_fields_and_a_time_in_utc() {
        let json = LogLine::new(Level::WARN, "two\nlines").json();
        let value: Value = serde_json::from_str(&json).unwrap();
        let names: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(names, ["fields", "level", "message", "target", "timestamp"]);
        let stamp = value["timestamp"].as_str().unwrap();
        assert!(stamp.ends_with('Z') && day_number(&stamp[..10]).is_some());
        assert!(!json.contains('\n'));
    }
}
