//! The processes that an MPI launcher started, on one or more hosts.
//!
//! Only one thread at a time communicates, not always the same. A waiting process sleeps between
//! polls, so that processors stay free for processes that deal.

use std::thread;
use std::time::Duration;

use ::mpi::environment::{Universe, initialize_with_threading};
use ::mpi::request::Request;
use ::mpi::topology::SimpleCommunicator;
use ::mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use ::mpi::{Rank, Tag, Threading};

use super::{Launched, Team};

/// Maximum message size in bytes: MPI counts are 31-bit integers.
const LONGEST_PIECE: usize = 1 << 30;
/// Maximum size, in bytes, of a message that is sent without asking. Every MPI buffers messages of
/// this size until they are received. The sender of a larger message waits, asleep, until the
/// receiver is ready.
const AT_ONCE: usize = 1 << 10;
/// Shortest and longest pause between polls.
const PAUSES: (Duration, Duration) = (Duration::from_micros(20), Duration::from_millis(1));

/// Tag of the length of a message in bytes.
const LENGTH: Tag = 1;
/// Tag of the receiver's answer that it is ready.
const READY: Tag = 2;
/// Tag of the bytes, or a piece of them.
const BYTES: Tag = 3;

/// Exit code after a panic, as in Rust.
const PANICKED: i32 = 101;

/// All processes that were started together.
///
/// Dropping this ends MPI when all processes do so. A process that cannot reach that point
/// [aborts](World::abort).
pub struct World {
    processes: usize,
    place: usize,
    longest_piece: usize,
    /// Ends MPI when it is dropped.
    _universe: Universe,
}

/// Why this process cannot join the others.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// MPI can be initialised only once.
    #[error("MPI is already initialised in this process")]
    Again,
    /// The MPI library does not let different threads communicate.
    #[error(
        "this MPI does not support MPI_THREAD_SERIALIZED: use one that does, such as Open MPI or \
         MPICH"
    )]
    OneThread,
    /// MPI's number of processes differs from the launcher's.
    #[error(
        "the launcher started {started} processes, but MPI has {found}: use the launcher of the MPI that fairdeal was built with"
    )]
    OtherLauncher {
        /// The launcher's number of processes.
        started: usize,
        /// MPI's number of processes.
        found: usize,
    },
}

impl World {
    /// Initialises MPI together with all processes that were started together.
    ///
    /// # Errors
    ///
    /// [`JoinError`] if the MPI library is unsuitable, or not the launcher's.
    pub fn join() -> Result<Self, JoinError> {
        let (universe, threading) =
            initialize_with_threading(Threading::Serialized).ok_or(JoinError::Again)?;
        if threading < Threading::Serialized {
            return Err(JoinError::OneThread);
        }
        let world = universe.world();
        let found = world.size() as usize;
        if let Some(Launched { processes, .. }) = Launched::here()
            && processes != found
        {
            return Err(JoinError::OtherLauncher {
                started: processes,
                found,
            });
        }
        Ok(Self {
            processes: found,
            place: world.rank() as usize,
            longest_piece: LONGEST_PIECE,
            _universe: universe,
        })
    }

    /// Splits messages longer than this into pieces, because MPI messages have at most 2^31 - 1
    /// bytes. All processes must use the same value.
    #[must_use]
    pub fn in_pieces_of(mut self, longest: usize) -> Self {
        self.longest_piece = longest.clamp(1, LONGEST_PIECE);
        self
    }

    /// Waits until all processes have called this.
    pub fn barrier(&self) {
        let world = SimpleCommunicator::world();
        let mut request: Request<'_, ()> = world.immediate_barrier();
        let mut patience = Patience::default();
        while let Err(unfinished) = request.test() {
            request = unfinished;
            patience.pause();
        }
    }

    /// Ends all processes with this exit code.
    pub fn abort(&self, code: i32) -> ! {
        SimpleCommunicator::world().abort(code)
    }

    /// Polls until a message with this tag arrives from a process, and receives it.
    fn wait_for(&self, from: usize, tag: Tag, buffer: &mut [u8]) {
        let world = SimpleCommunicator::world();
        let process = world.process_at_rank(from as Rank);
        let mut patience = Patience::default();
        loop {
            if let Some((message, _)) = process.immediate_matched_probe_with_tag(tag) {
                message.matched_receive_into(buffer);
                return;
            }
            patience.pause();
        }
    }
}

impl Team for World {
    fn processes(&self) -> usize {
        self.processes
    }

    fn place(&self) -> usize {
        self.place
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        let world = SimpleCommunicator::world();
        let process = world.process_at_rank(to as Rank);
        process.send_with_tag(&(bytes.len() as u64).to_le_bytes()[..], LENGTH);
        if bytes.len() > AT_ONCE {
            self.wait_for(to, READY, &mut []);
        }
        for piece in bytes.chunks(self.longest_piece) {
            process.send_with_tag(piece, BYTES);
        }
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        let mut length = [0; 8];
        self.wait_for(from, LENGTH, &mut length);
        let length = u64::from_le_bytes(length) as usize;
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(length).is_err() {
            // No process of the same version sends this much.
            return bytes;
        }
        bytes.resize(length, 0);
        let world = SimpleCommunicator::world();
        let process = world.process_at_rank(from as Rank);
        if length > AT_ONCE {
            process.send_with_tag::<[u8]>(&[], READY);
        }
        for piece in bytes.chunks_mut(self.longest_piece) {
            process.receive_into_with_tag(piece, BYTES);
        }
        bytes
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if thread::panicking() {
            // The others would wait for ever.
            self.abort(PANICKED);
        }
        // Finalising MPI waits for all processes and uses a processor meanwhile.
        self.barrier();
    }
}

/// Sleeps, each time for longer.
struct Patience(Duration);

impl Default for Patience {
    fn default() -> Self {
        Self(PAUSES.0)
    }
}

impl Patience {
    fn pause(&mut self) {
        thread::sleep(self.0);
        self.0 = (2 * self.0).min(PAUSES.1);
    }
}
