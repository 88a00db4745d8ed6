//! Requests that other sites, other names or other computers send.

use std::net::IpAddr;

use fairdeal::population::Listings;
use fairdeal::serve::{Limits, Listen, ServeRequest, Server};

use super::client::{Served, request, send};
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

// Such a page filled the queue, and the user's own request was refused.
#[test]
fn a_page_of_another_site_begins_no_work() {
    let served = Served::start();
    let own = served.address;
    let browser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64)\r\n";
    let navigate = "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    let form = "condition=hcp(north)%20%3E%3D%2020";
    for (from, status) in [
        (format!("Sec-Fetch-Site: cross-site\r\n{navigate}"), 200),
        (format!("Sec-Fetch-Site: same-site\r\n{navigate}"), 200),
        ("Referer: http://evil.example/\r\n".to_owned(), 200),
        ("Referer: http://localhost:3000/\r\n".to_owned(), 200),
        (String::new(), 200),
        (
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n"
                .to_owned(),
            403,
        ),
        (
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n".to_owned(),
            403,
        ),
    ] {
        for path in ["/theory", "/deal", "/runs"] {
            let head = format!(
                "GET {path}?{form} HTTP/1.1\r\nHost: {own}\r\n{browser}{from}Connection: close\r\n\r\n"
            );
            let answer = send(own, head.as_bytes());
            let page = answer.text();
            assert_eq!(answer.status, status, "{head}{page}");
            assert_eq!(answer.header("x-frame-options"), "DENY", "{head}");
            let policy = answer.header("content-security-policy");
            assert!(policy.contains("frame-ancestors 'none'"), "{head}");
            if status == 200 {
                // The form is filled in, and neither the server nor a script computes anything.
                assert!(
                    page.contains(">\nhcp(north) &#62;= 20</textarea>"),
                    "{page}"
                );
                assert!(page.contains("data-foreign"), "{page}");
                assert!(!page.contains("134948017"), "{page}");
            }
        }
    }
    let counts = served.get("/health.json").text();
    for none in ["queued", "running", "done", "failed"] {
        assert!(counts.contains(&format!("\"{none}\":0")), "{counts}");
    }
    // The server's own pages, the address line and other programs.
    for from in [
        format!("{browser}Sec-Fetch-Site: same-origin\r\n{navigate}"),
        format!("{browser}Sec-Fetch-Site: none\r\n{navigate}"),
        format!("{browser}Referer: http://{own}/theory\r\n"),
        "User-Agent: curl/8.14.1\r\n".to_owned(),
        String::new(),
    ] {
        let head = format!(
            "GET /theory?{form} HTTP/1.1\r\nHost: {own}\r\n{from}Connection: close\r\n\r\n"
        );
        let answer = send(own, head.as_bytes());
        let page = match answer.status {
            303 => served.finish(&answer).1,
            _ => answer.text(),
        };
        assert!(page.contains("134948017/9338434700"), "{head}{page}");
        assert!(!page.contains("data-foreign"), "{head}{page}");
    }
}

// A record linked to /dev/zero took 6 GB of memory, and a pipe hung the page.
#[cfg(unix)]
#[test]
fn a_report_that_is_not_plain_files_is_one_line_of_the_page() {
    use std::os::unix::fs::symlink;
    let served = Served::start();
    let report = |name: &str| {
        let folder = served.reports().join(name);
        std::fs::create_dir(&folder).expect("a folder");
        folder
    };
    symlink("/dev/zero", report("endless").join("run.json")).expect("a link");
    let outside = served.reports().join("../outside.json");
    std::fs::write(&outside, "{}").expect("a file");
    symlink(&outside, report("outside").join("audit.json")).expect("a link");
    let piped = report("piped").join("run.json");
    let made = std::process::Command::new("mkfifo").arg(&piped).status();
    assert!(made.expect("mkfifo").success());
    let huge = std::fs::File::create(report("a b&c").join("run.json")).expect("a file");
    huge.set_len(1 << 40).expect("a sparse file");
    let page = served.get("/runs").text();
    for (name, said) in [
        ("endless", "run.json: a symbolic link; remove it"),
        ("outside", "audit.json: a symbolic link; remove it"),
        ("piped", "run.json: not a regular file"),
        (
            "a b&#38;c",
            "run.json: larger than 64 MiB, the most for such a file",
        ),
    ] {
        let row = format!("<th scope=\"row\">{name}</th><td>unreadable</td><td>{said}</td>");
        assert!(page.contains(&row), "{row} {page}");
    }
    for file in ["endless/run.json", "outside/audit.json", "piped/run.json"] {
        assert_eq!(served.get(&format!("/reports/{file}")).status, 404);
    }
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
