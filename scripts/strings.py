"""Prints every text for people: see strings.sh."""

import pathlib
import re
import signal
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A string, a comment, or a character; the order matters.
TOKEN = re.compile(
    r'(?P<doc>///[^\n]*)|(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|(?P<raw>b?r(?P<hash>#*)".*?"(?P=hash))|(?P<string>b?"(?:\\.|[^"\\])*")'
    r"|(?P<char>b?'(?:\\.[^']*|[^'\\])')|(?P<brace>[{}])",
    re.DOTALL,
)
# Files of tests.
UNREAD = {"tests.rs", "testing.rs", "test_support.rs"}
# The beginning of a test module.
TESTS = re.compile(r"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))? )?mod \w+\s*\{")
SENTENCE = re.compile(r"[A-Za-z]{2,}[^A-Za-z0-9]* +[^ ]|^[a-z]+ [a-z]")
# The attributes below the help of an option, a command or a value.
HELPED = re.compile(r"\s*(?:#\[(?:arg|command|derive\([^)]*\b(?:Args|Parser|Subcommand|ValueEnum)\b)|[A-Z]\w*(?:\([\w:]+\))?,)")
# Calls whose strings are not for users: impossible cases and debug assertions.
UNSEEN = re.compile(r"(?:\.expect|expect_err|unreachable!|assert!|assert_eq!|debug_assert!|panic!|reason =)\(?\s*$")


def without_tests(text):
    """The source with its test modules blanked."""
    for found in reversed(list(TESTS.finditer(text))):
        depth, end = 1, len(text)
        for token in TOKEN.finditer(text, found.end()):
            if token.group("brace"):
                depth += 1 if token.group("brace") == "{" else -1
                if depth == 0:
                    end = token.end()
                    break
        blank = re.sub(r"[^\n]", " ", text[found.start():end])
        text = text[:found.start()] + blank + text[end:]
    return text


def unescaped(literal):
    """The text of a string literal on one line."""
    text = re.sub(r'^b?r?#*"|"#*$', "", literal)
    text = re.sub(r"\\\n\s*", "", text)
    return text.replace('\\"', '"').replace("\n", " ")


def sentences(path):
    text = without_tests(path.read_text())
    is_command = "clap" in text
    help_lines = []
    for token in TOKEN.finditer(text):
        line = text.count("\n", 0, token.start()) + 1
        if token.group("doc"):
            above = text[token.end():token.end() + 2000]
            below = re.sub(r"^(?:\s*///[^\n]*)*", "", above)
            if is_command and HELPED.match(below):
                help_lines.append((line, token.group("doc")[3:].strip()))
            continue
        literal = token.group("string") or token.group("raw")
        if not literal:
            continue
        before = text[max(0, token.start() - 60):token.start()]
        if UNSEEN.search(before.rstrip()):
            continue
        sentence = unescaped(literal)
        if SENTENCE.search(sentence):
            yield line, sentence
    # Doc comments of argument fields are help texts.
    yield from ((line, "help: " + words) for line, words in help_lines if words)


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    rooms = sys.argv[1:] or ["."]
    for room in rooms:
        start = ROOT / "src" / room
        files = sorted(start.rglob("*.rs")) if start.is_dir() else [start]
        for path in files:
            if path.name in UNREAD:
                continue
            for line, sentence in sorted(sentences(path)):
                print(f"{path.relative_to(ROOT)}:{line}: {sentence}")
    if rooms == ["."]:
        for page in sorted((ROOT / "src").rglob("*.html")):
            for number, words in enumerate(page.read_text().splitlines(), 1):
                words = re.sub(r"<[^>]*>|\{[%{].*?[%}]\}", " ", words).strip()
                if SENTENCE.search(words):
                    print(f"{page.relative_to(ROOT)}:{number}: {words}")


main()
