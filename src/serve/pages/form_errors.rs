//! What is wrong with a form, beside its fields. The form is shown again as it was filled in.

use askama::Template;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};

use super::layout::html;
use crate::report::page::rendered;
use crate::serve::jobs::JobFailure;
use crate::serve::refusal::Refusal;

/// The name for the form as a whole, which is no field.
const FORM: &str = "form";

/// The faults of a form. A page has those of its form, or none.
#[derive(Debug, Default)]
pub(super) struct FormErrors {
    wrong: Vec<(&'static str, JobFailure)>,
    /// The refusal of a form that is right.
    refusal: Option<(StatusCode, Option<u64>)>,
}

/// A message beside its field; hidden while there is none.
#[derive(Template)]
#[template(path = "field_error.html", config = "src/serve/askama.toml")]
struct FieldError<'e> {
    id: String,
    failure: Option<&'e JobFailure>,
}

impl FormErrors {
    /// Adds what is wrong with a field.
    pub(super) fn add(&mut self, field: &'static str, failure: impl Into<JobFailure>) {
        self.wrong.push((field, failure.into()));
    }

    /// The value of a field, or none and what is wrong with it.
    pub(super) fn value<T>(
        &mut self,
        field: &'static str,
        read: Result<T, impl Into<JobFailure>>,
    ) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(failure) => {
                self.add(field, failure);
                None
            }
        }
    }

    /// Whether nothing is wrong.
    pub(super) fn is_empty(&self) -> bool {
        self.wrong.is_empty()
    }

    /// Whether something is wrong with one of these fields.
    pub(super) fn has(&self, fields: &[&str]) -> bool {
        self.wrong.iter().any(|(of, _)| fields.contains(of))
    }

    /// The attributes of a field: its hints, by their ids, and its message. The first wrong field
    /// has the focus.
    pub(super) fn attributes(&self, field: &str, hints: &str) -> String {
        let ids = format!("{hints} {field}-error");
        let described = format!("aria-describedby=\"{}\"", ids.trim_start());
        let is_first = self.wrong.first().is_some_and(|(of, _)| *of == field);
        match (self.has(&[field]), is_first) {
            (false, _) => described,
            (true, false) => format!("{described} aria-invalid=\"true\""),
            (true, true) => format!("{described} aria-invalid=\"true\" autofocus"),
        }
    }

    /// The message beside a field, as HTML.
    pub(super) fn beside(&self, field: &str) -> String {
        let failure = self.wrong.iter().find(|(of, _)| *of == field);
        rendered(&FieldError {
            id: format!("{field}-error"),
            failure: failure.map(|(_, failure)| failure),
        })
    }

    /// The message for the form as a whole, as HTML.
    pub(super) fn above(&self) -> String {
        self.beside(FORM)
    }

    /// The page of the form.
    pub(super) fn answer(&self, page: &impl Template) -> Response {
        let (status, retry_after) = match self.refusal {
            Some(refusal) => refusal,
            None if self.is_empty() => (StatusCode::OK, None),
            None => (StatusCode::UNPROCESSABLE_ENTITY, None),
        };
        let mut response = (status, html(page)).into_response();
        if let Some(seconds) = retry_after {
            let headers = response.headers_mut();
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<Refusal> for FormErrors {
    fn from(refusal: Refusal) -> Self {
        let (status, failure, retry_after) = refusal.into_parts();
        Self {
            wrong: vec![(FORM, failure)],
            refusal: Some((status, retry_after)),
        }
    }
}
