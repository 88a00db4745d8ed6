#!/usr/bin/env python3
"""Writes fixtures/records-real: small files with the properties of deal files in practice.

Each file has one property that real files have and formal samples lack. The deals are drawn
with a fixed seed. Uses only the standard library. Run it in the project's folder.
"""
import gzip
import io
import random
import tarfile
import zipfile
from pathlib import Path

OUT = Path("fixtures/records-real")
RANKS = "AKQJT98765432"
SEATS = "NESW"
rng = random.Random(20261125)


def deal():
    """Four hands from north, each four strings of ranks from spades down."""
    deck = [(suit, rank) for suit in range(4) for rank in RANKS]
    rng.shuffle(deck)
    hands = []
    for seat in range(4):
        hand = deck[13 * seat:13 * seat + 13]
        hands.append(["".join(r for r in RANKS if (suit, r) in hand) for suit in range(4)])
    return hands


def dots(hand):
    return ".".join(hand)


def pbn_deal(hands):
    return "N:" + " ".join(dots(hand) for hand in hands)


def pbn(boards, end="\n", **tags):
    """PBN of (number, deal) pairs; a tag is a text, or a list with a text for each record."""
    out = []
    for index, (number, hands) in enumerate(boards):
        for name, value in tags.items():
            value = value[index] if isinstance(value, list) else value
            if value is not None:
                out.append(f'[{name} "{value}"]')
        if number is not None:
            out.append(f'[Board "{number}"]')
        out.append(f'[Dealer "{SEATS[(number or 1) % 4 - 1]}"]')
        out.append(f'[Deal "{pbn_deal(hands)}"]')
        out.append("")
    return end.join(out) + end


def lin_hand(hand, upper=True):
    text = "".join(letter + ranks for letter, ranks in zip("SHDC", hand))
    return text if upper else text.lower()


def lin(boards, numbered=True):
    lines = []
    for number, hands in boards:
        north, _, south, west = hands
        board = f"ah|Board {number}|" if numbered else ""
        lines.append(f"pn|a,b,c,d|md|3{lin_hand(south)},{lin_hand(west)},{lin_hand(north)},|{board}sv|o|mb|p|")
    return "\n".join(lines) + "\n"


def write(name, content):
    path = OUT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def zipped(entries):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            info = zipfile.ZipInfo(name, (2026, 11, 25, 0, 0, 0))
            archive.writestr(info, content)
    return buffer.getvalue()


def tarred(entries):
    """A tar archive of files, a folder and a link."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, kind in (("club", tarfile.DIRTYPE), ("club/link.pbn", tarfile.SYMTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "one.pbn" if kind == tarfile.SYMTYPE else ""
            archive.addfile(info)
        for name, content in entries:
            info = tarfile.TarInfo(name)
            info.size = len(content.encode())
            archive.addfile(info, io.BytesIO(content.encode()))
    return buffer.getvalue()


def main():
    boards = [(number, deal()) for number in range(1, 9)]
    again = boards + boards
    # Each board at two tables; some records omit the site or the date.
    write("omitted-parts.pbn", pbn(
        again, Event="Autumn Teams", Site=["Lyon", "?"] * 8, Date=["2013.11.23"] * 8 + [""] * 8))
    write("time-in-date.pbn", pbn(
        again, Event="Autumn Teams",
        Date=[f"2013-11-23 {hour}:{minute:02}" for hour in (11, 12) for minute in range(8)]))
    for table in range(3):
        write(f"file-a-table/table{table + 1}.lin", lin(boards, numbered=table != 1))
    # The same boards at two events: it is unknown whether they were dealt twice.
    write("two-events/first.pbn", pbn(boards, Event="Club", Date="2026.11.16"))
    write("two-events/second.pbn", pbn(boards, Event="Club", Date="2026.11.23"))
    # A deal that occurs twice in one session, with two board numbers.
    write("dealt-twice.pbn", pbn(boards + [(9, boards[0][1])], Event="Club", Date="2026.11.16"))
    write("bare-hands.txt", "".join(
        " ".join(dots(hand) for hand in hands) + "\n" for _, hands in boards))
    write("gib.txt", "".join(
        " ".join(dots(hands[seat]) for seat in (3, 0, 1, 2)) + ":65658888" + "0" * 12 + "\n"
        for _, hands in boards))
    write("list.ben", "".join(
        f"{SEATS[number % 4 - 1]} None " + " ".join(dots(hand) for hand in hands) + " P P 1N\n"
        for number, hands in boards))
    write("rpdd.txt", "".join(
        " ".join(f"{seat.lower()} {dots(hand)}" for seat, hand in zip(SEATS, hands))
        + " ;06,03 07,06 06,07\n" for _, hands in boards))
    zrd = bytearray()
    for _, hands in boards:
        number = 0
        for suit in range(4):
            for place, rank in enumerate(RANKS):
                owner = next(seat for seat in range(4) if rank in hands[seat][suit])
                number |= (owner + 1) % 4 << 2 * (13 * suit + place)
        zrd += number.to_bytes(13, "little") + bytes([0x66] * 10)
    write("pavlicek.zrd", bytes(zrd))
    write("links.txt", "".join(
        "https://www.bridgebase.com/tools/handviewer.html?"
        + "&".join(f"{seat.lower()}={lin_hand(hand, False)}" for seat, hand in zip(SEATS, hands))
        + f"&d=n&v=o&b={number}\n" for number, hands in boards))
    write("cr-cr-lf.pbn", pbn(boards, end="\r\r\n", Event="Club"))
    write("compact.txt", "".join(
        "".join(f"{seat.lower()} {dots(hand)}\n" for seat, hand in zip(SEATS, hands))
        for _, hands in boards) + "Generated 8 hands\nProduced 8 hands\n")
    printed = ""
    for number, hands in boards:
        printed += f"{number:4}.\n"
        for suit in range(4):
            columns = ["".join(rank + " " for rank in hand[suit]) or "- " for hand in hands]
            printed += "".join(f"{column:20}" for column in columns[:3]) + columns[3] + "\n"
        printed += "\n"
    write("printall.txt", printed)
    text = pbn(boards, Event="Club")
    write("copies.zip", zipped([("one.pbn", text), ("copy of one.pbn", text), ("other/one.pbn", text)]))
    write("twice.pbn.gz.gz", gzip.compress(gzip.compress(text.encode(), mtime=0), mtime=0))
    # A name that is too long for a header.
    long = "club/" + "long-name-" * 20 + ".lin"
    archive = tarred([("club/one.pbn", text), (long, lin(boards))])
    write("tables.tar", archive)
    write("tables.tar.gz", gzip.compress(archive, mtime=0))
    write("zip-in-zip.zip", zipped([
        ("one.pbn", text), ("more.zip", zipped([("two.pbn", text), ("three.lin", lin(boards))]))]))
    write("two-formats/set.pbn", pbn(boards))
    write("two-formats/set.txt", "".join(pbn_deal(hands) + "\n" for _, hands in boards))
    # A folder with other files in it.
    write("mixed/boards.pbn", text)
    write("mixed/library.pbn", b"MZ\x90\0\x03\0\0\0\x04\0\0\0[Deal\0\0")
    write("mixed/program.lin", b"\x7fELF\x02\x01\x01\0md|3|\0")
    write("mixed/picture.pbn", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    write("mixed/README.md", "[results](results.pbn) of the club\n\n[Deal] is a tag.\n")
    write("mixed/template.pbn", '[Event "x"]\n[Board "1"]\n[Deal "to be filled in"]\n')
    write("mixed/numbers.txt", "1234567\n2345678\n")


main()
