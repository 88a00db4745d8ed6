"""Compares saved latency with HdrHistogram's Python port: see scripts/readers.sh."""

import io
import json
import math
import pathlib
import sys

from hdrh.histogram import HdrHistogram
from hdrh.iterators import PercentileIterator
from hdrh.log import HistogramLogReader

# The bounds of the program's histograms, in picoseconds, and their digits.
BOUNDS = (1, 3_600_000_000_000_000, 3)
PS_PER_NS = 1000


class JavaPercentiles(PercentileIterator):
    """The steps of the Java library; the port uses other steps between the halvings."""

    def increment_iteration_level(self):
        self.percentile_to_iterate_from = self.percentile_to_iterate_to
        gap = 100.0 - self.percentile_to_iterate_to
        if gap:
            halvings = int(math.log(100 / gap) / math.log(2)) + 1
            ticks = self.percentile_ticks_per_half_distance * 2**halvings
            self.percentile_to_iterate_to += 100.0 / ticks


class JavaHistogram(HdrHistogram):
    """The port's histogram, printed as the Java library prints it."""

    def get_percentile_iterator(self, ticks_per_half_distance):
        return JavaPercentiles(self, ticks_per_half_distance)


def decoded(log):
    """The intervals of a log: their number and their sum, by tag."""
    merged, counts = {}, {}
    reader = HistogramLogReader(str(log), HdrHistogram(*BOUNDS))
    while (interval := reader.get_next_interval_histogram()) is not None:
        tag = interval.get_tag()
        merged.setdefault(tag, JavaHistogram(*BOUNDS)).add(interval)
        counts[tag] = counts.get(tag, 0) + 1
    reader.close()
    return merged, counts


def distribution(histogram):
    """The port's own text, except two lines of its footer that differ from the Java library's:
    the port does not scale the deviation, and gives the count another name and decimals."""
    out = io.BytesIO()
    histogram.output_percentile_distribution(out, PS_PER_NS)
    lines = out.getvalue().decode().splitlines()
    mean = histogram.get_mean_value() / PS_PER_NS
    deviation = histogram.get_stddev() / PS_PER_NS
    largest = histogram.get_max_value() / PS_PER_NS
    lines[-3] = f"#[Mean    = {mean:12.3f}, StdDeviation   = {deviation:12.3f}]"
    lines[-2] = f"#[Max     = {largest:12.3f}, Total count    = {histogram.get_total_count():12d}]"
    return lines


def percentile(histogram, percent):
    """The smallest recorded value that this percentage of the samples does not exceed, in ns (the
    port rounds the number of samples; the libraries for Java and Rust round it up)."""
    needed = max(1, math.ceil(percent / 100 * histogram.get_total_count()))
    for item in histogram.get_recorded_iterator():
        if item.total_count_to_this_value >= needed:
            return item.value_iterated_to / PS_PER_NS
    return None


def main():
    folder, document = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
    record = json.loads((folder / "bench.json").read_text())
    merged, counts = decoded(folder / "latency.hlog")
    differences = 0
    tags = [f"threads={threads}" for threads in range(1, record["threads"] + 1)]
    if sorted(merged) != sorted(tags):
        print(f"{record['input']}: the log has {sorted(merged)}, not {tags}")
        sys.exit(1)
    for threads, tag in enumerate(tags, 1):
        histogram = merged[tag]
        ours = (folder / f"latency-{threads}.hgrm").read_text().splitlines()
        theirs = distribution(histogram)
        wrong = [pair for pair in zip(ours, theirs) if pair[0] != pair[1]]
        wrong += [("lines", len(ours), len(theirs))] * (len(ours) != len(theirs))
        rounds = record["rounds"]
        if counts[tag] != rounds:
            wrong.append(("intervals", counts[tag], rounds))
        rows = [row for row in document["rows"] if row["program"] == "fairdeal"]
        columns = {"block_ns_p50": 50, "block_ns_p90": 90, "block_ns_p99": 99, "block_ns_max": 100}
        for column, percent in columns.items():
            printed, found = rows[threads - 1][column], percentile(histogram, percent)
            if printed != found:
                wrong.append((column, printed, found))
        for pair in wrong:
            print("different:", *pair, sep="\n  ")
        differences += len(wrong)
        print(
            f"{record['input']}, {tag}: {counts[tag]} intervals, {histogram.get_total_count()} samples; "
            f"{len(ours)} lines of latency-{threads}.hgrm and {len(columns)} percentiles of --json: "
            + (f"{len(wrong)} differences" if wrong else "all the same")
        )
    sys.exit(1 if differences else 0)


main()
