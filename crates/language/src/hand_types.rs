//! Types of deals by the names that dealer3 gives them: `HandType_NAME` is a type, and
//! `HandType_NAME_Share` its weight. If there are names `LevelType_NAME`, the shares are theirs, and
//! the hand types label the boards.

use super::error::SourceText;
use super::mix::{MOST_PARTS, MOST_TYPES, Mix, MixType};
use super::parse::Located;
use super::tree::Expression;
use super::{ConditionError, ConditionWarning};

/// The starts of the names.
const TYPE: &str = "HandType_";
const LEVEL: &str = "LevelType_";
/// The end of the name of a weight.
const SHARE: &str = "_Share";
/// Names of a script that says itself which deals it keeps.
const VERDICTS: [&str; 2] = ["levelTheDeal", "keepTheDeal"];

/// The part of a name after a start, in upper or lower case.
fn after<'n>(name: &'n str, start: &str) -> Option<&'n str> {
    let (begin, rest) = name.split_at_checked(start.len())?;
    (begin.eq_ignore_ascii_case(start) && !rest.is_empty()).then_some(rest)
}

/// The part of a name before an end, in upper or lower case.
fn before<'n>(name: &'n str, end: &str) -> Option<&'n str> {
    let (rest, last) = name.split_at_checked(name.len().checked_sub(end.len())?)?;
    last.eq_ignore_ascii_case(end).then_some(rest)
}

fn is_verdict(name: &str) -> bool {
    VERDICTS
        .iter()
        .any(|verdict| name.eq_ignore_ascii_case(verdict))
}

fn is_type(name: &str) -> bool {
    after(name, TYPE).or_else(|| after(name, LEVEL)).is_some()
}

/// Whether a name is one of these.
pub(super) fn is_name(name: &str) -> bool {
    is_type(name) || is_verdict(name)
}

/// A defined name and its value.
type Defined<'d, 'a> = (&'d Located<&'a str>, Expression);

/// The types of a script's names, in their order; `None` if it has none, or if it keeps deals of each
/// with a probability of its own, which is a warning.
pub(super) fn mix(
    source: &SourceText<'_>,
    defined: &[Defined<'_, '_>],
) -> Result<(Option<Mix>, Option<ConditionWarning>), ConditionError> {
    let of = |start| types(source, defined, start);
    let (types, levels) = (of(TYPE)?, of(LEVEL)?);
    let Some((first, _)) = defined.iter().find(|(name, _)| is_type(name.it)) else {
        return Ok((None, None));
    };
    let keeps = defined
        .iter()
        .find(|(name, value)| is_verdict(name.it) && value.has_draws());
    if let Some((name, _)) = keeps {
        let message = format!(
            "`{}` keeps deals by chance, so the types are no mix",
            name.it
        );
        let label = format!("define `{} = 1` to deal the exact shares", name.it);
        let warning = source.error(name.span.clone(), message, label);
        return Ok((None, Some(ConditionWarning::new(warning))));
    }
    let mix = match levels.is_empty() {
        true => Mix {
            types,
            labels: Vec::new(),
        },
        false => Mix {
            labels: types
                .into_iter()
                .map(|of| (of.name, of.condition))
                .collect(),
            types: levels,
        },
    };
    if mix.types.is_empty() {
        let message = "no type of this script has a share above 0";
        return Err(source.error(first.span.clone(), message, ""));
    }
    if mix.types.len() > MOST_TYPES {
        let message = format!("a mix has at most {MOST_TYPES} types");
        return Err(source.error(first.span.clone(), message, "the first is here"));
    }
    Ok((Some(mix), None))
}

/// The types whose names have this start, without those of share 0.
fn types(
    source: &SourceText<'_>,
    defined: &[Defined<'_, '_>],
    start: &str,
) -> Result<Vec<MixType>, ConditionError> {
    let named = |(name, value): &Defined<'_, '_>| {
        let of = after(name.it, start)?;
        Some((
            of.to_owned(),
            name.it.to_owned(),
            name.span.clone(),
            value.clone(),
        ))
    };
    let named: Vec<_> = defined.iter().filter_map(named).collect();
    let (weights, conditions): (Vec<_>, Vec<_>) = named
        .into_iter()
        .partition(|(of, ..)| before(of, SHARE).is_some());
    let mut types: Vec<MixType> = conditions
        .into_iter()
        .map(|(name, term, _, condition)| MixType {
            name,
            parts: 1,
            terms: vec![term],
            condition,
        })
        .collect();
    for (of, written, span, value) in weights {
        let name = before(&of, SHARE).unwrap_or_default();
        let Some(mix_type) = types
            .iter_mut()
            .find(|of| of.name.eq_ignore_ascii_case(name))
        else {
            let message = format!("`{written}` is the share of no type");
            let label = format!("expected `{start}{name}` in this script");
            return Err(source.error(span, message, label));
        };
        let parts = match value.bounds() {
            [low, high] if low == high && value.is_constant() => u64::try_from(low).ok(),
            _ => None,
        };
        // The sum of all parts has 64 bits.
        let parts = parts.filter(|parts| *parts <= MOST_PARTS);
        mix_type.parts = parts.ok_or_else(|| {
            let message = format!("`{written}` is not a share");
            source.error(span, message, "expected a number from 0 to 1,000,000,000")
        })?;
    }
    types.retain(|of| of.parts > 0);
    Ok(types)
}

#[cfg(test)]
mod tests {
    use crate::Script;

    const BANDS: &str = "HandType_weak = hcp(south) < 15\nhandtype_strong = hcp(south) >= 15\n";

    fn types(text: &str) -> Vec<(String, u64)> {
        let script = Script::parse("test", &format!("{BANDS}{text}\nhcp(south) >= 12\n")).unwrap();
        let types = script.mix.iter().flat_map(|mix| mix.types());
        types.map(|of| (of.name.clone(), of.parts)).collect()
    }

    fn named(types: &[(&str, u64)]) -> Vec<(String, u64)> {
        types
            .iter()
            .map(|(name, parts)| ((*name).to_owned(), *parts))
            .collect()
    }

    #[test]
    fn hand_types_are_a_mix_with_their_shares() {
        assert_eq!(types(""), named(&[("weak", 1), ("strong", 1)]));
        let shares = "HandType_Strong_share = 1 + 2\n";
        assert_eq!(types(shares), named(&[("weak", 1), ("strong", 3)]));
        assert_eq!(types("HandType_weak_Share = 0"), named(&[("strong", 1)]));
        assert_eq!(types("#mix: HandType_weak"), named(&[("HandType_weak", 1)]));
    }

    #[test]
    fn level_types_have_the_shares_and_hand_types_the_labels() {
        let levels = "LevelType_12 = hcp(south) == 12\nLevelType_15 = hcp(south) >= 15\nLevelType_15_Share = 2";
        assert_eq!(types(levels), named(&[("12", 1), ("15", 2)]));
        let script = Script::parse("test", &format!("{BANDS}{levels}\ncondition 1")).unwrap();
        assert!(script.warnings.is_empty(), "{:?}", script.warnings);
    }

    #[test]
    fn wrong_shares_are_refused_and_levelled_scripts_are_no_mix() {
        for (text, message) in [
            ("HandType_week_Share = 2", "is the share of no type"),
            ("HandType_weak_Share = -2", "is not a share"),
            ("HandType_weak_Share = 1000000000 * 2", "is not a share"),
            ("HandType_weak_Share = hcp(north)", "is not a share"),
            (
                "HandType_weak_Share = 0\nHandType_strong_Share = 0",
                "no type of this script",
            ),
        ] {
            let error = Script::parse("test", &format!("{BANDS}{text}\n")).unwrap_err();
            assert!(error.to_string().contains(message), "{error}");
        }
        let text = format!("{BANDS}levelTheDeal = rnd(10) < 3\ncondition levelTheDeal");
        let script = Script::parse("test", &text).unwrap();
        assert!(script.mix.is_none() && script.warnings.len() == 1);
    }
}
