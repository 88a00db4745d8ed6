//! Random conditions on any cards, around predealt cards, with their exact laws.

use std::iter;
use std::ops::Range;

use clap::Args;
use fairdeal::bridge::Card;
use fairdeal::language::Condition;
use fairdeal::population::cells::Budget;
use fairdeal::population::counting::DealCounter;
use fairdeal::sampler::SamplerMethod;
use fairdeal::theory::TheoryError;

use crate::Failure;
use crate::subject::Subject;

/// Which random conditions are measured.
#[derive(Args, Clone, Copy)]
pub(crate) struct RandomConditions {
    /// Measure this number of random conditions instead
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) random: usize,
    /// The seed of the random conditions
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "random")]
    seed: u64,
}

/// Share of the deals around the predealt cards that satisfy a condition.
const SHARES: Range<f64> = 0.001..0.9;

/// Steps and bytes to count the deals of a condition.
const STEPS: u64 = 1 << 30;
const BYTES: u64 = 256 << 20;

const SEATS: [&str; 4] = ["north", "east", "south", "west"];
const SUITS: [(&str, char); 4] = [
    ("spades", 'S'),
    ("hearts", 'H'),
    ("diamonds", 'D'),
    ("clubs", 'C'),
];
const RANKS: &str = "AKQJT98765432";

impl RandomConditions {
    /// The conditions, with cells or numbered deals to draw from.
    pub(crate) fn subjects(self) -> impl Iterator<Item = Result<(String, Subject), Failure>> {
        let mut choices = Choices(self.seed);
        let texts = iter::repeat_with(move || choices.condition());
        let subjects = texts.filter_map(|text| match subject(&text) {
            Ok(subject) => Some(Ok((text, subject?))),
            Err(error) => Some(Err(format!("{text}: {error}").into())),
        });
        subjects.take(self.random)
    }
}

/// The deals of a condition; `None` if they are rare or common, or their tables take too long.
fn subject(text: &str) -> Result<Option<Subject>, Failure> {
    let condition = Condition::parse(text, text)?;
    let budget = Budget::new(STEPS, BYTES);
    let counted = DealCounter::new(&condition).and_then(|counter| counter.probability(&budget));
    match counted {
        Ok((deals, of)) if SHARES.contains(&(deals as f64 / of as f64)) => {}
        _ => return Ok(None),
    }
    let by = |method| Subject::by(method, text, text, 1);
    match by(SamplerMethod::Exact) {
        Ok(subject) if !subject.population.is_exact() => Ok(None),
        // A listing has tests of its own.
        Ok(subject) if subject.population.listing().is_some() => {
            Ok(Some(by(SamplerMethod::Numbers).unwrap_or(subject)))
        }
        Ok(subject) => Ok(Some(subject)),
        Err(error) if error.downcast_ref() == Some(&TheoryError::TooLong) => Ok(None),
        Err(error) => Err(error),
    }
}

/// SplitMix64.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ word >> 31) % bound as u64) as usize
    }

    fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most + 1 - least)
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for end in (1..all.len()).rev() {
            all.swap(end, self.between(0, end));
        }
    }

    /// Predealt cards and a condition on one to four hands.
    fn condition(&mut self) -> String {
        let mut seats = SEATS;
        self.shuffle(&mut seats);
        let hands = self.between(1, 4);
        let mut terms: Vec<String> = seats[..hands].iter().map(|seat| self.term(seat)).collect();
        for _ in 0..self.below(3) {
            let seat = self.of(&seats[..hands]);
            let term = self.term(seat);
            let last = terms.len() - 1;
            match self.below(3) {
                0 => terms[last] = format!("({} || {term})", terms[last]),
                1 => terms.push(format!("!({term})")),
                _ => terms.push(term),
            }
        }
        let condition = terms.join(" && ");
        match self.below(4) {
            0 => condition,
            _ => format!("predeal {} condition {condition}", self.predeal()),
        }
    }

    /// One to 40 predealt cards; some are in a holding with spot cards.
    fn predeal(&mut self) -> String {
        let mut places: Vec<&str> = SEATS.iter().flat_map(|seat| [*seat; 13]).collect();
        self.shuffle(&mut places);
        let mut deck: Vec<String> = Card::all().map(|card| card.to_string()).collect();
        self.shuffle(&mut deck);
        let mut held: Vec<(&str, String)> = Vec::new();
        if self.below(3) == 0 {
            let (seat, suit) = (self.of(&SEATS), self.of(&SUITS).1);
            let honours = "AKQJT".chars().filter(|_| self.below(3) == 0);
            let honours: String = honours.collect();
            let spots = self.between(1, 4);
            for _ in 0..honours.len() + spots {
                if let Some(place) = places.iter().position(|other| *other == seat) {
                    places.remove(place);
                }
            }
            deck.retain(|card| !card.contains(suit));
            held.push((seat, format!("{suit}{honours}{}", "x".repeat(spots))));
        }
        let cards = self.between(1, 40).min(deck.len());
        held.extend(places.into_iter().zip(deck).take(cards));
        let of_seat = |seat: &&str| {
            let cards = held.iter().filter(|(other, _)| other == seat);
            let cards: Vec<&str> = cards.map(|(_, card)| card.as_str()).collect();
            (!cards.is_empty()).then(|| format!("{seat} {}", cards.join(", ")))
        };
        let of_seats: Vec<String> = SEATS.iter().filter_map(of_seat).collect();
        of_seats.join(" ")
    }

    /// A fact about a hand.
    fn term(&mut self, seat: &str) -> String {
        let ((suit, letter), other) = (self.of(&SUITS), self.of(&SEATS));
        match self.below(13) {
            0 => {
                let points = self.between(4, 16);
                format!(
                    "hcp({seat}) >= {points} && hcp({seat}) <= {}",
                    points + self.between(1, 5)
                )
            }
            1 => format!("{suit}({seat}) >= {}", self.between(2, 6)),
            2 => format!("{suit}({seat}) == {}", self.between(1, 5)),
            3 => {
                let rank = self.of(&RANKS.chars().collect::<Vec<_>>());
                format!("hascard({seat}, {rank}{letter})")
            }
            4 => format!("tens({seat}) >= {}", self.between(1, 2)),
            5 => format!("top5({seat}, {suit}) >= {}", self.between(1, 3)),
            6 => format!("quality({seat}, {suit}) >= {}", 50 * self.between(2, 12)),
            7 => format!("losers({seat}) <= {}", self.between(5, 8)),
            8 => format!("controls({seat}) >= {}", self.between(2, 6)),
            9 => format!("hcp({seat}) + hcp({other}) >= {}", self.between(15, 26)),
            10 => format!("{suit}({seat}) + {suit}({other}) >= {}", self.between(5, 9)),
            11 => {
                let voids = SEATS.map(|seat| format!("{suit}({seat}) == 0"));
                format!("({})", voids.join(" || "))
            }
            _ => format!("shape({seat}, any 4333 + any 4432 + any 5332)"),
        }
    }
}
