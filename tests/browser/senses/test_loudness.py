"""Tests of the loudness of the table's sounds, as rendered by a browser.

Loudness is measured above 200 Hz, because phones hardly play lower frequencies.
"""

import math

import pytest
from django.templatetags.static import static

from tests.browser.conftest import Windows

pytestmark = pytest.mark.browser

# Returns the highest sample, and the mean square of the loudest tenth of a second above 200 Hz.
RENDER_SOUNDS = """async ([address, names]) => {
  const { SETS } = await import(address);
  // Makes the noise the same in every run.
  let state = 1;
  Math.random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const context = new OfflineAudioContext(2, 2 * 48_000, 48_000);
  const high = new BiquadFilterNode(context, { type: "highpass", frequency: 200 });
  const sides = new ChannelMergerNode(context, { numberOfInputs: 2 });
  const out = new GainNode(context);
  out.connect(sides, 0, 0);
  out.connect(high).connect(sides, 0, 1);
  sides.connect(context.destination);
  for (const name of names) {
    const [set, tune, weight] = name.split(" ");
    SETS[set][tune](context, out, 0.05, weight ? Number(weight) : undefined);
  }
  const rendered = await context.startRendering();
  const peak = Math.max(...rendered.getChannelData(0).map(Math.abs));
  const heard = rendered.getChannelData(1);
  let loudest = 0;
  for (let from = 0; from + 4800 <= heard.length; from += 480) {
    let sum = 0;
    for (let i = from; i < from + 4800; i += 1) sum += heard[i] ** 2;
    loudest = Math.max(loudest, sum / 4800);
  }
  return [peak, loudest];
}"""
TUNES = {
    "quiet": ["turn", "one", "win"],
    "full": [
        *("deal", "card", "last", "draw", "turn", "reverse", "skip", "swap", "one", "uno"),
        *("caught", "win", "hurry", "plus 2", "plus 4", "plus 8", "plus 16"),
    ],
}
# Sounds that the table can play at the same time.
SIMULTANEOUS_SOUNDS = [
    ["full card", "full plus 16", "full turn"],
    ["full card", "full skip", "full turn"],
    ["full card", "full swap", "full one"],
    ["full card", "full uno", "full turn"],
    ["full last", "full win"],
    ["full caught", "full plus 4", "full turn"],
]
LOUDEST_TOGETHER, LOUDEST = -0.5, -3.0


class SoundMeter:
    """Meter of the peak and the loudness of sounds, in decibels relative to full scale."""

    def __init__(self, open_page: Windows) -> None:
        self._page = open_page(None, path="/")

    def measure(self, *names: str) -> tuple[float, float]:
        found = self._page.evaluate(RENDER_SOUNDS, [static("js/table/tunes.js"), names])
        return 20 * math.log10(found[0]), 10 * math.log10(found[1])


@pytest.fixture
def sounds(open_page: Windows) -> SoundMeter:
    return SoundMeter(open_page)


def test_no_sound_or_combination_of_sounds_clips(sounds: SoundMeter) -> None:
    names = [f"{kind} {tune}" for kind, tunes in TUNES.items() for tune in tunes]
    peaks = {name: round(sounds.measure(name)[0], 1) for name in names}
    assert {name: peak for name, peak in peaks.items() if peak > LOUDEST} == {}
    together = {
        " + ".join(each): round(sounds.measure(*each)[0], 1) for each in SIMULTANEOUS_SOUNDS
    }
    assert {name: peak for name, peak in together.items() if peak > LOUDEST_TOGETHER} == {}


def test_loudness_grows_with_the_weight_of_a_card(sounds: SoundMeter) -> None:
    grows = ["draw", "card", "skip", "plus 2", "plus 4", "plus 8", "plus 16"]
    loudness = [round(sounds.measure(f"full {tune}")[1], 1) for tune in grows]
    assert loudness == sorted(loudness)
    plain = loudness[1]
    heavy = {tune: sounds.measure(f"full {tune}")[1] for tune in ("caught", "last", "swap")}
    assert min(heavy.values()) > plain
