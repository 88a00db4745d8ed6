"""Checks the sheets of a page of hands: hands.py NAME SHEETS PAGE.html BOXES.xml [PAPER]

BOXES.xml is what `pdftotext -bbox-layout` prints. The page itself says what each sheet must have.
"""

import html.parser
import re
import sys
import xml.etree.ElementTree as ElementTree

PAPERS = {"a4": (595, 842), "letter": (612, 792)}
MARGIN = 12 / 25.4 * 72


class Sheets(html.parser.HTMLParser):
    """The words of each sheet, in their order, without those that compact sheets only speak."""

    def __init__(self):
        super().__init__()
        self.sheets = []
        self.tags = []
        self.is_compact = False

    def handle_starttag(self, tag, attributes):
        of = dict(attributes).get("class", "")
        if tag == "section":
            self.sheets.append([])
            self.is_compact = "compact" in of
        if tag not in ("meta", "link", "br"):
            self.tags.append((tag, of))

    def handle_endtag(self, tag):
        while self.tags and self.tags.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tag, of = self.tags[-1] if self.tags else ("", "")
        is_spoken = self.is_compact and (tag in ("h3", "caption") or of in ("unit", "player"))
        if not is_spoken and any(tag == "section" for tag, _ in self.tags):
            self.sheets[-1] += data.split()


def words(text):
    """The words with their places, page by page."""
    pages = []
    for page in ElementTree.fromstring(text).iter("{http://www.w3.org/1999/xhtml}page"):
        size = (float(page.get("width")), float(page.get("height")))
        found = [
            (word.text, *(float(word.get(name)) for name in ("xMin", "yMin", "xMax", "yMax")))
            for word in page.iter("{http://www.w3.org/1999/xhtml}word")
        ]
        pages.append((size, found))
    return pages


def main(name, sheets, page, boxes, paper="a4"):
    wide, high = PAPERS[paper]
    parser = Sheets()
    parser.feed(open(page, encoding="utf-8").read())
    # Chromium may write control characters that XML does not allow.
    pages = words(re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", open(boxes, encoding="utf-8").read()))
    faults = []
    if not len(parser.sheets) == len(pages) == int(sheets):
        faults.append(f"{len(parser.sheets)} sections on {len(pages)} sheets, expected {sheets}")
    cards = 0
    for number, (expected, (size, found)) in enumerate(zip(parser.sheets, pages), 1):
        number_line = [word for word, _, top, *_ in found if top > high - MARGIN]
        if number_line != [str(number), "of", str(len(pages))]:
            faults.append(f"sheet {number} has the page number {' '.join(number_line)}")
        found = [one for one in found if one[2] <= high - MARGIN]
        if max(abs(size[0] - wide), abs(size[1] - high)) > 1:
            faults.append(f"sheet {number} is {size[0]} x {size[1]} points")
        # The name of the event may be cut where the sheet ends; nothing else may.
        start = expected.index("Board")
        wanted = "".join(expected[start:])
        printed = "".join(word for word, *_ in found)
        lost = missing(wanted, printed)
        if lost:
            faults.append(f"sheet {number} lacks {' '.join(lost[:8])}")
        outside = [
            word
            for word, left, top, right, bottom in found
            if left < MARGIN - 2 or right > wide - MARGIN + 2 or bottom > high - MARGIN + 2
        ]
        if outside:
            faults.append(f"sheet {number}: outside the margins: {' '.join(outside[:8])}")
        overlaps = overlapping(found)
        if overlaps:
            faults.append(f"sheet {number}: printed over each other: {overlaps[:4]}")
        cards += sum(word in RANKS for word in expected)
    mark = "FAIL" if faults else "ok"
    print(f"{mark:<5}{name:<12} {len(pages)} sheets of {paper}, {cards} cards")
    for fault in faults[:8]:
        print(f"       {fault}")
    return 1 if faults else 0


RANKS = set("A K Q J 10 9 8 7 6 5 4 3 2".split())


def missing(wanted, printed):
    """The characters that the sheet should have and has not, in any order of its columns."""
    left = {}
    for letter in printed:
        left[letter] = left.get(letter, 0) + 1
    lost = []
    for letter in wanted:
        if left.get(letter, 0) == 0:
            lost.append(letter)
        else:
            left[letter] -= 1
    return lost


def overlapping(found):
    """Pairs of words whose boxes share more than a sliver."""
    pairs = []
    for place, (one, left, top, right, bottom) in enumerate(found):
        for other, left2, top2, right2, bottom2 in found[place + 1 :]:
            wide = min(right, right2) - max(left, left2)
            high = min(bottom, bottom2) - max(top, top2)
            if wide > 1 and high > 0.5 * min(bottom - top, bottom2 - top2):
                pairs.append((one, other))
    return pairs


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
