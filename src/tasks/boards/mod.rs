//! Sets of boards: from a condition, or from a mix of types, to a sink that writes them.
//!
//! - `request.rs`: what is asked for. `solving.rs`: what boards are solved for.
//! - `stream.rs`: the deals in their order. `labelling.rs`: numbers, turns and comments.
//! - `source.rs`: boards of files. `conversion.rs`: what is lost when they are written again.
//! - `one.rs`: boards of one population. `mixed.rs`: boards of a mix. `end.rs`: why a search ended.

mod conversion;
mod end;
mod labelling;
mod mixed;
mod one;
mod request;
mod solving;
mod source;
mod stream;

pub use conversion::Conversion;
pub use end::SearchEnd;
pub use labelling::Labelling;
pub use mixed::{MixedSet, PreparedType};
pub use one::DealtSet;
pub use request::{BoardLabels, BoardNumber, BoardRequest, BoardSink, DEFAULT_BOARDS};
pub use solving::BoardSolving;
pub use source::SourceBoard;
pub use stream::{BoardStep, BoardStream};
