"""Alert rules, tested with promtool.

Each rule fires for its incident, and none fires on a healthy site.
"""

import subprocess
from pathlib import Path

import pytest
import yaml

from tests.nginx import DEPLOY
from tests.services import find_promtool

RULES = DEPLOY / "alerts.yml"
PROCESS = 'job="lastcard", instance="127.0.0.1:8001"'
FIRING = 'count by (alertname) (ALERTS{alertstate="firing"})'


def series(name: str, values: str, labels: str = PROCESS) -> dict[str, str]:
    """Return a series with a value every 15 seconds, written in promtool's shorthand."""
    return {"series": f"{name}{{{labels}}}", "values": values}


def histogram(name: str, seconds: float, labels: str) -> list[dict[str, str]]:
    """Return a histogram with one observation of `seconds` every second."""
    bounds = ("0.1", "0.5", "1", "2.5", "5", "+Inf")
    return [
        series(
            f"{name}_bucket",
            f"0+{15 if seconds <= float(bound) else 0}x120",
            f'{PROCESS}, le="{bound}"{labels}',
        )
        for bound in bounds
    ] + [series(f"{name}_count", "0+15x120", f"{PROCESS}{labels}")]


def repeat_value(value: float) -> str:
    return f"{value:g}+0x120"


def fault(code: str, value: float) -> dict[str, str]:
    return series("lastcard_faults", repeat_value(value), f'{PROCESS}, code="{code}"')


ACTION, SCREEN, PAGE = ("lastcard_answer_seconds", "lastcard_show_seconds", "lastcard_page_seconds")
WELL: list[dict[str, str]] = [
    series("up", repeat_value(1)),
    *(fault(code, 0) for code in ("database", "disk", "worker", "redis")),
    *histogram(ACTION, 0.05, ', message="action"'),
    *histogram(SCREEN, 0.05, ""),
    *histogram(PAGE, 0.4, ', status="200"'),
    series("lastcard_clocks_late", repeat_value(0)),
    series("lastcard_outages", repeat_value(3)),
    series("lastcard_mails_overdue_seconds", repeat_value(20)),
    series("lastcard_disk_free_bytes", repeat_value(5e10)),
    series("lastcard_backup_age_seconds", repeat_value(40_000)),
    series("process_resident_memory_bytes", repeat_value(4e8)),
    series("lastcard_database_requests_waiting", repeat_value(1)),
]
# The series that replace those of the same name, by alert. `None` removes them.
BAD: dict[str, list[dict[str, str]] | None] = {
    "ProcessAway": [series("up", repeat_value(0))],
    "NothingScraped": None,
    "NotReady": [fault("database", 1)],
    "ActionsSlow": histogram(ACTION, 0.9, ', message="action"'),
    "ScreensSlow": histogram(SCREEN, 0.9, ""),
    "PagesSlow": histogram(PAGE, 4.0, ', status="200"'),
    "PagesFail": histogram(PAGE, 0.4, ', status="500"'),
    "ClocksLate": [series("lastcard_clocks_late", repeat_value(2))],
    "Outage": [series("lastcard_outages", "3+0x60 4+0x60")],
    "MailsOld": [series("lastcard_mails_overdue_seconds", repeat_value(900))],
    "WorkerAway": [fault("worker", 1)],
    "RedisAway": [fault("redis", 1)],
    "BackupOld": [series("lastcard_backup_age_seconds", repeat_value(100_000))],
    "DiskFills": [series("lastcard_disk_free_bytes", repeat_value(4e8))],
    "MemoryGrows": [series("process_resident_memory_bytes", repeat_value(2e9))],
    "DatabaseBusy": [series("lastcard_database_requests_waiting", repeat_value(9))],
}


def make_metrics_with(bad: list[dict[str, str]] | None) -> list[dict[str, str]]:
    """Return the metrics of a healthy site, with series replaced by those in `bad`.

    If `bad` is None, the metrics named "up" are missing.
    """
    if bad is None:
        return [each for each in WELL if not each["series"].startswith("up{")]
    places = {each["series"] for each in bad}
    return [each for each in WELL if each["series"] not in places] + bad


def trial(folder: Path, rules: list[dict[str, str]], firing: list[str]) -> str:
    """Run promtool and return its output, or "" if exactly the alerts in `firing` fire.

    The alerts are evaluated at the end of the series.
    """
    samples = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in firing]
    asked = {"expr": FIRING, "eval_time": "20m", "exp_samples": samples}
    test = {"interval": "15s", "input_series": rules, "promql_expr_test": [asked]}
    file = folder / "alerts_test.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "tests": [test]}))
    command = [find_promtool(), "test", "rules", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.fixture(scope="module", autouse=True)
def _needs_promtool() -> None:
    find_promtool()


def test_no_alert_fires_while_all_is_well(tmp_path: Path) -> None:
    assert trial(tmp_path, WELL, []) == ""


@pytest.mark.parametrize("alert", BAD)
def test_each_incident_fires_only_its_own_alert(alert: str, tmp_path: Path) -> None:
    assert trial(tmp_path, make_metrics_with(BAD[alert]), [alert]) == ""


def test_every_rule_is_covered_by_a_firing_example() -> None:
    [group] = yaml.safe_load(RULES.read_text())["groups"]
    assert sorted(rule["alert"] for rule in group["rules"]) == sorted(BAD)


def test_trial_reports_alerts_that_do_not_fire(tmp_path: Path) -> None:
    assert "Outage" in trial(tmp_path, WELL, ["Outage"])
