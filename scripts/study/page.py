"""Writes the page of the study: one file, with its plots, that loads nothing."""

import html as markup
import math

import plots
from words import TITLES, amount, effect_words, number, player_words

STYLE = """
:root{color-scheme:light dark;--back:#fff;--text:#1b1b1f;--soft:#55555f;--line:#c9c9d1;--card:#f4f4f7;
--bad:#a3182c;--good:#1a6b33;--mark:#1d5fae}
@media (prefers-color-scheme:dark){:root{--back:#16161a;--text:#ececf1;--soft:#b4b4c0;--line:#45454f;
--card:#222228;--bad:#ff8b96;--good:#7fd89b;--mark:#86b9ff}}
@media print{:root{color-scheme:light;--back:#fff;--text:#1b1b1f;--soft:#55555f;--line:#c9c9d1;
--card:#f4f4f7;--bad:#a3182c;--good:#1a6b33;--mark:#1d5fae}}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:70rem;margin:0 auto;padding:1rem}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}
h2{margin:2.2rem 0 .5rem;border-top:1px solid var(--line);padding-top:1rem}
h3{margin:1.4rem 0 .3rem}
p,li,h3{max-width:46rem;overflow-wrap:anywhere}
a{color:var(--mark)}
code{overflow-wrap:anywhere}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(15rem,100%),1fr));gap:.8rem;margin:.8rem 0}
.card{background:var(--card);border-radius:.5rem;padding:.6rem .9rem}
.card h2{border:0;margin:0;padding:0;font-size:1.05rem}
.card p,.card ul{margin:.3rem 0;padding-left:0;list-style-position:inside}
.card li{margin:.15rem 0}
.bad{color:var(--bad);font-weight:600}.good{color:var(--good);font-weight:600}.soft{color:var(--soft)}
.wide{overflow-x:auto;margin:.6rem calc(50% - min(50vw - 1.5rem,52rem))}
table{border-collapse:collapse;font-size:.85rem}
caption{text-align:left;color:var(--soft);padding:.3rem 0}
th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}
td:nth-child(n+3):not(.n,.effect){min-width:7.5rem}
td.effect{min-width:17rem}
td.n,th.n{text-align:right;white-space:nowrap}
tbody th{font-weight:600;white-space:nowrap}
svg{max-width:100%;height:auto;display:block}
svg text{fill:var(--text);font:12px system-ui,sans-serif}
svg .axis{stroke:var(--line)}svg .soft{fill:var(--soft)}
svg .mark{fill:var(--mark);stroke:var(--mark)}svg .bad{fill:var(--bad);stroke:var(--bad)}
svg .path{fill:none;stroke:var(--mark);stroke-width:1.5}
"""


def html(study):
    """Returns the page."""
    parts = [
        head(study),
        failures_section(study),
        plots_section(study),
        table_section(study),
        proof_section(study),
        mechanisms_section(study),
        limits_section(study),
        method_section(study),
        not_run_section(study),
    ]
    title = "Do dealing programs deal fair hands?"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n<main>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
    )


def text(value):
    """Returns a value as text of the page."""
    return markup.escape(str(value), quote=False)


def table(caption, columns, rows):
    """Returns a table; a column is its title, or its title and "n" for numbers."""
    columns = [column if isinstance(column, tuple) else (column, "") for column in columns]
    heads = "".join(f'<th scope="col"{css(kind)}>{text(title)}</th>' for title, kind in columns)
    lines = []
    for row in rows:
        cells = [f'<th scope="row">{row[0]}</th>']
        cells += [f"<td{css(kind)}>{cell}</td>" for cell, (_, kind) in zip(row[1:], columns[1:])]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    label = markup.escape(caption)
    return (
        f'<div class="wide" role="region" aria-label="{label}" tabindex="0"><table><caption>{text(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def css(kind):
    return f' class="{kind}"' if kind else ""


def named(subjects, *kinds):
    return [subject for subject in subjects if subject["kind"] in kinds]


REAL = ("bridge program", "card package", "shuffle package", "language")


def head(study):
    """Returns the first screen: what was tested, which are fair, which are not."""
    real = named(study["subjects"], *REAL)
    passed = [subject for subject in real if subject["verdict"] == "PASS"]
    failed = [subject for subject in real if subject["verdict"] == "FAIL"]
    unfair = unfair_programs(failed)
    items = "".join(f"<li><b>{text(name)}</b>: {text(why)}</li>" for name, why in unfair.items())
    open_ones = [subject for subject in real if subject["verdict"] not in ("PASS", "FAIL", "NOT RUN")]
    missing = [subject for subject in study["subjects"] if subject["verdict"] == "NOT RUN"]
    deals = sum(result["deals"] for subject in study["subjects"] for result in subject["audits"] if "verdict" in result)
    return f"""<h1>Do dealing programs deal fair hands?</h1>
<p>Most clubs play hands that a computer dealt. We took {len(passed) + len(unfair)} programs and shuffles that anyone
can install, let them deal {amount(deals)} deals in all, and tested them all in the same way.</p>
<div class="cards">
<section class="card" aria-labelledby="fair"><h2 id="fair" class="good">{len(passed)} show no flaw</h2>
{fair_list(passed)}</section>
<section class="card" aria-labelledby="unfair"><h2 id="unfair" class="bad">{len(unfair)} are not fair</h2>
<ul>{items}</ul></section>
<section class="card" aria-labelledby="meaning"><h2 id="meaning">What it means at the table</h2>
<p>{meaning(passed, failed)}</p></section>
</div>
<p class="soft">{len(open_ones)} more are too slow for a million deals; they show no flaw so far.
{len(missing)} could not be had; they are <a href="#not-run">listed</a>. &ldquo;No flaw&rdquo;
never means perfect: this page also says <a href="#limits">what the tests cannot see</a>.</p>"""


def fair_list(passed):
    bridge = [subject["name"] for subject in named(passed, "bridge program")]
    languages = [subject["name"] for subject in named(passed, "language")]
    packages = len(passed) - len(bridge) - len(languages)
    items = []
    if bridge:
        items.append(f"for bridge: {text(', '.join(bridge))}")
    if packages:
        items.append(f"{packages} packages for cards or shuffles")
    if languages:
        items.append(f"{len(languages)} shuffles that languages bring along")
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def unfair_programs(failed):
    """Returns the unfair programs and their flaws; versions and ways of asking are one program."""
    groups = {}
    for subject in failed:
        short = subject["name"].split(",")[0].split(" (")[0] if subject["kind"] != "language" else subject["name"]
        groups.setdefault(short, TITLES[subject["mechanism"]])
    return groups


def meaning(passed, failed):
    """Says what the best known finding means to a player."""
    dealer = next((subject for subject in failed if subject["name"] == "dealer"), None)
    if dealer is None:
        return "The unfair shuffles make some hands more likely than others, or repeat deals."
    stay = dealer["main"]["effects"]["stay-1"][0]
    others = ", ".join(subject["name"] for subject in named(passed, "bridge program")) or "Other programs"
    return (
        f"<b>dealer</b> is the best known dealing program, in use for thirty years. Each of its deals is fair by itself,"
        f" but it resembles the one before: {stay:.2f} cards return to the hand they were in, instead of 13. You hold"
        f" {stay / 4:.2f} of your last thirteen cards again, not 3.25. No table of points or shapes shows it."
        f" The other programs for bridge ({text(others)}) show no such resemblance."
    )


def failures_section(study):
    """Describes every unfair program in words."""
    rows = []
    for subject in study["subjects"]:
        if subject["verdict"] == "FAIL" and subject["kind"] in REAL:
            mechanism = study["mechanisms"][subject["mechanism"]]
            words = effect_words(mechanism["effect"], subject["main"])
            name, version = text(subject["name"]), text(subject["main"]["version"])
            seen = text(player_words(subject, mechanism["effect"]))
            rows.append(f"<li><b>{name}</b> {version}: {text(words)}. {seen}</li>")
    return f'<h2 id="failures">The unfair programs</h2>\n<ul>{"".join(rows)}</ul>'


def plots_section(study):
    return f"""<h2 id="plots">When one could have known</h2>
<p>Circles show when a player could have seen the flaw who had kept the one right count of a single hand. Squares show
when the battery is certain, without knowing what to look for. An evening has some 24 deals.</p>
{plots.when(study)}
<p>S is the evidence: fair deals reach S = 9 once in a thousand million studies. It grows with the number of deals.</p>
{plots.evidence(study)}"""


def table_section(study):
    """Returns the table of all programs."""
    titles = {
        "bridge program": "Programs for bridge",
        "championship": "Boards of championships",
        "card package": "Packages with decks of cards",
        "shuffle package": "Packages with a shuffle",
        "language": "Shuffles and generators of languages",
        "seeded each deal": "Generators with a new seed for every deal",
        "classic mistake": "Classic wrong shuffles, written for this study",
        "control": "Controls: deals of fairdeal itself",
    }
    columns = ["program", "version", "how it was asked", ("deals", "n"), ("deals a second", "n"), "verdict", ("S", "n"),
               "strongest test", ("effect", "effect"), ("FAIL from, deals", "n"), ("a player could see it from", "n")]
    out = ['<h2 id="results">All results</h2>',
           "<p>Deals a second are those of one processor, for dealing and writing alone.</p>"]
    for kind, title in titles.items():
        ran = [subject for subject in named(study["subjects"], kind) if subject["main"]]
        # Only failures have a strongest test and an effect.
        width = len(columns) if any(subject["verdict"] == "FAIL" for subject in ran) else 7
        if ran:
            out.append(table(title, columns[:width], [result(study, subject)[:width] for subject in ran]))
    return "\n".join(out)


def result(study, subject):
    """Returns the row of a subject."""
    audit = subject["main"]
    verdict = audit["verdict"]
    kind = {"FAIL": "bad", "PASS": "good"}.get(verdict, "")
    is_failed = verdict == "FAIL" and subject["mechanism"]
    mechanism = study["mechanisms"].get(subject["mechanism"])
    has_evidence = verdict not in ("PASS", "INCONCLUSIVE")
    strongest = audit["strongest"][0].split(":")[0] if has_evidence else ""
    speed = audit["deals"] / audit["cpu_seconds"] if audit["cpu_seconds"] else None
    return [
        text(subject["name"]),
        text(audit["version"]),
        text(subject["how"]),
        number(audit["deals"]),
        number(float(f"{speed:.2g}")) if speed else "",
        f"<span{css(kind)}>{verdict}</span>",
        f"{audit['s']:,.1f}",
        text(strongest),
        text(effect_words(mechanism["effect"], audit)) if is_failed else "",
        number(subject["fails_from"]) if is_failed and subject["fails_from"] else "",
        number(subject["player_from"]) if is_failed and subject["player_from"] else "",
    ]


def proof_section(study):
    """Returns the table of failures on two seeds and two numbers of deals."""
    rows = [
        [
            text(row["name"]),
            row["seed"],
            number(row["deals"]),
            row["verdict"],
            f"{row['s']:,.1f}",
            text(row["effect"]),
            plus_minus(row["predicted"], row["predicted_error"]),
            plus_minus(row["seen"], row["seen_error"]),
            "" if row["z"] is None else f"{row['z']:+.2f}",
        ]
        for row in study["failures"]
    ]
    columns = ["program", ("seed or run", "n"), ("deals", "n"), "verdict", ("S", "n"), "effect", ("predicted", "n"),
               ("seen", "n"), ("z", "n")]
    return f"""<h2 id="proof">Every FAIL twice</h2>
<p>Every FAIL is repeated with two seeds and two numbers of deals. A program without a seed runs twice. The predicted
effect is that of a <a href="#mechanisms">simulation</a> of the mechanism, which shares no code with the program. z is
the difference of both in standard errors; the study fails if any reaches 5. The largest is
{study['largest_z']:.2f}.</p>
{table("Predicted and seen effects", columns, rows)}
<p>The effects: <b>home</b> is the number of cards, of 52, that come to the seat of their place in the sorted deck: the
first thirteen to north, and so on. <b>stay-k</b> is the number of cards that are in the same hand as k deals before.
<b>repeats</b> is the number of pairs of equal deals. <b>fit-spread</b> is the mean square of the difference between
the spades of north and south together and 6.5. Fair dealing gives 13, 13, 0 and {plots.FAIR_SPREAD}.</p>"""


def plus_minus(value, error):
    if value is None:
        return ""
    digits = max(0, min(4, 1 - math.floor(math.log10(error)))) if error > 0 else 0
    return f"{value:,.{digits}f} &plusmn; {error:,.{digits}f}"


def mechanisms_section(study):
    """Explains every mechanism, with the places in the sources."""
    out = ['<h2 id="mechanisms">Why they are unfair</h2>',
           "<p>Each mechanism was found in the published source and simulated by a function of ten lines or so in"
           " <code>scripts/study/mechanisms.py</code>.</p>"]
    for name, mechanism in study["mechanisms"].items():
        mine = [s for s in study["subjects"] if s["mechanism"] == name and s["verdict"] == "FAIL"]
        if not mine or mechanism["simulation"] is None:
            continue
        sources = sorted({s["source"] for s in mine if not s["source"].startswith("no program")})
        items = "".join(f"<li>{text(source)}</li>" for source in sources)
        words = effect_words(mechanism["effect"], mechanism["simulation"])
        deals = number(mechanism["simulation"]["deals"])
        out.append(f"<h3>{text(mechanism['title'])}</h3>")
        out.append(f"<p>{text(mechanism['words'])} The simulation: {text(words)}, in {deals} deals.</p>")
        out.append(f"<ul>{items}</ul>" if items else "")
    return "\n".join(out)


def limits_section(study):
    """Says what the battery cannot see, by its own bounds."""
    rows, seen = [], set()
    for subject in sorted(study["subjects"], key=lambda s: s["main"]["deals"] if s["main"] else 0):
        audit = subject["main"]
        if audit is None or audit["verdict"] != "PASS" or audit["deals"] in seen:
            continue
        seen.add(audit["deals"])
        bound = audit["bounds"]
        rows.append([
            number(audit["deals"]),
            f"{100 * bound['card at a seat']:.3f} %",
            f"{100 * bound['shape at a seat']:.2f} %" if "shape at a seat" in bound else "",
            text("; ".join(audit["detectable"])),
        ])
    columns = ["deals", ("any card at any seat, within", "n"), ("common shapes, within", "n"),
               "effects that would have been detected"]
    return f"""<h2 id="limits">What the tests cannot see</h2>
<p>A PASS means: this number of deals shows no evidence, and larger effects than these are excluded (99.9 %
confidence). Smaller flaws can remain.</p>
{table("Bounds after a PASS, by number of deals", columns, rows)}
<ul>
<li><b>Enough wrong exchanges look right.</b> numpyDealer exchanges two random cards 364 times. That is not a fair
shuffle, but a test needs some 10<sup>12</sup> deals to see it (between the predictions for 312 and 520 exchanges in
<code>reports/defects.txt</code>).</li>
<li><b>Small generators pass.</b> Those of Java and lrand48() have 48 bits, and a generator of 32 bits passes if it
is seeded once. The battery tests deals, not random words. If such a seed is known, every deal is known:
<code>fairdeal audit --seed-search</code> finds seeds of known programs.</li>
<li><b>Guessing.</b> A generator that is not made for secrets, such as the Mersenne Twister, can be reconstructed
from its output, although all its deals are fair. No test of frequencies shows that.</li>
<li><b>The way of asking matters.</b> rand() of glibc fails if its number is scaled to an index, and passes here if
the index is its remainder.</li>
<li><b>Other versions and other calls</b> of the same programs were not tested.</li>
</ul>"""


def method_section(study):
    return """<h2 id="method">How it was done</h2>
<ul>
<li>Every program shuffles a new sorted deck for every deal, unless the table says otherwise; north gets the first
thirteen cards, east the next, and so on. Programs for bridge deal as they do.</li>
<li><code>fairdeal audit</code> reads the deals from a pipe and makes more than 70 tests, with exact null distributions.
FAIL means S of 9 or more, PASS needs a million deals. Fewer deals are INCONCLUSIVE.</li>
<li><b>FAIL from</b> is the first of the looks with S of 9 or more. Looks are at every power of two from 16,384 deals on,
and at the end.</li>
<li><b>A player could see it from</b> this number of deals: a count of one hand is then five standard errors off. The
count is of cards of the hand's own quarter of the sorted deck (home), of cards that the hand had k deals before (stay),
or of spades that the player and partner hold (fit-spread). For repeats, it is the number of deals of which one repeats
an earlier one, on average.</li>
<li>Processor time is that of the dealing process alone.</li>
<li>To repeat it: <code>scripts/study.sh</code>. It installs packages of Debian, PyPI, npm and crates.io, in the
versions of <code>scripts/study</code>. The tables are results.csv and failures.csv, beside this page.</li>
</ul>"""


def not_run_section(study):
    missing = [subject for subject in study["subjects"] if subject["verdict"] == "NOT RUN"]
    rows = [[text(subject["name"]), text(subject["registry"]), text(subject["reason"])] for subject in missing]
    body = table("Programs that were not tested", ["program", "registry", "reason"], rows) if rows else "<p>None.</p>"
    return f'<h2 id="not-run">Not run</h2>\n{body}'
