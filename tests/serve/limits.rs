//! What exceeds a limit is refused with its status, and leaves nothing behind.

use std::io::Write as _;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use fairdeal::serve::Limits;

use super::client::{Served, answer, send, upload};

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn large_bodies_are_refused_with_and_without_a_length() {
    let served = Served::with(Limits {
        upload_bytes: 100_000,
        ..Limits::default()
    });
    let large = vec![b'x'; 3_000_000];
    let refused = served.upload(&[("large.pbn", &large)], &[]);
    assert_eq!(refused.status, 413, "{}", refused.text());
    let (head, body) = upload(served.address, &[("large.pbn", &large[..200_000])], &[]);
    let head: Vec<&str> = head
        .lines()
        .filter(|line| !line.starts_with("Content-Length"))
        .collect();
    let head = format!("{}Transfer-Encoding: chunked\r\n\r\n", head.join("\r\n"));
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(format!("{:x}\r\n", body.len()).as_bytes());
    bytes.extend_from_slice(&body);
    bytes.extend_from_slice(b"\r\n0\r\n\r\n");
    assert_eq!(send(served.address, &bytes).status, 413);
    let condition = "x".repeat(5_000_000);
    assert_eq!(
        served
            .post("/check", &[("condition", &condition[..2_000_000])])
            .status,
        413
    );
    let many: Vec<(&str, &[u8])> = vec![("a", b"x"); 1_001];
    let served = Served::start();
    assert_eq!(served.upload(&many, &[]).status, 413);
    let long = "x".repeat(2_000_000);
    assert_eq!(
        served
            .upload(&[("a", b"x")], &[("condition", &long)])
            .status,
        413
    );
    assert!(served.temporary_files().is_empty());
}

#[test]
fn slow_requests_are_ended() {
    let served = Served::with(Limits {
        head_time: Duration::from_millis(300),
        pause: Duration::from_millis(300),
        form_time: Duration::from_millis(600),
        ..Limits::default()
    });
    let mut slow = TcpStream::connect(served.address).expect("a connection");
    slow.write_all(b"GET / HTTP/1.1\r\nHost:").expect("sent");
    let begun = Instant::now();
    let ended = answer(&mut slow);
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(ended.status == 0 || ended.status == 408, "{}", ended.status);
    let (head, body) = upload(served.address, &[("slow.pbn", &[b'x'; 100_000])], &[]);
    let mut slow = TcpStream::connect(served.address).expect("a connection");
    slow.write_all(head.as_bytes()).expect("sent");
    slow.write_all(&body[..50_000]).expect("sent");
    assert_eq!(answer(&mut slow).status, 408);
    let mut slow = TcpStream::connect(served.address).expect("a connection");
    let head = format!(
        "POST /check HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\ncond",
        served.address
    );
    slow.write_all(head.as_bytes()).expect("sent");
    assert_eq!(answer(&mut slow).status, 408);
    wait_until("slow uploads are removed", || {
        served.temporary_files().is_empty()
    });
}

#[test]
fn an_upload_that_is_broken_off_is_removed() {
    let served = Served::start();
    for sent in [10, 300, 70_000, 1_000_000] {
        let (head, body) = upload(served.address, &[("half.pbn", &[b'x'; 2_000_000])], &[]);
        let whole = [head.as_bytes(), &body].concat();
        let mut stream = TcpStream::connect(served.address).expect("a connection");
        stream.write_all(&whole[..sent]).expect("sent");
        drop(stream);
    }
    wait_until("no upload is being received", || {
        let health = served.get("/health.json").text();
        health.contains("\"uploads\":0") && health.contains("\"stored_bytes\":0")
    });
    assert!(served.temporary_files().is_empty());
}

#[test]
fn a_full_queue_asks_to_come_again() {
    let served = Served::with(Limits {
        waiting: 1,
        ..Limits::default()
    });
    let start = || {
        let fields = [
            ("condition", "nine-spades"),
            ("deals", "1T"),
            ("battery", "tables"),
        ];
        served.post("/runs", &fields)
    };
    let first = start();
    let page = || served.get(first.header("location")).text();
    wait_until("the first run is dealt", || !page().contains("Waiting"));
    let second = start();
    let refused = start();
    assert_eq!(
        (first.status, second.status, refused.status),
        (303, 303, 503)
    );
    assert_eq!(refused.header("retry-after"), "10");
    assert!(
        served
            .get(second.header("location"))
            .text()
            .contains("Waiting")
    );
    for job in [&second, &first] {
        let stop = format!("{}/stop", job.header("location"));
        assert_eq!(served.post(&stop, &[]).status, 303);
    }
    let (_, page) = served.finish(&second);
    assert!(page.contains("Stopped before it began"), "{page}");
    served.finish(&first);
}

#[test]
fn uploads_at_once_have_a_limit() {
    let served = Served::with(Limits {
        uploads: 1,
        ..Limits::default()
    });
    let (head, body) = upload(served.address, &[("a.pbn", &[b'x'; 100_000])], &[]);
    let mut first = TcpStream::connect(served.address).expect("a connection");
    first
        .write_all(&[head.as_bytes(), &body[..1_000]].concat())
        .expect("sent");
    wait_until("the first is being received", || {
        served.get("/health.json").text().contains("\"uploads\":1")
    });
    let refused = served.upload(&[("b.pbn", b"x")], &[]);
    assert_eq!((refused.status, refused.header("retry-after")), (503, "10"));
}

#[test]
fn tables_of_leads_end_after_their_time_or_when_they_are_stopped() {
    let fields = [
        ("question", "contract"),
        ("condition", "unconstrained"),
        ("declarer", "ns"),
        ("deals", "10000"),
    ];
    let served = Served::with(Limits {
        deal_time: Duration::from_secs(2),
        ..Limits::default()
    });
    let (_, late) = served.finish(&served.post("/leads", &fields));
    let served = Served::start();
    let begun = served.post("/leads", &fields);
    let stop = format!("{}/stop", begun.header("location"));
    assert_eq!(served.post(&stop, &[]).status, 303);
    let (_, stopped) = served.finish(&begun);
    for (page, why) in [(late, "time limit"), (stopped, "interrupted")] {
        assert!(page.contains(&format!(", stopped: {why}</p>")), "{page}");
    }
}
