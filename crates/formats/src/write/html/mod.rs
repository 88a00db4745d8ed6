//! Hands to print: diagrams and answers on sheets of paper, as one page of HTML without scripts.
//!
//! `sheets.rs` lays boards out on sheets, `diagram.rs` makes the values of the templates in
//! `templates/`, and `hands.css` has the style.

mod diagram;
mod sheets;

pub use diagram::{HandShown, capital};
pub(super) use sheets::Sheets;
pub use sheets::{PageLayout, Paper};
