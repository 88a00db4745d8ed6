//! Deals bridge hands with shuffles of published crates: 52 digits a deal, the seats (1 north to 4
//! west) of the cards from the ace of spades to the two of clubs.
//!
//!     study METHOD DEALS SEED

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use contract_bridge::{Seat, Suit};
use deckofcards::Cards;
use nanorand::Rng as _;
use rand::SeedableRng;
use rand_0_9::SeedableRng as _;
use shuffle::shuffler::Shuffler;

/// A sorted deck: the cards from the ace of spades to the two of clubs.
const SORTED: [u8; 52] = {
    let mut deck = [0; 52];
    let mut card = 0;
    while card < 52 {
        deck[card] = card as u8;
        card += 1;
    }
    deck
};

/// A function that returns a shuffled deck.
type Shuffle = Box<dyn FnMut() -> [u8; 52]>;

/// Makes a function that shuffles a new deck.
fn fresh(mut shuffle: impl FnMut(&mut [u8]) + 'static) -> Option<Shuffle> {
    Some(Box::new(move || {
        let mut deck = SORTED;
        shuffle(&mut deck);
        deck
    }))
}

/// Makes a function that shuffles a new deck by a `Shuffler`.
fn by_shuffler(mut shuffler: impl Shuffler<u8> + 'static, seed: u64) -> Option<Shuffle> {
    let mut random = rand_0_9::rngs::StdRng::seed_from_u64(seed);
    let mut deck = Vec::new();
    Some(Box::new(move || {
        deck.clear();
        deck.extend_from_slice(&SORTED);
        if let Err(reason) = shuffler.shuffle(&mut deck, &mut random) {
            eprintln!("error: {reason}");
            std::process::exit(70);
        }
        deck[..].try_into().expect("52 cards")
    }))
}

fn shuffle_of(method: &str, seed: u64) -> Option<Shuffle> {
    match method {
        "rand-StdRng" => {
            let mut random = rand::rngs::StdRng::seed_from_u64(seed);
            fresh(move |deck| rand::seq::SliceRandom::shuffle(deck, &mut random))
        }
        "rand-SmallRng" => {
            let mut random = rand_0_9::rngs::SmallRng::seed_from_u64(seed);
            fresh(move |deck| rand_0_9::seq::SliceRandom::shuffle(deck, &mut random))
        }
        "fastrand" => {
            let mut random = fastrand::Rng::with_seed(seed);
            fresh(move |deck| random.shuffle(deck))
        }
        "nanorand" => {
            let mut random = nanorand::WyRand::new_seed(seed);
            fresh(move |deck| random.shuffle(deck))
        }
        "oorandom" => {
            let mut random = oorandom::Rand32::new(seed);
            fresh(move |deck| {
                for i in (1..52).rev() {
                    let j = random.rand_range(0..i as u32 + 1);
                    deck.swap(i, j as usize);
                }
            })
        }
        "quad-rand" => {
            quad_rand::srand(seed);
            fresh(quad_rand::ChooseRandom::shuffle)
        }
        "shuffle-fy" => by_shuffler(shuffle::fy::FisherYates::default(), seed),
        "shuffle-irs" => by_shuffler(shuffle::irs::Irs::default(), seed),
        "deckofcards" => {
            let sorted = deckofcards::Deck::new();
            let fresh = sorted.cards().to_vec();
            Some(Box::new(move || {
                let mut shuffled = sorted.clone();
                shuffled.shuffle();
                let number = |card| fresh.iter().position(|other| other == card);
                let numbers = shuffled
                    .cards()
                    .iter()
                    .map(|card| number(card).expect("its card"));
                let mut deck = [0; 52];
                for (place, number) in numbers.enumerate() {
                    deck[place] = number as u8;
                }
                deck
            }))
        }
        "contract-bridge" => {
            let mut random = rand::rngs::StdRng::seed_from_u64(seed);
            Some(Box::new(move || {
                let deal = contract_bridge::deck::full_deal(&mut random);
                let mut deck = [0; 52];
                let mut place = 0;
                for seat in [Seat::North, Seat::East, Seat::South, Seat::West] {
                    for (s, suit) in [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs]
                        .into_iter()
                        .enumerate()
                    {
                        for rank in deal[seat][suit].iter() {
                            deck[place] = (13 * s) as u8 + 14 - rank.get();
                            place += 1;
                        }
                    }
                }
                deck
            }))
        }
        _ => None,
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, method, deals, seed] = &arguments[..] else {
        return ExitCode::from(64);
    };
    let (Ok(deals), Ok(seed)) = (deals.parse::<u64>(), seed.parse()) else {
        return ExitCode::from(64);
    };
    let Some(mut shuffle) = shuffle_of(method, seed) else {
        eprintln!("unknown method {method}");
        return ExitCode::from(64);
    };
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    for _ in 0..deals {
        let mut seats = [0; 52];
        for (place, card) in shuffle().into_iter().enumerate() {
            seats[usize::from(card)] = b'1' + (place / 13) as u8;
        }
        if out.write_all(&seats).is_err() {
            return ExitCode::from(74);
        }
    }
    ExitCode::SUCCESS
}
