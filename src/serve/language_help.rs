//! The language of conditions in short, beside the field of a condition.

/// A row of the help: what is written, what it means, and an example.
pub(super) type HelpRow = (&'static str, &'static str, &'static str);

/// The rows, in their order.
pub(super) const LANGUAGE_HELP: &[HelpRow] = &[
    (
        "hcp(SEAT)",
        "high-card points: A 4, K 3, Q 2, J 1",
        "hcp(north) >= 12",
    ),
    (
        "hcp(SEAT) >= 15 && hcp(SEAT) <= 17",
        "a range, from 15 to 17: two comparisons",
        "hcp(north) >= 15 && hcp(north) <= 17",
    ),
    (
        "hcp(SEAT, SUIT)",
        "high-card points in a suit",
        "hcp(south, hearts) >= 5",
    ),
    (
        "spades(SEAT), hearts, diamonds, clubs",
        "length of a suit",
        "spades(south) >= 5",
    ),
    (
        "shape(SEAT, any 4333 + any 4432 + any 5332)",
        "balanced: shapes joined by +, any order of suits by any",
        "shape(north, any 4333 + any 4432 + any 5332)",
    ),
    (
        "shape(SEAT, 54xx)",
        "lengths in the order spades, hearts, diamonds, clubs; x is any length",
        "shape(south, 54xx + 45xx)",
    ),
    (
        "shape(SEAT, any 0xxx), any 1xxx",
        "a void, a singleton in any suit",
        "shape(south, any 0xxx)",
    ),
    (
        "controls(SEAT)",
        "controls: an ace 2, a king 1",
        "controls(south) >= 7",
    ),
    ("losers(SEAT)", "losing trick count", "losers(north) <= 5"),
    (
        "aces(SEAT), kings, queens, jacks, tens",
        "number of these cards",
        "aces(north) + aces(south) == 4",
    ),
    (
        "top3(SEAT, SUIT), top2, top4, top5",
        "number of the highest cards of a suit, for its quality",
        "top3(south, spades) >= 2",
    ),
    (
        "quality(SEAT, SUIT), cccc(SEAT)",
        "Kaplan and Rubens' suit quality and evaluation, times 100",
        "cccc(north) >= 1500",
    ),
    (
        "hascard(SEAT, AS)",
        "whether a hand has a card",
        "hascard(west, KH)",
    ),
    (
        "&&, and",
        "both hold",
        "hcp(north) >= 12 && spades(north) >= 5",
    ),
    (
        "||, or",
        "one of them holds, or both",
        "spades(south) >= 5 || hearts(south) >= 5",
    ),
    ("!, not", "it does not hold", "not (spades(east) >= 5)"),
    ("==, !=, <, <=, >, >=", "comparisons", "hearts(south) != 4"),
    (
        "+, -, *, /, %",
        "arithmetic with whole numbers",
        "hcp(north) + hcp(south) >= 25",
    ),
    (
        "NAME = EXPRESSION",
        "a name for a part of the condition, on a line of its own",
        "fit = hearts(north) + hearts(south) >= 8\ncondition fit",
    ),
    (
        "#mix: NAME 60%, NAME 40%",
        "types of boards and their shares: a lesson with levels",
        "game = hcp(north) + hcp(south) >= 25\npartscore = 1\n#mix: game 60%, partscore 40%",
    ),
    (
        "predeal SEAT CARDS",
        "cards that a hand has on every board",
        "predeal south SAKQ, HA\ncondition hcp(north) >= 10",
    ),
    (
        "predeal SUIT(SEAT) == N",
        "a length that a suit has on every board",
        "predeal spades(north) == 5\ncondition hcp(north) >= 12",
    ),
    (
        "dealer SEAT, vulnerable SIDES",
        "dealer and vulnerability of all boards",
        "dealer south\nvulnerable NS\ncondition hcp(south) >= 12",
    ),
    (
        "action printes(TEXT, VALUE)",
        "a comment on each board, if you ask for comments",
        "condition hcp(north) >= 15\naction printes(\"North has \", hcp(north), \" points\")",
    ),
    (
        "# TEXT",
        "a comment in the text, up to the end of its line",
        "# a strong notrump\nhcp(north) >= 15",
    ),
];

#[cfg(test)]
mod tests {
    use super::super::conditions;
    use super::*;

    #[test]
    fn every_example_is_a_condition() {
        for (syntax, _, example) in LANGUAGE_HELP {
            let (_, script) = conditions::script(example).expect(syntax);
            assert!(
                script.warnings.is_empty(),
                "{syntax}: {:?}",
                script.warnings
            );
        }
    }
}
