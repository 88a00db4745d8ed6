//! A program that deals: its processes, with a seed each.

use std::collections::VecDeque;
use std::time::Duration;

use super::super::process::{Process, ProcessInput};
use crate::error::Error;
use crate::report::CommandIdentity;
use crate::run::Part;

/// A program that is started as often as needed, each time with another seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DealerCommand {
    /// The command as it was given.
    pub text: String,
    /// The program and its arguments, in which `{seed}` and `{n}` are replaced.
    pub words: Vec<String>,
    /// The number that determines the seeds, below 2^30; by default a fresh one.
    pub seed: Option<u32>,
    /// Number of boards that each process is asked for.
    pub boards: u64,
    /// Time without output after which a process has failed.
    pub stall: Duration,
    /// The part of the audit, if other machines read the other processes.
    pub part: Option<Part>,
}

impl DealerCommand {
    /// Largest number that determines seeds.
    pub const MOST_SEED: u32 = (1 << 30) - 1;
    /// Default number of boards that each process is asked for.
    pub const DEFAULT_BOARDS: u64 = 50_000;

    /// Whether a process can be started again to deal the same boards.
    pub(super) fn is_seeded(&self) -> bool {
        self.words.iter().any(|word| word.contains("{seed}"))
    }

    /// Chooses a fresh number for the seeds, unless there is one.
    pub(super) fn choose_seed(&mut self) -> Result<(), Error> {
        if self.seed.is_none() {
            let mut bytes = [0; 4];
            getrandom::fill(&mut bytes).map_err(|error| Error::io(error.to_string()))?;
            self.seed = Some(u32::from_le_bytes(bytes) & Self::MOST_SEED);
        }
        Ok(())
    }

    pub(super) fn identity(&self) -> CommandIdentity {
        CommandIdentity {
            command: self.text.clone(),
            seed: self.seed.unwrap_or_default(),
            boards: self.boards,
            part: self.part,
        }
    }

    /// The share of these deals that this part tests.
    pub(super) fn share(&self, deals: u64) -> u64 {
        self.part.map_or(deals, |part| part.share(deals))
    }

    /// A text of the command with the values of a process.
    fn filled(&self, text: &str, process: u64) -> String {
        // The parts take turns, so that no two have a process in common.
        let process = match self.part {
            None => process,
            Some(part) => process * part.of() + part.number() - 1,
        };
        let seed = seed_of(self.seed.unwrap_or_default(), process);
        text.replace("{seed}", &seed.to_string())
            .replace("{n}", &self.boards.to_string())
    }
}

/// The seed of a process, from 1 to 2^30, which most programs accept. No two of 2^30 processes have
/// the same, and those of consecutive processes are unrelated.
fn seed_of(first: u32, process: u64) -> u32 {
    const MASK: u32 = DealerCommand::MOST_SEED;
    // Each step is a bijection of 30 bits: a shift that is added, or a product with an odd number.
    let mut mixed = first.wrapping_add(process as u32) & MASK;
    for factor in [0x2C1B_3C6D, 0x297A_2D39] {
        mixed ^= mixed >> 15;
        mixed = mixed.wrapping_mul(factor) & MASK;
    }
    (mixed ^ mixed >> 15) + 1
}

/// The processes of a command, of which some deal ahead of the reader.
pub(super) struct DealerProcesses<'c> {
    command: &'c DealerCommand,
    /// Number of processes that deal at the same time.
    most: usize,
    /// Number of processes that are enough, if all print the boards that they are asked for.
    enough: u64,
    next: u64,
    running: VecDeque<(u64, Process)>,
}

impl<'c> DealerProcesses<'c> {
    /// The processes from number `next` on, for this number of deals.
    pub(super) fn new(
        command: &'c DealerCommand,
        most: usize,
        deals: Option<u64>,
        next: u64,
    ) -> Self {
        let enough = deals.map_or(u64::MAX, |deals| deals.div_ceil(command.boards));
        Self {
            command,
            most,
            enough,
            next,
            running: VecDeque::new(),
        }
    }

    /// The next process in order, with its number from 0.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub(super) fn next(&mut self) -> Result<(u64, Process), Error> {
        while self.running.is_empty() || self.running.len() < self.most && self.next < self.enough {
            let (command, number) = (self.command, self.next);
            let words = command.words.iter();
            let words = words.map(|word| command.filled(word, number));
            let name = command.filled(&command.text, number);
            let process = Process::start(&name, words, ProcessInput::Empty, command.stall)?;
            self.running.push_back((number, process));
            self.next += 1;
        }
        Ok(self.running.pop_front().expect("one is running"))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn processes_have_different_seeds_of_thirty_bits() {
        for first in [0, 5, DealerCommand::MOST_SEED] {
            let seeds: BTreeSet<u32> = (0..10_000).map(|process| seed_of(first, process)).collect();
            assert_eq!(seeds.len(), 10_000);
            assert!(seeds.first() >= Some(&1) && seeds.last() <= Some(&(1 << 30)));
        }
        // Their highest bits differ.
        let high: BTreeSet<u32> = (0..64).map(|process| seed_of(7, process) >> 24).collect();
        assert!(high.len() > 20, "{}", high.len());
    }
}
