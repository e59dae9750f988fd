// Checks deals automatically. Once hands are open, the page recomputes their deals, and the score sheet shows the
// result in one line.

import { makeComputer } from "../fair/computer.js";
import { evidenceButton } from "../fair/evidence.js";
import { Judge } from "../fair/judging.js";
import { BROKEN, LOST, MISSING } from "../fair/verdict.js";
import { h, setAttribute } from "./dom.js";
import { isPlayer } from "./store.js";
import { gettext, ngettext } from "../text.js";

/** @import { Kept } from "../fair/kept.js" */
/** @import { Verdict } from "../fair/verdict.js" */
/** @import { Show } from "./store.js" */
/** @typedef {Map<number, Verdict>} Verdicts by hand number */

// Delays before the check, to which chance adds. The sheet appears first, and the requests of a hall are spread
// out.
const PLAYER_MS = 1500;
const VIEWER_MS = 10_000;

/** @param {Kept} kept
 * @param {{element: HTMLElement, computer: string|undefined, say: (text: string) => void, wrong: (hands: number[]) => void, random?: () => number}} options
 * `element`: place for the result; `computer`: address of the worker's script; `wrong` is called
 * with the hands whose deals are wrong
 * @returns {Show} */
export function makeProof(kept, { element, computer, say, wrong, random = Math.random }) {
  const compute = makeComputer(computer);
  /** @type {Verdicts} */
  const verdicts = new Map();
  const asked = new Set();
  let told = "";

  /** @param {Protocol.WindowView} view @param {string} key */
  async function prove(view, key) {
    const page = await openHands(view);
    if (!page) return asked.delete(key);
    const judge = new Judge(page, kept, compute);
    for (const hand of page.hands) verdicts.set(hand.number, await judge.verdict(hand));
    for (const number of view.sheet?.over ? judge.missing() : []) verdicts.set(number, MISSING);
    if ([...verdicts.values()].includes(LOST)) asked.delete(key);
    return tell(view, judge.noted ? judge.seat : null);
  }

  /** @param {Protocol.WindowView} view @param {number|null} seat for which this browser has stored
   * notes */
  function tell({ match }, seat) {
    const all = [...verdicts.values()];
    const { state, text } = proofInWords(all);
    setAttribute(element, "data-state", state);
    element.replaceChildren(
      ...(text ? [h("a", { href: match.links.fair, target: "_blank", rel: "opener" }, text)] : []),
      ...(seat !== null && all.some((each) => each.evidence) ? [evidenceButton("button.sheet-evidence", { kept, match: match.id, seat })] : []));
    if (text && text !== told) say(text);
    told = text;
    // Records that could not be fetched are not reported, because the error may be temporary.
    wrong([...verdicts].filter(([, each]) => each.state === "wrong" && each !== BROKEN).map(([number]) => number));
  }

  return ({ view }) => {
    const key = keyOf(view);
    if (!key || asked.has(key)) return;
    asked.add(key);
    setTimeout(prove, isPlayer(view) ? PLAYER_MS * (1 + random()) : VIEWER_MS * random(), view, key);
  };
}

/** Return a key for what can be checked now, which is an open hand or the whole match, or null.
 * @param {Protocol.WindowView} view */
function keyOf({ sheet, match }) {
  if (!sheet || !match.links.fair) return null;
  if (sheet.over) return "over";
  return sheet.links?.record ? `hand ${sheet.hand}` : null;
}

/** Fetch the record of the hand that was just opened or, at the end of the match, of all hands.
 * @param {Protocol.WindowView} view @returns {Promise<Protocol.FairPage|null>} null if it is not
 * available now */
async function openHands({ sheet, match, you }) {
  if (sheet && !sheet.over) {
    const hand = { number: sheet.hand ?? 0, state: /** @type {const} */ ("open"), record: sheet.links.record, attempts: [] };
    return { match: match.id, you, hands: [hand], keys: [] };
  }
  const answer = await fetch(`${match.links.fair}?data`).catch(() => null);
  return answer?.ok && !answer.redirected ? { ...(await answer.json()), match: match.id } : null;
}

/** Summarize the verdicts in one line about the worst of them, or in an empty text. Pure.
 * @param {Verdict[]} verdicts @returns {{state: Verdict["state"], text: string}} */
export function proofInWords(verdicts) {
  /** @param {Verdict["state"]} state */
  const count = (state) => verdicts.filter((each) => each.state === state).length;
  const [wrong, without, fits, alone] = [count("wrong"), count("without"), count("fits"), count("alone")];
  if (wrong) return { state: "wrong", text: ngettext("Shuffle: %(count)s hand doesn’t check out", "Shuffle: %(count)s hands don’t check out", wrong) };
  if (without) return { state: "without", text: ngettext("Shuffle: %(count)s hand without your browser’s contribution", "Shuffle: %(count)s hands without your browser’s contribution", without) };
  const lost = verdicts.filter((each) => each === LOST).length;
  if (lost) return { state: "closed", text: ngettext("Shuffle: %(count)s hand couldn’t be loaded", "Shuffle: %(count)s hands couldn’t be loaded", lost) };
  if (fits) return { state: "fits", text: ngettext("Shuffle: %(count)s hand checks out", "Shuffle: all %(count)s hands check out", fits) };
  return alone ? { state: "alone", text: gettext("Shuffled by the server alone") } : { state: "closed", text: "" };
}
