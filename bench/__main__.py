"""Runner for all benchmarks, or for those named as arguments.

python -m bench [SECTION...]

Each benchmark runs in a separate process, so that they do not affect each other.
"""

import subprocess
import sys

from bench import machine

# Arguments of each section, chosen for stable results within a short time.
SECTIONS = {
    "rules": ["3"],
    "bots": ["--hands", "800", "--matches", "100", "--strong", "200", "--rlcard", "400"],
    "seating": ["1"],
    "day": ["--players", "120", "--rounds", "3"],
    "deal": ["--tables", "8", "--seconds", "40"],
    "live": ["--tables", "40", "--seconds", "20"],
    "public": ["--players", "160", "--seconds", "4"],
    "scale": ["--tables", "100", "--seconds", "8"],
}


def main(chosen: list[str]) -> int:
    unknown = [name for name in chosen if name not in SECTIONS]
    if unknown:
        print(f"No section {', '.join(unknown)}; there are {', '.join(SECTIONS)}.")
        return 2
    print(machine.describe_machine(), flush=True)
    failed = [name for name in chosen or SECTIONS if not run_section(name)]
    return bool(failed)


def run_section(section: str) -> bool:
    print(f"\n== {section}", flush=True)
    return not subprocess.run(
        [sys.executable, "-m", f"bench.{section}", *SECTIONS[section]]
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
