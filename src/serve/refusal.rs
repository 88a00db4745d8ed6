//! Answers that refuse a request: a status, what is wrong, and what to do.

use askama::Template;
use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Response};

use super::jobs::JobFailure;
use super::pages::layout::Layout;
use crate::error::Error;
use crate::report::page::rendered;

/// Why a request is refused.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    /// What is wrong, and where in a condition.
    failure: JobFailure,
    /// Seconds after which the same request may succeed.
    retry_after: Option<u64>,
}

#[derive(Template)]
#[template(path = "refusal.html", config = "src/serve/askama.toml")]
struct RefusalPage<'r> {
    layout: Layout,
    title: &'static str,
    failure: &'r JobFailure,
    asks_token: bool,
}

impl Refusal {
    /// Refuses with this status and message.
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            failure: JobFailure::from(message.into()),
            retry_after: None,
        }
    }

    /// Refuses a request that is wrong in itself.
    pub(super) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// Refuses a name that does not exist.
    pub(super) fn missing(what: &str) -> Self {
        Self::not_found(format!("{what} not found: it may have been removed"))
    }

    /// Refuses what does not exist, with this message.
    pub(super) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// Refuses what is more than the server can do now.
    pub(super) fn busy(message: &str) -> Self {
        Self {
            retry_after: Some(10),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
        }
    }

    /// Refuses more than a limit.
    pub(super) fn too_large(message: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, message)
    }

    /// Refuses a body that comes too slowly.
    pub(super) fn too_slow() -> Self {
        Self::new(
            StatusCode::REQUEST_TIMEOUT,
            "the request came too slowly: send it again over a faster line, or in smaller files",
        )
    }

    /// The status, the reason, and the seconds after which the same request may succeed.
    pub(super) fn into_parts(self) -> (StatusCode, JobFailure, Option<u64>) {
        (self.status, self.failure, self.retry_after)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let status = match error.is_io() {
            true => StatusCode::INTERNAL_SERVER_ERROR,
            false => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self {
            status,
            failure: JobFailure::from(&error),
            retry_after: None,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        tracing::info!(target: "serve", status = self.status.as_u16(), message = self.failure.message, "refused");
        let title = match self.status {
            StatusCode::UNAUTHORIZED => "Token needed",
            StatusCode::NOT_FOUND => "Not found",
            StatusCode::SERVICE_UNAVAILABLE => "Busy",
            StatusCode::PAYLOAD_TOO_LARGE => "Too large",
            StatusCode::REQUEST_TIMEOUT => "Too slow",
            StatusCode::UNPROCESSABLE_ENTITY => "Not possible",
            StatusCode::INTERNAL_SERVER_ERROR => "Failed",
            _ => "Refused",
        };
        let page = RefusalPage {
            layout: Layout::new(""),
            title,
            failure: &self.failure,
            asks_token: self.status == StatusCode::UNAUTHORIZED,
        };
        let mut response = (self.status, Html(rendered(&page))).into_response();
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::REQUEST_TIMEOUT {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}
