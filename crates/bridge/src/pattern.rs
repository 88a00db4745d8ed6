//! Patterns and shapes, and their order in all tables.
//!
//! A pattern is the four suit lengths of a hand, S=H=D=C; there are 560. A shape is the same
//! lengths in descending order; there are 39. Shapes are in ascending order of their digits (4333,
//! 4432, 4441, 5332 .. 13-0-0-0), and the patterns of one shape are in descending order (5=3=3=2,
//! 5=3=2=3, ..), as in every table of the dealing-with-constraints essay.

use std::fmt;

use super::Suit;

/// Number of patterns.
pub const PATTERN_COUNT: usize = 560;
/// Number of shapes.
pub const SHAPE_COUNT: usize = 39;

/// Suit lengths of a hand, spades first; they sum to 13.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern([u8; 4]);

/// The index of a pattern in its order, 0..560.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatternIndex(u16);

/// Suit lengths of a hand in descending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shape([u8; 4]);

/// The index of a shape in its order, 0..39.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShapeIndex(u8);

struct PatternTables {
    shapes: [[u8; 4]; SHAPE_COUNT],
    patterns: [[u8; 4]; PATTERN_COUNT],
    shape_of: [u8; PATTERN_COUNT],
    /// Indexed by S * 196 + H * 14 + D; `NO_INDEX` if they sum to more than 13.
    index_of: [u16; 14 * 14 * 14],
}

const NO_INDEX: u16 = u16::MAX;

const fn key(lengths: [u8; 4]) -> usize {
    lengths[0] as usize * 196 + lengths[1] as usize * 14 + lengths[2] as usize
}

const fn descending(lengths: [u8; 4]) -> [u8; 4] {
    let mut sorted = lengths;
    let mut pass = 0;
    while pass < 3 {
        let mut i = 0;
        while i < 3 {
            if sorted[i] < sorted[i + 1] {
                (sorted[i], sorted[i + 1]) = (sorted[i + 1], sorted[i]);
            }
            i += 1;
        }
        pass += 1;
    }
    sorted
}

const fn same(a: [u8; 4], b: [u8; 4]) -> bool {
    a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3]
}

static TABLES: PatternTables = {
    // All (S, H, D, C) that sum to 13, descending.
    let mut all = [[0u8; 4]; PATTERN_COUNT];
    let mut count = 0;
    let mut spades = 13i8;
    while spades >= 0 {
        let mut hearts = 13 - spades;
        while hearts >= 0 {
            let mut diamonds = 13 - spades - hearts;
            while diamonds >= 0 {
                let clubs = 13 - spades - hearts - diamonds;
                all[count] = [spades as u8, hearts as u8, diamonds as u8, clubs as u8];
                count += 1;
                diamonds -= 1;
            }
            hearts -= 1;
        }
        spades -= 1;
    }
    assert!(count == PATTERN_COUNT);

    let mut tables = PatternTables {
        shapes: [[0; 4]; SHAPE_COUNT],
        patterns: [[0; 4]; PATTERN_COUNT],
        shape_of: [0; PATTERN_COUNT],
        index_of: [NO_INDEX; 14 * 14 * 14],
    };
    // Backwards, `all` is ascending: its elements with descending lengths are the shapes in their
    // order.
    let mut shape = 0;
    let mut place = 0;
    let mut back = PATTERN_COUNT;
    while back > 0 {
        back -= 1;
        if same(all[back], descending(all[back])) {
            tables.shapes[shape] = all[back];
            let mut i = 0;
            while i < PATTERN_COUNT {
                if same(descending(all[i]), all[back]) {
                    tables.patterns[place] = all[i];
                    tables.shape_of[place] = shape as u8;
                    tables.index_of[key(all[i])] = place as u16;
                    place += 1;
                }
                i += 1;
            }
            shape += 1;
        }
    }
    assert!(shape == SHAPE_COUNT && place == PATTERN_COUNT);
    tables
};

impl Pattern {
    /// Creates the pattern of these lengths; `None` if they do not sum to 13.
    #[inline]
    pub fn new(lengths: [u8; 4]) -> Option<Self> {
        let sum: u32 = lengths.iter().map(|&length| u32::from(length)).sum();
        (sum == 13).then_some(Self(lengths))
    }

    /// Returns the suit lengths, spades first.
    #[inline]
    pub const fn lengths(self) -> [u8; 4] {
        self.0
    }

    /// Returns the length of a suit.
    #[inline]
    pub const fn length(self, suit: Suit) -> u8 {
        self.0[suit.index()]
    }

    /// Returns the index of the pattern.
    #[inline]
    pub const fn index(self) -> PatternIndex {
        PatternIndex(TABLES.index_of[key(self.0)])
    }

    /// Returns the lengths in descending order.
    #[inline]
    pub const fn shape(self) -> Shape {
        Shape(descending(self.0))
    }

    /// Returns all 560 patterns in order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLES.patterns.iter().map(|&lengths| Self(lengths))
    }
}

impl PatternIndex {
    /// Creates the index with this number; `None` from 560 on.
    #[inline]
    pub const fn new(number: u16) -> Option<Self> {
        if (number as usize) < PATTERN_COUNT {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Returns all 560 indices in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..PATTERN_COUNT as u16).map(Self)
    }

    /// Returns the number for use in tables, 0..560.
    #[inline]
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// Returns the pattern with this index.
    #[inline]
    pub const fn pattern(self) -> Pattern {
        Pattern(TABLES.patterns[self.get()])
    }

    /// Returns the index of the pattern's shape.
    #[inline]
    pub const fn shape_index(self) -> ShapeIndex {
        ShapeIndex(TABLES.shape_of[self.get()])
    }
}

impl Shape {
    /// Returns all 39 shapes in order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLES.shapes.iter().map(|&lengths| Self(lengths))
    }

    /// Returns the lengths in descending order.
    #[inline]
    pub const fn lengths(self) -> [u8; 4] {
        self.0
    }
}

impl ShapeIndex {
    /// Returns the number for use in tables, 0..39.
    #[inline]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Pattern {
    /// Writes `5=3=3=2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [s, h, d, c] = self.0;
        f.pad(&format!("{s}={h}={d}={c}"))
    }
}

impl fmt::Display for Shape {
    /// Writes `5-3-3-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        f.pad(&format!("{a}-{b}-{c}-{d}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_560_patterns_and_39_shapes_in_the_contracts_order() {
        let patterns: Vec<Pattern> = Pattern::all().collect();
        assert_eq!(patterns.len(), 560);
        let mut sorted = patterns.clone();
        sorted.sort_by(|a, b| a.shape().cmp(&b.shape()).then(b.cmp(a)));
        sorted.dedup();
        assert_eq!(patterns, sorted);
        assert_eq!(Shape::all().count(), 39);
        assert!(Shape::all().is_sorted());

        let first: Vec<String> = Shape::all()
            .take(4)
            .map(|shape| shape.to_string())
            .collect();
        assert_eq!(first, ["4-3-3-3", "4-4-3-2", "4-4-4-1", "5-3-3-2"]);
        assert_eq!(Shape::all().last().unwrap().to_string(), "13-0-0-0");
        let of_5332: Vec<String> = Pattern::all()
            .filter(|pattern| pattern.shape().lengths() == [5, 3, 3, 2])
            .take(4)
            .map(|pattern| pattern.to_string())
            .collect();
        assert_eq!(of_5332, ["5=3=3=2", "5=3=2=3", "5=2=3=3", "3=5=3=2"]);
    }

    #[test]
    fn a_pattern_and_its_index_are_one_to_one() {
        for (number, pattern) in Pattern::all().enumerate() {
            assert_eq!(pattern.index().get(), number);
            assert_eq!(pattern.index().pattern(), pattern);
            let shape = Shape::all().nth(pattern.index().shape_index().get());
            assert_eq!(shape, Some(pattern.shape()));
        }
        assert_eq!(PatternIndex::new(560), None);
        assert_eq!(Pattern::new([5, 3, 3, 3]), None);
        assert_eq!(Pattern::new([200, 100, 0, 226]), None);
    }
}
