//! The documents (README.md, docs/ and the pages beside them): links are valid, examples run.
//!
//! The language of a code block decides how it is tested:
//!
//! - `sh` has commands, one per line. All of them run, in a separate folder for each document. A
//!   `text` block that follows shows the output of the last command, which then runs as printed;
//!   other commands run with fewer deals ([`scaled`]). Lines of `...` stand for omitted lines, and
//!   times and rates may differ. The exit code is 0, or 4 (INCONCLUSIVE) for a run or an audit, or
//!   the one in a comment: `# exit code 2`.
//! - `console` has commands that no test can run. An HTML comment on the line before gives the
//!   reason: `<!-- not run: needs a cluster -->`.
//! - `c` has a complete script in dealer's language, which `fairdeal deal` must be able to read.
//!
//! `FAIRDEAL_BLESS=1 cargo test --profile checked --test suite documents -- --ignored` writes the
//! current output into the documents.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{PROGRAM, fairdeal, folder, stdout};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

/// The longest README that is still one page.
const README_LINES: usize = 150;

/// Commands in `sh` blocks that are not run here, and why.
const NOT_RUN: [(&str, &str); 3] = [
    ("cargo test", "this is one of its tests"),
    ("cargo build --release", "this test has been built"),
    ("cargo install --path .", "writes to the user's folder"),
];

/// A fenced block of code.
#[derive(Debug)]
struct Block {
    /// Its language.
    language: String,
    /// Index of its first line in the document, after the fence.
    first: usize,
    lines: Vec<String>,
    /// The last line before the fence that is not empty.
    before: String,
}

/// A document of the repository, by its path.
struct Document {
    path: PathBuf,
    lines: Vec<String>,
}

impl Document {
    /// All documents that readers are given, in order.
    fn all() -> Vec<Self> {
        let mut paths = Vec::new();
        markdown(Path::new(CRATE), false, &mut paths);
        markdown(&Path::new(CRATE).join("docs"), true, &mut paths);
        markdown(&Path::new(CRATE).join("scripts"), true, &mut paths);
        markdown(&Path::new(CRATE).join("crates"), true, &mut paths);
        markdown(&Path::new(CRATE).join("reports"), false, &mut paths);
        paths.sort();
        let read = |path: PathBuf| {
            let text = fs::read_to_string(&path).unwrap();
            let lines = text.lines().map(str::to_owned).collect();
            Self { path, lines }
        };
        paths.into_iter().map(read).collect()
    }

    /// Its path within the repository.
    fn name(&self) -> String {
        let path = self.path.strip_prefix(CRATE).unwrap();
        path.display().to_string()
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        let mut before = String::new();
        for (index, line) in self.lines.iter().enumerate() {
            let fence = line.trim_start().strip_prefix("```");
            match (open.take(), fence) {
                (None, Some(language)) => {
                    open = Some(Block {
                        language: language.to_owned(),
                        first: index + 1,
                        lines: Vec::new(),
                        before: before.clone(),
                    });
                }
                (Some(block), Some(_)) => blocks.push(block),
                (Some(mut block), None) => {
                    block.lines.push(line.clone());
                    open = Some(block);
                }
                (None, None) => {}
            }
            if !line.trim().is_empty() {
                before.clone_from(line);
            }
        }
        assert!(open.is_none(), "{} ends within a block", self.name());
        blocks
    }

    /// The anchors of its titles, as GitHub makes them.
    fn anchors(&self) -> Vec<String> {
        let titles = self.lines.iter().filter(|line| line.starts_with('#'));
        titles.map(|title| anchor(title)).collect()
    }
}

/// Adds the Markdown files of a folder.
fn markdown(folder: &Path, deep: bool, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && deep {
            markdown(&path, deep, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// The anchor of a title.
fn anchor(title: &str) -> String {
    let text = title.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The targets of the links of a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split("](").skip(1);
    parts.filter_map(|part| part.split_once(')').map(|(target, _)| target))
}

#[test]
fn every_link_of_the_documents_leads_somewhere() {
    let documents = Document::all();
    for document in &documents {
        let mut is_code = false;
        for line in &document.lines {
            is_code ^= line.trim_start().starts_with("```");
            for target in links(line).filter(|_| !is_code) {
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                let (path, title) = target.split_once('#').unwrap_or((target, ""));
                let folder = document.path.parent().unwrap();
                let path = match path {
                    "" => document.path.clone(),
                    path => folder.join(path),
                };
                let place = format!("{}: {target}", document.name());
                assert!(path.exists(), "{place} does not exist");
                if !title.is_empty() {
                    let path = path.canonicalize().unwrap();
                    let other = documents
                        .iter()
                        .find(|other| other.path.canonicalize().unwrap() == path);
                    let anchors = other.expect("a link to a title of a document").anchors();
                    assert!(anchors.iter().any(|anchor| anchor == title), "{place}");
                }
            }
        }
    }
}

#[test]
fn the_readme_fits_on_a_page_and_leads_to_every_chapter() {
    let documents = Document::all();
    let of_name = |name: &str| documents.iter().find(|document| document.name() == name);
    let readme = of_name("README.md").unwrap();
    assert!(readme.lines.len() <= README_LINES, "{}", readme.lines.len());
    let index = of_name("docs/README.md").unwrap();
    let listed: Vec<&str> = index.lines.iter().flat_map(|line| links(line)).collect();
    for document in &documents {
        let name = document.name();
        let Some(page) = name.strip_prefix("docs/") else {
            continue;
        };
        assert!(
            page == "README.md" || listed.contains(&page),
            "docs/README.md does not list {page}"
        );
    }
}

#[test]
fn every_block_says_what_it_is_and_why_it_is_not_run() {
    for document in Document::all() {
        let name = document.name();
        for block in document.blocks() {
            let place = format!("{name}, line {}", block.first);
            match block.language.as_str() {
                "sh" => assert!(!block.lines.is_empty(), "{place}"),
                "console" => assert!(
                    block.before.trim_start().starts_with("<!-- not run: "),
                    "{place}: commands that are not run, without a reason"
                ),
                "text" | "c" | "python" | "rust" | "dockerfile" | "json" | "toml" => {}
                other => panic!("{place}: a block of `{other}`"),
            }
        }
    }
}

/// The commands of a block, each with the exit code that its comment gives.
fn commands(block: &Block) -> Vec<(String, Option<i32>)> {
    let text = block.lines.join("\n").replace("\\\n", " ");
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let command = |line: &str| {
        let (command, comment) = line.split_once(" # ").unwrap_or((line, ""));
        let code = comment.trim().strip_prefix("exit code ");
        let digits = |text: &str| {
            text.chars()
                .take_while(char::is_ascii_digit)
                .collect::<String>()
        };
        let code = code.map(|text| digits(text).parse().unwrap());
        (command.trim_end().to_owned(), code)
    };
    lines.map(command).collect()
}

/// The same command with few deals and always the same ones.
fn scaled(line: &str) -> String {
    let replaced = [
        ("cargo run --release -- ", "fairdeal "),
        // Whoever runs this may not have dealer.
        (
            "dealer -s 1 any.dl",
            "fairdeal deal unconstrained -n 20000 --seed 1 --format oneline",
        ),
        (
            "fairdeal self-test",
            "fairdeal self-test --runs 10 --deals 2Ki --seed 1",
        ),
        ("--seed-search 1h", "--seed-search 1s"),
        ("--for 8h", "--for 1s"),
        ("--part 3/7", "--part 1/1"),
    ];
    let mut line = line.to_owned();
    for (old, new) in replaced {
        line = line.replace(old, new);
    }
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    for index in 1..words.len() {
        if words[index - 1] == "--deals" && words[index].ends_with(['M', 'G', 'T']) {
            words[index] = "100K".to_owned();
        }
    }
    let line = words.join(" ");
    let has = |option: &str| line.contains(option);
    let mut more = Vec::new();
    let is_new = !["--resume", "--explain", "help"].into_iter().any(has);
    // A part is always started with --resume.
    if has("fairdeal run ") && (is_new || has("--part")) {
        for (option, value) in [("--deals", "100K"), ("--seed", "1")] {
            if !has(option) {
                more.push(("run", format!("{option} {value}")));
            }
        }
    }
    if !has("help") && !has("--stream") {
        // Sets of perfect deals for few boards take a second.
        more.push(("audit", "--reference 19".to_owned()));
    }
    if !has("--deals") {
        more.push(("bench", "--deals 64Ki --rounds 2 --threads 1".to_owned()));
    }
    let mut line = line.clone();
    for (command, options) in more {
        let command = format!("fairdeal {command}");
        line = line.replace(&command, &format!("{command} {options}"));
    }
    line
}

/// Whether the command ends with a verdict.
fn is_verdict(line: &str) -> bool {
    ["run ", "audit ", "merge "].iter().any(|name| {
        line.contains(&format!("fairdeal {name}")) || line.contains(&format!("-- {name}"))
    })
}

/// Whether a line of output is the expected one, but for times and rates.
fn is_same(expected: &str, actual: &str) -> bool {
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (expected, actual) = (words(expected), words(actual));
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let is_unit = |word: Option<&String>| {
        word.is_some_and(|word| {
            let word = word.trim_end_matches([',', ')', ';']);
            matches!(word, "s" | "ms" | "ns" | "million" | "MB" | "threads")
        })
    };
    expected.len() == actual.len()
        && expected
            .iter()
            .zip(&actual)
            .enumerate()
            .all(|(index, (one, other))| {
                one == other
                    || (is_number(one) && is_number(other) && is_unit(expected.get(index + 1)))
            })
}

/// Whether the output is the expected one, in which `...` stands for any lines.
fn is_expected(expected: &[String], actual: &[&str]) -> bool {
    match (expected.split_first(), actual.split_first()) {
        (None, None) => true,
        (Some((line, rest)), _) if line.trim() == "..." => {
            (0..=actual.len()).any(|skipped| is_expected(rest, &actual[skipped..]))
        }
        (Some((line, rest)), Some((first, others))) => {
            is_same(line, first) && is_expected(rest, others)
        }
        _ => false,
    }
}

/// The expected lines made anew from the output. Beside one `...` as many lines stay as there were; among
/// several, lines that begin with the same word.
fn blessed(expected: &[String], actual: &[&str]) -> Vec<String> {
    let owned = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let is_gap = |line: &&String| line.trim() == "...";
    match expected.iter().filter(is_gap).count() {
        0 => owned(actual),
        1 => {
            let gap = expected.iter().position(|line| is_gap(&line)).unwrap();
            let tail = expected.len() - gap - 1;
            let mut lines = owned(&actual[..gap.min(actual.len())]);
            lines.push(expected[gap].clone());
            lines.extend(owned(&actual[actual.len().saturating_sub(tail)..]));
            lines
        }
        _ => {
            let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
            let anew = |line: &String| {
                let same = actual.iter().find(|other| first(other) == first(line));
                same.map_or_else(|| line.clone(), |line| (*line).to_owned())
            };
            expected.iter().map(anew).collect()
        }
    }
}

/// Writes the files that the examples name.
fn prepare(folder: &Path) {
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    let deals = |arguments: &[&str]| {
        let done = fairdeal(folder, &[&["deal", "--seed", "1"], arguments].concat());
        assert!(!done.stdout.is_empty(), "{arguments:?}");
        done.stdout
    };
    let records = Path::new(CRATE).join("fixtures/records");
    let record = |name: &str| fs::read(records.join(name)).unwrap();
    for name in ["club-2026-01.pbn", "club.pbn", "lessons.pbn"] {
        write(name, &record("sm0807.pbn"));
    }
    write("club-2026-02.pbn", &record("bigdeal/set1.pbn"));
    let mut archive = zip::ZipWriter::new(fs::File::create(folder.join("records.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file("usbf.lin", options).unwrap();
    archive.write_all(&record("usbf_sf_14502.lin")).unwrap();
    archive.finish().unwrap();
    let hands = ["--where", "hcp(south) >= 15", "-n", "40", "--format", "lin"];
    write("practice.lin", &deals(&hands));
    write("deals.txt", &deals(&["unconstrained", "-n", "72"]));
    let encode = ["number", "encode", "--scheme", "andrews", "-f", "deals.txt"];
    write("numbers.txt", stdout(&fairdeal(folder, &encode)).as_bytes());
    write("mine.dl", b"spades(west) == 9\n");
    let script = "produce 20\naction average \"north\" hcp(north), printcompact\nhcp(west) >= 20\n";
    write("script.dl", script.as_bytes());
    let levels = "game = hcp(north) + hcp(south) >= 25\n\
                  invitation = hcp(north) + hcp(south) >= 23\n\
                  pass = 1\n\
                  #mix: game 40%, invitation 40%, pass 20%\n\
                  hearts(north) >= 5 && hearts(south) >= 3 && hcp(north) >= 11\n";
    write("levels.dl", levels.as_bytes());
    let link =
        |name: &str| std::os::unix::fs::symlink(Path::new(CRATE).join(name), folder.join(name));
    for name in ["fixtures", "examples"] {
        link(name).unwrap();
    }
}

/// Runs a command line as a shell does, with the program on the path.
fn run(folder: &Path, line: &str) -> Output {
    let program = Path::new(PROGRAM).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
#[ignore = "long"]
fn every_example_of_the_documents_runs_and_prints_what_it_shows() {
    let is_blessing = std::env::var_os("FAIRDEAL_BLESS").is_some();
    let mut wrong = Vec::new();
    for document in Document::all() {
        let blocks = document.blocks();
        if !blocks.iter().any(|block| block.language == "sh") {
            continue;
        }
        let folder = folder();
        prepare(folder.path());
        let mut anew: Vec<(usize, usize, Vec<String>)> = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            if block.language != "sh" {
                continue;
            }
            let follows = |next: &&Block| {
                let between = block.first + block.lines.len() + 1..next.first - 1;
                next.language == "text"
                    && document.lines[between]
                        .iter()
                        .all(|line| line.trim().is_empty())
            };
            let shown = blocks.get(index + 1).filter(follows);
            let commands = commands(block);
            for (place, (command, code)) in commands.iter().enumerate() {
                if NOT_RUN.iter().any(|(line, _)| line == command) {
                    continue;
                }
                let shown = shown.filter(|_| place + 1 == commands.len());
                let line = match shown {
                    Some(_) => command.clone(),
                    None => scaled(command),
                };
                // Each line is typed where no report is in its way.
                let _ = fs::remove_dir_all(folder.path().join("reports/runs"));
                let done = run(folder.path(), &line);
                let name = document.name();
                let ended = done.status.code();
                let error = String::from_utf8_lossy(&done.stderr);
                let is_right = match code {
                    Some(_) => ended == *code,
                    None if is_verdict(&line) => matches!(ended, Some(0 | 4)),
                    None => ended == Some(0),
                };
                if !is_right {
                    wrong.push(format!("{name}: `{line}` ends with {ended:?}: {error}"));
                }
                let output = stdout(&done);
                let Some(shown) = shown else { continue };
                let actual: Vec<&str> = output.trim_end().lines().map(str::trim_end).collect();
                if is_expected(&shown.lines, &actual) {
                    continue;
                }
                if is_blessing {
                    let lines = blessed(&shown.lines, &actual);
                    anew.push((shown.first, shown.lines.len(), lines));
                } else {
                    wrong.push(format!("{name}: `{line}` prints\n{}", actual.join("\n")));
                }
            }
        }
        let mut lines = document.lines.clone();
        for (first, count, replacement) in anew.into_iter().rev() {
            lines.splice(first..first + count, replacement);
        }
        if lines != document.lines {
            fs::write(&document.path, lines.join("\n") + "\n").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_script_of_the_documents_is_read() {
    for document in Document::all() {
        for block in document.blocks() {
            if block.language != "c" {
                continue;
            }
            let folder = folder();
            fs::write(folder.path().join("script.dl"), block.lines.join("\n")).unwrap();
            let arguments = ["deal", "script.dl", "-n", "1", "--seed", "1"];
            let done = fairdeal(folder.path(), &arguments);
            let error = String::from_utf8_lossy(&done.stderr);
            let place = format!("{}, line {}", document.name(), block.first);
            assert!(done.status.success(), "{place}: {error}");
        }
    }
}

#[test]
fn outputs_are_compared_but_for_times_and_lines_left_out() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let expected = lines("dealt in 0.25 s\n...\nverdict PASS");
    assert!(is_expected(
        &expected,
        &["dealt in 1.5 s", "a", "b", "verdict PASS"]
    ));
    assert!(is_expected(&expected, &["dealt in 1.5 s", "verdict PASS"]));
    assert!(!is_expected(&expected, &["dealt in 1.5 s", "verdict FAIL"]));
    assert!(!is_expected(&lines("9 deals"), &["8 deals"]));
    assert_eq!(anchor("## Is it slower?"), "is-it-slower");
    let run = "fairdeal run unconstrained --deals 10G > log";
    let expected = "fairdeal run --seed 1 unconstrained --deals 100K > log";
    assert_eq!(scaled(run), expected);
}
