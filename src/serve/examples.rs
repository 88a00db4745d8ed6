//! Conditions to start from.

/// A condition to start from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Example {
    pub(super) title: &'static str,
    /// The condition, or the name of a scenario.
    pub(super) condition: &'static str,
}

const fn example(title: &'static str, condition: &'static str) -> Example {
    Example { title, condition }
}

/// The examples of all pages, the simplest first.
pub(super) const EXAMPLES: &[Example] = &[
    example("Any deal", "unconstrained"),
    example(
        "Strong notrump",
        "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)",
    ),
    example(
        "Weak two in spades",
        "spades(south) == 6 && hcp(south) >= 6 && hcp(south) <= 10 && hearts(south) <= 3",
    ),
    example("Game try: 26 points", "hcp(north) + hcp(south) >= 26"),
    example("Slam hands", "hcp(north) + hcp(south) >= 33"),
    example(
        "Wild hands",
        "shape(west, any 7xxx + any 8xxx) && hcp(west) >= 8",
    ),
    example("Nine spades", "nine-spades"),
    example("Flannery misfit", "flannery-misfit"),
];
