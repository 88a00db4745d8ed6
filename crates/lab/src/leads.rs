//! Tables of leads compared with brute force: deals kept by rejection, each solved after every lead
//! by itself.

use std::time::Instant;

use clap::Args;
use contract_bridge::deal::{Builder, FullDeal};
use contract_bridge::hand::Card as SolverCard;
use contract_bridge::{Seat as SolverSeat, Strain as SolverStrain};
use fairdeal::Card;
use fairdeal::bridge::{Deal, Hand, Seat, Vulnerable};
use fairdeal::language::{Contract, Script};
use fairdeal::observer::Silent;
use fairdeal::population::Listings;
use fairdeal::report::CandidateTable;
use fairdeal::run::DealCount;
use fairdeal::sampler::Sampling;
use fairdeal::solver::touching;
use fairdeal::tasks::RandomRequest;
use fairdeal::tasks::candidates::{CandidateRequest, LeadCriterion, LeadQuestion, lead_table};
use pons_dds::{Board, CurrentTrick, Objective, Solver, Target};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde_json::json;

use crate::sheet::{Column, Sheet, kept};
use crate::{Failure, count};

/// The size.
#[derive(Args)]
pub(crate) struct Options {
    /// Deals of each table, and of each comparison
    #[arg(long, default_value = "20K", value_parser = count)]
    deals: u64,
}

/// Condition, hand of west, contract of south, and its strain for the solver.
const TABLES: [(&str, &str, &str, SolverStrain); 3] = [
    (
        "shape(south, any 4333 + any 4432 + any 5332) && hcp(south) >= 15 && hcp(south) <= 17 \
         && hcp(north) >= 10 && hcp(north) <= 14 && spades(north) < 4 && hearts(north) < 4",
        "KQ4.J9652.T8.643",
        "3NT",
        SolverStrain::Notrump,
    ),
    (
        "spades(south) >= 5 && hcp(south) >= 12 && spades(north) >= 4 && hcp(north) >= 10",
        "73.K84.QJ92.AT85",
        "4S",
        SolverStrain::Spades,
    ),
    (
        "hearts(south) + hearts(north) >= 9 && hcp(south) + hcp(north) >= 24 && hcp(south) >= 13",
        "A9542.T3.KJ6.QT7",
        "4H",
        SolverStrain::Hearts,
    ),
];

const COLUMNS: &[Column] = &[
    ("contract", -8),
    ("lead", -8),
    ("tricks", 7),
    ("by force", 8),
    ("largest z", 9),
    ("promise", -7),
];

const SECONDS: &[Column] = &[("contract", -8), ("table, s", 9), ("by force, s", 11)];

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    let mut seconds = Vec::new();
    sheet.section(
        "mean tricks of the defence and share of contracts set, in a table and by rejection",
        COLUMNS,
    );
    for (seed, (condition, hand, contract, strain)) in (1..).zip(TABLES) {
        let hand = Hand::parse(Seat::West, hand)?;
        let mut script = Script::parse("lead", condition)?;
        let fixed = script.condition.with_hand(Seat::West, hand)?;
        script.condition = fixed.ok_or("the hand contradicts the condition")?;
        let name = contract;
        let contract = Contract::from_name(contract).ok_or("not a contract")?;
        let begun = Instant::now();
        let table = table(&script, contract, options.deals, seed)?;
        let middle = Instant::now();
        let needed = 14 - contract.tricks() as u8;
        let slow = by_force(condition, hand, strain, options.deals, 100 + seed)?;
        seconds.push([
            json!(name),
            json!((middle - begun).as_secs_f64()),
            json!(middle.elapsed().as_secs_f64()),
        ]);
        for row in &table.rows {
            let place = touching(hand)
                .iter()
                .position(|lead| lead_name(*lead) == row.name);
            let tricks = &slow[place.ok_or("a lead that is not in the hand")?];
            let deals = tricks.len() as f64;
            let mean = tricks.iter().map(|tricks| f64::from(*tricks)).sum::<f64>() / deals;
            let squares = tricks
                .iter()
                .map(|tricks| (f64::from(*tricks) - mean).powi(2));
            let error = (squares.sum::<f64>() / deals / deals + row.stderr.powi(2)).sqrt();
            let set = tricks.iter().filter(|tricks| **tricks >= needed).count() as f64 / deals;
            // The measures of a table of leads begin with tricks and set.
            let share = f64::midpoint(set, row.means[1]);
            let error_of_set = (2.0 * share * (1.0 - share) / deals)
                .sqrt()
                .max(0.5 / deals);
            let z = [
                (row.means[0] - mean) / error,
                (row.means[1] - set) / error_of_set,
            ];
            let largest = z
                .into_iter()
                .fold(0.0, |one: f64, other| one.max(other.abs()));
            sheet.row(vec![
                json!(name),
                json!(row.name),
                json!(row.means[0]),
                json!(mean),
                json!(largest),
                kept(largest < 4.0),
            ]);
        }
    }
    sheet.section("seconds on all cores", SECONDS);
    for row in seconds {
        sheet.row(row.to_vec());
    }
    Ok(())
}

fn table(
    script: &Script,
    contract: Contract,
    deals: u64,
    seed: u128,
) -> Result<CandidateTable, Failure> {
    let question = LeadQuestion {
        contract,
        declarer: Seat::South,
        vulnerable: Vulnerable::None,
        criterion: LeadCriterion::Tricks,
    };
    let request = CandidateRequest {
        name: "lead".to_owned(),
        deals: Some(DealCount::new(deals)?),
        random: RandomRequest::of_seed(seed),
        threads: None,
        time: None,
        sampling: Sampling::default(),
        confidence: 0.99,
        within: None,
    };
    let listings = Listings::in_memory();
    Ok(lead_table(question, &request, script, &listings, &Silent)?)
}

/// The tricks of each lead on deals around the hand that satisfy the condition, one by one.
fn by_force(
    condition: &str,
    hand: Hand,
    strain: SolverStrain,
    deals: u64,
    seed: u128,
) -> Result<Vec<Vec<u8>>, Failure> {
    let wanted = Script::parse("wanted", condition)?;
    let around = Script::parse("around", "1")?
        .condition
        .with_hand(Seat::West, hand)?;
    let around = around.ok_or("a hand")?.to_string();
    let population = fairdeal::Script::parse("around", &around)?.population()?;
    let mut found = Vec::new();
    let mut drawn = population.deals(seed)?;
    while (found.len() as u64) < deals {
        let deal = drawn.next().ok_or("there are no more deals")??;
        if wanted.condition.expression().holds(&deal)? {
            found.push(deal);
        }
    }
    let leads = touching(hand);
    let solved: Vec<Vec<u8>> = found
        .par_iter()
        .map_init(Solver::default, |solver, deal| {
            let tricks = leads.iter().map(|lead| {
                // The lowest card of a group, where the table solves the highest.
                let card = lead.cards().last().ok_or("an empty group")?;
                after_lead(solver, deal, strain, card)
            });
            tricks.collect::<Result<Vec<u8>, Failure>>()
        })
        .collect::<Result<_, Failure>>()?;
    let of_lead = |lead: usize| solved.iter().map(|tricks| tricks[lead]).collect();
    Ok((0..leads.len()).map(of_lead).collect())
}

/// The tricks of the defence after west's lead of a card.
fn after_lead(
    solver: &mut Solver,
    deal: &Deal,
    strain: SolverStrain,
    card: Card,
) -> Result<u8, Failure> {
    let full: FullDeal = deal.to_string().parse()?;
    let led: SolverCard = card.to_string().parse()?;
    let mut builder = Builder::from(full);
    builder[SolverSeat::West].remove(led);
    let rest = builder.build_partial().map_err(|_| "a card is missing")?;
    let trick = CurrentTrick::from_slice(strain, SolverSeat::West, &[led])?;
    let board = Board::try_new(rest, trick)?;
    let target = Target::Any(None);
    let found = solver.solve_board(&Objective { board, target });
    let best = found.plays.first().ok_or("no card can be played")?;
    Ok(13 - best.score.get())
}

/// The name of a lead in a table.
fn lead_name(lead: Hand) -> String {
    let cards: Vec<Card> = lead.cards().collect();
    let suit = cards.first().map_or(' ', |card| card.suit().letter());
    let ranks = cards.iter().map(|card| card.rank().letter());
    [suit].into_iter().chain(ranks).collect()
}
