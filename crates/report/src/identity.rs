//! What determines the counts of a run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::defect::Defect;
use crate::draw::{RandomSource, SeededGenerator};
use crate::population::PopulationIdentity;
use crate::run::MOST_DEALS;

/// The parameters that determine the counts of a run.
///
/// Large integers are strings, because JSON readers keep only 53 bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The condition's source.
    pub condition: String,
    /// The population that deals are drawn from.
    #[serde(flatten)]
    pub population: PopulationIdentity,
    /// Number of deals, before any filter; [`MOST_DEALS`] if only time limits the run.
    pub deals: u64,
    /// Number of kept deals at which a filtered run ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub produce: Option<u64>,
    /// Maximum number of deals per batch.
    pub batch: u64,
    /// The seed in hex; for raw random words, `none` and the time they were read.
    pub seed: String,
    /// The generator.
    pub generator: DealGenerator,
    /// Version of the random streams.
    pub format_version: u32,
}

/// The generator of a run's deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DealGenerator {
    /// Fair deals by these random words.
    Fair(RandomSource),
    /// Deals with a planted defect.
    Defect(&'static Defect),
}

impl DealGenerator {
    /// The generator of random words that starts from a seed, if there is one.
    pub fn seeded(&self) -> Option<SeededGenerator> {
        match self {
            Self::Fair(RandomSource::Seeded(generator)) => Some(*generator),
            _ => None,
        }
    }

    /// The defect, if one is planted.
    pub fn defect(&self) -> Option<&'static Defect> {
        match self {
            Self::Defect(defect) => Some(defect),
            Self::Fair(_) => None,
        }
    }
}

/// What stands before the name of a defect.
const DEFECT: &str = "defect ";

impl fmt::Display for DealGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fair(source) => source.fmt(f),
            Self::Defect(defect) => write!(f, "{DEFECT}{}", defect.name),
        }
    }
}

impl FromStr for DealGenerator {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix(DEFECT) {
            None => text.parse().map(Self::Fair),
            Some(name) => Defect::named(name)
                .map(Self::Defect)
                .ok_or_else(|| format!("not a defect: `{name}`")),
        }
    }
}

impl Serialize for DealGenerator {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DealGenerator {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl Identity {
    /// Returns whether only time or a verdict ends the run.
    pub fn is_endless(&self) -> bool {
        self.deals == MOST_DEALS
    }

    /// Returns the seed as a number; `None` for raw random words.
    pub fn seed_number(&self) -> Option<u128> {
        match self.seed.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16).ok(),
            None => self.seed.parse().ok(),
        }
    }

    /// Describes how this run differs from another; `None` if it does not.
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.condition != other.condition {
            // Other differences follow from this one or no longer matter.
            return Some("different condition".to_owned());
        }
        let both = |of: &dyn Fn(&Self) -> String| [self, other].map(of);
        let fields = [
            ("order", both(&|of| of.population.order.clone())),
            (
                "limit of kept deals",
                both(&|of| {
                    of.produce
                        .map_or_else(|| "none".to_owned(), |n| n.to_string())
                }),
            ),
            ("deals", both(&|of| of.deals.to_string())),
            ("batch", both(&|of| of.batch.to_string())),
            ("seed", both(&|of| of.seed.clone())),
            ("generator", both(&|of| of.generator.to_string())),
            ("format version", both(&|of| of.format_version.to_string())),
        ];
        let mut differing: Vec<String> = differences(fields).collect();
        if self.population.listed != other.population.listed {
            differing.insert(0, "different listing".to_owned());
        }
        let samplers = both(&|of| match of.population.sampler.as_str() {
            "" => "a listing or rejection".to_owned(),
            sampler => sampler.to_owned(),
        });
        differing.splice(0..0, differences([("sampler", samplers)]));
        (!differing.is_empty()).then(|| differing.join(", "))
    }
}

/// Describes each field with unequal values: `seed 0x1, not 0x2`.
pub fn differences<'n, const N: usize>(
    fields: [(&'n str, [String; 2]); N],
) -> impl Iterator<Item = String> + 'n {
    let differing = fields
        .into_iter()
        .filter(|(_, [this, other])| this != other);
    differing.map(|(name, both)| {
        let [this, other] = both.map(|value| match value.as_str() {
            "" => "none".to_owned(),
            _ => value,
        });
        format!("{name} {this}, not {other}")
    })
}
