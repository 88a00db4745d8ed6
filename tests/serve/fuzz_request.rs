//! Random requests for tests and fuzzing, most of them nearly right.

use std::time::Duration;

use fairdeal::serve::Limits;

/// A request made of random bytes.
#[derive(Clone, Debug)]
pub(crate) struct FuzzRequest {
    /// The method.
    pub(crate) method: String,
    /// The path, with the query.
    pub(crate) path: String,
    /// Names and values of the headers.
    pub(crate) headers: Vec<(&'static str, Vec<u8>)>,
    /// The body.
    pub(crate) body: Vec<u8>,
}

const METHODS: [&str; 6] = ["GET", "POST", "POST", "GET", "PUT", "HEAD"];

const PATHS: [&str; 26] = [
    "/",
    "/audit",
    "/deal",
    "/theory",
    "/leads",
    "/convert",
    "/tournament",
    "/tournament/new",
    "/runs",
    "/check",
    "/compare",
    "/health",
    "/health.json",
    "/assets/style.css",
    "/jobs/",
    "/jobs/x/events",
    "/jobs/x/stop",
    "/jobs/x/file",
    "/jobs/x/tables/y.csv",
    "/reports/fine/report.html",
    "/reports/../report.html",
    "/reports/%2e%2e/report.html",
    "/reports/",
    "/runs/fine/resume",
    "/runs/../resume",
    "/theory?condition=",
];

const HOSTS: [&str; 6] = [
    "127.0.0.1",
    "localhost:7474",
    "127.0.0.1:1",
    "[::1]",
    "evil.example",
    "",
];

const ORIGINS: [&str; 4] = [
    "http://127.0.0.1",
    "http://evil.example",
    "null",
    "http://localhost:7474",
];

const TYPES: [&str; 4] = [
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "multipart/form-data",
    "text/plain",
];

const BODIES: [&str; 13] = [
    "question=contract&condition=nine-spades&declarer=ns&seat=west&hand=A&deals=x",
    "condition=hcp(north)%3E%3D20",
    "condition=nine-spades&deals=100&seed=1&battery=tables",
    "condition=hearts(north)%3D%3D13&boards=2&format=pbn",
    "condition=hcp(",
    "condition=",
    "a=fine&b=..",
    "a=fine&b=other",
    "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"../../a.pbn\"\r\n\r\n\
     N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4\r\n--x--\r\n",
    "--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nno deals\r\n--x--\r\n",
    "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a\"\r\n\r\nhalf",
    "",
    "%",
];

/// Random bytes, taken from the front.
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[usize::from(self.next()) % all.len()]
    }

    fn taken(&mut self, count: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken.to_vec()
    }
}

impl FuzzRequest {
    /// Limits of a server for random requests: its jobs end at once.
    pub(crate) fn limits() -> Limits {
        Limits {
            audit_time: Duration::from_millis(50),
            run_time: Duration::from_millis(50),
            run_deals: 1_000,
            boards: 10,
            sheet_boards: 10,
            ..Limits::default()
        }
    }

    /// The request that these bytes choose.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut bytes = Bytes(bytes);
        let kinds = bytes.next();
        let method = bytes.of(&METHODS).to_owned();
        let mut path = bytes.of(&PATHS).to_owned();
        if kinds & 3 == 0 {
            for byte in bytes.taken(12) {
                path += &match byte {
                    b'0'..=b'9' | b'a'..=b'z' | b'/' | b'.' | b'-' => char::from(byte).to_string(),
                    byte => format!("%{byte:02x}"),
                };
            }
        }
        let host = match kinds & 0x1c {
            0 => bytes.of(&HOSTS),
            _ => HOSTS[0],
        };
        let mut headers = vec![("host", host.as_bytes().to_vec())];
        if kinds & 0x60 == 0 {
            headers.push(("origin", bytes.of(&ORIGINS).as_bytes().to_vec()));
        }
        let mut body = bytes.of(&BODIES).as_bytes().to_vec();
        let of_body = match body.starts_with(b"--x") {
            true => TYPES[1],
            false => TYPES[0],
        };
        let media_type = match kinds & 0x80 {
            0 => of_body,
            _ => bytes.of(&TYPES),
        };
        headers.push(("content-type", media_type.as_bytes().to_vec()));
        if bytes.next() & 3 == 0 {
            let (place, more) = (bytes.next(), bytes.taken(24));
            let place = usize::from(place).min(body.len());
            body.splice(place..place, more);
        }
        Self {
            method,
            path,
            headers,
            body,
        }
    }
}
