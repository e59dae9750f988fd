"""Search for untranslated and truncated texts on a page."""

import re
from collections.abc import Iterable

from playwright.sync_api import Page

from games.rules.ruleset import rulesets

# All visible or spoken texts, each with its element. Collapsed sections are opened first.
LIST_TEXTS = """() => {
  // Django does not translate the names of its admin's images.
  const UNTRANSLATED =
    "[translate=no], script, style, noscript, kbd, code, #changelist-search img, img[src*=icon-]";
  for (const each of document.querySelectorAll("details")) each.open = true;
  const isRead = (element) =>
    element && !element.closest(UNTRANSLATED) &&
    (element.closest("select") ?? element).checkVisibility({ visibilityProperty: true });
  const where = (element) => `${element.localName}.${element.getAttribute("class") ?? ""}`;
  const found = [["title", document.title]];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (isRead(node.parentElement)) found.push([where(node.parentElement), node.data]);
  for (const name of ["aria-label", "alt", "placeholder", "title", "label"])
    for (const element of document.querySelectorAll(`[${name}]`))
      if (isRead(element)) found.push([`${where(element)}[${name}]`, element.getAttribute(name)]);
  return found;
}"""

# Texts that extend beyond the window or are clipped by their element. Scrollable texts and those
# only for screen readers are exempt.
LIST_CUT_OFF_TEXTS = """() => {
  const scrolls = (element) => {
    for (let each = element; each && each !== document.body; each = each.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(each).overflowX)) return true;
    return false;
  };
  const FOR_EARS = "script, style, noscript, option, .vh, .visually-hidden, .skip-link, .skip";
  // The ticker may be cut off, because the log contains its text.
  const GLIMPSE = ".ticker";
  // Text that only screen readers read.
  const heard = (element) =>
    element.clientWidth <= 1 && getComputedStyle(element).position === "absolute";
  const hides = (style) => ["hidden", "clip"].includes(style.overflowX);
  const found = [];
  // An overflowing element can scroll a container that has no scroll bar.
  for (const each of document.querySelectorAll("*"))
    if (each.scrollLeft && hides(getComputedStyle(each)))
      found.push(`${each.localName}.${each.className}: pushed aside by ${each.scrollLeft}`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest(`${FOR_EARS}, ${GLIMPSE}`)) continue;
    if (heard(element)) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (!box.width) continue;
    const cut = hides(getComputedStyle(element)) && element.scrollWidth > element.clientWidth + 1;
    const outside = box.right > innerWidth + 1 || box.left < -1;
    if ((cut || outside) && !scrolls(element))
      found.push(`${element.localName}.${element.className}: ${node.data.trim()}`);
  }
  return found;
}"""

# Words of up to ten letters that are broken across lines.
LIST_BROKEN_WORDS = r"""() => {
  const WORD = /(?<=^|\s)\p{L}[\p{L}\p{M}]{1,9}(?=[\s.,:;]|$)/gu;
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest("script, style, noscript, select, .vh, .visually-hidden")) continue;
    if (element.clientWidth === 1) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    for (const { index, 0: word } of node.data.matchAll(WORD)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const bottoms = [...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 4));
      if (new Set(bottoms).size > 1) found.push(`in two lines: ${word}`);
    }
  }
  return found;
}"""

NAMES = sorted((rules.name for rules in rulesets.RULE_SETS.values()), key=len, reverse=True)
# Texts that are never translated: names of rule sets, addresses, keys, commitments, and logged
# actions.
KEY_PATTERNS = [*map(re.escape, rulesets.RULE_SETS), r"event:\d+", r"\b[0-9a-f]{64}\b", r'\{".*?\}']
KNOWN_WORDS = [
    "Lastcard",
    "Ocho",
    "Python",
    "SHA",
    "uno",
    "CSV",
    "XLSX",
    "JSON",
    "PDF",
    r"\S+@\S+",
    r"https?://\S+",
    "UTC",
    "UNO",
]
DATA_PATTERN = re.compile("|".join([*map(re.escape, NAMES), *KEY_PATTERNS, *KNOWN_WORDS]))
WORD = re.compile("[A-Za-z]{2,}")


def list_english_words(texts: Iterable[str]) -> list[str]:
    """Return the words in Latin letters, without known names and data.

    In the pseudo-language, these are untranslated texts.
    """
    return [word for text in texts for word in WORD.findall(DATA_PATTERN.sub("", text))]


def list_english_texts(page: Page) -> list[str]:
    """Return the page's texts that contain English words, each with its element."""
    texts: list[tuple[str, str]] = page.evaluate(LIST_TEXTS)
    return [
        f"{where}: {' '.join(text.split())}" for where, text in texts if list_english_words([text])
    ]


def find_overflow(page: Page) -> list[str]:
    """Return the texts that are cut off, and an entry if the page is wider than its window."""
    wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    sideways = [f"the page is {wide} pixels wide"] if wide > room else []
    return sideways + list(page.evaluate(LIST_CUT_OFF_TEXTS))
