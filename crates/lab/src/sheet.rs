//! The table of a measurement, printed while it is made: as text, or as JSON at the end.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use fairdeal::stats::elementary::log10;
use fairdeal::utc::UtcTime;
use serde_json::{Map, Value, json};

use crate::Failure;

/// A column: its name, and its width; negative widths align to the left.
pub(crate) type Column = (&'static str, isize);

/// The rows so far, below a head of command, commit and machine.
pub(crate) struct Sheet {
    name: String,
    is_json: bool,
    is_saved: bool,
    head: Map<String, Value>,
    begun: Instant,
    text: String,
    columns: &'static [Column],
    sections: Vec<(String, Vec<Value>)>,
    broken: u64,
}

/// Whether a measured promise was kept, as rows tell it.
pub(crate) fn kept(is_kept: bool) -> Value {
    json!(if is_kept { "kept" } else { "BROKEN" })
}

impl Sheet {
    pub(crate) fn new(name: String, is_json: bool, is_saved: bool) -> Result<Self, Failure> {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let cores = std::thread::available_parallelism()?.get();
        let head = json!({
            "command": format!("lab {}", arguments.join(" ")),
            "date": UtcTime::now().to_string()[..10].to_owned(),
            "commit": commit(),
            "machine": format!("{cores} x {}", processor()),
            "load": load(),
        });
        let Value::Object(head) = head else {
            return Err("the head is an object".into());
        };
        let mut sheet = Self {
            name,
            is_json,
            is_saved,
            head,
            begun: Instant::now(),
            text: String::new(),
            columns: &[],
            sections: Vec::new(),
            broken: 0,
        };
        let of = |key: &str| sheet.head[key].as_str().unwrap_or_default().to_owned();
        let line = format!(
            "# {}, {}, commit {}, on {}, load {}",
            of("command"),
            of("date"),
            of("commit"),
            of("machine"),
            of("load")
        );
        sheet.print(&line);
        Ok(sheet)
    }

    /// Begins a table.
    pub(crate) fn section(&mut self, title: &str, columns: &'static [Column]) {
        self.columns = columns;
        self.sections.push((title.to_owned(), Vec::new()));
        self.print(&format!("\n# {title}"));
        let names = columns.iter().map(|(name, _)| json!(name));
        self.print(&line_of(columns, &names.collect::<Vec<_>>()));
    }

    /// Adds a row with a value for each column. A value `BROKEN` counts as a broken promise.
    pub(crate) fn row(&mut self, values: Vec<Value>) {
        self.print(&line_of(self.columns, &values));
        self.broken += u64::from(values.iter().any(|value| value == "BROKEN"));
        let names = self.columns.iter().map(|(name, _)| (*name).to_owned());
        let row: Map<String, Value> = names.zip(values).collect();
        if let Some((_, rows)) = self.sections.last_mut() {
            rows.push(Value::Object(row));
        }
    }

    fn print(&mut self, line: &str) {
        let line = line.trim_end();
        if !self.is_json {
            // A reader that has seen enough does not end the measurement.
            let _ = writeln!(io::stdout(), "{line}");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Prints the JSON or writes the report, if requested; returns the number of broken promises.
    pub(crate) fn finish(self) -> Result<u64, Failure> {
        if self.is_json {
            let mut document = self.head.clone();
            let tables = self.sections.iter();
            let tables = tables.map(|(title, rows)| json!({"title": title, "rows": rows}));
            document.insert("seconds".to_owned(), json!(self.begun.elapsed().as_secs()));
            document.insert("broken".to_owned(), json!(self.broken));
            document.insert("tables".to_owned(), tables.collect());
            writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&document)?)?;
        }
        if self.is_saved {
            let folder = Path::new("reports").join(&self.name);
            fs::create_dir_all(&folder)?;
            let date = self.head["date"].as_str().unwrap_or_default();
            fs::write(folder.join(format!("{date}.txt")), &self.text)?;
        }
        Ok(self.broken)
    }
}

/// A line of a table.
fn line_of(columns: &[Column], values: &[Value]) -> String {
    let mut line = String::new();
    for ((_, width), value) in columns.iter().zip(values) {
        let (text, size) = (shown(value), width.unsigned_abs());
        let _ = match width {
            ..0 => write!(line, "{text:<size$}  "),
            _ => write!(line, "{text:>size$}  "),
        };
    }
    line
}

/// A value in a table: numbers with four significant digits, `-` for none.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(count), _) => fairdeal::printable::thousands(count),
            (_, Some(0.0)) => "0".to_owned(),
            (_, Some(value)) if !(1e-4..1e7).contains(&value.abs()) => format!("{value:.2e}"),
            (_, Some(value)) => {
                let digits = 3.0 - log10(value.abs()).floor();
                format!("{value:.*}", digits.clamp(0.0, 6.0) as usize)
            }
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// The commit of the working tree, with `+` if files differ from it.
fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let Some(hash) = git(&["rev-parse", "--short", "HEAD"]) else {
        return "unknown".to_owned();
    };
    match git(&["status", "--porcelain", "--untracked-files=no"]) {
        Some(changes) if changes.is_empty() => hash,
        _ => format!("{hash}+"),
    }
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(": "));
    model.map_or("unknown", |(_, model)| model).to_owned()
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("unknown").to_owned()
}
