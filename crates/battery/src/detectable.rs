//! The smallest effects that the tests detect: for tables, and in plain words.

use super::Battery;
use super::bounds::needed;
use super::expected::Expected;
use super::parameters::RunParameters;
use super::subject::TestSubject;
use crate::population::Structure;
use crate::printable::{percent, thousands, with_noun};
use crate::stats::elementary::{log10, powf};

/// Below this number of bits, seeds are reported by their number of deals.
const FEW_BITS: f64 = 16.0;

/// Significant digits of a percentage in a plain sentence.
const DIGITS: usize = 2;

/// A test with the deals of its last look, which determine its detectable effect.
pub(super) struct Detection<'b> {
    pub(super) subject: TestSubject,
    pub(super) deals: u64,
    /// log10 of the p-value that brings S to 9.
    pub(super) needed: f64,
    /// log10 of the e-value that brings S to 9.
    pub(super) needed_e: f64,
    pub(super) terms: &'b RunParameters,
    pub(super) expected: &'b Expected,
}

impl Detection<'_> {
    /// Whether deals are unconstrained.
    pub(super) fn any_deal(&self) -> bool {
        self.terms.structure == Structure::EveryDeal
    }
}

/// What a seat may have too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A card.
    Card,
    /// A card that the condition leaves to chance.
    OrdinaryCard,
    /// A hand of this shape.
    FourFourThreeTwo,
    /// Five cards in a suit.
    FiveCards,
}

impl Outcome {
    fn words(self) -> &'static str {
        match self {
            Self::Card => "a card",
            Self::OrdinaryCard => "an ordinary card",
            Self::FourFourThreeTwo => "4-4-3-2 hands",
            Self::FiveCards => "five cards in a suit",
        }
    }
}

/// An effect that a test detects nine times in ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DetectableEffect {
    /// An outcome that is too frequent at one seat.
    Excess {
        /// The outcome.
        outcome: Outcome,
        /// Its probability.
        probability: f64,
        /// The relative excess.
        excess: f64,
    },
    /// Deals of seeds of this number of bits or fewer.
    SeedBits(f64),
}

impl DetectableEffect {
    /// The words of a table.
    fn in_words(self) -> String {
        match self {
            Self::Excess {
                outcome, excess, ..
            } => {
                let (what, excess) = (outcome.words(), percent(excess, 3));
                format!("{what} {excess} too frequent at one seat")
            }
            Self::SeedBits(bits) if bits < FEW_BITS => {
                format!("generators with {} deals or fewer", powf(2.0, bits))
            }
            Self::SeedBits(bits) => format!("generators with seeds of {bits} bits or fewer"),
        }
    }

    /// Whether an outcome is less than twice as frequent as it should be.
    fn is_subtle(self) -> bool {
        match self {
            Self::Excess { excess, .. } => excess < 1.0,
            Self::SeedBits(_) => true,
        }
    }

    /// Whether tables have it: subtle effects, and of suits the shapes alone.
    fn is_listed(self) -> bool {
        let is_length =
            matches!(self, Self::Excess { outcome, .. } if outcome == Outcome::FiveCards);
        self.is_subtle() && !is_length
    }

    /// The effect, to follow "can show".
    fn shown(self) -> String {
        match self {
            Self::Excess {
                outcome,
                probability,
                excess,
            } => {
                let what = outcome.words();
                match self.is_subtle() {
                    true => format!("{what} at one seat {} too often", percent(excess, DIGITS)),
                    false => {
                        let (often, fair) =
                            (often(probability, excess), percent(probability, DIGITS));
                        format!("{what} at one seat on {often} instead of {fair}")
                    }
                }
            }
            Self::SeedBits(bits) => {
                let of = match bits < FEW_BITS {
                    true => format!(
                        "at most {} different deals",
                        thousands(powf(2.0, bits) as u64)
                    ),
                    false => format!("seeds of at most {bits} bits"),
                };
                format!("boards that repeat, as of a program with {of}")
            }
        }
    }

    /// Smaller effects of its kind, to follow "cannot show"; `None` for seeds.
    fn not_shown(self) -> Option<String> {
        let Self::Excess {
            outcome,
            probability,
            excess,
        } = self
        else {
            return None;
        };
        let what = outcome.words();
        Some(match self.is_subtle() {
            true => {
                let excess = percent(excess, DIGITS);
                format!("{what} at one seat less than {excess} too often")
            }
            false => {
                format!(
                    "{what} at one seat on fewer than {}",
                    often(probability, excess)
                )
            }
        })
    }
}

/// The smallest effects that are detected nine times in ten, one for each kind, excesses first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DetectableEffects {
    effects: Vec<DetectableEffect>,
}

impl DetectableEffects {
    pub(super) fn of(battery: &Battery) -> Self {
        let each = battery.planned.iter().zip(&battery.seen.states);
        let mut effects: Vec<DetectableEffect> = each
            .filter_map(|(planned, state)| {
                let last = state.last.as_ref()?;
                let share = battery.terms.look_share_log10(state.looks.max(1));
                (planned.test.row().detectable)(&Detection {
                    subject: planned.subject,
                    deals: last.deals,
                    needed: needed(planned.weight, share),
                    needed_e: 9.0 - log10(planned.weight),
                    terms: &battery.terms,
                    expected: &battery.expected,
                })
            })
            .collect();
        effects.sort_by_key(|effect| matches!(effect, DetectableEffect::SeedBits(_)));
        Self { effects }
    }

    /// The effects of tables: excesses are less than the probability.
    pub fn listed(&self) -> impl Iterator<Item = DetectableEffect> {
        self.effects
            .iter()
            .copied()
            .filter(|effect| effect.is_listed())
    }

    /// A phrase for each effect of a table.
    pub fn in_words(&self) -> Vec<String> {
        self.listed().map(DetectableEffect::in_words).collect()
    }

    /// Sentences on what tests of this number of boards can and cannot show.
    pub fn in_plain_words(&self, boards: u64) -> Vec<String> {
        let boards = with_noun(boards, "board");
        let each = |words: fn(DetectableEffect) -> Option<String>, last| {
            let parts: Vec<String> = self.effects.iter().copied().filter_map(words).collect();
            joined(&parts, last)
        };
        if self.effects.is_empty() {
            return vec![format!(
                "Tests of {boards} cannot show a fault of any size."
            )];
        }
        let stacked = each(|effect| (!effect.is_subtle()).then(|| effect.shown()), "or");
        let subtle = self.effects.iter().filter(|effect| effect.is_subtle());
        let mut shown: Vec<String> = subtle.map(|effect| effect.shown()).collect();
        if !stacked.is_empty() {
            shown.insert(0, format!("a stacked deck, such as {stacked}"));
        }
        let shown = joined(&shown, "and");
        let not_shown = match each(DetectableEffect::not_shown, "or").as_str() {
            "" => "They cannot show a bias of any size in cards or shapes.".to_owned(),
            smaller => format!("They cannot show a smaller bias: {smaller}."),
        };
        vec![format!("Tests of {boards} can show {shown}."), not_shown]
    }
}

/// The share of boards with an outcome that is too frequent.
fn often(probability: f64, excess: f64) -> String {
    match percent(probability * (1.0 + excess), DIGITS).as_str() {
        "100 %" => "all boards".to_owned(),
        share => format!("{share} of the boards"),
    }
}

/// `a, b, and c`.
fn joined(parts: &[String], last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{}, {last} {end}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(excess: f64) -> DetectableEffect {
        DetectableEffect::Excess {
            outcome: Outcome::Card,
            probability: 0.25,
            excess,
        }
    }

    #[test]
    fn sentences_follow_from_the_effects() {
        let of = |effects: &[DetectableEffect], boards| {
            let effects = effects.to_vec();
            DetectableEffects { effects }.in_plain_words(boards)
        };
        assert_eq!(
            of(&[], 1),
            ["Tests of 1 board cannot show a fault of any size."]
        );
        assert_eq!(
            of(&[DetectableEffect::SeedBits(7.0)], 27),
            [
                "Tests of 27 boards can show boards that repeat, as of a program with at most 128 \
                 different deals.",
                "They cannot show a bias of any size in cards or shapes."
            ]
        );
        assert_eq!(
            of(&[card(1.5), DetectableEffect::SeedBits(20.0)], 36),
            [
                "Tests of 36 boards can show a stacked deck, such as a card at one seat on 63 % of \
                 the boards instead of 25 %, and boards that repeat, as of a program with seeds of \
                 at most 20 bits.",
                "They cannot show a smaller bias: a card at one seat on fewer than 63 % of the \
                 boards."
            ]
        );
        assert_eq!(
            of(&[card(0.123)], 4_000)[1],
            "They cannot show a smaller bias: a card at one seat less than 12 % too often."
        );
        let length = |excess| DetectableEffect::Excess {
            outcome: Outcome::FiveCards,
            probability: 0.12,
            excess,
        };
        assert_eq!(
            of(&[card(1.5), length(5.0)], 100),
            [
                "Tests of 100 boards can show a stacked deck, such as a card at one seat on 63 % of \
                 the boards instead of 25 %, or five cards in a suit at one seat on 72 % of the \
                 boards instead of 12 %.",
                "They cannot show a smaller bias: a card at one seat on fewer than 63 % of the \
                 boards, or five cards in a suit at one seat on fewer than 72 % of the boards."
            ]
        );
        // Tables have shapes.
        let effects = vec![length(0.2)];
        assert!(DetectableEffects { effects }.in_words().is_empty());
    }
}
