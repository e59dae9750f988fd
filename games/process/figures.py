"""Counters of a process for the site's operators, as Prometheus metrics."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from games.process.components import Component

# Upper bounds of the histograms' buckets in seconds, from imperceptible to clearly late.
STEPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class ProcessFigures(Component):
    """Counters since the start of the process. They may be used from any thread."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._answers = Histogram(
            "lastcard_answer_seconds",
            "Time from reading a window's message to answering it, by type of message",
            ["message"],
            buckets=STEPS,
            registry=self.registry,
        )
        self._refusals = Counter(
            "lastcard_refusals",
            "Refused messages, by code",
            ["code"],
            registry=self.registry,
        )
        self._shown = Histogram(
            "lastcard_show_seconds",
            "Time from a change at a table until it is sent to this process's windows",
            buckets=STEPS,
            registry=self.registry,
        )
        self._pages = Histogram(
            "lastcard_page_seconds",
            "Time from the request for a page to the start of the response, by status",
            ["status"],
            buckets=STEPS,
            registry=self.registry,
        )

        self.sockets = Gauge(
            "lastcard_sockets", "Open windows in this process", registry=self.registry
        )
        self.polled = Gauge(
            "lastcard_polled_sockets",
            "Open windows that poll because their network blocks WebSockets",
            registry=self.registry,
        )
        self.blocked = Counter(
            "lastcard_blocked_pages",
            "Pages that found that their network blocks WebSockets",
            registry=self.registry,
        )

    def count_answer(self, message: str, seconds: float) -> None:
        self._answers.labels(message).observe(seconds)

    def count_refusal(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def count_display(self, seconds: float) -> None:
        self._shown.observe(seconds)

    def count_page(self, status: int, seconds: float) -> None:
        self._pages.labels(str(status)).observe(seconds)
