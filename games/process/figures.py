"""Counters of a process for the site's operators, as Prometheus metrics."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

from games.process.components import Component

# Upper bounds of latencies in seconds, from imperceptible to clearly late.
STEPS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class ProcessFigures(Component):
    """Counters since the start of the process. They may be used from any thread."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._answers = Histogram(
            "lastcard_answer_seconds",
            "From a message of a table's window, as read, to its answer, by kind of message",
            ["message"],
            buckets=STEPS,
            registry=self.registry,
        )
        self._refusals = Counter(
            "lastcard_refusals",
            "Messages that were refused, by code",
            ["code"],
            registry=self.registry,
        )
        self._shown = Histogram(
            "lastcard_show_seconds",
            "From the moment that something is new at a table until its windows here are told",
            buckets=STEPS,
            registry=self.registry,
        )
        self._pages = Histogram(
            "lastcard_page_seconds",
            "From a request for a page to the beginning of its answer, by status",
            ["status"],
            buckets=STEPS,
            registry=self.registry,
        )

        self.sockets = Gauge(
            "lastcard_sockets", "Windows that are open at this process", registry=self.registry
        )
        self.polled = Gauge(
            "lastcard_polled_sockets",
            "Of these, windows that poll because their network blocks WebSockets",
            registry=self.registry,
        )
        self.blocked = Counter(
            "lastcard_blocked_pages",
            "Times that a page found that its network blocks WebSockets",
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
