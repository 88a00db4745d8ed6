//! Paths out of the folder, and archives that grow.

use std::io::{Cursor, Write as _};
use std::time::Duration;

use fairdeal::serve::Limits;
use zip::write::SimpleFileOptions;

use super::client::Served;

fn zipped(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive
        .start_file(name, SimpleFileOptions::default())
        .expect("a file");
    archive.write_all(bytes).expect("written");
    archive.finish().expect("an archive").into_inner()
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let served = Served::start();
    std::fs::create_dir(served.reports().join("fine")).expect("a folder");
    std::fs::write(served.reports().join("fine/report.html"), "fine").expect("a file");
    std::fs::write(served.reports().join("fine/secret.txt"), "secret").expect("a file");
    std::fs::write(served.reports().join("../report.html"), "secret").expect("a file");
    assert_eq!(served.get("/reports/fine/report.html").text(), "fine");
    for path in [
        "/reports/../report.html",
        "/reports/%2e%2e/report.html",
        "/reports/..%2f/report.html",
        "/reports/fine/..%2f..%2freport.html",
        "/reports/fine%2f..%2f../report.html",
        "/reports/fine/../../report.html",
        "/reports/fine/secret.txt",
        "/reports/fine/%00report.html",
        "/reports/%00/report.html",
        "/reports/fine%5c../report.html",
        "/reports//report.html",
        "/reports/%ff/report.html",
        "/reports/.fairdeal-serve-x/lock",
        "/reports/%2fetc/passwd",
        "/assets/../../etc/passwd",
        "/jobs/..%2f..%2f/file",
        "/jobs/%2e%2e/tables/x.csv",
    ] {
        let answer = served.get(path);
        assert!(
            [400, 404].contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        assert!(!answer.text().contains("secret"), "{path}");
    }
    for name in ["..", "../x", "%2e%2e", "fine/../..", "", "\0"] {
        let answer = served.post("/compare", &[("a", name), ("b", "fine")]);
        assert_eq!(answer.status, 422, "{name:?}");
    }
}

#[test]
fn archives_in_archives_are_refused_beyond_their_depth() {
    let served = Served::start();
    let deal = b"N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4\n";
    let once = zipped("../../deals.txt", deal);
    let (_, page) = served.finish(&served.upload(&[("once.zip", &once)], &[]));
    assert!(page.contains("1 deal tested"), "{page}");
    let mut deep = once;
    for _ in 0..4 {
        deep = zipped("inner.zip", &deep);
    }
    let (_, page) = served.finish(&served.upload(&[("deep.zip", &deep)], &[]));
    assert!(
        page.contains("role=\"alert\"") && !page.contains("tested of"),
        "{page}"
    );
    assert!(served.temporary_files().is_empty());
}

#[test]
fn an_archive_that_grows_a_thousand_times_ends_with_its_time() {
    let served = Served::with(Limits {
        audit_time: Duration::from_millis(400),
        ..Limits::default()
    });
    let deal = "N:K862.T2.T9742.82 JT..853.AKQJT953 Q54.987653.Q6.76 A973.AKQJ4.AKJ.4\n";
    let bomb = zipped("deals.txt", deal.repeat(3_000_000).as_bytes());
    assert!(bomb.len() < 2_000_000);
    let (_, page) = served.finish(&served.upload(&[("bomb.zip", &bomb)], &[]));
    assert!(page.contains("Stopped before the end"), "{page}");
    assert_eq!(served.get("/health").status, 200);
}
