//! The names of all tables of reports.

use std::fmt;

/// Declares the tables: a variant, its name in files, and its rows.
macro_rules! tables {
    ($($variant:ident, $name:literal, $doc:literal;)*) => {
        /// A table of a report, named after its files without their extension.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum TableName {
            $(#[doc = $doc] $variant,)*
        }

        impl TableName {
            /// All tables, in the order of their declaration.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name: `suit_lengths`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

tables! {
    SelfTest, "self_test", "Tests of a self-test.";
    Homogeneity, "homogeneity", "Tests of a comparison.";
    Differences, "differences", "Identical and different rows of a comparison.";
    Patterns, "patterns", "Patterns by seat.";
    Shapes, "shapes", "Shapes by seat.";
    SuitLengths, "suit_lengths", "Suit lengths by seat.";
    Fits, "fits", "Suit lengths by side.";
    Hcp, "hcp", "HCP by seat.";
    SideHcp, "side_hcp", "HCP by side.";
    Cards, "cards", "Cards by seat.";
    Latency, "latency", "Percentiles of the time to deal.";
    Sources, "sources", "Files of an audit.";
    Problems, "problems", "Entries of an audit that are not legal deals.";
    Repeats, "repeats", "Repeated boards of an audit.";
    Conflicts, "conflicts", "Boards of an audit that contradict another record of the same event.";
    Sessions, "sessions", "Sessions of an audit.";
    Reference, "reference", "Ranks of a small sample among perfect sets.";
    Tests, "tests", "Tests of the battery.";
    Bounds, "bounds", "Confidence bounds.";
    CaseGroups, "case_groups", "Cases in groups of equal weight.";
    Parts, "parts", "Parts of a merged run.";
    Heterogeneity, "heterogeneity", "Tests of differences between parts.";
    Averages, "averages", "A script's averages.";
    Frequencies, "frequencies", "A script's frequencies.";
    Tricks, "tricks", "Double-dummy tricks by declarer and strain.";
    Leads, "leads", "Leads against a contract.";
    Contracts, "contracts", "Contracts of a side.";
    Aces, "aces", "Aces by seat.";
    Controls, "controls", "Controls by seat.";
    Flatness, "flatness", "Flatness of deals.";
    Overlap, "overlap", "Cards that stay with their seat.";
    LongestSuit, "longest_suit", "Longest suits of deals.";
    LongestOfHand, "longest_of_hand", "Longest suits of hands.";
    BestFit, "best_fit", "Best fits of deals.";
    JointShapes, "joint_shapes", "Shapes of two hands.";
    JointHcp, "joint_hcp", "HCP of two hands.";
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
