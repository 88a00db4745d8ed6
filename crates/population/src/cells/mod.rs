//! Cells over suits: an exact representation of conditions on up to four hands, without a listing.
//!
//! A case file lists every case of one or two hands. But a weight is a product over the suits, and
//! a condition uses sums over the suits. A deal can therefore be split into two **halves**, spades
//! with hearts and diamonds with clubs, which depend on each other in only two ways:
//!
//! - Shapes: the lengths of one half must be compatible with those of the other (`shapes.rs`).
//!   Shapes of a half that are compatible with the same shapes of the other half form a *class*.
//! - Honours: each half has a vector of counts (HCP, aces, losers ..), and the condition accepts or
//!   rejects the sum of the two vectors (`terms.rs`). Vectors that are accepted with the same
//!   vectors of the other half form a class too.
//!
//! A **cell** is a compatible combination of a class of shapes and a class of vectors for each
//! half. Its weight is the product of the halves' ways, which are exact sums over shapes and honour
//! placements. T is the sum over the cells. The right halves that are compatible with a left half
//! are its *followers*. A draw makes four choices from lists: a left half, a follower, and for each
//! half a shape with its honours (`choosing.rs`). Spots are dealt as from a case file.
//!
//! A condition may mention three or four hands: then three hands are dealt, and the fourth has the
//! rest. For hands whose patterns the condition does not use, honours are dealt by their number in
//! each hand, and all spots from one pool.
//!
//! ```
//! use fairdeal_population::cells::Cells;
//! use fairdeal_language::Condition;
//!
//! let text = "shape(west, any 4333) && hcp(west) >= 10 && hcp(west) <= 12
//!     && shape(east, any 4441 + any 5440) && hcp(east) >= 11 && hcp(east) <= 15";
//! let cells = Cells::new(&Condition::parse("example", text)?)?;
//! assert_eq!(cells.cases(), 61_700_584);
//! assert_eq!(cells.total(), 1_975_438_668_829_181_472);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agree;
mod alias;
mod budget;
mod by_class;
mod cases;
mod choosing;
mod condition_cells;
mod error;
mod groups;
mod halves;
mod number;
mod placed;
mod predealt;
mod search;
mod shapes;
mod suit;
mod sums;
mod terms;

pub use agree::{Agreement, Disagreement, agree};
pub use alias::{AliasColumn, List, tie};
pub use budget::Budget;
pub(crate) use budget::Meter;
pub use by_class::SumClass;
pub use cases::CellCases;
pub use choosing::{Choosing, ListKind};
pub use condition_cells::{Cells, LeftHalf};
pub use error::CellsError;
pub use groups::{CellGrid, CellGroups};
pub use number::{CellChoice, Numbers};
pub use sums::{CellSums, DealtSuit};
pub use terms::Roles;

use condition_cells::{MOST_JUDGED, MOST_SHAPES};
