//! The page of validations that are repeated every night.

use askama::Template;

use super::{STYLES, class, rendered};
use crate::PROGRAM;
use crate::battery::Level;

/// The page with all nights, by task.
#[derive(Debug, Template)]
#[template(path = "nights.html", config = "src/page/askama.toml")]
pub struct NightsPage<'n> {
    /// The tasks.
    pub tasks: Vec<TaskSection<'n>>,
}

/// The nights of a task.
#[derive(Debug)]
pub struct TaskSection<'n> {
    /// The name of the task.
    pub name: &'n str,
    /// The level of the last night.
    pub level: Level,
    /// The last night first.
    pub nights: Vec<NightRow<'n>>,
}

/// A night of a task, as text.
#[derive(Debug)]
pub struct NightRow<'n> {
    /// The name of the night's folder.
    pub night: &'n str,
    /// The verdict of the night.
    pub verdict: &'static str,
    /// S of the night.
    pub s: String,
    /// S of all nights up to this one.
    pub combined_s: String,
    /// Number of deals.
    pub deals: String,
    /// Deals per second.
    pub rate: String,
    /// The verdict of the comparison with the night before.
    pub compared: &'n str,
}

impl NightsPage<'_> {
    /// The page as HTML.
    pub fn html(&self) -> String {
        rendered(self)
    }
}

impl TaskSection<'_> {
    fn class(&self) -> &'static str {
        class(self.level)
    }
}
