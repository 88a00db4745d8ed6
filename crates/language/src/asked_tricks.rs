//! The double-dummy tricks that a script asks, and its condition without them.

use std::collections::BTreeSet;
use std::fmt;

use super::measure::Measure;
use super::script::{Action, ReportItem, Script};
use super::tree::Expression;
use super::{Condition, ConditionError};
use crate::bridge::{Seat, Strain};

/// Maximum number of tricks of which a script asks some: a table of all twenty, which other programs
/// read, takes little longer than more of them (`scripts/solver.sh peers`).
const MOST_SINGLE: usize = 8;

/// The double-dummy tricks that a deal is solved for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskedTricks {
    /// Those of these declarers and strains, at least one.
    Some(Vec<(Seat, Strain)>),
    /// All twenty.
    All,
}

impl fmt::Display for AskedTricks {
    /// Writes `all`, or `south NT, west S`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wanted = match self {
            Self::All => return f.write_str("all"),
            Self::Some(wanted) => wanted,
        };
        let named = wanted
            .iter()
            .map(|(seat, strain)| format!("{seat} {strain}"));
        f.write_str(&named.collect::<Vec<_>>().join(", "))
    }
}

impl Condition {
    /// The tricks that the condition asks; `None` if it asks none.
    pub fn asked_tricks(&self) -> Option<AskedTricks> {
        AskedTricks::of([self.expression()].into_iter(), false)
    }
}

impl AskedTricks {
    /// Whether the tricks of this declarer in this strain are asked.
    pub fn has(&self, declarer: Seat, strain: Strain) -> bool {
        match self {
            Self::Some(wanted) => wanted.contains(&(declarer, strain)),
            Self::All => true,
        }
    }

    /// The tricks that values ask, or all.
    fn of<'v>(values: impl Iterator<Item = &'v Expression>, is_all: bool) -> Option<Self> {
        let (mut wanted, mut is_all) = (BTreeSet::new(), is_all);
        for (seat, measure) in values.flat_map(Expression::mentioned) {
            match measure {
                Measure::Tricks(strain) => drop(wanted.insert((seat, *strain))),
                Measure::Par(_) => is_all = true,
                _ => {}
            }
        }
        match is_all || wanted.len() > MOST_SINGLE {
            true => Some(Self::All),
            false => (!wanted.is_empty()).then(|| Self::Some(wanted.into_iter().collect())),
        }
    }
}

impl Script {
    /// The tricks that the condition and the actions ask; `None` if they ask none.
    pub fn asked_tricks(&self) -> Option<AskedTricks> {
        let actions = self.actions.iter().flatten();
        let values = actions.clone().flat_map(Action::values);
        let is_all = actions.flat_map(Action::items).any(ReportItem::needs_table);
        AskedTricks::of(values.chain([self.condition.expression()]), is_all)
    }

    /// The script without actions and with the terms of its condition that need no tricks, from
    /// which deals are drawn before they are solved, and the other terms.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] if the text of the terms is too long to be parsed.
    pub fn before_solving(&self) -> Result<(Self, Vec<Expression>), ConditionError> {
        let terms = self.condition.expression().conjuncts();
        let (solved, free): (Vec<Expression>, Vec<_>) =
            terms.into_iter().partition(Expression::needs_table);
        let mut script = self.clone();
        // Its text is that of the terms alone: a listing stores it.
        script.condition = self.condition.narrowed_to(Some(Expression::all(&free)))?;
        script.actions = None;
        Ok((script, solved))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScriptOptions;
    use crate::bridge::Suit;

    fn script(text: &str) -> Script {
        let options = ScriptOptions {
            has_tables: true,
            ..ScriptOptions::default()
        };
        Script::parse_with("test", text, &options).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn few_tricks_are_asked_one_by_one() {
        let asked = |text| script(text).asked_tricks();
        assert_eq!(asked("hcp(north) > 3"), None);
        let spades = Strain::Trumps(Suit::Spades);
        assert_eq!(
            asked("tricks(south, spades) > 9 action average dds(north, notrump)"),
            Some(AskedTricks::Some(vec![
                (Seat::North, Strain::NoTrumps),
                (Seat::South, spades)
            ]))
        );
        for all in [
            "par(NS) > 0",
            "action printrpt(trix(north))",
            "action csvrpt(parcontract)",
            "action evalcontract(NS, z3N, vul), evalcontract(EW, z2S, nv), evalcontract(NS, z1C, nv), \
             average tricks(north, clubs) + tricks(east, clubs) + tricks(west, clubs) + tricks(north, \
             hearts) + tricks(east, hearts) + tricks(west, hearts)",
        ] {
            assert_eq!(asked(all), Some(AskedTricks::All), "{all}");
        }
    }

    #[test]
    fn terms_without_tricks_are_drawn_from() {
        let of = |text| {
            let (before, solved) = script(text).before_solving().unwrap();
            let solved: Vec<String> = solved.iter().map(ToString::to_string).collect();
            (before.condition.to_string(), solved.join("; "))
        };
        let text = "produce 5 t = tricks(south, spades) \
                    condition hcp(north) > 9 && t > 9 && spades(south) > 4 && (t < 12 || hcp(east) > 9) \
                    action average t";
        let (free, solved) = of(text);
        assert_eq!(free, "condition hcp(north) > 9 && spades(south) > 4");
        assert_eq!(
            solved,
            "tricks(south, spades) > 9; tricks(south, spades) < 12 || hcp(east) > 9"
        );
        let (free, solved) = of("tricks(south, spades) > 9");
        assert_eq!(free, "condition 1");
        assert_eq!(solved, "tricks(south, spades) > 9");
    }
}
