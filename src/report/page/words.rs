//! A verdict in words that a player understands: what it means, and what it does not.

use super::Subject;
use crate::battery::Level;
use crate::report::number::{counted, grouped};

/// The verdict and what is to be said of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Words {
    /// `PASS`
    pub(super) verdict: &'static str,
    /// In a sentence.
    pub(super) headline: String,
    /// How much was looked at.
    pub(super) extent: String,
    /// What it means, a paragraph each.
    pub(super) means: Vec<String>,
    /// What it does not mean, a point each.
    pub(super) means_not: Vec<&'static str>,
}

/// How a level is coloured.
pub(super) fn class(level: Level) -> &'static str {
    match level {
        Level::Pass => "pass",
        Level::Inconclusive => "inconclusive",
        Level::Suspicious | Level::VerySuspicious => "suspicious",
        Level::Fail | Level::Invalid => "fail",
    }
}

impl Words {
    pub(super) fn new(subject: Subject<'_>) -> Self {
        let level = subject.verdict();
        Self {
            verdict: level.name(),
            headline: headline(level, subject).to_owned(),
            extent: extent(subject),
            means: means(level, subject),
            means_not: means_not(level, subject),
        }
    }
}

fn tests(subject: Subject<'_>) -> usize {
    subject.evidence().map_or(0, |evidence| evidence.tests)
}

/// Why no law is known, if none is.
fn no_law(subject: Subject<'_>) -> Option<&str> {
    let expected = match subject {
        Subject::Run(record) => &record.expected,
        Subject::Audit(record) => &record.expected,
    };
    expected.strip_prefix("none: ")
}

/// How many deals a filter kept, of how many that were drawn.
fn kept(subject: Subject<'_>) -> Option<String> {
    let Subject::Run(record) = subject else {
        return None;
    };
    let filter = record.filter.as_ref()?;
    let (kept, drawn) = (grouped(filter.kept), grouped(filter.drawn));
    Some(format!(
        "The verdict is on all {drawn} deals that were drawn, before they were asked for the rest of \
         the condition. The plots and tables are of the {kept} that were kept, of which no exact law \
         is known."
    ))
}

fn headline(level: Level, subject: Subject<'_>) -> &'static str {
    match level {
        Level::Pass => "Nothing speaks against these deals.",
        Level::Inconclusive if tests(subject) == 0 => "Nothing could be tested.",
        Level::Inconclusive => "Nothing speaks against these deals, but they are too few to pass.",
        Level::Suspicious => "Something may be wrong with these deals.",
        Level::VerySuspicious => "Something is very probably wrong with these deals.",
        Level::Fail => "These deals are not random.",
        Level::Invalid => "Some of these are no deals of what was to be dealt.",
    }
}

fn extent(subject: Subject<'_>) -> String {
    let deals = counted(subject.deals(), "deal");
    let Some(evidence) = subject.evidence() else {
        return format!("{deals}, no test");
    };
    let looks = counted(evidence.looks.len() as u64, "look");
    let s = evidence.largest_s;
    let s = s.map_or_else(String::new, |s| format!(", S = {s:.2}"));
    format!("{deals}, {} tests, {looks}{s}", evidence.tests)
}

fn means(level: Level, subject: Subject<'_>) -> Vec<String> {
    let evidence = subject.evidence();
    let s = evidence.and_then(|evidence| evidence.largest_s);
    let once_in = match s.unwrap_or(0.0).floor() {
        s if s >= 7.0 => format!("10^{s:.0}"),
        s => grouped(10f64.powf(s.max(0.0)) as u64),
    };
    let target = evidence.map_or(0, |evidence| evidence.target);
    let reached = evidence.and_then(|evidence| evidence.reached);
    let first = reached.map_or_else(String::new, |deals| {
        format!(" It showed first after {}.", counted(deals, "deal"))
    });
    let mut all = Vec::new();
    match level {
        Level::Pass => all.push(
            "Every table and every order that the tests look at came out as it does when cards \
             are dealt at random. What could still be wrong is smaller than the limits below."
                .to_owned(),
        ),
        Level::Inconclusive if tests(subject) == 0 => all.push(match no_law(subject) {
            Some(why) => format!("No law is known that these deals could be held against: {why}."),
            None => "There are too few deals.".to_owned(),
        }),
        Level::Inconclusive => {
            let caught = evidence.is_some_and(|evidence| !evidence.would_have_caught.is_empty());
            let would = match caught {
                true => "What would have shown is below.",
                false => "So few show nothing of any size.",
            };
            all.push(format!(
                "What was dealt looks like random deals, but a pass takes {} of them: fewer would \
                 not show a flaw of the size that matters. {would}",
                grouped(target)
            ));
        }
        Level::Suspicious | Level::VerySuspicious => all.push(format!(
            "Perfect deals look as odd as this at most once in {once_in} times.{first} Look at \
             others from the same source: chance does not come twice."
        )),
        Level::Fail => all.push(format!(
            "Perfect deals look as odd as this at most once in {once_in} times, however often one \
             looks and however many tests one makes.{first} What is wrong is below, the strongest \
             evidence first."
        )),
        Level::Invalid => {
            let why = evidence.and_then(|evidence| evidence.invalid.clone());
            all.push(why.unwrap_or_else(|| {
                "Cards come twice or are missing, or the deals are none of the condition."
                    .to_owned()
            }));
        }
    }
    all.extend(kept(subject));
    if s.is_some() {
        all.push(
            "S is the weight of all evidence against the deals, in powers of ten: perfect deals \
             ever reach S = 3 at most once in a thousand runs, S = 9 once in a thousand million. \
             One may look at any time, and looking often does not make it larger."
                .to_owned(),
        );
    }
    all
}

fn means_not(level: Level, subject: Subject<'_>) -> Vec<&'static str> {
    let mut all = Vec::new();
    match level {
        Level::Pass | Level::Inconclusive => all.extend([
            "That the deals are proved to be random: a flaw that is small enough, or that no test \
             looks for, stays unseen.",
            "That nobody knew the hands before they were played, or chose among several sets.",
        ]),
        Level::Suspicious | Level::VerySuspicious => {
            all.push(
                "That something is wrong for certain: this does happen to perfect deals, \
                 about as often as it says.",
            );
        }
        Level::Fail | Level::Invalid => all.push(
            "That anybody cheated: a program that shuffles badly, a seed that is too small or \
             records that somebody selected are the usual reasons.",
        ),
    }
    if matches!(subject, Subject::Audit(_)) {
        all.push(
            "Anything about deals that were chosen for these files by what they hold: such are \
             no fair sample, however fairly they were dealt.",
        );
    }
    all
}
