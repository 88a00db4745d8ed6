//! A verdict in sentences for players: its meaning and its limits.

use crate::battery::{LEAST_TARGET, Level};
use crate::printable::{probability, three_digits, three_digits_log10};
use crate::printable::{thousands, with_noun};
use crate::run::DEFAULT_TARGET;
use crate::stats::elementary::powf;
use crate::{AnyRecord, NamedBoards, TableName};
use fairdeal_audit::EventRule;

/// The verdict and its sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct PageWords {
    /// `PASS`
    pub(crate) verdict: &'static str,
    /// The verdict in a sentence.
    pub(crate) headline: String,
    /// Deals, tests, looks if there were several, and S.
    pub(crate) extent: String,
    /// The paragraphs of its meaning.
    pub meaning: Vec<String>,
    /// The list of its limits.
    pub limits: Vec<&'static str>,
    /// The boards that contradict each other, and the equal deals.
    pub(crate) boards: Vec<BoardList>,
}

/// A list of boards of an audit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoardList {
    pub(crate) title: &'static str,
    pub(crate) note: String,
    /// The first boards in words.
    pub(crate) first: Vec<String>,
    /// Number of other boards.
    pub(crate) others: u64,
    /// The table of all.
    pub(crate) file: String,
}

impl BoardList {
    /// Returns `None` for an empty list.
    fn new(
        title: &'static str,
        note: String,
        boards: &NamedBoards,
        table: TableName,
    ) -> Option<Self> {
        (boards.count > 0).then(|| Self {
            title,
            note,
            first: boards.first.clone(),
            others: boards.others(),
            file: format!("{table}.csv"),
        })
    }
}

/// The colour class of a level.
pub fn class(level: Level) -> &'static str {
    match level {
        Level::Pass => "pass",
        Level::Inconclusive => "inconclusive",
        Level::Suspicious | Level::VerySuspicious => "suspicious",
        Level::Fail | Level::Invalid => "fail",
    }
}

impl PageWords {
    /// The words of a record.
    pub fn new(subject: &AnyRecord) -> Self {
        let level = subject.common().verdict;
        Self {
            verdict: level.name(),
            headline: headline(level, subject),
            extent: extent(subject),
            meaning: meaning(level, subject),
            limits: limits(level, subject),
            boards: boards(subject),
        }
    }
}

/// The boards that contradict each other, and the equal deals.
pub(super) fn boards(subject: &AnyRecord) -> Vec<BoardList> {
    let AnyRecord::Audit(record) = subject else {
        return Vec::new();
    };
    let conflicts = with_noun(record.conflicts.count, "board");
    let question = match record.identity.options.events == EventRule::Compatible.name() {
        true => {
            " Are these records of one event, or were the boards dealt separately? Audit them \
              again with the answer."
        }
        false => "",
    };
    let note = format!(
        "{conflicts} in contradiction to another record of the same event, not tested.{question}"
    );
    let repeats = with_noun(record.repeats.count, "tested board");
    let repeats = format!("{repeats} with the cards of an earlier one (test T8).");
    let list = BoardList::new;
    let conflicts = list("Conflicts", note, &record.conflicts, TableName::Conflicts);
    let repeats = list("Equal deals", repeats, &record.repeats, TableName::Repeats);
    conflicts.into_iter().chain(repeats).collect()
}

fn tests(subject: &AnyRecord) -> usize {
    subject
        .common()
        .evidence
        .as_ref()
        .map_or(0, |evidence| evidence.tests)
}

/// Returns the reason why no exact law is known; `None` if one is.
fn no_law(subject: &AnyRecord) -> Option<&str> {
    subject.common().expected.strip_prefix("none: ")
}

/// The sample of the verdict and of the tables, if a filter kept some of the deals.
fn kept(subject: &AnyRecord) -> Option<String> {
    let AnyRecord::Run(record) = subject else {
        return None;
    };
    let filter = record.filter.as_ref()?;
    let (kept, drawn) = (thousands(filter.kept), thousands(filter.drawn));
    let law = match record.common.expected.as_str() {
        "exact" => "",
        _ => " No exact law is known for these.",
    };
    Some(format!(
        "The verdict covers all {drawn} deals drawn, before the filter. Plots and tables show the \
         {kept} deals that the filter kept.{law}"
    ))
}

fn headline(level: Level, subject: &AnyRecord) -> String {
    match level {
        Level::Pass => match lowered_target(subject) {
            None => "No evidence against fair dealing.".to_owned(),
            Some(needed) => {
                format!("No evidence against fair dealing, for a target lowered to {needed} deals.")
            }
        },
        Level::Inconclusive if tests(subject) == 0 => "No test was possible.".to_owned(),
        Level::Inconclusive => {
            let needed = thousands(needed(subject));
            match lowered_target(subject) {
                _ if subject.deals() >= self::needed(subject) => {
                    "No evidence against fair dealing, but a question to answer.".to_owned()
                }
                None => {
                    format!("No evidence against fair dealing; a PASS requires {needed} deals.")
                }
                Some(_) => format!(
                    "No evidence against fair dealing; a PASS requires {needed} deals, a lowered \
                     target."
                ),
            }
        }
        Level::Suspicious => "Some evidence against fair dealing.".to_owned(),
        Level::VerySuspicious => "Strong evidence against fair dealing.".to_owned(),
        Level::Fail => "These deals are not random.".to_owned(),
        Level::Invalid => "Some deals are not legal or do not satisfy the condition.".to_owned(),
    }
}

/// The verdict in a sentence without symbols.
pub(super) fn plain_verdict(level: Level, subject: &AnyRecord) -> String {
    let boards = with_noun(subject.deals(), "board");
    let evidence = subject.common().evidence.as_ref();
    let s = evidence
        .and_then(|evidence| evidence.largest_s)
        .unwrap_or(0.0);
    let rare = || three_digits(powf(10.0, s.clamp(0.0, 9.0)));
    match level {
        Level::Inconclusive if tests(subject) == 0 => {
            format!("No test was possible: {boards} could be tested.")
        }
        Level::Inconclusive if subject.deals() >= needed(subject) => format!(
            "No evidence against fair dealing was found in {boards}, but boards that contradict \
             each other were not tested."
        ),
        Level::Pass | Level::Inconclusive => {
            format!("No evidence against fair dealing was found in {boards}.")
        }
        Level::Suspicious => format!(
            "There is some evidence against fair dealing in {boards}: fair dealing gives evidence \
             this strong at most once in {} audits.",
            rare()
        ),
        Level::VerySuspicious => format!(
            "There is strong evidence against fair dealing in {boards}: fair dealing gives \
             evidence this strong at most once in {} audits.",
            rare()
        ),
        Level::Fail => format!(
            "These {boards} are not random: fair dealing gives evidence this strong at most once \
             in {} audits.",
            rare()
        ),
        Level::Invalid => {
            let why = evidence.and_then(|evidence| evidence.invalid.as_deref());
            let why =
                why.unwrap_or("cards are missing or repeated, or do not satisfy the condition");
            format!("There is no verdict, because some records are not legal: {why}.")
        }
    }
}

/// The number of deals that a PASS requires.
fn needed(subject: &AnyRecord) -> u64 {
    let target = subject
        .common()
        .evidence
        .as_ref()
        .map_or(0, |evidence| evidence.target);
    target.max(LEAST_TARGET)
}

/// The number of deals that a PASS requires, if that is less than by default.
fn lowered_target(subject: &AnyRecord) -> Option<String> {
    let needed = needed(subject);
    (needed < DEFAULT_TARGET).then(|| thousands(needed))
}

fn extent(subject: &AnyRecord) -> String {
    let deals = with_noun(subject.deals(), "deal");
    let Some(evidence) = subject.common().evidence.as_ref() else {
        return format!("{deals}, no test");
    };
    let tests = with_noun(evidence.tests as u64, "test");
    let looks = match evidence.looks.len() as u64 {
        0 | 1 => String::new(),
        looks => format!(", {}", with_noun(looks, "look")),
    };
    let s = evidence.largest_s;
    let s = s.map_or_else(String::new, |s| format!(", S = {s:.2}"));
    format!("{deals}, {tests}{looks}{s}")
}

/// The upper bound on the probability of reaching S under fair dealing.
fn chance_of(s: f64) -> String {
    match s {
        s if s <= 0.0 => probability(1.0),
        s if s < 15.0 => probability(powf(10.0, -s)),
        s => three_digits_log10(-s),
    }
}

fn meaning(level: Level, subject: &AnyRecord) -> Vec<String> {
    let evidence = subject.common().evidence.as_ref();
    let s = evidence.and_then(|evidence| evidence.largest_s);
    let chance = chance_of(s.unwrap_or(0.0));
    let reached = evidence.and_then(|evidence| evidence.reached);
    let first = reached.map_or_else(String::new, |deals| {
        format!(
            " The level was first reached at {}.",
            with_noun(deals, "deal")
        )
    });
    let mut all = Vec::new();
    match level {
        Level::Pass => all.push(
            "Every tested table and order agrees with fair dealing. The confidence bounds limit \
             the remaining error."
                .to_owned(),
        ),
        Level::Inconclusive if tests(subject) == 0 => all.push(match no_law(subject) {
            Some(why) => format!("No exact law is known for these deals: {why}."),
            None => "There are too few deals for any test.".to_owned(),
        }),
        Level::Inconclusive => {
            let detectable = evidence.map_or(&[][..], |evidence| &evidence.detectable_effects);
            let detects = match detectable.is_empty() {
                true => " No flaw of any size is detectable with this sample size.",
                false => "",
            };
            let needed = needed(subject);
            all.push(match subject.deals() < needed {
                true => format!(
                    "The deals agree with fair dealing, but the sample is too small for a PASS, \
                     which requires {} deals.{detects}",
                    thousands(needed)
                ),
                false => "The tested deals agree with fair dealing. Boards that were not tested \
                          may be evidence: the answer decides."
                    .to_owned(),
            });
        }
        Level::Suspicious | Level::VerySuspicious => all.push(format!(
            "Under fair dealing, evidence this strong has a probability of at most \
             {chance}.{first} Test more deals from the same source: a coincidence does not repeat."
        )),
        Level::Fail => all.push(format!(
            "Under fair dealing, evidence this strong has a probability of at most {chance}, for \
             any number of looks and tests.{first}"
        )),
        Level::Invalid => {
            let why = evidence.and_then(|evidence| evidence.invalid.clone());
            all.push(match why {
                Some(why) => format!("Invalid: {why}."),
                None => "Cards are missing or repeated, or deals do not satisfy the condition."
                    .to_owned(),
            });
        }
    }
    all.extend(kept(subject));
    if s.is_some() {
        all.push(
            "S is the decimal logarithm of the evidence against fair dealing. Fair deals ever \
             reach S = 3 with a probability of at most 0.001, and S = 9 with at most 1e-9. The \
             number of looks does not change that."
                .to_owned(),
        );
    }
    all
}

fn limits(level: Level, subject: &AnyRecord) -> Vec<&'static str> {
    let mut all = Vec::new();
    match level {
        Level::Pass | Level::Inconclusive => all.extend([
            "No test proves that deals are random. Flaws below the bounds, or of a kind that no \
             test covers, remain possible.",
            "No test shows whether somebody knew the hands in advance, or selected one of several \
             sets.",
        ]),
        Level::Suspicious | Level::VerySuspicious => all.push(
            "This does not prove a flaw: fair deals reach this level too, about as often as stated.",
        ),
        Level::Fail => all.push(
            "This does not prove cheating. Usual causes are a bad shuffle, a short seed or selected \
             records.",
        ),
        Level::Invalid => all.push(
            "This does not prove cheating. Usual causes are errors in the file or in the program \
             that wrote it.",
        ),
    }
    if matches!(subject, AnyRecord::Audit(_)) {
        all.push(
            "Deals that were selected by their contents are not a fair sample, however they were \
             dealt.",
        );
    }
    all
}
