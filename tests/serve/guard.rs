//! Requests that other sites, other names or other computers send.

use std::net::IpAddr;

use fairdeal::population::Listings;
use fairdeal::serve::{Limits, Listen, ServeRequest, Server};

use crate::client::{Served, request, send};
use crate::common;

fn raw(served: &Served, head: &str) -> u16 {
    let head = format!("{head}Connection: close\r\n\r\n");
    send(served.address, head.as_bytes()).status
}

#[test]
fn requests_with_another_host_or_origin_change_nothing() {
    let served = Served::start();
    let own = served.address;
    for (head, status) in [
        (format!("GET / HTTP/1.1\r\nHost: {own}\r\n"), 200),
        (
            format!("GET / HTTP/1.1\r\nHost: localhost:{}\r\n", own.port()),
            200,
        ),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n".to_owned(), 421),
        (
            format!("GET / HTTP/1.1\r\nHost: evil.example:{}\r\n", own.port()),
            421,
        ),
        ("GET / HTTP/1.1\r\nHost: 192.168.1.5\r\n".to_owned(), 421),
        ("GET / HTTP/1.1\r\n".to_owned(), 400),
        (
            format!("GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\n"),
            400,
        ),
        (
            format!("PUT / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 0\r\n"),
            405,
        ),
        (
            format!("OPTIONS / HTTP/1.1\r\nHost: {own}\r\nOrigin: http://evil.example\r\n"),
            405,
        ),
    ] {
        assert_eq!(raw(&served, &head), status, "{head}");
    }
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost:1",
        "file://",
    ] {
        for path in [
            "/runs",
            "/deal",
            "/check",
            "/compare",
            "/audit",
            "/jobs/x/stop",
        ] {
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: {own}\r\nOrigin: {origin}\r\nContent-Length: 0\r\n"
            );
            assert_eq!(raw(&served, &head), 403, "{head}");
        }
    }
    let head = format!(
        "GET /health.json HTTP/1.1\r\nHost: {own}\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n"
    );
    assert_eq!(raw(&served, &head), 403);
    let names = std::fs::read_dir(served.reports()).expect("the folder");
    assert_eq!(names.count(), 1, "only the folder of temporary files");
}

#[test]
fn a_server_for_others_needs_its_token() {
    let folder = common::folder();
    let request = ServeRequest {
        listen: Listen::Network {
            address: IpAddr::from([127, 0, 0, 1]),
            names: vec!["club.example".to_owned()],
        },
        ..request(folder.path(), Limits::default())
    };
    let server = Server::bind(&request, Listings::in_memory()).expect("a server");
    let url = server.url();
    let (address, token) = url
        .strip_prefix("http://")
        .and_then(|url| url.split_once("/?token="))
        .expect("an address and a token");
    assert_eq!(token.len(), 32);
    let address = address.parse().expect("an address");
    let is_ended = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| server.serve(&|| is_ended.load(std::sync::atomic::Ordering::Relaxed)));
        let ask = |head: &str| {
            send(
                address,
                format!("{head}Connection: close\r\n\r\n").as_bytes(),
            )
        };
        let host = format!("Host: {address}\r\n");
        for (path, header, status) in [
            ("/", String::new(), 401),
            ("/runs", String::new(), 401),
            ("/?token=0000", String::new(), 401),
            ("/", "Authorization: Bearer 0000\r\n".to_owned(), 401),
            ("/", format!("Authorization: Bearer {token}\r\n"), 200),
            ("/", format!("Cookie: fairdeal_token={token}\r\n"), 200),
        ] {
            let answer = ask(&format!("GET {path} HTTP/1.1\r\n{host}{header}"));
            assert_eq!(answer.status, status, "{path} {header}");
        }
        let answer = ask(&format!(
            "GET /runs?token={token} HTTP/1.1\r\nHost: club.example\r\n"
        ));
        assert_eq!((answer.status, answer.header("location")), (303, "/runs"));
        assert!(
            answer
                .header("set-cookie")
                .starts_with(&format!("fairdeal_token={token};"))
        );
        let answer = ask(&format!(
            "GET /?token={token} HTTP/1.1\r\nHost: other.example\r\n"
        ));
        assert_eq!(answer.status, 421);
        is_ended.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
