//! A team of the processes that an MPI launcher started, on one host or on many.
//!
//! One thread at a time talks, whichever. Whoever waits sleeps between looks, so that processes
//! that deal have the processors.

use std::thread;
use std::time::Duration;

use ::mpi::environment::{Universe, initialize_with_threading};
use ::mpi::request::Request;
use ::mpi::topology::SimpleCommunicator;
use ::mpi::traits::{Communicator, CommunicatorCollectives, Destination, Source};
use ::mpi::{Rank, Tag, Threading};

use super::{Launched, Team};

/// Counts in MPI are integers of 31 bits.
const LONGEST_PIECE: usize = 1 << 30;
/// What so few bytes come to is sent at once: every MPI keeps them until they are received.
/// Who sends more asks first, and so sleeps until the other is there.
const AT_ONCE: usize = 1 << 10;
/// How long a process sleeps between looks: at first, and when it has waited for long.
const PAUSES: (Duration, Duration) = (Duration::from_micros(20), Duration::from_millis(1));

/// How many bytes follow.
const LENGTH: Tag = 1;
/// The other is ready to receive them.
const READY: Tag = 2;
/// The bytes, or a piece of them.
const BYTES: Tag = 3;

/// What a process that panicked ends them all with: Rust's own.
const PANICKED: i32 = 101;

/// All processes that were started together.
///
/// Dropping it ends MPI, once everybody does; who cannot come to that [aborts](World::abort).
pub struct World {
    processes: usize,
    place: usize,
    longest_piece: usize,
    /// Ends MPI when it is dropped.
    _universe: Universe,
}

/// This process is none of a world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// MPI can be begun once.
    #[error("MPI is already initialised in this process")]
    Again,
    /// MPI wants one thread of a process to talk.
    #[error(
        "this MPI does not support MPI_THREAD_SERIALIZED: use one that does, such as Open MPI or \
         MPICH"
    )]
    OneThread,
    /// MPI finds others than the launcher says that it started.
    #[error(
        "the launcher started {started} processes, but MPI has {found}: use the launcher of the MPI that fairdeal was built with"
    )]
    OtherLauncher {
        /// How many the launcher says there are.
        started: usize,
        /// How many MPI finds.
        found: usize,
    },
}

impl World {
    /// Begins MPI, with every process that was started together.
    ///
    /// # Errors
    ///
    /// [`JoinError`] if MPI is not what is needed, or not the launcher's.
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

    /// Sends what is longer than so many bytes in pieces, as MPI takes no more than 2^31 - 1;
    /// everybody has to agree.
    #[must_use]
    pub fn in_pieces_of(mut self, longest: usize) -> Self {
        self.longest_piece = longest.clamp(1, LONGEST_PIECE);
        self
    }

    /// Waits until everybody has come here.
    pub fn barrier(&self) {
        let world = SimpleCommunicator::world();
        let mut request: Request<'_, ()> = world.immediate_barrier();
        let mut patience = Patience::default();
        while let Err(unfinished) = request.test() {
            request = unfinished;
            patience.pause();
        }
    }

    /// Ends all processes, with this exit code.
    pub fn abort(&self, code: i32) -> ! {
        SimpleCommunicator::world().abort(code)
    }

    /// Sleeps until a process has sent something of this kind, and receives it.
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
            // Nobody who speaks the same language sends as much.
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
            // The others would wait for what never comes.
            self.abort(PANICKED);
        }
        // MPI ends when everybody does, and waits for that as fast as it can.
        self.barrier();
    }
}

/// Sleeps, longer each time.
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
