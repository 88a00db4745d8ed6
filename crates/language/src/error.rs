//! Errors and warnings about a condition, with their place in its text.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::Span;
use crate::printable::printable;
use fairdeal_base::error::{Remedy, RemedyWords};

/// The beginning of the message about a name that is not defined.
pub(super) const UNKNOWN_NAME: &str = "unknown name";

/// A condition that cannot be read or used, with the place in its text.
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
    /// Shown under the place; may be empty.
    label: String,
    /// Another place that the message names, and its label.
    related: Option<(Span, String)>,
    help: Option<Help>,
}

/// What to do about an error in a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Help {
    /// Another text of the condition.
    Text(String),
    /// A control of the surface.
    Remedy(Remedy),
}

impl Help {
    fn words(&self, words: RemedyWords) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.clone()),
            Self::Remedy(remedy) => words(remedy),
        }
    }
}

/// A condition that may not mean what it says, with the place in its text.
///
/// `Display` is one line; [`ConditionWarning::render`] shows the place with a caret under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionWarning {
    error: ConditionError,
    is_loss: bool,
}

/// The text of a condition, and its name in messages.
pub(super) struct SourceText<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

impl SourceText<'_> {
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
            related: None,
            help: None,
        }))
    }

    /// Line and column of a place, in characters from 1.
    pub(super) fn line_and_column(&self, place: usize) -> (usize, usize) {
        line_and_column(self.text, place)
    }
}

fn line_and_column(text: &str, place: usize) -> (usize, usize) {
    let before = text.get(..place).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    (line, column)
}

impl ConditionWarning {
    /// A warning about a part of the condition that has an effect.
    pub(super) fn new(error: ConditionError) -> Self {
        Self {
            error,
            is_loss: false,
        }
    }

    /// A warning about a statement that has no effect, because a later one replaces it.
    pub(super) fn of_loss(error: ConditionError) -> Self {
        Self {
            error,
            is_loss: true,
        }
    }

    /// Whether a statement has no effect because a later one replaces it.
    pub fn is_loss(&self) -> bool {
        self.is_loss
    }

    /// The start of the place, in bytes.
    pub(super) fn start(&self) -> usize {
        self.error.start()
    }

    /// The same warning about another place.
    pub(super) fn map(self, change: impl FnOnce(ConditionError) -> ConditionError) -> Self {
        Self {
            error: change(self.error),
            ..self
        }
    }

    /// Line of the place, from 1.
    pub fn line(&self) -> usize {
        self.error.line()
    }

    /// Column of the place in characters, from 1.
    pub fn column(&self) -> usize {
        self.error.column()
    }

    /// The message with the line of the text and a caret under the place.
    pub fn render(&self, colour: bool) -> String {
        self.told(colour, |_| None)
    }

    /// The same with its remedy in the words of a surface.
    pub fn told(&self, colour: bool, words: RemedyWords) -> String {
        self.error.render_as(&Level::WARNING, colour, words)
    }

    /// The same message as an error.
    pub fn into_error(self) -> ConditionError {
        self.error
    }
}

impl fmt::Display for ConditionWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl ConditionError {
    pub(super) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(Help::Text(help.into()));
        self
    }

    pub(super) fn with_remedy(mut self, remedy: Remedy) -> Self {
        self.0.help = Some(Help::Remedy(remedy));
        self
    }

    /// The same error, which also shows another place.
    pub(super) fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.0.related = Some((span, label.into()));
        self
    }

    /// The same error in a file, which has this piece of the text at `at`.
    pub(super) fn moved(mut self, (name, text): (&str, &str), piece: Span, at: usize) -> Self {
        let local =
            |place: usize| (place.clamp(piece.start, piece.end) - piece.start + at).min(text.len());
        let moved = |span: &Span| local(span.start)..local(span.end);
        let details = &mut *self.0;
        details.span = moved(&details.span);
        // A place in another file cannot be shown.
        let related = details.related.take();
        let related = related.filter(|(span, _)| piece.contains(&span.start));
        details.related = related.map(|(span, label)| (moved(&span), label));
        (details.name, details.text) = (name.to_owned(), text.to_owned());
        self
    }

    /// Whether the error is about a name that is not defined.
    pub(super) fn is_unknown_name(&self) -> bool {
        self.0.message.starts_with(UNKNOWN_NAME)
    }

    /// The start of the place, in bytes.
    pub(super) fn start(&self) -> usize {
        self.0.span.start
    }

    /// Line of the place, from 1.
    pub fn line(&self) -> usize {
        line_and_column(&self.0.text, self.start()).0
    }

    /// Column of the place in characters, from 1.
    pub fn column(&self) -> usize {
        line_and_column(&self.0.text, self.start()).1
    }

    /// The message with the line of the text and a caret under the place.
    pub fn render(&self, colour: bool) -> String {
        self.told(colour, |_| None)
    }

    /// The same with its remedy in the words of a surface.
    pub fn told(&self, colour: bool, words: RemedyWords) -> String {
        self.render_as(&Level::ERROR, colour, words)
    }

    fn render_as(&self, level: &Level<'_>, colour: bool, words: RemedyWords) -> String {
        let Details { name, text, .. } = &*self.0;
        let place = AnnotationKind::Primary.span(self.0.span.clone());
        let place = match self.0.label.as_str() {
            "" => place,
            label => place.label(label),
        };
        let related = self.0.related.iter();
        let related = related.map(|(span, label)| {
            let place = AnnotationKind::Context.span(span.clone());
            place.label(label.as_str())
        });
        let snippet = Snippet::source(text)
            .path(printable(name))
            .annotation(place)
            .annotations(related);
        let title = level.clone().primary_title(self.0.message.as_str());
        let mut report: Vec<Group<'_>> = vec![title.element(snippet)];
        let help = self.0.help.as_ref().and_then(|help| help.words(words));
        if let Some(help) = &help {
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
        let Details {
            name,
            message,
            label,
            ..
        } = &*self.0;
        let (line, column) = (self.line(), self.column());
        let name = printable(name);
        write!(f, "{name}, line {line}, column {column}: {message}")?;
        match label.as_str() {
            "" => Ok(()),
            label => write!(f, ": {label}"),
        }
    }
}

impl std::error::Error for ConditionError {}

impl From<ConditionError> for fairdeal_base::error::Error {
    fn from(error: ConditionError) -> Self {
        Self::condition(error)
    }
}
