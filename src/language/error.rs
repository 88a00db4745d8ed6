//! What is wrong with a condition, and where.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::Span;
use crate::printable::printable;

/// A condition that cannot be understood or used, with the place in its text.
///
/// `Display` is one line; [`ConditionError::render`] shows the place with a
/// caret under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    name: String,
    text: String,
    span: Span,
    message: String,
    label: String,
    help: Option<String>,
}

/// The text being read and its name in messages.
pub(super) struct Source<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

impl Source<'_> {
    pub(super) fn error(
        &self,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> ConditionError {
        ConditionError(Box::new(Details {
            name: self.name.to_owned(),
            text: self.text.to_owned(),
            span,
            message: message.into(),
            label: label.into(),
            help: None,
        }))
    }
}

impl ConditionError {
    pub(super) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Line of the place, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.before().matches('\n').count() + 1
    }

    /// Column of the place in characters, from 1.
    #[must_use]
    pub fn column(&self) -> usize {
        self.before()
            .chars()
            .rev()
            .take_while(|&c| c != '\n')
            .count()
            + 1
    }

    fn before(&self) -> &str {
        self.0.text.get(..self.0.span.start).unwrap_or(&self.0.text)
    }

    /// The message with the line of the text and a caret under the place.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let Details { name, text, .. } = &*self.0;
        let place = AnnotationKind::Primary.span(self.0.span.clone());
        let snippet = Snippet::source(text)
            .path(printable(name))
            .annotation(place.label(self.0.label.as_str()));
        let mut report: Vec<Group<'_>> = vec![
            Level::ERROR
                .primary_title(self.0.message.as_str())
                .element(snippet),
        ];
        if let Some(help) = &self.0.help {
            report.push(Group::with_title(
                Level::HELP.secondary_title(help.as_str()),
            ));
        }
        let renderer = if colour {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.render(&report)
    }
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = (self.line(), self.column());
        write!(
            f,
            "{}, line {line}, column {column}: {}: {}",
            printable(&self.0.name),
            self.0.message,
            self.0.label
        )
    }
}

impl std::error::Error for ConditionError {}

impl From<ConditionError> for crate::error::Error {
    fn from(error: ConditionError) -> Self {
        Self::condition(error)
    }
}
