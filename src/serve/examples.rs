//! Conditions to start from.

/// The examples of all pages, the simplest first: a title, and a condition or the name of a
/// scenario.
pub(super) const EXAMPLES: &[(&str, &str)] = &[
    ("Any deal", "unconstrained"),
    (
        "Strong notrump",
        "hcp(north) >= 15 && hcp(north) <= 17 && shape(north, any 4333 + any 4432 + any 5332)",
    ),
    (
        "Weak two in spades",
        "spades(south) == 6 && hcp(south) >= 6 && hcp(south) <= 10 && hearts(south) <= 3",
    ),
    ("Game try: 26 points", "hcp(north) + hcp(south) >= 26"),
    ("Slam hands", "hcp(north) + hcp(south) >= 33"),
    (
        "Wild hands",
        "shape(west, any 7xxx + any 8xxx) && hcp(west) >= 8",
    ),
    ("Nine spades", "nine-spades"),
    ("Flannery misfit", "flannery-misfit"),
];
