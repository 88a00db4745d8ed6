//! Random requests: always a status, never a file outside the folder.
//!
//! `FAIRDEAL_SERVE_REQUESTS=1000000` sends a million.

use std::collections::BTreeSet;
use std::path::Path;

use axum::body::Body;
use axum::http::Request;
use fairdeal::population::Listings;
use tower::ServiceExt as _;

use super::client::request;
use super::fuzz_request::FuzzRequest;
use crate::common;

/// Requests at once: some wait for their job.
const AT_ONCE: usize = 500;

/// All files below a folder.
fn files(folder: &Path, found: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        }
        found.insert(path.display().to_string());
    }
}

#[test]
fn random_requests_get_a_status_and_write_nothing_elsewhere() {
    let requests = std::env::var("FAIRDEAL_SERVE_REQUESTS");
    let requests = requests.map_or(3_000, |requests| requests.parse().expect("a number"));
    let folder = common::folder();
    let reports = folder.path().join("inner/reports");
    std::fs::create_dir_all(reports.join("fine")).expect("a folder");
    std::fs::write(reports.join("fine/report.html"), "fine").expect("a file");
    let request = request(&reports, FuzzRequest::limits());
    let router = fairdeal::serve::router(&request.pages, Listings::in_memory());
    let router = router.expect("routes");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let mut seen = BTreeSet::new();
    let mut state = 0x5eed_u64;
    let mut waiting = Vec::new();
    for number in 1..=requests {
        let mut bytes = [0; 96];
        for byte in &mut bytes {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            *byte = (state >> 56) as u8;
        }
        let random = FuzzRequest::of(&bytes);
        if let Some(request) = built(&random) {
            waiting.push((random, runtime.spawn(router.clone().oneshot(request))));
        }
        if waiting.len() < AT_ONCE && number < requests {
            continue;
        }
        for (random, answer) in waiting.drain(..) {
            let answer = runtime.block_on(answer).expect("no handler panics");
            let status = answer.expect("infallible").status().as_u16();
            let is_status = (200..600).contains(&status) && status != 500;
            assert!(is_status, "{status} {random:?}");
            seen.insert(status);
        }
    }
    for status in [200, 303, 400, 403, 404, 405, 415, 421, 422] {
        assert!(seen.contains(&status), "{status} of {seen:?}");
    }
    let mut outside = BTreeSet::new();
    files(folder.path(), &mut outside);
    let inside = reports.display().to_string();
    outside.retain(|path| !path.starts_with(&inside) && !inside.starts_with(path.as_str()));
    assert!(outside.is_empty(), "{outside:?}");
}

/// The request, if its parts can be sent at all.
fn built(random: &FuzzRequest) -> Option<Request<Body>> {
    let mut request = Request::builder()
        .method(random.method.as_bytes())
        .uri(&random.path);
    for (name, value) in &random.headers {
        request = request.header(*name, value.as_slice());
    }
    request.body(Body::from(random.body.clone())).ok()
}
