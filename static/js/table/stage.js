// The felt: the seats and the centre.

import { part } from "../elements.js";
import { cardFace, cardName } from "./cards.js";
import { makeCentre } from "./centre.js";
import { awayFor, awayLeft, brief, clockNow, inMinutes, inSeconds, isAway, isComing } from "./clock.js";
import { h, keyed, setAttribute, setText } from "./dom.js";
import { seatSides } from "./layout.js";
import { isPlayer } from "./store.js";
import { gettext, ngettext, sentence } from "../text.js";

/** @import { Show, State } from "./store.js" */
/** @import { RunningClock } from "./clock.js" */

/** @type {("left"|"top"|"right"|"bottom")[]} */
const SIDES = ["left", "top", "right", "bottom"];
const TEAMS = ["◆", "●"];

/** Create the felt. The returned function updates it. For viewers, seat `first` is at the bottom.
 * `lay` adds open cards at a seat.
 * @param {HTMLElement} root
 * @param {{draw?: () => void, first?: number|null, lay?: (item: HTMLElement, seat: Protocol.SeatAtTable) => void}} [handlers]
 * @returns {Show} */
export function makeStage(root, { draw = () => {}, first = null, lay = () => {} } = {}) {
  const lists = Object.fromEntries(SIDES.map((side) => [side, h(`ul.seats.seats-${side}`)]));
  const centre = makeCentre(draw);
  root.replaceChildren(lists.left, lists.top, centre.element, lists.right, lists.bottom);
  return (state, now) => {
    const { view } = state;
    const sides = seatSides(view.seats.length, view.you ?? first);
    if (isPlayer(view)) sides.bottom = [];
    for (const side of SIDES) {
      const seats = sides[side].map((seat) => view.seats[seat]);
      keyed(lists[side], seats, (seat) => seat.seat, makeSeat, (item, seat) => {
        showSeat(item, seat, state, now);
        lay(item, seat);
      });
    }
    setAttribute(root, "data-seats", view.seats.length);
    centre.show(state, now);
  };
}

/** Create a face inside the ring of its clock. The CSS property `--left` is the remaining time in percent. */
export function makeRing() {
  const ring = h("span.ring");
  ring.innerHTML =
    '<svg viewBox="0 0 40 40"><circle class="ring-track" cx="20" cy="20" r="17" pathLength="100"/>' +
    '<circle class="ring-left" cx="20" cy="20" r="17" pathLength="100"/></svg>';
  ring.append(h("b.face", { translate: "no" }), h("i.bot-sign"));
  return ring;
}

// Maximum number of card backs in a fan. Phones show five.
const MOST_BACKS = 10;

/** Create a fan of card backs with the number of a player's cards. */
export function makeFan() {
  return h("span.fan", {}, h("span.backs"), h("b.count"), h("span.seen"));
}

/** Return the CSS classes of a face (see static/css/faces.css). @param {Protocol.Face} face */
export const faceClasses = ({ tone, sign }) => (sign ? `face tone-${tone} sign-${sign}` : `face tone-${tone}`);

/** Return the initial for a face without a sign, otherwise "". @param {Protocol.Face} face */
export const faceLetter = ({ letter, sign }) => (sign ? "" : letter);

/** Show a player's face and number of cards.
 * @param {Element} item @param {Protocol.SeatAtTable} seat */
export function showPerson(item, { face, count }) {
  const shown = part(item, ".face");
  shown.className = faceClasses(face);
  setText(shown, faceLetter(face));
  setText(part(item, ".count"), String(count ?? "–"));
  const backs = Array.from({ length: Math.min(count ?? 0, MOST_BACKS) }, (_, i) => i);
  const fan = part(item, ".backs");
  fan.style.setProperty("--mid", String((backs.length - 1) / 2));
  keyed(fan, backs, (i) => i, (i) => {
    const back = h("i.back");
    back.style.setProperty("--i", String(i));
    return back;
  });
}

/** @param {Protocol.SeatAtTable} seat */
function makeSeat(seat) {
  return h(
    "li.seat", { "data-seat": seat.seat },
    h("span.vh"),
    h("span.seat-face", { "aria-hidden": "true" },
      makeRing(),
      makeFan(),
      h("span.seat-words", {}, h("span.seat-name", { translate: "no" }), h("span.seat-line"), h("span.seat-wait")),
    ),
  );
}

// Combining marks have no width.
const SIGNS = /\p{M}/gu;
const TALL = /[\p{Script=Arabic}\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}]/u;

/** @param {HTMLElement} item @param {Protocol.SeatAtTable} seat @param {State} state @param {number} now */
function showSeat(item, seat, state, now) {
  const { view } = state;
  const turn = view.turn === seat.seat;
  setAttribute(item, "data-turn", turn || null);
  setAttribute(item, "data-out", seat.out || !seat.playing || null);
  setAttribute(item, "data-gone", (isAway(seat) && !isComing(seat, state, now)) || null);
  setAttribute(item, "data-dealer", seat.dealer || null);
  setAttribute(item, "data-team", seat.team);
  setAttribute(item, "data-bot", Boolean(seat.bot) || null);
  setAttribute(item, "data-catch", view.may?.catch?.includes(seat.seat) || null);
  setAttribute(item, "data-window", forgot(seat, view) || null);
  // Length of the longest word in the name. At large tables, names with long words get smaller type.
  item.style.setProperty("--long", String(Math.max(...teamed(seat, seat.name).replace(SIGNS, "").split(" ").map((word) => word.length))));
  setAttribute(part(item, ".seat-name"), "data-tall", TALL.test(seat.name) || null);
  setText(part(item, ".vh"), seatSentence(seat, state, now));
  setAttribute(item, "data-danger", (seat.count === 1 && seat.playing) || null);
  setAttribute(item, "data-owes", view.penalty?.seat === seat.seat ? `+${view.penalty.cards}` : null);
  showPerson(item, seat);
  setAttribute(item, "data-leads", (!isPlayer(view) && leads(seat, view)) || null);
  setText(part(item, ".seat-name"), teamed(seat, seat.name));
  setText(part(item, ".seat-line"), seatLine(seat, state, now));
  setText(part(item, ".seat-wait"), waitLine(seat, state, now));
  showSeen(part(item, ".seen"), view.seen?.[seat.seat] ?? []);
}

/** Return whether you can catch this player for not saying UNO.
 * @param {Protocol.SeatAtTable} seat @param {Protocol.WindowView} view */
const forgot = ({ seat }, { may }) => may?.windows?.some((one) => one.seat === seat);

/** Return whether this player has the best score. At the start, when all scores are zero, no one leads.
 * @param {Protocol.SeatAtTable} seat @param {Protocol.WindowView} view */
function leads({ score }, { match, seats }) {
  const scores = seats.map((each) => each.score);
  const best = match.scoring === "winner-takes" ? Math.max(...scores) : Math.min(...scores);
  return score === best && scores.some((each) => each !== best);
}

/** @param {Protocol.SeatAtTable} seat */
export const pointsOf = ({ score }) => ngettext("%(count)s point", "%(count)s points", score);

/** Return a name followed by its team's mark, if there are teams.
 * @param {Protocol.SeatAtTable} seat @param {string} name */
export function teamed(seat, name) {
  return seat.team === null || seat.team === undefined ? name : `${TEAMS[seat.team]}\u00a0${name}`;
}

/** Return whether this seat belongs to your partner.
 * @param {Protocol.SeatAtTable} seat @param {Protocol.WindowView} view */
export function isPartner({ seat, team }, { you, seats }) {
  return typeof team === "number" && you !== null && seat !== you && seats[you]?.team === team;
}

/** Return the second line of a seat, with the most important fact about the player.
 * @param {Protocol.SeatAtTable} seat @param {State} state @param {number} now */
function seatLine(seat, state, now) {
  if (seat.out) return `${gettext("out")} · ${seat.score}`;
  if (!seat.playing) return `${gettext("sits out")} · ${seat.score}`;
  if (forgot(seat, state.view)) return gettext("Catch!");
  if (isAway(seat)) return awayLine(seat, state, now);
  if (seat.said_uno) return `${gettext("UNO!")} · ${seat.score}`;
  if (state.view.turn !== seat.seat) return isPartner(seat, state.view) ? gettext("partner") : pointsOf(seat);
  const clock = clockOf(seat, state, now);
  return isPlayer(state.view) ? turnLine(clock, brief) : `${turnLine(clock, inMinutes)} · ${seat.score}`;
}

/** Return the running clock if it belongs to this seat, otherwise null.
 * @param {Protocol.SeatAtTable} seat @param {State} state @param {number} now */
export function clockOf(seat, state, now) {
  return state.view.clock?.seat === seat.seat ? clockNow(state, now) : null;
}

/** @param {RunningClock|null} clock @param {(seconds: number) => string} told */
function turnLine(clock, told) {
  if (clock?.inBank) return gettext("bank");
  return `▶\uFE0E ${clock ? told(inSeconds(clock.left)) : gettext("turn")}`;
}

/** @param {Protocol.SeatAtTable} seat @param {State} state @param {number} now */
function awayLine(seat, state, now) {
  if (isComing(seat, state, now)) return gettext("coming");
  const seconds = awayFor(seat, state, now);
  return seconds === null ? gettext("absent") : gettext("away %(time)s", { time: brief(seconds) });
}

/** Return the rest of the player's time bank, or the remaining time to wait for an absent player.
 * @param {Protocol.SeatAtTable} seat @param {State} state @param {number} now */
function waitLine(seat, state, now) {
  const clock = clockOf(seat, state, now);
  if (isAway(seat)) {
    const left = awayLeft(seat, state, now);
    return left === null ? "" : gettext("%(time)s left", { time: brief(left) });
  }
  return clock?.inBank ? gettext("%(time)s left", { time: brief(inSeconds(clock.bank)) }) : "";
}

/** Describe a player's cards, points and team in words.
 * @param {Protocol.SeatAtTable} seat @param {Protocol.WindowView} view */
export function holds(seat, view) {
  return [...cardsHeld(seat), pointsOf(seat), ...describeTeam(seat, view)];
}

/** @param {Protocol.SeatAtTable} seat @param {Protocol.WindowView} view */
function describeTeam(seat, view) {
  if (typeof seat.team !== "number" || seat.seat === view.you) return [];
  return [isPartner(seat, view) ? gettext("your partner") : gettext("team %(number)s", { number: seat.team + 1 })];
}

/** @param {Protocol.SeatAtTable} seat @param {State} state @param {number} now */
function seatSentence(seat, state, now) {
  const { view } = state;
  const parts = [seat.name, ...(seat.bot ? [gettext("bot")] : []), ...holds(seat, view)];
  if (view.turn === seat.seat) parts.push(gettext("turn"));
  if (seat.said_uno) parts.push(gettext("has said UNO"));
  if (seat.dealer) parts.push(gettext("dealer"));
  if (seat.out) parts.push(gettext("is eliminated"));
  if (!seat.present && !seat.bot) parts.push(isComing(seat, state, now) ? gettext("isn’t here yet") : gettext("is away"));
  const seen = view.seen?.[seat.seat] ?? [];
  if (seen.length) parts.push(gettext("you’ve seen %(cards)s", { cards: seen.map(cardName).join(", ") }));
  return sentence(parts.join(", "));
}

/** Return a list with the number of cards in words. It is empty if viewers must not know the number yet.
 * @param {Protocol.SeatAtTable} seat */
function cardsHeld({ count }) {
  return count === null ? [] : [ngettext("%(count)s card", "%(count)s cards", count)];
}

/** @param {HTMLElement} element @param {string[]} cards */
function showSeen(element, cards) {
  keyed(element, cards, (card, i) => `${card}${i}`, (card) => cardFace(card));
}
