//! The registry of numberings of all deals and endings, with their names, encoders and decoders.
//!
//! [`cases`](super::cases) and [`cells`](super::cells) are not included, because they number the
//! deals of a given file or condition.

use super::{
    EndingError, OutOfRange, andrews, base5, bigdeal, ending, ending_any, pavlicek, pavlicek_suits,
};
use crate::bridge::{Deal, Ending};

/// A numbering of all deals or endings, named after its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// [`pavlicek`].
    Pavlicek,
    /// [`pavlicek_suits`].
    PavlicekSuits,
    /// [`andrews`].
    Andrews,
    /// [`ending`].
    Ending,
    /// [`ending_any`].
    EndingAny,
    /// [`base5`].
    Base5,
    /// [`zbs`](super::zbs).
    Zbs,
    /// [`bigdeal`].
    BigDeal,
}

/// The encoder and decoder of a scheme, by the type of its objects.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Coding {
    Deals {
        encode: fn(&Deal) -> u128,
        decode: fn(u128) -> Result<Deal, OutOfRange>,
    },
    Endings {
        encode: fn(&Ending) -> Result<u128, EndingError>,
        decode: fn(u128) -> Result<Ending, OutOfRange>,
    },
    /// Four words instead of a number: [`zbs`](super::zbs).
    Words,
}

macro_rules! coding {
    ($numbers:ident, $scheme:ident) => {
        Coding::$numbers {
            encode: $scheme::encode,
            decode: $scheme::decode,
        }
    };
}

/// A scheme, its name, its description and its coding.
type SchemeRow = (Scheme, &'static str, &'static str, Coding);

impl Scheme {
    const LIST: [SchemeRow; 8] = [
        (
            Self::Pavlicek,
            "pavlicek",
            "Deals, card by card in the order SA HA DA CA SK .., as in Pavlicek's essay",
            coding!(Deals, pavlicek),
        ),
        (
            Self::PavlicekSuits,
            "pavlicek-suits",
            "Deals, card by card in the order SA SK .. C2, as in other programs",
            coding!(Deals, pavlicek_suits),
        ),
        (
            Self::Andrews,
            "andrews",
            "Deals in squashed order of the hands, as in Andrews' essay",
            coding!(Deals, andrews),
        ),
        (
            Self::Ending,
            "ending",
            "Endings with hands of equal size, 13 cards first, as in Pavlicek's essay",
            coding!(Endings, ending),
        ),
        (
            Self::EndingAny,
            "ending-any",
            "Endings with 0 to 13 cards in each hand",
            coding!(Endings, ending_any),
        ),
        (
            Self::Base5,
            "base5",
            "Any diagram, one base-5 digit per card",
            Coding::Endings {
                encode: |ending| Ok(base5::encode(ending)),
                decode: base5::decode,
            },
        ),
        (
            Self::Zbs,
            "zbs",
            "Any diagram, one 32-bit word per suit: S H D C",
            Coding::Words,
        ),
        (
            Self::BigDeal,
            "bigdeal",
            "Deals in lexicographic order, as BigDeal prints",
            coding!(Deals, bigdeal),
        ),
    ];

    /// Returns all schemes.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::LIST.into_iter().map(|(scheme, ..)| scheme)
    }

    /// Returns the scheme with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|scheme| scheme.name() == name)
    }

    /// Returns the name, such as `pavlicek`.
    pub const fn name(self) -> &'static str {
        self.row().1
    }

    /// Returns a description in one line.
    pub const fn description(self) -> &'static str {
        self.row().2
    }

    pub(crate) const fn coding(self) -> Coding {
        self.row().3
    }

    const fn row(self) -> SchemeRow {
        Self::LIST[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_goes_by_its_name() {
        for (place, scheme) in Scheme::all().enumerate() {
            assert_eq!(scheme as usize, place);
            assert_eq!(Scheme::named(scheme.name()), Some(scheme));
        }
        assert_eq!(Scheme::named("cases"), None);
    }
}
