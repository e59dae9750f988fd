// Recomputes every deal of a match on the deal verification page.

import { find, part } from "../elements.js";
import { h, setAttribute, setText } from "../table/dom.js";
import { gettext } from "../text.js";
import { evidenceButton } from "./evidence.js";
import { Kept } from "./kept.js";
import { checkWithDeck } from "./decks.js";
import { Judge } from "./judging.js";
import { MISSING, summary } from "./verdict.js";

/** @import { Part, Verdict } from "./verdict.js" */

const MARKS = { fits: "✓", without: "!", alone: "–", wrong: "✗", closed: "·" };
const STATES = { fits: gettext("checks out"), without: gettext("without your contribution"), alone: gettext("server only"), wrong: gettext("doesn’t check out"), closed: gettext("not checked") };

/** @type {Protocol.FairPage} */
const shown = JSON.parse(find("fair-data").textContent);
// The match of the URL, because a dishonest server could show the hands of another match.
const page = { ...shown, match: location.pathname.split("/")[2] ?? shown.match };
const kept = new Kept();
const judge = new Judge(page, kept, checkWithDeck);
const bar = h("progress.fair-progress", { max: page.hands.length, value: 0 });
const status = h("p.fair-status", { role: "status" });

/** Check one hand at a time, so that the page stays responsive, and show each result. */
async function run() {
  const items = page.hands.map(makeItem);
  const missing = judge.missing().map((number) => ({ number, item: makeItem({ number }) }));
  find("fair").replaceChildren(h("div.fair-head", {}, status, bar), h("ol.fair-hands", {}, ...items, ...missing.map(({ item }) => item)));
  /** @type {Verdict[]} */
  const verdicts = [];
  for (const hand of page.hands) {
    tell(gettext("Checking hand %(number)s of %(count)s …", { number: verdicts.length + 1, count: page.hands.length }), verdicts.length);
    const verdict = await judge.verdict(hand);
    show(items[verdicts.length], verdict, hand);
    verdicts.push(verdict);
  }
  for (const { item } of missing) show(item, MISSING, { record: null });
  conclude([...verdicts, ...missing.map(() => MISSING)]);
}

/** @param {string} text @param {number} done */
function tell(text, done) {
  setText(status, text);
  bar.value = done;
}

/** @param {Verdict[]} verdicts */
function conclude(verdicts) {
  tell(summary(verdicts), verdicts.length);
  bar.remove();
  const worst = ["wrong", "without", "fits"].find((state) => verdicts.some((each) => each.state === state));
  setAttribute(part(find("fair"), ".fair-head"), "data-state", worst ?? null);
  if (verdicts.some(({ evidence }) => evidence)) status.after(...buttons());
}

/** Return the button for the evidence, if this browser has any. */
function buttons() {
  const { seat } = judge;
  return seat !== null && judge.noted ? [evidenceButton("button.button", { kept, match: page.match, seat })] : [];
}

/** @param {{number: number}} hand */
function makeItem({ number }) {
  return h("li.fair-hand", {}, h("span.fair-mark", { "aria-hidden": "true" }, "…"),
    h("div.fair-told", {}, h("h2", {}, gettext("Hand %(number)s", { number }), " ", h("span.visually-hidden")), h("p")));
}

/** @param {HTMLElement} item @param {Verdict} verdict @param {{record: string|null}} hand */
function show(item, { state, text, wrong, parts }, { record }) {
  setAttribute(item, "data-state", state);
  setText(part(item, ".fair-mark"), MARKS[state]);
  setText(part(item, ".visually-hidden"), STATES[state]);
  setText(part(item, "p"), text);
  const own = parts.find((each) => each.own);
  part(item, ".fair-told").append(
    ...(wrong.length ? [h("ul.fair-wrong", {}, ...wrong.map((each) => h("li", {}, each)))] : []),
    ...(own ? [h("p.fair-own", {}, gettext("Your contribution is included, byte for byte as this browser stored it."))] : []),
    ...(parts.length ? [bytes(parts)] : []),
    ...(record ? [h("p.fair-links", {}, h("a", { href: record, download: "" }, gettext("Download the record")))] : []),
  );
}

/** @param {Part[]} parts */
function bytes(parts) {
  return h("details.fair-bytes", {}, h("summary", {}, gettext("Contributions")),
    h("dl", {}, ...parts.flatMap(({ name, bytes: hex, own }) => [
      h("dt", {}, name), h("dd", { "data-own": own || null, translate: "no" }, h("code", {}, hex)),
    ])));
}

document.querySelector(".fair-evidence")?.replaceChildren(...buttons());

/** Resolves when everything is computed. */
export const done = run();
