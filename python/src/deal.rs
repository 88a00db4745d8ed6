//! Deals and hands as Python objects.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

use fairdeal::bridge::{Card, Seat, Suit};
use fairdeal::number::{LineCodec, Scheme};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::arrays::{DealArray, deal_of_hands, deal_of_seats};
use crate::error::{UnknownNameError, UsageError, argument};

/// The arrays that hold deals, in words.
const ARRAY: &str = "an array (n, 4) of uint64 or (n, 52) of uint8";

/// The thirteen cards of one player.
///
/// >>> north = Deal("N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3").north
/// >>> north.hcp, north.shape, north.pattern, north.hearts
/// (14, '5-4-3-1', '1=5=3=4', 'AKQT4')
#[pyclass(frozen, module = "fairdeal")]
pub(crate) struct Hand(fairdeal::Hand);

#[pymethods]
impl Hand {
    /// Returns the hand with these cards as 64 bits, at most thirteen: see `bits`.
    #[classmethod]
    fn from_bits(_: &Bound<'_, PyType>, bits: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bits = argument::<u64>("bits", bits, "a whole number of 64 bits")?;
        let hand = fairdeal::Hand::from_bits(bits & fairdeal::Hand::DECK.bits());
        match hand.bits() == bits && hand.len() <= 13 {
            true => Ok(Self(hand)),
            false => Err(UsageError::new_err(format!(
                "bits: {bits:#x} is not a hand"
            ))),
        }
    }

    /// The cards as 64 bits: sixteen per suit, spades lowest, and the ace lowest in each.
    #[getter]
    fn bits(&self) -> u64 {
        self.0.bits()
    }

    /// The ranks of the spades, such as ``AKT4``.
    #[getter]
    fn spades(&self) -> String {
        self.0.holding(Suit::Spades).to_string()
    }

    /// The ranks of the hearts.
    #[getter]
    fn hearts(&self) -> String {
        self.0.holding(Suit::Hearts).to_string()
    }

    /// The ranks of the diamonds.
    #[getter]
    fn diamonds(&self) -> String {
        self.0.holding(Suit::Diamonds).to_string()
    }

    /// The ranks of the clubs.
    #[getter]
    fn clubs(&self) -> String {
        self.0.holding(Suit::Clubs).to_string()
    }

    /// The ranks of spades, hearts, diamonds and clubs.
    #[getter]
    fn suits(&self) -> [String; 4] {
        Suit::ALL.map(|suit| self.0.holding(suit).to_string())
    }

    /// The lengths of spades, hearts, diamonds and clubs.
    #[getter]
    fn lengths(&self) -> (u8, u8, u8, u8) {
        self.0.lengths().into()
    }

    /// The high-card points: A=4, K=3, Q=2, J=1.
    #[getter]
    fn hcp(&self) -> u32 {
        self.0.hcp()
    }

    /// The suit lengths without the names of the suits, the longest first: ``5-4-3-1``.
    #[getter]
    fn shape(&self) -> String {
        let pattern = self.0.pattern();
        pattern.map_or_else(String::new, |pattern| pattern.shape().to_string())
    }

    /// The lengths of spades, hearts, diamonds and clubs: ``1=5=3=4``.
    #[getter]
    fn pattern(&self) -> String {
        let pattern = self.0.pattern();
        pattern.map_or_else(String::new, |pattern| pattern.to_string())
    }

    /// The cards in deck order, such as ``SA``.
    #[getter]
    fn cards(&self) -> Vec<String> {
        self.0.cards().map(|card| card.to_string()).collect()
    }

    fn __len__(&self) -> usize {
        self.0.len() as usize
    }

    fn __contains__(&self, card: &Bound<'_, PyAny>) -> PyResult<bool> {
        let card: String = argument("card", card, "a text such as `SA`")?;
        Ok(self.0.cards().any(|held| held.to_string() == card))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        hash_of(&[self.0.bits()])
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Hand {}>", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (u64,))> {
        Ok((slf.get_type().getattr("from_bits")?, (slf.get().bits(),)))
    }
}

/// The four hands of a board.
///
/// >>> deal = Deal("N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3")
/// >>> deal.south.hcp
/// 9
/// >>> deal["W"].suits
/// ['A6543', '987', '753', 'A3']
/// >>> Deal.from_number(deal.number()) == deal
/// True
#[pyclass(frozen, module = "fairdeal")]
pub(crate) struct Deal(pub(crate) fairdeal::Deal);

#[pymethods]
impl Deal {
    /// Reads a PBN deal string: the first seat, a colon, and four hands clockwise from that seat.
    #[new]
    fn new(pbn: &Bound<'_, PyAny>) -> PyResult<Self> {
        let pbn: String = argument("pbn", pbn, "a text")?;
        deal_of_text("pbn", &pbn)
    }

    /// Returns the deal of four hands as 64-bit integers, clockwise from north (a row of an array
    /// of hands).
    #[classmethod]
    fn from_hands(_: &Bound<'_, PyType>, hands: &Bound<'_, PyAny>) -> PyResult<Self> {
        let hands = argument("hands", hands, "four whole numbers of 64 bits")?;
        let deal = deal_of_hands(hands);
        deal.map(Self).map_err(|fault| wrong("hands", fault))
    }

    /// Returns the deal in which each card, in deck order, is held by this seat, 0 to 3 (a row of
    /// an array of seats).
    #[classmethod]
    fn from_seats(_: &Bound<'_, PyType>, seats: &Bound<'_, PyAny>) -> PyResult<Self> {
        let seats: Vec<u8> = argument("seats", seats, "52 whole numbers from 0 to 3")?;
        if seats.len() != Card::COUNT {
            return Err(wrong("seats", format!("{} instead of 52", seats.len())));
        }
        let deal = deal_of_seats(seats.into_iter());
        deal.map(Self).map_err(|fault| wrong("seats", fault))
    }

    /// Returns the deals of an array of hands or of seats.
    #[classmethod]
    fn from_array(_: &Bound<'_, PyType>, array: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        let array: DealArray<'_> = argument("array", array, ARRAY)?;
        Ok(array.deals(0, "array")?.into_iter().map(Self).collect())
    }

    /// Returns the deal with this number, from 0: see `number`.
    ///
    /// >>> Deal.from_number(0).north.suits
    /// ['AKQJ', 'AKQ', 'AKQ', 'AKQ']
    #[classmethod]
    #[pyo3(signature = (number, scheme = None))]
    fn from_number(
        _: &Bound<'_, PyType>,
        number: &Bound<'_, PyAny>,
        scheme: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let number: u128 = argument("number", number, "a whole number of 128 bits")?;
        let deal = codec(scheme)?.decode(&number.to_string());
        let deal = deal.map_err(|fault| wrong("number", fault))?;
        deal_of_text("number", &deal)
    }

    /// Returns the number of the deal, from 0, in a numbering scheme: ``pavlicek``,
    /// ``pavlicek-suits``, ``andrews``, ``bigdeal``, ``ending``, ``ending-any`` or ``base5``.
    #[pyo3(signature = (scheme = None))]
    fn number(&self, scheme: Option<&Bound<'_, PyAny>>) -> PyResult<u128> {
        let number = codec(scheme)?.encode(&self.0.to_string());
        let number = number.map_err(|fault| wrong("scheme", fault))?;
        number
            .parse()
            .map_err(|_| wrong("scheme", "the number has more than 128 bits"))
    }

    /// The PBN deal string, from north.
    #[getter]
    fn pbn(&self) -> String {
        self.0.to_string()
    }

    /// The hands, clockwise from north.
    #[getter]
    fn hands(&self) -> (Hand, Hand, Hand, Hand) {
        self.0.hands().map(Hand).into()
    }

    /// North's hand.
    #[getter]
    fn north(&self) -> Hand {
        Hand(self.0.hand(Seat::North))
    }

    /// East's hand.
    #[getter]
    fn east(&self) -> Hand {
        Hand(self.0.hand(Seat::East))
    }

    /// South's hand.
    #[getter]
    fn south(&self) -> Hand {
        Hand(self.0.hand(Seat::South))
    }

    /// West's hand.
    #[getter]
    fn west(&self) -> Hand {
        Hand(self.0.hand(Seat::West))
    }

    /// Returns the hand of a seat: ``north`` or ``N``.
    fn __getitem__(&self, seat: &Bound<'_, PyAny>) -> PyResult<Hand> {
        let seat: String = argument("seat", seat, "a text")?;
        let seat = seat_named(&seat).map_err(UnknownNameError::new_err)?;
        Ok(Hand(self.0.hand(seat)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __hash__(&self) -> u64 {
        hash_of(&self.0.hands().map(fairdeal::Hand::bits))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Deal(\"{}\")", self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().pbn(),))
    }

    /// The diagram, for notebooks.
    fn _repr_html_(&self) -> String {
        let [north, east, south, west] = self.0.hands().map(cell);
        format!(
            "<table style=\"border-collapse: collapse; font-family: sans-serif\">\
             <tr><td></td>{north}<td></td></tr>\
             <tr>{west}<td style=\"border: 1px solid; padding: 1em; text-align: center\">\
             N<br>W&emsp;E<br>S</td>{east}</tr>\
             <tr><td></td>{south}<td></td></tr></table>"
        )
    }
}

/// A hand in a cell of the diagram.
fn cell(hand: fairdeal::Hand) -> String {
    const SYMBOLS: [&str; 4] = [
        "&spades;",
        "<span style=\"color: #c00\">&hearts;</span>",
        "<span style=\"color: #c00\">&diams;</span>",
        "&clubs;",
    ];
    let mut text = "<td style=\"padding: 0.5em; text-align: left; white-space: pre\">".to_owned();
    for (suit, symbol) in Suit::ALL.into_iter().zip(SYMBOLS) {
        let holding = match hand.holding(suit) {
            holding if holding.is_empty() => "&mdash;".to_owned(),
            holding => holding.to_string(),
        };
        let end = if suit == Suit::Clubs { "</td>" } else { "<br>" };
        write!(text, "{symbol} {holding}{end}").expect("a string can be written");
    }
    text
}

/// Returns the seat with this name or letter.
pub(crate) fn seat_named(name: &str) -> Result<Seat, String> {
    let by_letter = || {
        let mut seats = Seat::ALL.into_iter();
        seats.find(|seat| seat.letter().to_string() == name)
    };
    let seat = Seat::from_name(name).or_else(by_letter);
    seat.ok_or_else(|| format!("`{name}` is not a seat: north, east, south or west"))
}

/// The codec of a numbering scheme, Pavlicek's by default.
fn codec(scheme: Option<&Bound<'_, PyAny>>) -> PyResult<LineCodec<'static>> {
    let name: String = match scheme {
        Some(scheme) => argument("scheme", scheme, "a text")?,
        None => "pavlicek".to_owned(),
    };
    match Scheme::named(&name) {
        Some(Scheme::Zbs) => Err(wrong("scheme", "`zbs` writes four words, not a number")),
        Some(scheme) => Ok(LineCodec::of_scheme(scheme)),
        None => {
            let names: Vec<&str> = Scheme::all().map(Scheme::name).collect();
            let names = names.join(", ");
            let fault = format!("`{name}` is not a numbering scheme: {names}");
            Err(wrong("scheme", fault))
        }
    }
}

/// The error of an argument with a wrong value.
fn wrong(name: &str, fault: impl std::fmt::Display) -> PyErr {
    UsageError::new_err(format!("{name}: {fault}"))
}

/// The deal of a PBN deal string that an argument gives.
fn deal_of_text(name: &str, text: &str) -> PyResult<Deal> {
    let deal = text.parse().map(Deal);
    deal.map_err(|fault: fairdeal::bridge::NotationError| wrong(name, fault))
}

fn hash_of(words: &[u64]) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    hasher.finish()
}
