//! A server of a test, and a client that speaks HTTP by hand.
#![allow(clippy::unwrap_used, reason = "a test that cannot begin has failed")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use fairdeal::population::Listings;
use fairdeal::serve::{JobsAtOnce, Limits, Listen, PagesRequest, ServeRequest, Server};
use fairdeal::threads::Threads;
use tempfile::TempDir;

use crate::common;

/// Longest time for anything that a test waits for.
const PATIENCE: Duration = Duration::from_secs(300);

/// A server in this process, ended with the test.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    folder: TempDir,
    is_ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// The request of a server in a folder.
pub(crate) fn request(folder: &Path, limits: Limits) -> ServeRequest {
    ServeRequest {
        listen: Listen::Local,
        port: 0,
        pages: PagesRequest {
            folder: folder.to_owned(),
            jobs: JobsAtOnce::constant(2),
            threads: Threads::ONE,
            limits,
            watch: None,
        },
    }
}

impl Served {
    pub(crate) fn start() -> Self {
        Self::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        let folder = common::folder();
        let request = request(&folder.path().join("reports"), limits);
        let listings = Listings::in_folder(common::shared_cache());
        let server = Server::bind(&request, listings).unwrap();
        let address = server.url();
        let address = address.strip_prefix("http://").unwrap();
        let address = address.trim_end_matches('/').parse().unwrap();
        let is_ended = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&is_ended);
        let thread = thread::spawn(move || {
            server.serve(&|| asked.load(Ordering::Relaxed)).unwrap();
        });
        Self {
            address,
            folder,
            is_ended,
            thread: Some(thread),
        }
    }

    /// The folder of reports.
    pub(crate) fn reports(&self) -> PathBuf {
        self.folder.path().join("reports")
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        get(self.address, path)
    }

    /// Sends a form as a browser does.
    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        post(self.address, path, fields)
    }

    /// Sends files to be audited, with other fields.
    pub(crate) fn upload(&self, files: &[(&str, &[u8])], fields: &[(&str, &str)]) -> Answer {
        self.upload_to("/audit", files, fields)
    }

    /// Sends files to a page, with other fields.
    pub(crate) fn upload_to(
        &self,
        path: &str,
        files: &[(&str, &[u8])],
        fields: &[(&str, &str)],
    ) -> Answer {
        let (head, body) = upload(self.address, files, fields);
        let head = head.replacen("/audit", path, 1);
        send(self.address, &[head.as_bytes(), &body].concat())
    }

    /// Follows an answer to a job, and waits until it is over; returns its address and its page.
    pub(crate) fn finish(&self, answer: &Answer) -> (String, String) {
        finish(self.address, answer)
    }

    /// The temporary files of the server.
    pub(crate) fn temporary_files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(self.reports()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with(".fairdeal-serve-") {
                let inner = std::fs::read_dir(&path).unwrap();
                found.extend(inner.map(|entry| entry.unwrap().path()));
            }
        }
        found.retain(|path| path.file_name().unwrap() != "lock");
        found
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.is_ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A test that has failed already says why.
            let _ = thread.join();
        }
    }
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let mut headers = self.headers.iter();
        let found = headers.find(|(of, _)| of == name);
        found.map_or("", |(_, value)| value.as_str())
    }
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Answer {
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    send(address, head.as_bytes())
}

pub(crate) fn post(address: SocketAddr, path: &str, fields: &[(&str, &str)]) -> Answer {
    let fields = fields
        .iter()
        .map(|(name, value)| format!("{name}={}", escaped(value)));
    let body = fields.collect::<Vec<_>>().join("&");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    send(address, format!("{head}{body}").as_bytes())
}

/// A value in a form or an address.
pub(crate) fn escaped(value: &str) -> String {
    value.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The head and the body of an upload.
pub(crate) fn upload(
    address: SocketAddr,
    files: &[(&str, &[u8])],
    fields: &[(&str, &str)],
) -> (String, Vec<u8>) {
    const MARK: &str = "----a-mark-of-this-test";
    let mut body = Vec::new();
    for (name, bytes) in files {
        body.extend_from_slice(
            format!(
                "--{MARK}\r\nContent-Disposition: form-data; name=\"files\"; \
                 filename=\"{name}\"\r\nContent-Type: application/octet-stream\r\n\r\n"
            )
            .as_bytes(),
        );
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    for (name, value) in fields {
        body.extend_from_slice(
            format!(
                "--{MARK}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            )
            .as_bytes(),
        );
    }
    body.extend_from_slice(format!("--{MARK}--\r\n").as_bytes());
    let head = format!(
        "POST /audit HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Content-Type: multipart/form-data; boundary={MARK}\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    (head, body)
}

/// Sends bytes and reads the answer. A server may answer and close before all is sent.
pub(crate) fn send(address: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let _ = stream.write_all(bytes);
    answer(&mut stream)
}

/// Reads an answer until the connection is closed.
pub(crate) fn answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let mut piece = [0; 1 << 16];
    // A connection that is reset has sent its answer before.
    while let Ok(read @ 1..) = stream.read(&mut piece) {
        bytes.extend_from_slice(&piece[..read]);
    }
    parsed(&bytes)
}

/// Status 0 for an incomplete head.
fn parsed(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let Some(end) = end else {
        return Answer {
            status: 0,
            headers: Vec::new(),
            body: bytes.to_vec(),
        };
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1));
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers: Vec<_> = headers
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let body = &bytes[end + 4..];
    let is_chunked = headers
        .iter()
        .any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    Answer {
        status: status.and_then(|status| status.parse().ok()).unwrap_or(0),
        headers,
        body: if is_chunked {
            unchunked(body)
        } else {
            body.to_vec()
        },
    }
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|two| two == b"\r\n") {
        let size = String::from_utf8_lossy(&body[..end]).into_owned();
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || body.len() < end + 2 + size {
            break;
        }
        whole.extend_from_slice(&body[end + 2..end + 2 + size]);
        body = &body[(end + 4 + size).min(body.len())..];
    }
    whole
}

pub(crate) fn finish(address: SocketAddr, answer: &Answer) -> (String, String) {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let job = answer.header("location").to_owned();
    let begun = Instant::now();
    loop {
        let page = get(address, &job);
        assert_eq!(page.status, 200, "{}", page.text());
        let text = page.text();
        if !text.contains("data-events") {
            return (job, text);
        }
        assert!(begun.elapsed() < PATIENCE, "{text}");
        thread::sleep(Duration::from_millis(50));
    }
}
