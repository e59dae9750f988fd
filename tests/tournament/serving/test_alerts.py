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
PROCESS_LABELS = 'job="lastcard", instance="127.0.0.1:8001"'
FIRING_ALERTS = 'count by (alertname) (ALERTS{alertstate="firing"})'


def make_series(name: str, values: str, labels: str = PROCESS_LABELS) -> dict[str, str]:
    """Return a series with a value every 15 seconds, written in promtool's shorthand."""
    return {"series": f"{name}{{{labels}}}", "values": values}


def make_histogram(name: str, seconds: float, labels: str) -> list[dict[str, str]]:
    """Return a histogram with one observation of `seconds` every second."""
    bounds = ("0.1", "0.5", "1", "2.5", "5", "+Inf")
    return [
        make_series(
            f"{name}_bucket",
            f"0+{15 if seconds <= float(bound) else 0}x120",
            f'{PROCESS_LABELS}, le="{bound}"{labels}',
        )
        for bound in bounds
    ] + [make_series(f"{name}_count", "0+15x120", f"{PROCESS_LABELS}{labels}")]


def repeat_value(value: float) -> str:
    return f"{value:g}+0x120"


def make_fault_series(code: str, value: float) -> dict[str, str]:
    return make_series("lastcard_faults", repeat_value(value), f'{PROCESS_LABELS}, code="{code}"')


ACTION, SCREEN, PAGE = ("lastcard_answer_seconds", "lastcard_show_seconds", "lastcard_page_seconds")
HEALTHY_SERIES: list[dict[str, str]] = [
    make_series("up", repeat_value(1)),
    *(make_fault_series(code, 0) for code in ("database", "disk", "worker", "redis")),
    *make_histogram(ACTION, 0.05, ', message="action"'),
    *make_histogram(SCREEN, 0.05, ""),
    *make_histogram(PAGE, 0.4, ', status="200"'),
    make_series("lastcard_clocks_late", repeat_value(0)),
    make_series("lastcard_outages", repeat_value(3)),
    make_series("lastcard_mails_overdue_seconds", repeat_value(20)),
    make_series("lastcard_disk_free_bytes", repeat_value(5e10)),
    make_series("lastcard_backup_age_seconds", repeat_value(40_000)),
    make_series("process_resident_memory_bytes", repeat_value(4e8)),
    make_series("lastcard_database_requests_waiting", repeat_value(1)),
]
# The series that make an alert fire, by alert. They replace the healthy series of the same name.
# With None, the series "up" is missing.
FAULTY_SERIES: dict[str, list[dict[str, str]] | None] = {
    "ProcessAway": [make_series("up", repeat_value(0))],
    "NothingScraped": None,
    "NotReady": [make_fault_series("database", 1)],
    "ActionsSlow": make_histogram(ACTION, 0.9, ', message="action"'),
    "ScreensSlow": make_histogram(SCREEN, 0.9, ""),
    "PagesSlow": make_histogram(PAGE, 4.0, ', status="200"'),
    "PagesFail": make_histogram(PAGE, 0.4, ', status="500"'),
    "ClocksLate": [make_series("lastcard_clocks_late", repeat_value(2))],
    "Outage": [make_series("lastcard_outages", "3+0x60 4+0x60")],
    "MailsOld": [make_series("lastcard_mails_overdue_seconds", repeat_value(900))],
    "WorkerAway": [make_fault_series("worker", 1)],
    "RedisAway": [make_fault_series("redis", 1)],
    "BackupOld": [make_series("lastcard_backup_age_seconds", repeat_value(100_000))],
    "DiskFills": [make_series("lastcard_disk_free_bytes", repeat_value(4e8))],
    "MemoryGrows": [make_series("process_resident_memory_bytes", repeat_value(2e9))],
    "DatabaseBusy": [make_series("lastcard_database_requests_waiting", repeat_value(9))],
}


def replace_series(bad: list[dict[str, str]] | None) -> list[dict[str, str]]:
    """Return the series of a healthy site, with some replaced by those in `bad`.

    If `bad` is None, the series "up" is missing.
    """
    if bad is None:
        return [each for each in HEALTHY_SERIES if not each["series"].startswith("up{")]
    places = {each["series"] for each in bad}
    return [each for each in HEALTHY_SERIES if each["series"] not in places] + bad


def run_alert_test(folder: Path, rules: list[dict[str, str]], firing: list[str]) -> str:
    """Run promtool and return its output, or "" if exactly the alerts in `firing` fire.

    The alerts are evaluated at the end of the series.
    """
    samples = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in firing]
    asked = {"expr": FIRING_ALERTS, "eval_time": "20m", "exp_samples": samples}
    test = {"interval": "15s", "input_series": rules, "promql_expr_test": [asked]}
    file = folder / "alerts_test.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "tests": [test]}))
    command = [find_promtool(), "test", "rules", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.fixture(scope="module", autouse=True)
def _require_promtool() -> None:
    find_promtool()


def test_no_alert_fires_on_a_healthy_site(tmp_path: Path) -> None:
    assert run_alert_test(tmp_path, HEALTHY_SERIES, []) == ""


@pytest.mark.parametrize("alert", FAULTY_SERIES)
def test_each_incident_fires_only_its_own_alert(alert: str, tmp_path: Path) -> None:
    assert run_alert_test(tmp_path, replace_series(FAULTY_SERIES[alert]), [alert]) == ""


def test_every_rule_is_covered_by_a_firing_example() -> None:
    [group] = yaml.safe_load(RULES.read_text())["groups"]
    assert sorted(rule["alert"] for rule in group["rules"]) == sorted(FAULTY_SERIES)


def test_alert_test_reports_alerts_that_do_not_fire(tmp_path: Path) -> None:
    assert "Outage" in run_alert_test(tmp_path, HEALTHY_SERIES, ["Outage"])
