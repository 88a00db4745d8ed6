"""The plots of the study, as SVG in the page."""

import html as markup
import math

from words import number

FAIR_SPREAD = "2.4853"
LEFT, RIGHT, ROW = 250, 30, 22
WIDTH = 860


def scale(low, high, start, end):
    """Returns a function from values to places on a logarithmic axis."""
    def place(value):
        share = (math.log10(value) - low) / (high - low)
        return start + (end - start) * min(max(share, 0), 1)
    return place


def power(exponent):
    return number(10**exponent) if exponent < 6 else f"10^{exponent}"


def svg(title, height, body):
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img"'
        f' aria-label="{markup.escape(title)}">'
        f"{''.join(body)}</svg>"
    )


def when(study):
    """Plots the number of deals until the battery and a player see a flaw."""
    rows = [(s["name"], s["fails_from"], s["player_from"]) for s in study["subjects"] if s["verdict"] == "FAIL"]
    rows = sorted((row for row in rows if row[1] and row[2]), key=lambda row: row[2])
    if not rows:
        return "<p>No program failed.</p>"
    place = scale(1, 7, LEFT, WIDTH - RIGHT)
    bottom = 20 + ROW * len(rows)
    body = []
    for exponent in range(1, 8):
        x = place(10**exponent)
        body.append(f'<line class="axis" x1="{x:.0f}" x2="{x:.0f}" y1="10" y2="{bottom}"/>')
        body.append(f'<text class="soft" x="{x:.0f}" y="{bottom + 16}" text-anchor="middle">{power(exponent)}</text>')
    for index, (name, battery, player) in enumerate(rows):
        y = 26 + ROW * index
        body.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{markup.escape(name)}</text>')
        body.append(f'<circle class="mark" cx="{place(player):.0f}" cy="{y}" r="5"/>')
        body.append(f'<rect class="bad" x="{place(battery) - 4:.0f}" y="{y - 4}" width="8" height="8"/>')
    y = bottom + 34
    body.append(f'<circle class="mark" cx="{LEFT}" cy="{y}" r="5"/>'
                f'<text x="{LEFT + 12}" y="{y + 4}">a player\'s count</text>')
    body.append(f'<rect class="bad" x="{LEFT + 136}" y="{y - 4}" width="8" height="8"/>'
                f'<text x="{LEFT + 150}" y="{y + 4}">first FAIL of the battery (it looks from 16,384 deals on)</text>')
    spoken = "; ".join(f"{name}: player {number(player)}, battery {number(battery)}" for name, battery, player in rows)
    return svg(f"Deals until a flaw is visible. {spoken}.", y + 14, body)


def evidence(study):
    """Plots the evidence against the number of deals, one line for every mechanism."""
    lines, seen = [], set()
    for subject in study["subjects"]:
        if subject["verdict"] == "FAIL" and subject["mechanism"] not in seen:
            seen.add(subject["mechanism"])
            points = [(deals, s) for deals, s in subject["main"]["looks"] if s >= 1]
            if points:
                lines.append((subject["name"], points))
    if not lines:
        return "<p>No program failed.</p>"
    lines.sort(key=lambda line: -line[1][-1][1])
    top, bottom = 20, 360
    across, up = scale(4, 7.2, 60, WIDTH - 250), scale(0, 7, bottom, top)
    body = []
    for exponent in range(0, 8):
        y = up(10**exponent)
        body.append(f'<line class="axis" x1="60" x2="{WIDTH - 250}" y1="{y:.0f}" y2="{y:.0f}"/>')
        body.append(f'<text class="soft" x="52" y="{y + 4:.0f}" text-anchor="end">{power(exponent)}</text>')
    for exponent in range(4, 8):
        x = across(10**exponent)
        body.append(f'<text class="soft" x="{x:.0f}" y="{bottom + 18}" text-anchor="middle">{power(exponent)} deals</text>')
    free = top
    for name, points in lines:
        path = " ".join(f"{across(deals):.0f},{up(s):.0f}" for deals, s in points)
        last = points[-1]
        y = max(free, up(last[1]))
        free = y + 16
        body.append(f'<polyline class="path" points="{path}"/>')
        x, end = across(last[0]), up(last[1])
        body.append(f'<line class="axis" x1="{x:.0f}" y1="{end:.0f}" x2="{WIDTH - 246}" y2="{y:.0f}"/>')
        body.append(f'<text x="{WIDTH - 242}" y="{y + 4:.0f}">{markup.escape(name)}</text>')
    ends = [(name, *points[-1]) for name, points in lines]
    spoken = "; ".join(f"{name}: S = {s:,.0f} after {number(deals)} deals" for name, deals, s in ends)
    return svg(f"Evidence S against the number of deals. {spoken}.", max(bottom, int(free)) + 26, body)
