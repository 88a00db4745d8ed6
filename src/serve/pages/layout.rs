//! The frame of all pages.

use axum::response::Html;

use askama::Template;

use crate::report::PROGRAM;
use crate::report::page::rendered;
use crate::serve::host::IS_SERVER;

/// The values of the frame: the menu and the footer.
#[derive(Clone, Debug)]
pub(in crate::serve) struct Layout {
    pub(in crate::serve) program: &'static str,
    /// Whether there is a server, with runs.
    pub(in crate::serve) is_server: bool,
    /// The entries of the menu: address, title, and whether this is the page.
    pub(in crate::serve) menu: Vec<(&'static str, &'static str, bool)>,
}

impl Layout {
    /// The frame of the page with this name in the menu.
    pub(in crate::serve) fn new(here: &str) -> Self {
        let pages = [
            ("audit", "Audit"),
            ("tournament", "Tournament"),
            ("deal", "Deal"),
            ("convert", "Convert"),
            ("theory", "Theory"),
            ("leads", "Leads"),
            ("runs", "Runs"),
        ];
        let pages = pages
            .iter()
            .filter(|(page, _)| IS_SERVER || *page != "runs");
        Self {
            program: PROGRAM,
            is_server: IS_SERVER,
            menu: pages
                .map(|(page, title)| (*page, *title, *page == here))
                .collect(),
        }
    }
}

/// Renders a page.
pub(super) fn html(page: &impl Template) -> Html<String> {
    Html(rendered(page))
}
