//! The counts of a sample, table by table: the contents of counts.json.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::statistics::CountedAnswer;
use super::table_name::TableName;
use crate::bridge::{Card, Pattern, Seat, Shape, Side, Suit};
use crate::printable::printable;
use crate::tally::{Answer, Tally};

/// Version of counts.json.
const FORMAT_VERSION: u32 = 1;

/// The kind of a table of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountKind {
    /// The 560 patterns of each seat.
    Patterns,
    /// The 39 shapes of each seat.
    Shapes,
    /// Lengths of a suit at a seat.
    SuitLengths,
    /// Lengths of a suit at a side.
    Fits,
    /// HCP of a seat.
    Hcp,
    /// HCP of a side.
    SideHcp,
    /// Cards by seat: 13 per seat and deal.
    Cards,
    /// A frequency of a script.
    Frequency,
}

impl CountKind {
    /// The tables that every report of a run or an audit has.
    pub(crate) const ALL: [Self; 7] = [
        Self::Patterns,
        Self::Shapes,
        Self::SuitLengths,
        Self::Fits,
        Self::Hcp,
        Self::SideHcp,
        Self::Cards,
    ];

    /// The table with these counts.
    pub(crate) fn table(self) -> TableName {
        match self {
            Self::Patterns => TableName::Patterns,
            Self::Shapes => TableName::Shapes,
            Self::SuitLengths => TableName::SuitLengths,
            Self::Fits => TableName::Fits,
            Self::Hcp => TableName::Hcp,
            Self::SideHcp => TableName::SideHcp,
            Self::Cards => TableName::Cards,
            Self::Frequency => TableName::Frequencies,
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Frequency => "frequency",
            other => other.table().name(),
        }
    }

    /// Its subjects, in order, with a word for each column. A script's frequency has no subject.
    pub(crate) fn subjects(self) -> Vec<String> {
        let seats = || Seat::ALL.into_iter().map(Seat::name);
        let sides = || Side::ALL.into_iter().map(Side::name);
        let by_suit = |whose: &str| Suit::ALL.map(|suit| format!("{whose} {}", suit.name()));
        match self {
            Self::SuitLengths => seats().flat_map(by_suit).collect(),
            Self::Fits => sides().flat_map(by_suit).collect(),
            Self::SideHcp => sides().map(str::to_owned).collect(),
            Self::Patterns | Self::Shapes | Self::Hcp | Self::Cards => {
                seats().map(str::to_owned).collect()
            }
            Self::Frequency => Vec::new(),
        }
    }

    /// A subject's cells, in order. The cells of a script's frequency depend on the script.
    pub(crate) fn cells(self) -> Vec<String> {
        let numbers = |count: u32| (0..count).map(|number| number.to_string()).collect();
        match self {
            Self::Patterns => Pattern::all().map(|pattern| pattern.to_string()).collect(),
            Self::Shapes => Shape::all().map(|shape| shape.to_string()).collect(),
            Self::SuitLengths | Self::Fits => numbers(14),
            Self::Hcp => numbers(38),
            Self::SideHcp => numbers(41),
            Self::Cards => Card::all().map(|card| card.to_string()).collect(),
            Self::Frequency => Vec::new(),
        }
    }

    /// A tally's counts by subject and cell.
    fn counts(self, tally: &Tally) -> Vec<Vec<u64>> {
        let (seats, sides) = (Seat::ALL.into_iter(), Side::ALL.into_iter());
        match self {
            Self::Patterns => seats.map(|seat| tally.patterns(seat).to_vec()).collect(),
            Self::Shapes => seats.map(|seat| tally.shapes(seat).to_vec()).collect(),
            Self::SuitLengths => seats
                .flat_map(|seat| Suit::ALL.map(|suit| tally.suit_lengths(seat, suit).to_vec()))
                .collect(),
            Self::Fits => sides
                .flat_map(|side| Suit::ALL.map(|suit| tally.fits(side, suit).to_vec()))
                .collect(),
            Self::Hcp => seats.map(|seat| tally.hcp(seat).to_vec()).collect(),
            Self::SideHcp => sides.map(|side| tally.side_hcp(side).to_vec()).collect(),
            Self::Cards => seats
                .map(|seat| Card::all().map(|card| tally.card(seat, card)).collect())
                .collect(),
            Self::Frequency => Vec::new(),
        }
    }

    /// The number that a deal adds to the sum of a subject's cells.
    fn of_each_deal(self) -> u128 {
        match self {
            Self::Cards => 13,
            _ => 1,
        }
    }

    /// Whether a subject's counts are those of another in reverse order: east-west hold the cards
    /// that north-south do not hold.
    pub(crate) fn is_mirrored(self, subject: usize) -> bool {
        match self {
            Self::Fits => subject >= Suit::ALL.len(),
            Self::SideHcp => subject > 0,
            _ => false,
        }
    }
}

/// A table of counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountTable {
    /// The kind of the table.
    #[serde(rename = "table")]
    pub kind: CountKind,
    /// The label of a script's frequency.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The subjects.
    pub subjects: Vec<String>,
    /// The cells of each subject.
    pub cells: Vec<String>,
    /// Counts by subject and cell.
    pub counts: Vec<Vec<u64>>,
}

impl fmt::Display for CountTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        match self.label.as_str() {
            "" => Ok(()),
            label => write!(f, " {label}"),
        }
    }
}

impl CountTable {
    /// Whether two tables have the same cells.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let shape = |table: &Self| (table.kind, table.subjects.len());
        shape(self) == shape(other) && self.label == other.label && self.cells == other.cells
    }

    /// Whether the table has a count for each subject and cell of its kind, with the sums of this
    /// number of deals.
    fn is_complete(&self, deals: u64) -> bool {
        let has_names = match self.kind {
            CountKind::Frequency => self.subjects.len() == 1,
            kind => self.subjects == kind.subjects() && self.cells == kind.cells(),
        };
        let sum = u128::from(deals) * self.kind.of_each_deal();
        let is_row = |row: &Vec<u64>| {
            let found: u128 = row.iter().map(|&count| u128::from(count)).sum();
            row.len() == self.cells.len() && found == sum
        };
        has_names && self.counts.len() == self.subjects.len() && self.counts.iter().all(is_row)
    }
}

/// An average of a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScriptMean {
    /// Its label.
    pub label: String,
    /// The mean.
    pub mean: f64,
    /// Its standard error.
    pub error: f64,
}

/// The counts of a number of independent deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    format_version: u32,
    /// Deals in every table.
    pub deals: u64,
    /// The tables, those of `CountKind::ALL` first.
    pub tables: Vec<CountTable>,
    /// A script's averages that have a standard error.
    #[serde(rename = "averages")]
    pub means: Vec<ScriptMean>,
}

/// The version of a file whose other fields may be unknown.
#[derive(Deserialize)]
struct FileVersion {
    format_version: u32,
}

impl Sample {
    /// The counts of a tally, and the answers to a script's questions about the same deals.
    pub fn new(tally: &Tally, answered: &[CountedAnswer]) -> Self {
        let deals = tally.deals();
        let tables = CountKind::ALL.map(|kind| CountTable {
            kind,
            label: String::new(),
            subjects: kind.subjects(),
            cells: kind.cells(),
            counts: kind.counts(tally),
        });
        let (mut tables, mut means) = (Vec::from(tables), Vec::new());
        for CountedAnswer { exact, found } in answered {
            let label = printable(&exact.label).into_owned();
            match found {
                Answer::Frequency(counts) => tables.push(CountTable {
                    kind: CountKind::Frequency,
                    label,
                    subjects: vec!["all".to_owned()],
                    cells: exact.cells(),
                    counts: vec![counts.clone()],
                }),
                Answer::Average(sums) => {
                    let moments = sums.mean(deals).zip(sums.standard_error(deals));
                    means.extend(moments.map(|(mean, error)| ScriptMean { label, mean, error }));
                }
            }
        }
        Self {
            format_version: FORMAT_VERSION,
            deals,
            tables,
            means,
        }
    }

    /// The table of this kind, which every sample has.
    pub(crate) fn table(&self, kind: CountKind) -> Option<&CountTable> {
        self.tables.iter().find(|table| table.kind == kind)
    }

    /// The contents of counts.json.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec(self)
            .expect("counts serialise as JSON, and writing to memory cannot fail");
        json.push(b'\n');
        json
    }

    /// Reads the contents of counts.json.
    ///
    /// # Errors
    ///
    /// Says what is wrong with it.
    pub(crate) fn of_json(json: &[u8]) -> Result<Self, String> {
        let unreadable = |error: serde_json::Error| error.to_string();
        let version: FileVersion = serde_json::from_slice(json).map_err(unreadable)?;
        if version.format_version != FORMAT_VERSION {
            let found = version.format_version;
            return Err(format!("format version {found}, expected {FORMAT_VERSION}"));
        }
        let sample: Self = serde_json::from_slice(json).map_err(unreadable)?;
        sample.checked()
    }

    /// The same sample if it has every table, in order and complete.
    fn checked(self) -> Result<Self, String> {
        for (place, table) in self.tables.iter().enumerate() {
            let kind = CountKind::ALL.get(place);
            let has_place = table.kind == *kind.unwrap_or(&CountKind::Frequency);
            if !(has_place && table.is_complete(self.deals)) {
                let deals = self.deals;
                return Err(format!(
                    "`{table}` is not a complete table of {deals} deals"
                ));
            }
        }
        if self.tables.len() < CountKind::ALL.len() {
            return Err("a table is missing".to_owned());
        }
        let is_moderate = |number: f64| (number * number).is_finite();
        let is_sound =
            |of: &ScriptMean| is_moderate(of.mean) && is_moderate(of.error) && of.error >= 0.0;
        match self.means.iter().find(|of| !is_sound(of)) {
            Some(wrong) => Err(format!("average `{}` out of range", wrong.label)),
            None => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        reason = "in a test, a failure to begin is a failure"
    )]

    use serde_json::Value;

    use super::*;
    use crate::language::Script;
    use crate::tally::{NaiveTallying, ScriptAnswers, ScriptQuestions, TableChoice};

    /// Two deals and a script's answers.
    fn sample() -> Sample {
        let mut tallying = NaiveTallying::new(TableChoice::ALL);
        let mut deck: [Card; Card::COUNT] = Card::all().collect::<Vec<_>>().try_into().unwrap();
        tallying.count(&deck);
        deck.reverse();
        tallying.count(&deck);
        let text = "1\naction average \"a third\" hcp(west), frequency \"\tof\" (hcp(west), 2, 4)";
        let script = Script::parse("test", text).unwrap();
        let actions = script.actions.unwrap();
        let questions = ScriptQuestions::of(&actions);
        let mut statistics = ScriptAnswers::new(&questions);
        statistics.count(&questions, 2, |_| &[1, 4]);
        let answered = CountedAnswer::all(&script.condition, &actions, &statistics, 0);
        Sample::new(&tallying.finish(), &answered)
    }

    #[test]
    fn counts_are_read_as_they_were_written() {
        let sample = sample();
        assert_eq!((sample.tables.len(), sample.means.len()), (8, 1));
        assert_eq!(sample.tables[7].label, "\\tof");
        let json = sample.to_json();
        assert!(json.starts_with(b"{\"format_version\":1,\"deals\":2,"));
        assert_eq!(Sample::of_json(&json), Ok(sample));
    }

    #[test]
    fn incomplete_counts_are_refused() {
        let refused = |change: &dyn Fn(&mut Value), words: &str| {
            let mut value = serde_json::to_value(sample()).unwrap();
            change(&mut value);
            let found = Sample::of_json(&serde_json::to_vec(&value).unwrap()).unwrap_err();
            assert!(found.contains(words), "{found}");
        };
        let incomplete = |change: &dyn Fn(&mut Value)| {
            refused(change, "is not a complete table of ");
        };
        refused(
            &|value| value["format_version"] = 2.into(),
            "format version 2, expected 1",
        );
        refused(&|value| *value = Value::Null, "invalid type: null");
        refused(&|value| value["deals"] = Value::Null, "invalid type: null");
        refused(
            &|value| value["tables"].as_array_mut().unwrap().truncate(6),
            "a table is missing",
        );
        refused(
            &|value| value["averages"][0]["error"] = (-1.0).into(),
            "average `a third` out of range",
        );
        incomplete(&|value| value["deals"] = 3.into());
        incomplete(&|value| value["tables"].as_array_mut().unwrap().swap(1, 2));
        incomplete(&|value| value["tables"][0]["counts"][3][0] = u64::MAX.into());
        incomplete(&|value| value["tables"][6]["counts"][3] = Value::Array(Vec::new()));
        incomplete(&|value| value["tables"][5]["subjects"][0] = "north".into());
        incomplete(&|value| value["tables"][4]["cells"][0] = "one".into());
        incomplete(&|value| value["tables"][7]["cells"] = Value::Array(Vec::new()));
        incomplete(&|value| value["tables"][7]["subjects"] = Value::Array(Vec::new()));
    }
}
