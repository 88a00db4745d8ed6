//! Deals from elsewhere: which of what was read is tested, and what the tests say.
//!
//! ```text
//! formats::read -> Intake: replays, sessions, problems -> batches in the order read
//!     -> the survey and battery of a run, with looks at every doubling and at the end
//! ```
//!
//! What is tested is decided by events and numbers of boards alone, never by their cards,
//! but for boards that come again as they were: the same event, the same number and the
//! same cards are one board, played at another table. Equal deals of different boards are
//! both tested, and seen (T8).

mod auditor;
mod intake;
mod place;
mod recorded;
mod replays;
mod sessions;

pub use auditor::{Auditor, BATCH_DEALS, MOST_DEALS, Tested};
pub use intake::{Counts, Intake, Kind, MOST_PROBLEMS, Problem, Repeat};
pub use place::Place;
pub use replays::REMEMBERED;
pub use sessions::{MOST_BOARDS, SessionRow};
