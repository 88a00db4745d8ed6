//! The pages of `fairdeal serve`, compiled to WebAssembly: a worker of the browser asks them instead
//! of a server.
//!
//! The module is a *reactor* of WASI: the worker gives it files in memory, a clock and random bytes
//! (`site/wasi.js`). For each request, the worker puts a head (a line of JSON) and a body on standard
//! input and calls [`answer`], which writes the head and the body of the answer to standard output.
//!
//! A job is done within its request. Meanwhile, its status is written to standard output from time to
//! time; what is read next from standard input is nothing, or a byte if the job should stop.

use std::error::Error;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{HeaderMap, Request};
use fairdeal::population::Listings;
use fairdeal::serve::{JobsAtOnce, Limits, PagesRequest, router};
use fairdeal::threads::Threads;
use serde::{Deserialize, Serialize};
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt as _;

/// The only folder.
const ROOT: &str = "/";

/// Results that are kept: they are in the browser's memory.
const KEPT_JOBS: usize = 50;

/// The head of a request.
#[derive(Deserialize)]
struct RequestHead {
    method: String,
    /// The path and the query.
    path: String,
    #[serde(rename = "type")]
    media_type: Option<String>,
}

/// The head of an answer.
#[derive(Serialize)]
struct AnswerHead {
    status: u16,
    headers: Vec<(String, String)>,
}

/// The pages, and what waits for their handlers.
struct BrowserPages {
    router: Router,
    runtime: Runtime,
}

thread_local! {
    static PAGES: Result<BrowserPages, String> = BrowserPages::new().map_err(|error| error.to_string());
}

impl BrowserPages {
    fn new() -> Result<Self, Box<dyn Error>> {
        // WASI names no folder for temporary files. Nothing has asked for it before.
        let _ = tempfile::env::override_temp_dir(Path::new(ROOT));
        let request = PagesRequest {
            folder: PathBuf::from(ROOT).join("reports"),
            jobs: JobsAtOnce::LEAST,
            threads: Threads::ONE,
            limits: Limits {
                kept_jobs: KEPT_JOBS,
                ..Limits::default()
            },
            watch: Some(goes_on),
        };
        Ok(Self {
            router: router(&request, Listings::in_memory())?,
            runtime: Builder::new_current_thread().enable_time().build()?,
        })
    }

    /// Answers the request on standard input.
    fn answer(&self) -> Result<(), Box<dyn Error>> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let body = bytes.split_off(end.ok_or("the request has no head")? + 1);
        let head: RequestHead = serde_json::from_slice(&bytes)?;
        let mut request = Request::builder()
            .method(&*head.method)
            .uri(head.path)
            .header(HOST, "localhost");
        if let Some(media_type) = head.media_type {
            request = request.header(CONTENT_TYPE, media_type);
        }
        let request = request.body(Body::from(body))?;
        let (head, body) = self.runtime.block_on(async {
            let (head, body) = self.router.clone().oneshot(request).await?.into_parts();
            Ok::<_, Box<dyn Error>>((head, to_bytes(body, usize::MAX).await?))
        })?;
        write(head.status.as_u16(), &head.headers, &body)
    }
}

/// Shows the worker the status of a job, and returns whether the job should go on.
fn goes_on(status: &str) -> bool {
    let mut out = io::stdout().lock();
    let shown = out.write_all(status.as_bytes()).and_then(|()| out.flush());
    shown.is_ok() && matches!(io::stdin().lock().read(&mut [0]), Ok(0))
}

/// Writes an answer to standard output.
fn write(status: u16, headers: &HeaderMap, body: &[u8]) -> Result<(), Box<dyn Error>> {
    let headers = headers.iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes());
        (name.as_str().to_owned(), value.into_owned())
    });
    let headers = headers.collect();
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &AnswerHead { status, headers })?;
    out.write_all(b"\n")?;
    out.write_all(body)?;
    Ok(out.flush()?)
}

/// Reads a request from standard input and writes its answer to standard output.
#[allow(
    unsafe_code,
    reason = "a name for the worker, which no other function has"
)]
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    let answered = PAGES.with(|pages| match pages {
        Ok(pages) => pages.answer().map_err(|error| error.to_string()),
        Err(error) => Err(error.clone()),
    });
    if let Err(error) = answered {
        // Without standard output, nobody can be told.
        let _ = write(500, &HeaderMap::new(), error.as_bytes());
    }
}
