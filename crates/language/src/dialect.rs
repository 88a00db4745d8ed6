//! The dialects of the language, as data: programs, their words, and what they read differently.
//!
//! dealer's successors add words, and read a few operators in another way. A script may use all
//! words, unless it defines a name of the same spelling or a dialect is requested. The dialect
//! decides the meaning of the operators.

use std::fmt;

/// A program whose scripts fairdeal reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// dealer by Hans van Staveren and Henk Uijterwaal, and version 1 of it at Bridge Base Online.
    #[default]
    Dealer,
    /// DealerV2_4, the successor by JGM.
    DealerV2,
    /// dealer3 by Rick Wilson.
    Dealer3,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 3] = [Self::Dealer, Self::DealerV2, Self::Dealer3];

    /// The name in options and in the first words of a script: `dealer`, `dealerv2` or `dealer3`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dealer => "dealer",
            Self::DealerV2 => "dealerv2",
            Self::Dealer3 => "dealer3",
        }
    }

    /// The name of the program: `DealerV2_4`.
    pub const fn program(self) -> &'static str {
        match self {
            Self::Dealer => "dealer",
            Self::DealerV2 => "DealerV2_4",
            Self::Dealer3 => "dealer3",
        }
    }

    /// The dialect of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// The precedence of `* / %`, of comparisons and of `+ -`: in DealerV2_4, operators of one
    /// precedence elsewhere have one each.
    pub(super) fn has_separate_precedences(self) -> bool {
        self == Self::DealerV2
    }

    /// Whether `a == b == c` compares `a` with `b` and `b` with `c`, and `not a > b` is
    /// `not (a > b)`.
    pub(super) fn has_chained_comparisons(self) -> bool {
        self == Self::Dealer3
    }
}

impl fmt::Display for Dialect {
    /// Writes the name of the program.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.program())
    }
}

/// The place of a word in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Begins a statement.
    Statement,
    /// Begins an action.
    Action,
    /// A function.
    Function,
    /// An item of `csvrpt` and `printrpt`.
    Item,
}

/// Words of one role, of the same program.
#[derive(Debug)]
pub(super) struct WordGroup {
    pub(super) role: Role,
    /// The programs that have the words, that of the most scripts first.
    pub(super) programs: &'static [Dialect],
    /// Why fairdeal does not support them.
    pub(super) refused: Option<&'static str>,
    pub(super) words: &'static [&'static str],
}

const EXTERNAL: Option<&str> = Some("it calls a separate program by the author of DealerV2_4");

/// The words of all dialects; docs/reference/dialects.md says what each of them means.
pub(super) const WORDS: &[WordGroup] = &[
    WordGroup {
        role: Role::Statement,
        programs: &Dialect::ALL,
        refused: None,
        words: &[
            "generate",
            "produce",
            "vulnerable",
            "dealer",
            "predeal",
            "pointcount",
            "altcount",
            "condition",
            "action",
        ],
    },
    WordGroup {
        role: Role::Statement,
        programs: &[Dialect::DealerV2],
        refused: None,
        words: &["title", "seed", "startboard", "opener"],
    },
    WordGroup {
        role: Role::Action,
        programs: &Dialect::ALL,
        refused: None,
        words: &[
            "printall",
            "print",
            "printew",
            "printpbn",
            "printcompact",
            "printoneline",
            "printes",
            "average",
            "frequency",
        ],
    },
    WordGroup {
        role: Role::Action,
        programs: &Dialect::ALL,
        refused: None,
        words: &["evalcontract"],
    },
    WordGroup {
        role: Role::Action,
        programs: &[Dialect::DealerV2],
        refused: None,
        words: &["printns", "printside", "printrpt", "bktfreq", "export"],
    },
    WordGroup {
        role: Role::Action,
        programs: &[Dialect::DealerV2, Dialect::Dealer3],
        refused: None,
        words: &["csvrpt"],
    },
    WordGroup {
        role: Role::Function,
        programs: &Dialect::ALL,
        refused: None,
        words: &[
            "rnd", "hcp", "tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4",
            "top5", "c13", "controls", "losers", "hascard", "cccc", "quality", "imps", "score",
            "shape", "spades", "hearts", "diamonds", "clubs", "pt0",
        ],
    },
    WordGroup {
        role: Role::Function,
        programs: &Dialect::ALL,
        refused: None,
        words: &["tricks", "trick"],
    },
    WordGroup {
        role: Role::Function,
        programs: &[Dialect::DealerV2],
        refused: None,
        words: &["ltc"],
    },
    WordGroup {
        role: Role::Function,
        programs: &[Dialect::DealerV2],
        refused: None,
        words: &["dds", "par"],
    },
    WordGroup {
        role: Role::Function,
        programs: &[Dialect::DealerV2],
        refused: EXTERNAL,
        words: &["opc", "usereval"],
    },
    WordGroup {
        role: Role::Item,
        programs: &[Dialect::DealerV2, Dialect::Dealer3],
        refused: None,
        words: &["deal"],
    },
    WordGroup {
        role: Role::Item,
        programs: &[Dialect::DealerV2],
        refused: None,
        words: &["trix", "parcontract"],
    },
];

/// The group of a word.
pub(super) fn group_of(word: &str) -> Option<&'static WordGroup> {
    WORDS.iter().find(|group| group.words.contains(&word))
}

/// The supported words of a role, of all dialects.
pub(super) fn words_of(role: Role) -> impl Iterator<Item = &'static str> + Clone {
    let groups = WORDS
        .iter()
        .filter(move |group| group.role == role && group.refused.is_none());
    groups.flat_map(|group| group.words.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &std::path::Path) -> String {
        std::fs::read_to_string(path).expect("a file of this repository")
    }

    #[test]
    fn every_word_has_a_script_and_a_row_in_the_reference() {
        let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let folder = root.join("fixtures/dialects");
        let entries = std::fs::read_dir(folder).expect("a folder of this repository");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let scripts: Vec<String> = paths
            .filter(|path| path.is_file())
            .map(|path| read(&path))
            .collect();
        let reference = read(&root.join("docs/reference/dialects.md"));
        for word in WORDS.iter().flat_map(|group| group.words) {
            let is_word = |text: &str| {
                let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
                words.any(|other| other == *word)
            };
            assert!(
                scripts.iter().any(|text| is_word(text)),
                "{word}: no script"
            );
            assert!(
                is_word(&reference),
                "{word}: not in docs/reference/dialects.md"
            );
        }
    }

    #[test]
    fn dialects_are_found_by_their_names() {
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::from_name(dialect.name()), Some(dialect));
        }
        assert_eq!(Dialect::from_name("Dealer"), None);
    }
}
