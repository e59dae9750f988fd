// Computes the step of a replay to show, and the table at that step. Pure.

import { gettext } from "../text.js";

/** Return the step requested by a URL, between 0 and `last`. The default is 0.
 * @param {string} search @param {number} last */
export function stepOf(search, last) {
  const wanted = Number.parseInt(new URLSearchParams(search).get("step") ?? "0", 10);
  return clamp(Number.isNaN(wanted) ? 0 : wanted, last);
}

/** Return the step that a key leads to, or null if the key is not a replay shortcut.
 * @param {string} key @param {number} step @param {number} last */
export function stepAfter(key, step, last) {
  const wanted = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last }[key];
  return wanted === undefined ? null : clamp(wanted, last);
}

/** Return for how many milliseconds a step is shown at a speed. At normal speed, that is enough to read a sentence.
 * @param {number} speed */
export function stepDuration(speed) {
  return 1800 / speed;
}

/** Return whether the URL requests that playable cards be marked. @param {string} search */
export function requestsPlayableMarks(search) {
  return new URLSearchParams(search).get("could") === "1";
}

/** Return the query string that leads to a step. @param {number} step @param {boolean} could */
export function stepQuery(step, could) {
  return `?step=${step}${could ? "&could=1" : ""}`;
}

/** @param {number} step @param {number} last */
export function positionText(step, last) {
  return gettext("%(step)s of %(last)s", { step, last });
}

/** @param {number} step @param {number} last */
export function clamp(step, last) {
  return Math.max(0, Math.min(last, step));
}

/** Return the luck facts of a step, which are empty if the hand has no review.
 * @param {Protocol.ReplayPage} replay @param {number} step @returns {Protocol.StepLuck} */
export function luckAt({ luck }, step) {
  return luck[step] ?? { chances: {}, text: "", better: "" };
}

/** Return for each card whether it is new since the previous step.
 * @param {string[]} cards @param {string[]} before */
export function freshCards(cards, before) {
  const left = [...before];
  return cards.map((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Number the equal cards of a hand from 0, so that each card has a stable key while others come and go.
 * @param {string[]} cards */
export function copiesOf(cards) {
  return cards.map((card, i) => cards.slice(0, i).filter((other) => other === card).length);
}

/** Return the view of a step that a viewer of the live table would have had, with everything that the felt needs.
 * @param {Protocol.ReplayPage} replay @param {Protocol.ReplayStep} step @returns {Protocol.TableView} */
export function viewOf({ seats, colors, scoring }, step) {
  const view = { ...step, colors, you: null, match: { scoring }, seats: seats.map((seat) => seatOf(seat, step)) };
  return /** @type {Protocol.TableView} */ (/** @type {unknown} */ (view));
}

/** @param {Protocol.ReplaySeat} seat @param {Protocol.ReplayStep} step @returns {Protocol.SeatAtTable} */
function seatOf(seat, { counts, said_uno: said }) {
  const count = counts[seat.seat] ?? 0;
  const here = { present: true, gone_seconds: null, away_left_ms: null, bot: "" };
  return { ...seat, ...here, count, said_uno: count > 0 && said.includes(seat.seat) };
}

/** Return the card movements between two steps for the animation: plays to the discard pile, and draws.
 * @param {Protocol.ReplayStep} before @param {Protocol.ReplayStep} now @returns {Protocol.Event[]} */
export function eventsOf(before, now) {
  /** @type {Protocol.Event[]} */
  const events = [];
  const card = now.action?.play;
  if (card && now.seat !== null) events.push({ event: "played", seat: now.seat, card, uno: false });
  for (const [seat, count] of Object.entries(now.counts)) {
    const cards = Math.min(count - before.counts[seat], before.draw_pile - now.draw_pile);
    if (cards > 0) events.push({ event: "drew", seat: Number(seat), cards, why: "turn" });
  }
  return events;
}
