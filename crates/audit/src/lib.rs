//! Deals from elsewhere: selects the boards to test, and tests them.
//!
//! ```text
//! formats::read -> Intake: replays, sessions, problems -> batches in the order read
//!     -> the counts and battery of a run, with looks at every doubling and at the end
//! ```
//!
//! Boards with the same number and cards are one board, played at another table, if their events
//! may be the same: no part known in both files differs. A file without numbers counts its boards.
//! Boards with the number and cards of a board of another event are skipped too, and so are boards
//! on which two records of one event contradict each other (`records`): the user must decide what
//! they are ([`EventRule`]). Other equal deals under other numbers are tested, and count as evidence
//! (T8).

mod auditor;
mod boards;
mod intake;
mod place;
mod recorded;
mod records;
mod replays;
mod sessions;

use fairdeal_base::{count, fixed_hash, printable};
use fairdeal_battery as battery;
use fairdeal_bridge as bridge;
use fairdeal_draw as draw;
use fairdeal_formats as formats;
#[cfg(test)]
use fairdeal_formats::number;
use fairdeal_run as run;
use fairdeal_tally as tally;

pub use auditor::{AuditTests, Auditor, BATCH_DEALS, MOST_DEALS, SavedTests};
pub use boards::{BoardCounts, BoardDifference, BoardPair, NumberedBoard, Problem, UntestedReason};
pub use intake::Intake;
pub use place::BoardPlace;
pub use replays::{EventRule, REMEMBERED};
pub use sessions::{MOST_BOARDS, SessionRow, SessionSize};
