//! Crates and modules depend only on those that ARCHITECTURE.md lists before them.
//!
//! Its table gives the order. The compiler refuses circles of crates; here, their manifests are compared with the table,
//! and the few modules of `src/` with each other: a module may use all crates and the modules above it. Code that is
//! compiled only for tests may use any module. A file `mod.rs`, and the `lib.rs` of a crate, lists the files of its folder
//! and defines no types.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of the table in their order: names without `/` at their ends and `.rs`.
fn rows() -> Vec<String> {
    let text = read(&Path::new(CRATE).join("ARCHITECTURE.md"));
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    let names = rows
        .filter_map(|row| row.split_once('`'))
        .map(|(name, _)| name);
    let names = names.map(|name| name.trim_end_matches('/').trim_end_matches(".rs"));
    names.map(str::to_owned).collect()
}

/// The crates and modules in their order, by the name that code of the root package has for them.
fn modules() -> Vec<String> {
    let name = |row: &String| row.trim_start_matches("crates/").to_owned();
    rows().iter().map(name).collect()
}

/// The crates beside the root package, but the laboratory and the pages as WebAssembly, which are not
/// published.
fn crates() -> Vec<String> {
    let entries = fs::read_dir(Path::new(CRATE).join("crates")).expect("crates");
    let names = entries.map(|entry| {
        let name = entry.expect("an entry").file_name();
        name.into_string().expect("names are text")
    });
    names
        .filter(|name| name != "lab" && name != "web")
        .collect()
}

/// The folders of production code: that of the root package first.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(CRATE);
    let crates = crates()
        .into_iter()
        .map(|name| root.join("crates").join(name).join("src"));
    [root.join("src")].into_iter().chain(crates).collect()
}

/// The files of production code of all crates.
fn all_production_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for source in sources() {
        production_files(&source, &mut found);
    }
    found.retain(|path| path.extension().is_some_and(|end| end == "rs"));
    found
}

/// The files below a folder, but those of modules that are compiled for tests alone.
fn production_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("a folder of src");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let files = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let for_tests: BTreeSet<String> = files
        .flat_map(|path| modules_for_tests(&read(path)))
        .collect();
    for path in &paths {
        let name = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("names are text");
        if for_tests.contains(name) {
            continue;
        }
        match path.is_dir() {
            true => production_files(path, found),
            false => found.push(path.clone()),
        }
    }
}

/// Names of modules in files of their own that a file declares for tests alone.
fn modules_for_tests(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for declared in text.split("#[cfg(test)]").skip(1) {
        let is_attribute = |line: &&str| !line.trim_start().starts_with("mod ");
        let within = |line: &&str| {
            let line = line.trim();
            line.is_empty()
                || line.starts_with("#[")
                || line.starts_with("clippy::")
                || line.starts_with("reason")
                || line.starts_with(")]")
        };
        let mut lines = declared
            .lines()
            .skip_while(|line| is_attribute(line) && within(line));
        let name = lines
            .next()
            .and_then(|line| line.trim().strip_prefix("mod "));
        names.extend(
            name.and_then(|name| name.strip_suffix(';'))
                .map(str::to_owned),
        );
    }
    names
}

/// A file's code, without comments and without the module of its tests.
fn production_code(text: &str) -> String {
    let code = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let production = code.take_while(|line| !line.starts_with("mod tests {"));
    production.collect::<Vec<_>>().join("\n")
}

/// The modules that code names after `crate::`.
fn named(code: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        match after.strip_prefix('{') {
            // A group: the first names of its members.
            Some(group) => {
                let mut depth = 1;
                let mut member = String::new();
                for c in group.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 || depth == 1 && c == ',' {
                        names.insert(member.trim().chars().take_while(|c| is_name(*c)).collect());
                        member.clear();
                    } else {
                        member.push(c);
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
            None => {
                names.insert(after.chars().take_while(|c| is_name(*c)).collect());
            }
        }
    }
    names
}

#[test]
fn every_crate_and_every_module_is_in_the_table() {
    let (listed, modules): (Vec<String>, Vec<String>) = rows()
        .into_iter()
        .partition(|row| row.starts_with("crates/"));
    assert!(
        rows().starts_with(&listed),
        "modules use crates, not the reverse"
    );
    let listed: BTreeSet<String> = listed.into_iter().collect();
    let there = crates().into_iter().map(|name| format!("crates/{name}"));
    assert_eq!(listed, there.collect());
    let modules: BTreeSet<String> = modules.into_iter().collect();
    let entries = fs::read_dir(Path::new(CRATE).join("src")).expect("src");
    let names = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        path.file_stem()
            .and_then(|stem| stem.to_str())
            .expect("names are text")
            .to_owned()
    });
    let there: BTreeSet<String> = names
        .filter(|name| name != "lib" && name != "main")
        .collect();
    assert_eq!(modules, there);
}

/// Their tests too: a crate's manifest names what either uses.
#[test]
fn crates_use_only_crates_before_them() {
    let modules = modules();
    let place = |name: &str| modules.iter().position(|module| module == name);
    for name in crates() {
        let manifest = read(
            &Path::new(CRATE)
                .join("crates")
                .join(&name)
                .join("Cargo.toml"),
        );
        let used = manifest
            .lines()
            .filter_map(|line| line.strip_prefix("fairdeal"));
        for used in used {
            let is_name = |c: &char| c.is_ascii_lowercase() || *c == '-' || *c == '_';
            let used: String = used.chars().take_while(is_name).collect();
            let before = place(used.trim_start_matches('-'));
            assert!(
                before.is_some() && before < place(&name),
                "{name} uses fairdeal{used}"
            );
        }
    }
}

#[test]
fn modules_use_only_modules_before_them() {
    let modules = modules();
    let place = |name: &str| modules.iter().position(|module| module == name);
    let source = Path::new(CRATE).join("src");
    let mut files = Vec::new();
    production_files(&source, &mut files);
    let mut against = Vec::new();
    let mut edges = 0;
    for file in &files {
        let within = file.strip_prefix(&source).expect("files of src");
        let first = within.components().next().expect("a file has a name");
        let module = first.as_os_str().to_str().expect("names are text");
        let Some(own) = place(module.trim_end_matches(".rs")) else {
            // The crate's root, and the program's.
            continue;
        };
        for other in named(&production_code(&read(file))) {
            if let Some(other_place) = place(&other) {
                edges += 1;
                if other_place > own {
                    against.push(format!("{} uses {other}/", within.display()));
                }
            }
        }
    }
    assert!(edges > 200, "only {edges} uses were found");
    assert!(against.is_empty(), "{}", against.join("\n"));
}

/// The types that code defines: structs, enums and traits outside functions.
fn types(code: &str) -> Vec<&str> {
    let visible = |line: &str| line.starts_with("pub") || line.starts_with(['s', 'e', 't']);
    let mut found = Vec::new();
    for line in code.lines().filter(|line| visible(line)) {
        let mut words = line.split_whitespace();
        if words.any(|word| ["struct", "enum", "trait"].contains(&word)) {
            found.extend(words.next());
        }
    }
    found
}

#[test]
fn types_have_files_with_other_names_than_mod() {
    let files = all_production_files();
    let own = Path::new(CRATE).join("src");
    let is_list = |file: &&PathBuf| {
        file.ends_with("mod.rs") || file.ends_with("lib.rs") && !file.starts_with(&own)
    };
    let (lists, others): (Vec<_>, Vec<_>) = files.iter().partition(is_list);
    let code = |file: &PathBuf| production_code(&read(file));
    for file in &lists {
        let code = code(file);
        assert_eq!(types(&code), [""; 0], "{}", file.display());
    }
    let elsewhere: usize = others.iter().map(|file| types(&code(file)).len()).sum();
    assert!(elsewhere > 500, "only {elsewhere} types were found");
}

/// The command-line options that code names.
fn options(code: &str) -> Vec<&str> {
    let is_option = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_lowercase());
    let after = code.split("--").skip(1).filter(is_option);
    let name = |rest: &'_ str| {
        rest.find(|c: char| !c.is_ascii_lowercase() && c != '-')
            .unwrap_or(rest.len())
    };
    after.map(|rest| &rest[..name(rest)]).collect()
}

/// Each surface adds its own remedies to the library's messages: the command line the options.
#[test]
fn only_the_command_line_names_options() {
    let source = Path::new(CRATE).join("src");
    let files = all_production_files();
    let is_surface = |file: &PathBuf| {
        ["cli", "serve"]
            .map(|of| source.join(of))
            .iter()
            .any(|of| file.starts_with(of))
    };
    let (surface, library): (Vec<_>, Vec<_>) = files.into_iter().partition(is_surface);
    // The page of a report has the command that repeats its run.
    let of_page = Path::new(CRATE).join("crates/report/src/page/facts.rs");
    for file in library.iter().filter(|file| **file != of_page) {
        let code = production_code(&read(file));
        assert_eq!(options(&code), [""; 0], "{}", file.display());
    }
    let remedies = source.join("cli/remedies.rs");
    assert!(surface.contains(&remedies));
    assert!(options(&production_code(&read(&remedies))).contains(&"max-cases"));
}

#[test]
fn uses_are_found_in_every_form() {
    let code = "use crate::draw::{Dealer, Packet};\nuse crate::{bridge::Card, language, tally::{A, B}};\nlet x = crate::stats::ln_gamma(1.0);";
    let found: Vec<String> = named(code).into_iter().collect();
    assert_eq!(found, ["bridge", "draw", "language", "stats", "tally"]);
    let text = "#[cfg(test)]\n#[allow(\n    clippy::unwrap_used,\n    reason = \"a test\"\n)]\nmod slow;\nmod fast;";
    assert_eq!(modules_for_tests(text), ["slow"]);
}
