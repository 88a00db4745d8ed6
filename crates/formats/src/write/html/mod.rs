//! Hands to print: diagrams on A4 sheets, as one page of HTML without scripts.
//!
//! `sheets.rs` lays boards out on sheets, `diagram.rs` makes the values of the templates in
//! `templates/`, and `hands.css` has the style.

mod diagram;
mod sheets;

pub use diagram::{HandShown, capital};
pub use sheets::PageLayout;
pub(super) use sheets::Sheets;
