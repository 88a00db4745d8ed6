//! A run that several processes deal: how they meet, and what each gets ready.
//!
//! All are started with the same command. The one at their head gets its report's folder and
//! its case file ready, and tells the others what is run; they get the same ready, the first on
//! each host before the others there, so that a condition is listed once a host.

#![cfg_attr(
    not(feature = "mpi"),
    allow(dead_code, reason = "without MPI nobody meets")
)]

use std::cell::Cell;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::report::CheckpointRecord;
use crate::run::{DEALS_OF_A_TURN, Misunderstood, OtherProcesses, Team, gather, tell};

/// One of the processes.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Member {
    place: usize,
    /// The name of its host.
    host: String,
    /// Which processors it may use.
    processors: Vec<u16>,
}

/// What the leader says once it is ready.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Start {
    /// That nothing is dealt, for whatever reason.
    Nothing,
    /// What is: a [`CheckpointRecord`], as JSON.
    Run(String),
}

/// What a process says once it is.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Ready {
    threads: usize,
    /// Why it is not, and who.
    problem: Option<String>,
}

/// How far the leader has come with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// They wait to be told what is run.
    Waiting,
    /// They deal, and wait for the next turn.
    Dealing,
    /// They are gone.
    Over,
}

/// The processes that deal a run, as the one at their head has them.
pub(super) struct Processes<'t> {
    pub(super) team: &'t dyn Team,
    members: Vec<Member>,
    phase: Cell<Phase>,
}

impl<'t> Processes<'t> {
    /// Lets all processes know of each other.
    pub(super) fn of(team: &'t dyn Team) -> Result<Self, Error> {
        let mine = Member {
            place: team.place(),
            host: gethostname::gethostname().to_string_lossy().into_owned(),
            processors: processors(),
        };
        let add = |mine: &mut Vec<Member>, theirs: Vec<Member>| mine.extend(theirs);
        let all = gather(team, vec![mine], add, |_| ()).map_err(misunderstood)?;
        let mut members = tell(team, all).map_err(misunderstood)?;
        members.sort_by_key(|member| member.place);
        if members.len() != team.processes() {
            return Err(misunderstood(Misunderstood { from: 0 }));
        }
        Ok(Self {
            team,
            members,
            phase: Cell::new(Phase::Waiting),
        })
    }

    /// Steps in which what was counted comes to the leader: turns are as many times as long, so
    /// that gathering stays a small share of them.
    fn depth(&self) -> u64 {
        let processes = self.members.len().next_power_of_two();
        u64::from(processes.trailing_zeros()).max(1)
    }

    fn member(&self) -> &Member {
        &self.members[self.team.place()]
    }

    /// Threads of this process, unless so many are asked for: those of its host's processors
    /// that it shares with no other.
    pub(super) fn threads(&self) -> usize {
        let mine = self.member();
        let shares =
            |member: &&Member| member.host == mine.host && member.processors == mine.processors;
        let sharing = self.members.iter().filter(shares).count();
        (mine.processors.len() / sharing.max(1)).max(1)
    }

    /// Whether this process is the first of its host, and the leader is elsewhere.
    fn is_first_of_host(&self) -> bool {
        let host = &self.member().host;
        let first = self.members.iter().find(|member| member.host == *host);
        first.is_some_and(|first| first.place == self.team.place())
    }

    /// The leader is ready: the others get ready too. Gives the others, once all are, and how many
    /// threads they have together.
    pub(super) fn start(
        &self,
        record: &CheckpointRecord,
        threads: usize,
    ) -> Result<(OtherProcesses<'t>, usize), Error> {
        let json = serde_json::to_string(record).map_err(Error::io)?;
        tell(self.team, Some(Start::Run(json))).map_err(misunderstood)?;
        barrier(self.team)?;
        let problem = None;
        let ready = answer(self.team, Ready { threads, problem })?;
        let ready = ready.unwrap_or(Ready {
            threads,
            problem: None,
        });
        let goes = ready.problem.is_none();
        tell(self.team, Some(goes)).map_err(misunderstood)?;
        self.phase
            .set(if goes { Phase::Dealing } else { Phase::Over });
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

    /// The others have been told that nothing is left to deal, and go; whether all of them
    /// dealt from what they had at the beginning.
    pub(super) fn end(&self) -> Result<(), Error> {
        let mine = Ready {
            threads: 0,
            problem: None,
        };
        let all = answer(self.team, mine)?;
        self.phase.set(Phase::Over);
        match all.and_then(|all| all.problem) {
            Some(problem) => Err(Error::input(problem)),
            None => Ok(()),
        }
    }
}

/// Everybody comes here before anybody goes on.
fn barrier(team: &dyn Team) -> Result<(), Error> {
    gather(team, (), |(), ()| (), |_| ()).map_err(misunderstood)?;
    let here = (team.place() == 0).then_some(());
    tell(team, here).map_err(misunderstood)
}

/// Says whether this process is ready; the leader hears of all.
fn answer(team: &dyn Team, mine: Ready) -> Result<Option<Ready>, Error> {
    let merge = |mine: &mut Ready, theirs: Ready| {
        mine.threads += theirs.threads;
        if mine.problem.is_none() {
            mine.problem = theirs.problem;
        }
    };
    gather(team, mine, merge, |_| ()).map_err(misunderstood)
}

fn misunderstood(error: Misunderstood) -> Error {
    Error::usage(error.to_string())
}

/// The processors that this process may use.
fn processors() -> Vec<u16> {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(target_os = "linux")]
    if let Ok(allowed) = rustix::thread::sched_getaffinity(None) {
        let most = rustix::thread::CpuSet::MAX_CPU;
        let which = (0..most).filter(|processor| allowed.is_set(*processor));
        let mut which: Vec<u16> = which.filter_map(|which| which.try_into().ok()).collect();
        // A container may be allowed less time than its processors have.
        which.truncate(all);
        if !which.is_empty() {
            return which;
        }
    }
    (0..u16::try_from(all).unwrap_or(u16::MAX)).collect()
}

#[cfg(feature = "mpi")]
pub(super) mod mpi {
    //! Processes that MPI has started.

    use super::super::super::battery::pool;
    use super::super::super::prepare::{Input, Prepared};
    use super::super::super::random::defective;
    use super::super::report::description;
    use super::super::{RunOutcome, RunRequest, dealing, resume};
    use super::*;
    use crate::draw::{Seeded, Source, WithDraws};
    use crate::observer::Observer;
    use crate::population::Listings;
    use crate::run::{Running, Work, World};

    /// Runs with all processes that MPI has started together; `None` for those that the first one
    /// leads. `lead` gives the first process its request and input, `assist` has what the others are
    /// asked for beside what the first one tells them. An error for which all processes have to end is
    /// given to `fail`, which says with which exit code.
    ///
    /// # Errors
    ///
    /// As a run by itself.
    pub fn run_together(
        lead: impl FnOnce() -> Result<(RunRequest, Input), Error>,
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
            (Phase::Waiting, done) => {
                tell(&world, Some(Start::Nothing)).map_err(misunderstood)?;
                done.map(Some)
            }
            (Phase::Over, done) => done.map(Some),
            (Phase::Dealing, Ok(outcome)) => Ok(Some(outcome)),
            // They may be waiting for what this one will not say any more.
            (Phase::Dealing, Err(error)) => world.abort(fail(&error).into()),
        }
    }

    impl Processes<'_> {
        /// `process 3 on node7`.
        fn name(&self) -> String {
            let Member { place, host, .. } = self.member();
            format!("process {place} on {host}")
        }

        /// Gets ready what the leader runs, and deals what it says.
        fn assist(
            &self,
            request: &RunRequest,
            listings: &Listings,
            observer: &dyn Observer,
        ) -> Result<(), Error> {
            let Start::Run(json) = tell(self.team, None).map_err(misunderstood)? else {
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
            let pool = pool(threads);
            let checked = match (&prepared, &pool) {
                (Ok(prepared), Ok(_)) => refuse_other(&request, &record, prepared),
                (Err(error), _) | (_, Err(error)) => Err(error.to_string()),
            };
            let problem = checked.err();
            let problem = problem.map(|message| format!("{}: {message}", self.name()));
            answer(self.team, Ready { threads, problem })?;
            if !tell::<bool>(self.team, None).map_err(misunderstood)? {
                return Ok(());
            }
            let (prepared, pool) = (prepared?, pool?);
            let team = self.team;
            observer.allow_stop()?;
            pool.install(|| deal(team, &request, &record, &prepared, observer))?;
            let checked = prepared.population.check_records().err();
            let problem = checked.map(|error| format!("{}: {error}", self.name()));
            let threads = 0;
            answer(team, Ready { threads, problem })?;
            Ok(())
        }
    }

    /// Refuses to deal another run than the leader's, for whatever options this process has.
    fn refuse_other(
        request: &RunRequest,
        record: &CheckpointRecord,
        prepared: &Prepared,
    ) -> Result<(), String> {
        let words = request.random.words();
        let words = words.map_err(|error| error.to_string())?;
        let population = prepared.population.identity();
        let identity = request.identity(&prepared.script, population, &words);
        let mine = description(prepared, identity, &request.battery, String::new());
        match record.difference(&mine) {
            None => Ok(()),
            Some(difference) => Err(format!(
                "its command is for a different run ({difference}); start all processes with the same command"
            )),
        }
    }

    /// Deals what the leader says.
    fn deal(
        team: &dyn Team,
        request: &RunRequest,
        record: &CheckpointRecord,
        prepared: &Prepared,
        observer: &dyn Observer,
    ) -> Result<(), Error> {
        let words = request.random.words()?;
        let dealer = prepared.dealer(record.identity.deals)?;
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
        let source: &dyn Source = match &defective {
            None => &seeded,
            Some(defective) => defective,
        };
        let source = &WithDraws::new(source, &*words.generator, prepared.script.has_draws());
        let sieve = prepared.sieve(record.identity.produce);
        let size = (record.identity.deals, record.identity.batch);
        let work = Work {
            pause: &|| observer.is_stop_asked(),
            ..Work::QUIET
        };
        let served = Running::new(source, &plan, &sieve, size).serve(team, &work);
        served.map_err(|error| error.of(population))
    }
}
