"""The figures of the page: which marks, which colours, and that the numbers are those of the
reports."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
import pytest

from harness.compare import breakdown
from harness.report import overview, palette, plots
from harness.report.figures import Plot
from harness.results import Report
from tests.python import samples
from tests.python.test_report import FAILED, bench_result, measured


def figure(plot: Plot) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(plot.figure)
    return found


def values(field: Any) -> np.ndarray[Any, Any]:
    """A list, or what Plotly makes of an array."""
    if not isinstance(field, dict):
        return np.array(field)
    flat = np.frombuffer(base64.b64decode(field["bdata"]), field["dtype"])
    shape = [int(length) for length in field.get("shape", "-1").split(",")]
    return flat.reshape(shape)


def pair(**changes: Any) -> list[Report]:
    return list(bench_result(**changes).reports.values())


def warmed(*latencies: int) -> list[Report]:
    return pair(warmup=[samples.record(latency) for latency in latencies])


def test_every_inference_is_in_the_latency_plot() -> None:
    reports = warmed(1_600_000, 1_200_000)
    found = {
        (trace["legendgroup"], trace["marker"]["symbol"]): trace
        for trace in figure(plots.latency("a", reports, 1000))["data"]
    }
    assert len(found) == 4
    for report, symbol in zip(reports, ("circle", "diamond"), strict=True):
        trace = found[report.io_mode, symbol]
        assert list(values(trace["x"])) == list(range(200))
        np.testing.assert_allclose(values(trace["y"]), report.column("latency_ns") / 1e3, atol=0.01)
        warmup = found[report.io_mode, f"{symbol}-open"]
        assert list(values(warmup["x"])) == [-2, -1]
        assert list(values(warmup["y"])) == [1600, 1200]


def test_what_the_pointer_shows_adds_up() -> None:
    for trace in figure(plots.latency("a", warmed(1_600_000), 1000))["data"]:
        parts = values(trace["customdata"])
        np.testing.assert_allclose(parts.sum(axis=1), values(trace["y"]), atol=0.05)
        assert "submit and wait %{customdata" in trace["hovertemplate"]
        assert "imports" not in trace["hovertemplate"]  # there were none


def test_blocks_and_warm_up_have_their_ground() -> None:
    shapes = figure(plots.latency("a", warmed(1_600_000), 1000))["layout"]["shapes"]
    ground = [(s["x0"], s["x1"], s["fillcolor"]) for s in shapes if s["type"] == "rect"]
    blocks = [(begin - 0.5, begin + 19.5, palette.BLOCK) for begin in range(20, 200, 40)]
    assert ground == [(-1.5, -0.5, palette.WARMUP), *blocks]


def test_a_report_without_blocks_has_none_drawn() -> None:
    plot = plots.latency("a", [samples.report([1000, 1100, 1200])], 1000)
    assert all(shape["type"] != "rect" for shape in figure(plot)["layout"]["shapes"])
    assert "block" not in plot.note


def test_a_slow_warm_up_does_not_flatten_the_plot() -> None:
    plot = plots.latency("a", warmed(90_000_000, 1_200_000), 1000)
    assert figure(plot)["layout"]["yaxis"]["range"][1] < 2000
    assert "Above the plot: 2 of the warm-up, up to 90,000 us" in plot.note  # one in each mode


def test_a_spike_is_in_sight() -> None:
    latencies = [1_000_000] * 5000
    latencies[3333] = 80_000_000
    plot = plots.latency("a", [samples.report(latencies)], 200)
    found = figure(plot)
    shown = values(found["data"][0]["x"])
    assert len(shown) <= 200
    assert 3333 in shown
    assert found["layout"]["yaxis"]["range"][1] > 80_000
    assert "Thinned to 200 points per mode" in plot.note


def test_the_distribution_has_all_but_the_slowest_hundredth() -> None:
    latencies = [1_000_000 + 100 * i for i in range(995)] + [50_000_000] * 5
    plot = plots.distribution("a", [samples.report(latencies)])
    assert sum(values(figure(plot)["data"][0]["y"])) == pytest.approx(99, abs=0.5)
    assert "of 1,000 inferences are slower than drawn here" in plot.note


@pytest.mark.parametrize("latencies", [[1000], [1000, 1000], [1000] * 50, [10] + [10**9] * 50])
def test_odd_distributions_are_drawn(latencies: list[int]) -> None:
    (trace,) = figure(plots.distribution("a", [samples.report(latencies)]))["data"]
    assert sum(values(trace["y"])) == pytest.approx(100, abs=0.1)
    assert len(values(trace["x"])) <= 82


def test_the_parts_add_up_to_the_mean() -> None:
    reports = pair()
    found = figure(plots.parts("a", reports))
    sums = np.sum([values(trace["x"]) for trace in found["data"]], axis=0)
    means = [float(np.mean(report.column("latency_ns"))) / 1e3 for report in reports]
    np.testing.assert_allclose(sums, means, rtol=1e-5)
    np.testing.assert_allclose(
        [sum(breakdown(report).values()) / 1e3 for report in reports], means, rtol=1e-9
    )
    texts = [note["text"] for note in found["layout"]["annotations"]]
    assert texts == [f"{mean:.0f} us" for mean in means]


def test_a_run_from_end_to_end_is_drawn_as_such() -> None:
    document = samples.document([1_000_000] * 20, "copy")
    around = {"late_ns": 0, "fill_ns": 200_000, "read_ns": 300_000, "end_to_end_ns": 1_500_000}
    document["iterations"] = [{**row, **around} for row in document["iterations"]]
    document["warmup"] = [samples.record(2_000_000)]  # not all runs measure that around it
    report = Report(document)
    inferences = figure(plots.latency("a", [report], 100))["data"]
    assert [set(values(trace["y"])) for trace in inferences] == [{2000}, {1500}]
    bars = figure(plots.parts("a", [report]))["data"]
    assert {bar["name"]: float(values(bar["x"])[0]) for bar in bars} == {
        "fill inputs": 200,
        "submit and wait": 500,
        "read outputs": 300,
        "rest": 500,
    }


def test_a_mode_has_one_colour_and_no_part_has_it() -> None:
    reports = [measured(1_000_000, mode, 0) for mode in palette.MODE_COLOURS]
    for report, trace in zip(
        reports, figure(plots.latency("a", reports, 100))["data"], strict=True
    ):
        assert trace["marker"]["color"] == palette.MODE_COLOURS[report.io_mode]
    for report, trace in zip(
        reports, figure(plots.distribution("a", reports))["data"], strict=True
    ):
        assert trace["line"]["color"] == palette.MODE_COLOURS[report.io_mode]
    assert not set(palette.PART_COLOURS.values()) & set(palette.MODE_COLOURS.values())


def test_the_overview_has_the_ratio_of_each_comparison() -> None:
    results = [bench_result(), FAILED, bench_result()]
    plot = overview.speed_ups(results)
    assert plot is not None
    found = figure(plot)["data"]
    assert len(found) == 2
    for result, trace in zip(results[::2], found, strict=True):
        assert result.comparison is not None
        assert result.comparison.ratio is not None
        interval = result.comparison.ratio.interval
        assert trace["x"] == [interval.estimate]
        assert trace["x"][0] + trace["error_x"]["array"][0] == pytest.approx(interval.high)
        assert trace["x"][0] - trace["error_x"]["arrayminus"][0] == pytest.approx(interval.low)
        assert trace["marker"]["symbol"] == "diamond"  # filled: a difference was seen


def test_one_comparison_needs_no_overview() -> None:
    assert overview.speed_ups([bench_result(), FAILED]) is None
