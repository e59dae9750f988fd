// Computes the clock of the current turn, and the remaining time to wait for absent players. Times count by this
// device's clock from the arrival of the view. Pure.

import { gettext, ngettext } from "../text.js";

/** @import { State } from "./store.js" */

/**
 * @typedef {{seat: number, left: number, bank: number, until: number, inBank: boolean, share: number}} RunningClock
 *   times in ms; `until`: when the table acts for the player; `share`: remaining share (0 to 1) of
 * the turn time, or of the bank once it runs
 */

/** Return the running clock, or null if none runs.
 * @param {Pick<State, "view"|"seenAt">} state @param {number} now @returns {RunningClock|null} */
export function clockNow({ view, seenAt }, now) {
  const { clock } = view;
  if (!clock) return null;
  const { bank_ms: had = 0, bank_total_ms: most = 0 } = clock;
  const passed = view.match.paused ? 0 : now - seenAt;
  const left = Math.max(0, clock.left_ms - passed);
  const until = Math.max(0, clock.left_ms + had - passed);
  const bank = Math.min(had, until);
  const inBank = most > 0 && (Boolean(clock.in_bank) || (left === 0 && had > 0));
  return { seat: clock.seat, left, bank, until, inBank, share: inBank ? bank / most : left / clock.total_ms };
}

/** @param {number} ms */
export const inSeconds = (ms) => Math.ceil(ms / 1000);

/** Format seconds as "0:14", which looks the same in every language. @param {number} seconds */
export const inMinutes = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** Format seconds as "14 s", or as "2:05" from 100 seconds on. @param {number} seconds */
export const brief = (seconds) => (seconds < 100 ? gettext("%(seconds)s s", { seconds }) : inMinutes(seconds));

/** Return the remaining time in words, such as "14 seconds", including the time bank. @param {RunningClock|null} clock */
export function clockInWords(clock) {
  if (!clock) return null;
  const bank = ngettext("%(count)s second from the time bank", "%(count)s seconds from the time bank", inSeconds(clock.bank));
  if (clock.inBank) return bank;
  const turn = ngettext("%(count)s second", "%(count)s seconds", inSeconds(clock.left));
  return clock.bank ? gettext("%(turn)s, then %(bank)s", { turn, bank }) : turn;
}

/** @param {Protocol.SeatAtTable} seat */
export const isAway = (seat) => !seat.present && !seat.bot && seat.playing;

/** Return whether a player who has not arrived yet is not away either, because the match has only just begun.
 * @param {Protocol.SeatAtTable} seat @param {Pick<State, "seenAt">} state @param {number} now */
export function isComing(seat, { seenAt }, now) {
  return isAway(seat) && (seat.coming_ms ?? 0) > now - seenAt;
}

/** Return for how many seconds a player has been away, or null if they never arrived.
 * @param {Protocol.SeatAtTable} seat @param {Pick<State, "seenAt">} state @param {number} now */
export function awayFor(seat, { seenAt }, now) {
  return seat.gone_seconds === null ? null : Math.floor(seat.gone_seconds + (now - seenAt) / 1000);
}

/** Return for how many more seconds of their own turns the table waits for a player. Null means no limit.
 * @param {Protocol.SeatAtTable} seat @param {Pick<State, "view"|"seenAt">} state @param {number} now */
export function awayLeft(seat, { view, seenAt }, now) {
  if (seat.away_left_ms === null || seat.away_left_ms === undefined) return null;
  const runs = view.clock?.seat === seat.seat && !view.match.paused;
  return inSeconds(Math.max(0, seat.away_left_ms - (runs ? now - seenAt : 0)));
}

/** Return a sentence such as "Ben is away (40 s left)." if the table waits for an absent player's move, otherwise
 * null.
 * @param {State} state @param {number} now */
export function waitingFor(state, now) {
  const { view } = state;
  const seat = view.match.paused || view.turn === null ? undefined : view.seats[view.turn];
  if (!seat || seat.seat === view.you || !isAway(seat)) return null;
  const left = awayLeft(seat, state, now);
  const { name } = seat;
  if (isComing(seat, state, now)) return describeAwaited(name, left);
  if (left === null) return gettext("%(name)s is away.", { name });
  if (left) return gettext("%(name)s is away (%(time)s left).", { name, time: brief(left) });
  return gettext("%(name)s is away. The site draws and passes for them.", { name });
}

/** @param {string} name @param {number|null} left */
function describeAwaited(name, left) {
  if (!left) return gettext("%(name)s isn’t here yet.", { name });
  return gettext("%(name)s isn’t here yet (%(time)s left).", { name, time: brief(left) });
}

/** Return the names of all players who are away, or null if there are none. @param {State} state @param {number} now */
export function awayInWords(state, now) {
  const told = state.view.seats.filter(isAway).map((seat) => {
    const left = awayLeft(seat, state, now);
    const since = describeAbsence(seat.name, awayFor(seat, state, now));
    return left === null ? since : `${since}, ${describeWait(left)}`;
  });
  return told.join("; ") || null;
}

/** @param {string} name @param {number|null} gone */
function describeAbsence(name, gone) {
  if (gone === null) return gettext("%(name)s hasn’t arrived yet", { name });
  return ngettext("%(name)s has been away for %(count)s second", "%(name)s has been away for %(count)s seconds", gone, { name });
}

/** @param {number} left */
function describeWait(left) {
  return ngettext("the table will wait %(count)s more second in this hand", "the table will wait %(count)s more seconds in this hand", left);
}
