"""The dashboard and the alert rules, which may only use metrics that /metrics has."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from games.process import Process
from games.process.figures import ProcessFigures
from tests.nginx import DEPLOY
from tournament.serving import metrics
from tournament.serving.health import WARNINGS, WRONG

pytestmark = pytest.mark.django_db
# A metric that Prometheus records itself, and the labels that it adds to every series.
PROMETHEUS_LABELS = {"up", "job", "instance"}
# Metrics of PostgreSQL's pool, which SQLite does not have.
POOL = {f"lastcard_database_{name}" for name in metrics.POOL}
LABELS = {"code", "le", "message", "queue", "state", "status"}
PROMQL_WORDS = {"absent", "by", "delta", "histogram_quantile", "max", "min", "rate", "sum"}


def list_alerts() -> list[dict[str, Any]]:
    [group] = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    return list(group["rules"])


def list_panels() -> list[dict[str, Any]]:
    return list(json.loads((DEPLOY / "grafana.json").read_text())["panels"])


def iter_expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in list_alerts())
    yield from (target["expr"] for panel in list_panels() for target in panel["targets"])


def list_metric_names(expression: str) -> set[str]:
    """Return the names of the metrics and labels in a PromQL expression."""
    bare = re.sub(r'"[^"]*"|\[[^]]*\]|\b[\d.]+(?:e\d+)?\b', "", expression)
    return set(re.findall(r"[a-z_]\w*", bare)) - PROMQL_WORDS


def list_sample_names(process: Process) -> set[str]:
    """Return the names of all samples in /metrics.

    A metric with labels appears only after it has been recorded once.
    """
    figures = process.part(ProcessFigures)
    figures.count_answer("action", 0.01)
    figures.count_refusal("stale")
    figures.count_page(200, 0.01)
    families = text_string_to_metric_families(metrics.render_exposition(process).decode())
    samples = [sample.name for family in families for sample in family.samples]
    # The tests have no tasks, backup folder or connection pool.
    return {*samples, "lastcard_tasks", "lastcard_backup_age_seconds", *POOL}


def test_queried_metrics_exist(process: Process) -> None:
    known = list_sample_names(process) | LABELS | PROMETHEUS_LABELS
    assert {
        each: list_metric_names(each) - known
        for each in iter_expressions()
        if list_metric_names(each) - known
    } == {}


def test_every_site_metric_is_on_the_dashboard(process: Process) -> None:
    shown = {
        name
        for panel in list_panels()
        for each in panel["targets"]
        for name in list_metric_names(each["expr"])
    }
    ours = {
        re.sub(r"_(bucket|count|sum|created)$", "", name) for name in list_sample_names(process)
    }
    ours = {name for name in ours if name.startswith("lastcard_") and name != "lastcard_refusals"}
    assert {name for name in ours if not any(each.startswith(name) for each in shown)} == set()


def test_expression_with_an_unknown_metric_is_detected() -> None:
    assert list_metric_names('max(lastcard_tables{code=~"a|b"}[5m]) > 1.5e9') == {
        "lastcard_tables",
        "code",
    }


def test_codes_in_rules_match_those_of_readyz() -> None:
    codes = {
        code
        for each in iter_expressions()
        for text in re.findall(r'lastcard_faults\{code=~?"([^"]*)"', each)
        for code in text.split("|")
    }
    assert codes == {*WRONG, *WARNINGS} - {"mails"}  # emails are reported by their age


def test_each_rule_has_a_severity_and_a_description() -> None:
    wrong = [
        rule["alert"]
        for rule in list_alerts()
        if rule["labels"]["severity"] not in ("page", "look")
    ]
    assert wrong == []
    assert [rule["alert"] for rule in list_alerts() if not rule["annotations"]["summary"]] == []


def test_panels_do_not_overlap() -> None:
    """Check that the panels fill the dashboard's 24 columns without overlaps or gaps."""
    places = [panel["gridPos"] for panel in list_panels()]
    cells = [
        (x, y)
        for at in places
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells)) == 24 * (1 + max(y for _x, y in cells))
