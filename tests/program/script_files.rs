//! Files of scripts as their authors have them: lines that include files, the wrapper of Bridge Base,
//! UTF-16, and unused names.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::path::Path;

use crate::common::{code, fairdeal, folder, stderr, stdout};

fn field(name: &str) -> String {
    format!("{}/fixtures/field/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Writes files into the folder, and deals a board from `a.dl`: the exit code and standard error.
fn deal(at: &Path, files: &[(&str, &str)]) -> (i32, String) {
    for (name, text) in files {
        let path = at.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let done = fairdeal(at, "deal a.dl -n 1 --seed 1");
    (code(&done), stderr(&done))
}

#[test]
fn an_unknown_name_names_the_include_line() {
    let folder = folder();
    let done = fairdeal(
        folder.path(),
        &["deal", &field("include-line/include.dl"), "-n", "1"],
    );
    assert_eq!(code(&done), 65);
    let said = stderr(&done);
    for part in [
        "error: unknown name `keep06`",
        "include.dl:2:22",
        "help: line 1 of ",
        "include.dl has `#include \"script/Leveling\"`, and the file is not read: no file \
         script/Leveling beside the script",
    ] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn a_file_beside_the_script_is_read_where_its_line_is() {
    let folder = folder();
    let script = "produce 1\n#include \"script/Leveling\"\nhcp(north) >= 15 and keep06\n";
    let level = "# levels\nkeep06 = 1";
    let (code, said) = deal(
        folder.path(),
        &[("a.dl", script), ("script/Leveling", level)],
    );
    assert_eq!(code, 0, "{said}");
    let warning = "warning: `#include \"script/Leveling\"` reads script/Leveling\n --> a.dl:2:1\n";
    assert!(said.replace('\\', "/").starts_with(warning), "{said}");
    // Errors after the file and in it have their own lines.
    let (code, said) = deal(
        folder.path(),
        &[("a.dl", &script.replace("keep06", "keep07"))],
    );
    assert_eq!(code, 65);
    assert!(
        said.contains("unknown name `keep07`\n --> a.dl:3:22\n"),
        "{said}"
    );
    let (code, said) = deal(
        folder.path(),
        &[("script/Leveling", "# x\nkeep06 = hpc(north)\n")],
    );
    assert_eq!(code, 65);
    let said = said.replace('\\', "/");
    assert!(said.contains(" --> script/Leveling:2:10\n"), "{said}");
    // Import lines of Bridge Base's scripts name files too.
    let import = "Import,https://host/main/Leveling\ncondition keep06\n";
    let (code, said) = deal(folder.path(), &[("a.dl", import), ("Leveling", level)]);
    assert_eq!(code, 0, "{said}");
    fs::remove_file(folder.path().join("Leveling")).unwrap();
    let (code, said) = deal(folder.path(), &[]);
    assert_eq!(code, 65);
    let refused = "error: the file of `Import,https://host/main/Leveling` is not read: addresses are \
                   not fetched, and there is no file Leveling beside the script\n --> a.dl:1:1\n";
    assert!(said.starts_with(refused), "{said}");
}

#[test]
#[cfg(unix)]
fn files_outside_of_the_folder_links_and_cycles_are_not_read() {
    let folder = folder();
    let at = folder.path().join("inside");
    fs::create_dir(&at).unwrap();
    fs::write(folder.path().join("b.dl"), "keep = 1\n").unwrap();
    std::os::unix::fs::symlink("../b.dl", at.join("link.dl")).unwrap();
    std::os::unix::fs::symlink("..", at.join("up")).unwrap();
    let absolute = folder.path().join("b.dl");
    for (target, why) in [
        ("../b.dl", "it is not in the script's folder"),
        (
            absolute.to_str().unwrap(),
            "it is not in the script's folder",
        ),
        ("link.dl", "link.dl is not a regular file"),
        ("up/b.dl", "up is not a regular file"),
    ] {
        let script = format!("#include \"{target}\"\ncondition keep\n");
        let (code, said) = deal(&at, &[("a.dl", &script)]);
        assert_eq!(code, 65, "{target}");
        assert!(
            said.contains(&format!("the file is not read: {why}")),
            "{said}"
        );
    }
    let round = "#include \"c.dl\"\nkeep = 1\n";
    let files = [
        ("a.dl", "#include \"c.dl\"\ncondition keep\n"),
        ("c.dl", round),
    ];
    let (code, said) = deal(&at, &files);
    assert_eq!(code, 0, "{said}");
    let refused = "warning: `#include \"c.dl\"` is a comment, and the file is not read: it includes \
                   itself\n --> c.dl:1:1\n";
    assert!(said.contains(refused), "{said}");
    // Files that double at every level end at the limit of a script.
    let long = format!("# {}\n", "x".repeat(1 << 18));
    let files: Vec<(String, String)> = (0..6)
        .map(|level| {
            let next = format!("#include \"l{}\"\n", level + 1);
            (format!("l{level}"), next.repeat(4) + &long)
        })
        .collect();
    let mut files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    files.push(("a.dl", "#include \"l0\"\ncondition 1\n"));
    let (code, said) = deal(&at, &files);
    assert_eq!(code, 65);
    let longer = "error: the script with the files that it includes is longer than 1 MiB";
    assert!(said.starts_with(longer), "{}", said.lines().next().unwrap());
}

#[test]
fn a_script_is_read_without_bridge_bases_wrapper() {
    let folder = folder();
    let button = field("bbo-wrapper/button.txt");
    let bare = [
        "deal",
        "--where",
        "produce 10 dealer south hcp(south) >= 20",
        "--seed",
        "1",
        "--json",
    ];
    let (done, expected) = (
        fairdeal(folder.path(), &["deal", &button, "--seed", "1", "--json"]),
        fairdeal(folder.path(), &bare),
    );
    assert_eq!((code(&done), stderr(&done)), (0, String::new()));
    assert_eq!(stdout(&done), stdout(&expected));
    assert_eq!(stdout(&done).lines().count(), 10);
    assert!(stdout(&done).contains("\"dealer\":\"south\""));
    let text = fs::read_to_string(button).unwrap();
    // Lines and columns are those of the file.
    let (code, said) = deal(folder.path(), &[("a.dl", &text.replace("hcp(s", "hpc(s"))]);
    assert_eq!(code, 65);
    assert!(said.contains(" --> a.dl:5:1\n"), "{said}");
    let two = text.clone() + &text.replace("Script,Strong", "Script,Weak");
    let (code, said) = deal(folder.path(), &[("a.dl", &two)]);
    assert_eq!(code, 65);
    let refused =
        "error: 2 scripts in one file: Strong (line 2), Weak (line 10)\n  --> a.dl:10:1\n";
    assert!(said.starts_with(refused), "{said}");
}

#[test]
fn scripts_in_utf_16_are_read() {
    let folder = folder();
    let script = field("utf16/script.dl");
    let dealt = |input: &str| {
        let done = fairdeal(folder.path(), &["deal", input, "-n", "2", "--seed", "1"]);
        assert_eq!((code(&done), stderr(&done)), (0, String::new()));
        stdout(&done)
    };
    let bytes = fs::read(&script).unwrap();
    let big: Vec<u8> = bytes
        .chunks(2)
        .flat_map(|pair| [pair[1], pair[0]])
        .collect();
    fs::write(folder.path().join("big.dl"), big).unwrap();
    fs::write(
        folder.path().join("marked.dl"),
        "\u{feff}hcp(north) >= 15\n",
    )
    .unwrap();
    let expected = dealt("marked.dl");
    assert_eq!(
        (dealt(&script), dealt("big.dl")),
        (expected.clone(), expected)
    );
    fs::write(folder.path().join("a.dl"), &bytes[..bytes.len() - 1]).unwrap();
    let refused =
        "error: a.dl is not a condition: it begins as UTF-16 and is not; save it as UTF-8\n";
    assert_eq!(deal(folder.path(), &[]), (65, refused.to_owned()));
}

#[test]
fn quiet_prints_no_warning() {
    let folder = folder();
    let unused = field("quiet-warnings/unused.dl");
    let deal = ["deal", &unused, "-n", "1", "--seed", "1"];
    let quiet = fairdeal(folder.path(), &[&deal[..], &["-q"]].concat());
    assert_eq!((code(&quiet), stderr(&quiet)), (0, String::new()));
    let loud = fairdeal(folder.path(), &deal);
    assert!(stderr(&loud).starts_with("warning: unused name `a`"));
    assert_eq!(stdout(&quiet), stdout(&loud));
}
