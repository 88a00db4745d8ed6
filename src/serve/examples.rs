//! Conditions to start from.

/// A condition to start from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Example {
    pub(super) title: &'static str,
    /// What the deals are good for, in a sentence.
    pub(super) sentence: &'static str,
    /// The condition, or the name of a scenario.
    pub(super) condition: &'static str,
}

const fn example(title: &'static str, sentence: &'static str, condition: &'static str) -> Example {
    Example {
        title,
        sentence,
        condition,
    }
}

/// Lessons: each is a mix of types, with a share of the boards for each type.
pub(super) const LESSONS: &[Example] = &[
    example(
        "Raise of a major",
        "North opens 1♥ and south has three or more: a third each for a game, an invitation and a simple raise.",
        "# North opens 1 heart, south has support.
points = hcp(north) + hcp(south)
game = points >= 25
invitation = points >= 23
raise = points >= 18
#mix: game 1, invitation 1, raise 1
condition hearts(north) >= 5 && hearts(north) >= spades(north) && hcp(north) >= 12 && hcp(north) <= 19
  && hearts(south) >= 3 && hcp(south) >= 6 && hcp(south) <= 13
",
    ),
    example(
        "After 1NT",
        "North opens 1NT (15 to 17): half of the boards for Stayman, 30 % for a transfer, the rest balanced.",
        "# North opens 1NT; what south has.
notrump = hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)
four = (spades(south) == 4 || hearts(south) == 4) && spades(south) <= 4 && hearts(south) <= 4
five = spades(south) >= 5 || hearts(south) >= 5
stayman = four && hcp(south) >= 8
transfer = five
balanced = shape(south, any 4333 + any 4432 + any 5332)
#mix: stayman 50%, transfer 30%, balanced 20%
condition notrump
",
    ),
    example(
        "Strong two clubs",
        "South opens 2♣: balanced 22 to 24, or a hand with a long major.",
        "# South is too strong for an opening at the one level.
flat = hcp(south) >= 22 && hcp(south) <= 24 && shape(south, any 4333 + any 4432 + any 5332)
major = hcp(south) >= 20 && losers(south) <= 4 && (spades(south) >= 6 || hearts(south) >= 6)
#mix: flat 1, major 1
",
    ),
    example(
        "Overcalls",
        "East opens, south overcalls: a simple overcall, a jump, or two suits (Michaels).",
        "# East opens one of a minor; what south overcalls.
opening = hcp(east) >= 12 && hcp(east) <= 20 && spades(east) <= 4 && hearts(east) <= 4
two_suits = spades(south) >= 5 && hearts(south) >= 5
jump = hcp(south) >= 6 && hcp(south) <= 10 && (spades(south) == 6 || hearts(south) == 6)
simple = hcp(south) >= 10 && hcp(south) <= 15 && (spades(south) == 5 || hearts(south) == 5)
#mix: simple 2, jump 1, two_suits 1
condition opening && hcp(south) >= 6 && hcp(south) <= 15
",
    ),
];

/// The examples of all pages, the simplest first.
pub(super) const EXAMPLES: &[Example] = &[
    example(
        "Any deal",
        "All deals, each equally likely.",
        "unconstrained",
    ),
    example(
        "Strong notrump",
        "North is balanced with 15 to 17 points.",
        "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)",
    ),
    example(
        "Weak two in spades",
        "South has six spades and 6 to 10 points.",
        "spades(south) == 6 && hcp(south) >= 6 && hcp(south) <= 10 && hearts(south) <= 3",
    ),
    example(
        "Game try: 26 points",
        "North and south have the points of a game.",
        "hcp(north) + hcp(south) >= 26",
    ),
    example(
        "Slam hands",
        "North and south have 33 points or more.",
        "hcp(north) + hcp(south) >= 33",
    ),
    example(
        "Wild hands",
        "West has a suit of seven or eight cards and some points.",
        "shape(west, any 7xxx + any 8xxx) && hcp(west) >= 8",
    ),
    example(
        "Nine spades",
        "West has nine spades, east six cards in each minor.",
        "nine-spades",
    ),
    example(
        "Flannery misfit",
        "South has four spades and five hearts, and north fits neither.",
        "flannery-misfit",
    ),
];

#[cfg(test)]
mod tests {
    use super::super::conditions;
    use super::*;

    #[test]
    fn examples_are_conditions_with_exact_shares() {
        for of in EXAMPLES.iter().chain(LESSONS) {
            let (_, script) = conditions::script(of.condition).expect(of.title);
            let checked = conditions::check(&script).expect(of.title);
            assert!(!checked.fraction.is_empty(), "{}", of.title);
            let warnings = conditions::warnings(&script);
            assert!(warnings.is_empty(), "{}: {warnings:?}", of.title);
            for found in &checked.types {
                assert!(!found.natural.is_empty(), "{}: {}", of.title, found.name);
            }
        }
    }
}
