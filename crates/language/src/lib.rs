//! Conditions in dealer's language, from text to a typed tree to a listing plan.
//!
//! ```text
//! text --token--> tokens --detect--> dialect
//!                 tokens --parse--> syntax --check--> tree --plan--> listed hands
//! ```
//!
//! A condition selects deals; a script also has actions on them.
//! [`Script::parse`] reads a script. Errors are a [`ConditionError`] and warnings a
//! [`ConditionWarning`], both with their place. [`Plan::new`] decides which one or
//! two hands are listed, and by which properties (suit lengths, honours or both).
//!
//! The language is that of `dealer` by Hans van Staveren and Henk Uijterwaal, and of its successors
//! ([`Dialect`]). Its function `tricks` is supported for deals with tables of double-dummy tricks
//! ([`ScriptOptions`]). Words that need a solver or another program are not supported.

mod asked_tricks;
mod bounds;
mod check;
mod condition;
mod detect;
mod dialect;
mod distribution;
mod draws;
mod error;
mod evaluated_contract;
mod hand_types;
mod implied;
mod include;
mod kaplan_rubens;
mod levelled;
mod lint;
mod measure;
mod mix;
mod names;
mod notation;
mod operators;
mod par;
mod parameters;
mod parse;
mod plan;
mod predeal;
mod print;
mod properties;
mod read;
mod scenarios;
mod score;
mod script;
mod term;
mod token;
mod tree;
mod wrapper;

use fairdeal_base::printable;
use fairdeal_bridge as bridge;

pub use asked_tricks::AskedTricks;
pub use bounds::ValueBounds;
pub use condition::{Condition, MAX_CONDITION_BYTES, Span};
pub use dialect::Dialect;
pub use draws::{DealContext, Draws};
pub use error::{ConditionError, ConditionWarning};
pub use include::IncludeReader;
pub use levelled::{ROLLS, problems_at_bridge_base};
pub use measure::{HandCase, Measurable, Measure, PatternSet, PointCount, RankValues};
pub use mix::{Mix, MixType, RoundedShares};
pub use operators::{BinaryOperator, UnaryOperator};
pub use par::{Par, ParContract, par};
pub use parameters::has_parameter;
pub use plan::{ListedHand, Plan, PlanError};
pub use predeal::Predeal;
pub use properties::{FixedProperties, HandProperty, needed_properties};
pub use read::ScriptOptions;
pub use scenarios::{SCENARIOS, Scenario};
pub use score::{Contract, imps, score};
pub use script::{Action, Axis, OutputPiece, ReportItem, Script};
pub use term::Term;
pub use tree::{EvaluationError, Expression, Node, NodeId, Tree};
