#!/usr/bin/env python3
"""Counts the boards and the distinct deals of files, independently of fairdeal.

    scripts/real_files.py PATH ..

Prints a line of CSV for each path: path, boards, distinct deals. Uses only the standard library.
Reads PBN, LIN and its links, lines of four hands, GIB's and BEN's lists, dealer's printoneline,
printcompact and printall, and .zrd; plain, compressed with gzip, and in zip or tar archives, also
nested.
"""
import gzip
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

DECK = {suit + rank for suit in "SHDC" for rank in "AKQJT98765432"}
HAND = re.compile(r"[AKQJTakqjt0-9-]*(?:\.[AKQJTakqjt0-9-]*){3}$")


def hand_of_suits(suits):
    return {suit + rank for suit, ranks in zip("SHDC", suits)
            for rank in ranks.upper().replace("10", "T") if rank != "-"}


def hand_of_dots(text):
    return hand_of_suits(text.split("."))


def whole(hands):
    """The deal as text, or None; hands from north, None for a missing hand."""
    missing = [place for place, hand in enumerate(hands) if not hand]
    if len(missing) == 1:
        others = set().union(*(hand for hand in hands if hand))
        hands = [hand or DECK - others for hand in hands]
    if any(not hand or len(hand) != 13 for hand in hands) or set().union(*hands) != DECK:
        return None
    return " ".join("".join(sorted(hand)) for hand in hands)


def deal_string(text):
    first, cards = "N", text
    if text[1:2] == ":":
        first, cards = text[0].upper(), text[2:]
    hands = [hand_of_dots(word) if word.count(".") == 3 else None for word in cards.split()[:4]]
    hands += [None] * (4 - len(hands))
    turn = "NESW".index(first)
    return whole([hands[(seat - turn) % 4] for seat in range(4)])


def lin_hand(text):
    hand, suit = set(), None
    for letter in text.upper().replace("10", "T"):
        if letter in "SHDC":
            suit = letter
        elif suit:
            hand.add(suit + letter)
    return hand


def of_lin(hands):
    south, west, north, east = [lin_hand(hand) for hand in (hands + ["", "", "", ""])[:4]]
    return whole([north, east, south, west])


def of_text(text):
    lines = re.split(r"\r*\n|\r", text)
    if re.search(r'^\s*\[\s*\w+\s*"', text, re.M):
        tags = re.findall(r'^\s*\[\s*Deal\s+"([^"]*)"', text, re.M)
        yield from (deal_string(tag) for tag in tags if re.match(r"[NESWnesw]:", tag))
        return
    if re.search(r"md\|", text):
        for value in re.findall(r"md\|([^|]*)\|", text):
            hands = value.lstrip("01234").split(",")
            yield of_lin(hands)
        return
    index = 0
    while index < len(lines):
        line = lines[index].strip()
        index += 1
        words = line.split(";")[0].split()
        if line.startswith("http"):
            query = {name.lower(): values[0] for name, values in parse_qs(urlsplit(line).query).items()}
            if "lin" in query:
                yield from of_text(query["lin"])
            elif {"n", "s"} & query.keys():
                yield of_lin([query.get(seat, "") for seat in "swne"])
        elif re.match(r"\d+\.$", line) and index + 4 <= len(lines):
            hands = [[], [], [], []]
            for row in lines[index:index + 4]:
                for seat in range(4):
                    hands[seat].append(row[20 * seat:20 * seat + 20].replace(" ", ""))
            index += 4
            yield whole([hand_of_suits(hand) for hand in hands])
        elif len(words) >= 8 and [word.lower() for word in words[:8:2]] == list("nesw"):
            yield whole([hand_of_dots(word) for word in words[1:8:2]])
        elif len(words) == 2 and words[0] == "n" and HAND.match(words[1]):
            rows = [row.split() for row in lines[index - 1:index + 3]]
            index += 3
            yield whole([hand_of_dots(row[1]) for row in rows])
        elif re.match(r"[NESWnesw]:", line):
            yield deal_string(line)
        elif len(words) >= 6 and words[0] in "NESW" and all(map(HAND.match, words[2:6])):
            yield whole([hand_of_dots(word) for word in words[2:6]])
        elif ":" in line and len(words) == 4:
            west, north, east, south = [hand_of_dots(word) for word in line.split(":")[0].split()]
            yield whole([north, east, south, west])
        elif len(words) == 4 and all(map(HAND.match, words)):
            yield whole([hand_of_dots(word) for word in words])


def of_zrd(data):
    cards = [suit + rank for suit in "SHDC" for rank in "AKQJT98765432"]
    for start in range(0, len(data) - 22, 23):
        number = int.from_bytes(data[start:start + 13], "little")
        hands = [set(), set(), set(), set()]
        for place, card in enumerate(cards):
            hands[(number >> 2 * place & 3) - 1].add(card)
        yield whole(hands)


def of_bytes(name, data, depth=0):
    if data.startswith(b"PK\x03\x04") and depth < 3:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.namelist():
                yield from of_bytes(entry, archive.read(entry), depth + 1)
    elif data.startswith(b"\x1f\x8b") and depth < 3:
        yield from of_bytes(name.removesuffix(".gz"), gzip.decompress(data), depth + 1)
    elif data[257:262] == b"ustar" and depth < 3:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for entry in archive:
                if entry.isreg():
                    yield from of_bytes(entry.name, archive.extractfile(entry).read(), depth + 1)
    elif name.endswith(".zrd"):
        yield from of_zrd(data)
    elif b"\0" not in data:
        yield from of_text(data.decode("utf-8-sig", "replace"))


def of_path(path):
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    for file in files:
        yield from of_bytes(file.name, file.read_bytes())


for argument in sys.argv[1:]:
    deals = [deal for deal in of_path(Path(argument)) if deal]
    print(f"{argument},{len(deals)},{len(set(deals))}")
