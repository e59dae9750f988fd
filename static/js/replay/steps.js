// Computes which step of a replay is shown, and the state of the table at that step. Pure.

import { gettext } from "../text.js";

/** Return the step that a URL requests, within 0 and `last`, or 0 if it requests none.
 * @param {string} search @param {number} last */
export function stepOf(search, last) {
  const wanted = Number.parseInt(new URLSearchParams(search).get("step") ?? "0", 10);
  return clamp(Number.isNaN(wanted) ? 0 : wanted, last);
}

/** Return the step after a key press, or null if the key has no meaning here.
 * @param {string} key @param {number} step @param {number} last */
export function stepAfter(key, step, last) {
  const wanted = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last }[key];
  return wanted === undefined ? null : clamp(wanted, last);
}

/** Return how many milliseconds a step stays at a speed, which is enough to read a sentence.
 * @param {number} speed */
export function stepTime(speed) {
  return 1800 / speed;
}

/** Return whether the URL asks to mark what could have been played. @param {string} search */
export function marksCould(search) {
  return new URLSearchParams(search).get("could") === "1";
}

/** Return the URL of a step, to be stored or shared. @param {number} step @param {boolean} could */
export function addressOf(step, could) {
  return `?step=${step}${could ? "&could=1" : ""}`;
}

/** @param {number} step @param {number} last */
export function placeOf(step, last) {
  return gettext("%(step)s of %(last)s", { step, last });
}

/** @param {number} step @param {number} last */
export function clamp(step, last) {
  return Math.max(0, Math.min(last, step));
}

/** Return the luck at a step, or nothing if there is no review.
 * @param {Protocol.ReplayPage} replay @param {number} step @returns {Protocol.StepLuck} */
export function luckAt({ luck }, step) {
  return luck[step] ?? { chances: {}, text: "", better: "" };
}

/** Return the positions of the cards that were not in the hand one step before.
 * @param {string[]} cards @param {string[]} before */
export function freshCards(cards, before) {
  const left = [...before];
  return cards.map((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Return the number of each card among the copies of its kind. A card keeps the number while others come and
 * go.
 * @param {string[]} cards */
export function copiesOf(cards) {
  return cards.map((card, i) => cards.slice(0, i).filter((other) => other === card).length);
}

/** Return a step as a spectator of the live table would see it, with everything that the felt needs from a
 * view.
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

/** Return the moves of cards from one step to the next, for animations: from a hand to the discard pile, and
 * from the draw pile to hands.
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
