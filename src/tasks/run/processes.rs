//! Several processes that deal one run: how they start together and prepare.
//!
//! All processes are started with the same command. The leader prepares the report's folder and the
//! case file, and sends the others the description of the run. They prepare the same population,
//! the first process on each host before the others, so that a condition is listed once per host.

#![cfg_attr(not(feature = "mpi"), allow(dead_code, reason = "used with MPI only"))]

use std::cell::Cell;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::report::{CheckpointRecord, host_name};
use crate::run::{DEALS_OF_A_TURN, OtherProcesses, ProtocolError, Team, broadcast, reduce};
use crate::threads::Threads;

/// One of the processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ProcessPlace {
    place: usize,
    /// Name of its host.
    host: String,
    /// Processors that it may use.
    processors: Vec<u16>,
}

/// The leader's message when it is ready.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum LeaderMessage {
    /// Nothing will be dealt.
    Nothing,
    /// The run: a [`CheckpointRecord`] as JSON.
    Run(String),
}

/// A process's answer when it has prepared.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ready {
    threads: usize,
    /// Why it failed, with the process's name.
    problem: Option<String>,
}

/// Progress of the leader with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JoinPhase {
    /// They wait for the description of the run.
    Waiting,
    /// They deal, and wait for the next turn.
    Dealing,
    /// They have ended.
    Over,
}

/// The processes of a run, as seen by one of them.
pub(super) struct Processes<'t> {
    pub(super) team: &'t dyn Team,
    members: Vec<ProcessPlace>,
    phase: Cell<JoinPhase>,
}

impl<'t> Processes<'t> {
    /// Exchanges the hosts and processors of all processes.
    pub(super) fn of(team: &'t dyn Team) -> Result<Self, Error> {
        let mine = ProcessPlace {
            place: team.place(),
            host: host_name(),
            processors: processors(),
        };
        let add = |mine: &mut Vec<ProcessPlace>, theirs: Vec<ProcessPlace>| mine.extend(theirs);
        let all = reduce(team, vec![mine], add, |_| ()).map_err(misunderstood)?;
        let mut members = broadcast(team, all).map_err(misunderstood)?;
        members.sort_by_key(|member| member.place);
        if members.len() != team.processes() {
            return Err(misunderstood(ProtocolError { from: 0 }));
        }
        Ok(Self {
            team,
            members,
            phase: Cell::new(JoinPhase::Waiting),
        })
    }

    /// Depth of the tree in which counts reach the leader. Turns are longer by this factor, so that
    /// gathering remains a small share of the time.
    fn depth(&self) -> u64 {
        let processes = self.members.len().next_power_of_two();
        u64::from(processes.trailing_zeros()).max(1)
    }

    fn member(&self) -> &ProcessPlace {
        &self.members[self.team.place()]
    }

    /// Default number of threads of this process: its share of the processors that it may use.
    pub(super) fn threads(&self) -> Threads {
        let mine = self.member();
        let shares = |member: &&ProcessPlace| {
            member.host == mine.host && member.processors == mine.processors
        };
        let sharing = self.members.iter().filter(shares).count();
        let share = (mine.processors.len() / sharing.max(1)).max(1);
        Threads::new(share as u64).unwrap_or_else(|_| Threads::most())
    }

    /// Whether this process is the first on its host.
    fn is_first_of_host(&self) -> bool {
        let host = &self.member().host;
        let first = self.members.iter().find(|member| member.host == *host);
        first.is_some_and(|first| first.place == self.team.place())
    }

    /// Starts the run when the leader is ready: the others prepare too. Returns them when all are
    /// ready, and the total number of threads.
    pub(super) fn start(
        &self,
        record: &CheckpointRecord,
        threads: usize,
    ) -> Result<(OtherProcesses<'t>, usize), Error> {
        let json = serde_json::to_string(record).map_err(Error::io)?;
        broadcast(self.team, Some(LeaderMessage::Run(json))).map_err(misunderstood)?;
        barrier(self.team)?;
        let problem = None;
        let ready = answer(self.team, Ready { threads, problem })?;
        let ready = ready.unwrap_or(Ready {
            threads,
            problem: None,
        });
        let goes = ready.problem.is_none();
        broadcast(self.team, Some(goes)).map_err(misunderstood)?;
        self.phase.set(if goes {
            JoinPhase::Dealing
        } else {
            JoinPhase::Over
        });
        match ready.problem {
            Some(problem) => Err(Error::input(problem)),
            None => Ok((
                OtherProcesses {
                    team: self.team,
                    turn: ready.threads as u64 * DEALS_OF_A_TURN * self.depth(),
                },
                ready.threads,
            )),
        }
    }

    /// Ends the run after the last turn; an error if the population of any process changed during
    /// the run.
    pub(super) fn end(&self) -> Result<(), Error> {
        let mine = Ready {
            threads: 0,
            problem: None,
        };
        let all = answer(self.team, mine)?;
        self.phase.set(JoinPhase::Over);
        match all.and_then(|all| all.problem) {
            Some(problem) => Err(Error::input(problem)),
            None => Ok(()),
        }
    }
}

/// Waits until all processes have called this.
fn barrier(team: &dyn Team) -> Result<(), Error> {
    reduce(team, (), |(), ()| (), |_| ()).map_err(misunderstood)?;
    let here = (team.place() == 0).then_some(());
    broadcast(team, here).map_err(misunderstood)
}

/// Sends whether this process is ready; the leader receives the merged answers of all.
fn answer(team: &dyn Team, mine: Ready) -> Result<Option<Ready>, Error> {
    let merge = |mine: &mut Ready, theirs: Ready| {
        mine.threads += theirs.threads;
        if mine.problem.is_none() {
            mine.problem = theirs.problem;
        }
    };
    reduce(team, mine, merge, |_| ()).map_err(misunderstood)
}

fn misunderstood(error: ProtocolError) -> Error {
    Error::usage(error.to_string())
}

/// Processors that this process may use.
fn processors() -> Vec<u16> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(target_os = "linux")]
    if let Ok(allowed) = rustix::thread::sched_getaffinity(None) {
        let most = rustix::thread::CpuSet::MAX_CPU;
        let which = (0..most).filter(|processor| allowed.is_set(*processor));
        let mut which: Vec<u16> = which.filter_map(|which| which.try_into().ok()).collect();
        // A container's CPU limit may be below its number of processors.
        which.truncate(all);
        if !which.is_empty() {
            return which;
        }
    }
    (0..u16::try_from(all).unwrap_or(u16::MAX)).collect()
}

#[cfg(feature = "mpi")]
pub(super) mod mpi {
    //! Processes that MPI started.

    use super::super::super::prepare::{ConditionInput, Prepared};
    use super::super::super::random::defective;
    use super::super::report::description;
    use super::super::{RunOutcome, RunRequest, dealing, resume};
    use super::*;
    use crate::draw::{DealSource, Seeded, WithDraws};
    use crate::observer::Observer;
    use crate::population::Listings;
    use crate::run::{Running, WorkerCalls, World};
    use crate::threads::Workers;

    /// Runs together with all processes that MPI started; returns `None` in all but the leader.
    ///
    /// `lead` returns the leader's request and input; `assist` holds the other processes' own
    /// options. An error that must end all processes is passed to `fail`, which returns the exit
    /// code.
    ///
    /// # Errors
    ///
    /// As a run in a single process.
    pub fn run_together(
        lead: impl FnOnce() -> Result<(RunRequest, ConditionInput), Error>,
        assist: &RunRequest,
        listings: &Listings,
        observer: &dyn Observer,
        fail: &dyn Fn(&Error) -> u8,
    ) -> Result<Option<RunOutcome>, Error> {
        let world = World::join().map_err(Error::usage)?;
        let processes = Processes::of(&world)?;
        if world.place() > 0 {
            return match processes.assist(assist, listings, observer) {
                Ok(()) => Ok(None),
                Err(error) => world.abort(fail(&error.context(processes.name())).into()),
            };
        }
        let done = lead().and_then(|(request, input)| {
            dealing::run(&request, input, listings, observer, Some(&processes))
        });
        match (processes.phase.get(), done) {
            (JoinPhase::Waiting, done) => {
                broadcast(&world, Some(LeaderMessage::Nothing)).map_err(misunderstood)?;
                done.map(Some)
            }
            (JoinPhase::Over, done) => done.map(Some),
            (JoinPhase::Dealing, Ok(outcome)) => Ok(Some(outcome)),
            // The others may be waiting for a message that will never come.
            (JoinPhase::Dealing, Err(error)) => world.abort(fail(&error).into()),
        }
    }

    impl Processes<'_> {
        /// `process 3 on node7`.
        fn name(&self) -> String {
            let ProcessPlace { place, host, .. } = self.member();
            format!("process {place} on {host}")
        }

        /// Prepares the leader's run, and deals its turns.
        fn assist(
            &self,
            request: &RunRequest,
            listings: &Listings,
            observer: &dyn Observer,
        ) -> Result<(), Error> {
            let LeaderMessage::Run(json) = broadcast(self.team, None).map_err(misunderstood)?
            else {
                return Ok(());
            };
            let record: CheckpointRecord = serde_json::from_str(&json).map_err(Error::io)?;
            let mut request = request.clone();
            resume::complete(&mut request, &record);
            let first = self.is_first_of_host();
            let again = || Prepared::again(&record, None, listings, observer);
            let early = first.then(again);
            barrier(self.team)?;
            let prepared = early.unwrap_or_else(again);
            let threads = match request.battery.threads {
                Some(threads) => threads,
                None => self.threads(),
            };
            let workers = Workers::take(threads);
            let checked = match (&prepared, &workers) {
                (Ok(prepared), Ok(_)) => refuse_other(&request, &record, prepared),
                (Err(error), _) | (_, Err(error)) => Err(error.to_string()),
            };
            let problem = checked.err();
            let problem = problem.map(|message| format!("{}: {message}", self.name()));
            let threads = threads.get();
            answer(self.team, Ready { threads, problem })?;
            if !broadcast::<bool>(self.team, None).map_err(misunderstood)? {
                return Ok(());
            }
            let (prepared, workers) = (prepared?, workers?);
            let team = self.team;
            observer.allow_stop()?;
            workers.install(|| deal(team, &request, &record, &prepared, observer))?;
            let checked = prepared.population.check_unchanged().err();
            let problem = checked.map(|error| format!("{}: {error}", self.name()));
            let threads = 0;
            answer(team, Ready { threads, problem })?;
            Ok(())
        }
    }

    /// Rejects a run that differs from the leader's because of this process's options.
    fn refuse_other(
        request: &RunRequest,
        record: &CheckpointRecord,
        prepared: &Prepared,
    ) -> Result<(), String> {
        let words = request.random.words();
        let words = words.map_err(|error| error.to_string())?;
        let identity = request.identity_of(prepared, &words);
        let mine = description(prepared, identity, &request.battery);
        match record.difference(&mine) {
            None => Ok(()),
            Some(difference) => Err(format!(
                "its command is for a different run ({difference}); start all processes with the same command"
            )),
        }
    }

    /// Deals the leader's turns.
    fn deal(
        team: &dyn Team,
        request: &RunRequest,
        record: &CheckpointRecord,
        prepared: &Prepared,
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let words = request.random.words()?;
        let dealer = prepared.dealer()?;
        let population = &prepared.population;
        let plan = request.battery.plan(population, request.battery.depth());
        let seeded = Seeded {
            dealer: &dealer,
            generator: &*words.generator,
        };
        let defective = match request.defect {
            None => None,
            Some(defect) => Some(defective(defect, &words, prepared)?),
        };
        let source: &dyn DealSource = match &defective {
            None => &seeded,
            Some(defective) => defective,
        };
        let source = &WithDraws::new(source, &*words.generator, prepared.script.has_draws());
        let keep_filter = prepared.keep_filter(record.identity.produce);
        let size = (record.identity.deals, record.identity.batch);
        let work = WorkerCalls {
            pause: &|| observer.is_stop_asked(),
            ..WorkerCalls::QUIET
        };
        let served = Running::new(source, &plan, &keep_filter, size).serve(team, &work);
        served.map_err(|error| error.of(population))
    }
}
