// The page that computes every deal of a match again, in the visitor's own browser.

import { find, part } from "../elements.js";
import { h, setAttribute, setText } from "../table/dom.js";
import { gettext } from "../text.js";
import { evidenceButton } from "./evidence.js";
import { Kept } from "./kept.js";
import { missingHands } from "./own.js";
import { BROKEN, HIDDEN, LOST, MISSING, ofRecord, ofUnused, summary } from "./verdict.js";

/** @import { FairRecord, OldRecord } from "./check.js" */
/** @import { Own, Part, Verdict } from "./verdict.js" */

const MARKS = { fits: "✓", without: "!", alone: "–", wrong: "✗", closed: "·" };
const STATES = { fits: gettext("fits"), without: gettext("without your part"), alone: gettext("the server alone"), wrong: gettext("does not fit"), closed: gettext("not computed") };

/** @type {Protocol.FairPage} */
const page = JSON.parse(find("fair-data").textContent);
const kept = new Kept();
const bar = h("progress.fair-progress", { max: page.hands.length, value: 0 });
const status = h("p.fair-status", { role: "status" });

/** Hand by hand, so that the page goes on answering and each tick is seen. */
async function run() {
  const items = page.hands.map(makeItem);
  const missing = missingHands(page.hands, ownNotes()).map((number) => ({ number, item: makeItem({ number }) }));
  find("fair").replaceChildren(h("div.fair-head", {}, status, bar), h("ol.fair-hands", {}, ...items, ...missing.map(({ item }) => item)));
  /** @type {Verdict[]} */
  const verdicts = [];
  for (const hand of page.hands) {
    tell(gettext("Computing hand %(number)s of %(count)s …", { number: verdicts.length + 1, count: page.hands.length }), verdicts.length);
    const verdict = await judge(hand);
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
  const { you } = page;
  const noted = you !== null && kept.notes(page.match).length > 0;
  if (noted && verdicts.some(({ evidence }) => evidence)) status.after(evidenceButton("button.button", { kept, match: page.match, seat: you }));
}

/** @param {Protocol.FairHand} hand @returns {Promise<Verdict>} */
async function judge(hand) {
  if (hand.state === "unused") return ofUnused(page.match, hand, ownOf(hand));
  if (!hand.record) return HIDDEN;
  const { code, record } = await load(hand.record);
  if (record) return ofRecord(record, page.match, hand, ownOf(hand));
  return code === 500 ? BROKEN : LOST;
}

/** @param {string} address @returns {Promise<{code: number, record: OldRecord|FairRecord|null}>} null where it cannot be had now */
async function load(address) {
  try {
    const answer = await fetch(address);
    return { code: answer.status, record: answer.ok ? await answer.json() : null };
  } catch {
    return { code: 0, record: null };
  }
}

const ownNotes = () => kept.notes(page.match).filter(({ seat }) => seat === page.you);

/** @param {Protocol.FairHand} hand @returns {Own} */
function ownOf({ number }) {
  const notes = ownNotes().filter(({ hand }) => hand === number);
  return { notes, you: page.you, shareOf: (note) => note.mine && kept.share(note, note.seat, note.mine) };
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
    ...(own ? [h("p.fair-own", {}, gettext("Your part is in it, byte for byte as this browser kept it."))] : []),
    ...(parts.length ? [bytes(parts)] : []),
    ...(record ? [h("p.fair-links", {}, h("a", { href: record, download: "" }, gettext("Download its record")))] : []),
  );
}

/** @param {Part[]} parts */
function bytes(parts) {
  return h("details.fair-bytes", {}, h("summary", {}, gettext("The parts")),
    h("dl", {}, ...parts.flatMap(({ name, bytes: hex, own }) => [
      h("dt", {}, name), h("dd", { "data-own": own || null, translate: "no" }, h("code", {}, hex)),
    ])));
}

/** When all is computed. */
export const done = run();
