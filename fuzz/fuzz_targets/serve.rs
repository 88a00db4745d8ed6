//! Any bytes as a request to the web application: always a status, and no file elsewhere.
#![no_main]

use std::cell::OnceCell;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use fairdeal::population::Listings;
use fairdeal::serve::{PagesRequest, router};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

#[path = "../../tests/serve/fuzz_request.rs"]
mod fuzz_request;
use fuzz_request::FuzzRequest;

/// The routes of a server in a folder of its own.
struct Served {
    folder: tempfile::TempDir,
    router: Router,
    runtime: Runtime,
}

thread_local! {
    static SERVED: OnceCell<Served> = const { OnceCell::new() };
}

fn served() -> Served {
    let folder = tempfile::tempdir().expect("a folder");
    let request = PagesRequest {
        folder: folder.path().join("reports"),
        jobs: fairdeal::serve::JobsAtOnce::LEAST,
        threads: fairdeal::threads::Threads::ONE,
        limits: FuzzRequest::limits(),
    };
    let router = router(&request, Listings::in_memory()).expect("routes");
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().expect("a runtime");
    Served {
        folder,
        router,
        runtime,
    }
}

fuzz_target!(|data: &[u8]| {
    SERVED.with(|cell| {
        let served = cell.get_or_init(served);
        let random = FuzzRequest::of(data);
        let mut request = Request::builder()
            .method(random.method.as_bytes())
            .uri(&random.path);
        for (name, value) in &random.headers {
            request = request.header(*name, value.as_slice());
        }
        let Ok(request) = request.body(Body::from(random.body)) else {
            return;
        };
        let answer = served
            .runtime
            .block_on(served.router.clone().oneshot(request));
        let status = answer.expect("answers are infallible").status();
        assert_ne!(status.as_u16(), 500);
        let there = std::fs::read_dir(served.folder.path()).expect("the folder");
        assert_eq!(there.count(), 1, "only the folder of reports");
    });
});
