//! The built-in named conditions, from `scenarios/`.

use super::Condition;
use super::names::nearest;
use serde::{Serialize, Serializer};

/// A named condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Scenario {
    /// The name that commands accept.
    pub name: &'static str,
    /// A one-line description of the condition.
    pub summary: &'static str,
    /// The condition, in dealer's language.
    #[serde(rename = "condition")]
    pub text: &'static str,
    /// Number of cases; `None` if the condition needs no listing.
    pub cases: Option<u64>,
    /// T, the sum of the weights; without a listing, the number of all deals.
    #[serde(serialize_with = "decimal")]
    pub total: u128,
}

/// Serialises a number that JSON readers may not hold as its digits.
fn decimal<S: Serializer>(number: &u128, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(number)
}

macro_rules! scenario {
    ($name:literal, $cases:expr, $total:expr, $summary:literal) => {
        Scenario {
            name: $name,
            summary: $summary,
            text: include_str!(concat!("../scenarios/", $name, ".dl")),
            cases: $cases,
            total: $total,
        }
    };
}

/// The ten scenarios. The second to the sixth are the five batches of the
/// dealing-with-constraints essay; the last four are its tables.
pub const SCENARIOS: [Scenario; 10] = [
    scenario!(
        "unconstrained",
        None,
        53_644_737_765_488_792_839_237_440_000,
        "every deal"
    ),
    scenario!(
        "club-length",
        Some(239_344),
        5_157_850_293_780_050_462_400,
        "west and north by pattern, clubs 0-13: effectively unconstrained"
    ),
    scenario!(
        "nine-spades",
        Some(30),
        556_991_252_532_000,
        "west nine spades, east 6-6 in the minors"
    ),
    scenario!(
        "balanced-28-30",
        Some(8_769_804),
        32_526_564_042_330_288,
        "west balanced with 28-30 HCP, east five or more in a major"
    ),
    scenario!(
        "flannery-misfit",
        Some(2_941_286),
        9_855_685_017_720_615_528,
        "south 4=5 in the majors with 11-15 HCP, north fits neither"
    ),
    scenario!(
        "flat-three-suiter",
        Some(61_700_584),
        1_975_438_668_829_181_472,
        "west 4333 with 10-12 HCP, east 4441 or 5440 with 11-15 HCP"
    ),
    scenario!("west-nine-spades", Some(15), 58_809_465, "west nine spades"),
    scenario!("north-3-hcp", Some(24), 15_636_342_960, "north 3 HCP"),
    scenario!(
        "north-2-south-0-1",
        Some(38),
        122_891_799_377_692_800,
        "north 2 HCP, south 0-1 HCP"
    ),
    scenario!("east-5332-34", Some(48), 756, "east 5332 with 34 HCP"),
];

impl Scenario {
    /// The scenario of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SCENARIOS.iter().find(|scenario| scenario.name == name)
    }

    /// The scenario name that a misspelt or shortened name was probably meant to be.
    pub fn nearest(name: &str) -> Option<&'static str> {
        let names = || SCENARIOS.iter().map(|scenario| scenario.name);
        let mut begun = names().filter(|known| name.len() >= 3 && known.starts_with(name));
        match (begun.next(), begun.next()) {
            (Some(only), None) => Some(only),
            _ => nearest(name, names()),
        }
    }

    /// The scenario with this text.
    pub fn of_text(text: &str) -> Option<&'static Self> {
        SCENARIOS.iter().find(|scenario| scenario.text == text)
    }

    /// Whether the condition is that of a scenario.
    pub fn has_condition(condition: &Condition) -> bool {
        Self::of_text(condition.text()).is_some()
    }

    /// The parsed condition.
    ///
    /// # Panics
    ///
    /// Never: a test parses every scenario.
    pub fn condition(&self) -> Condition {
        Condition::parse(self.name, self.text).expect("the built-in conditions are tested")
    }
}
