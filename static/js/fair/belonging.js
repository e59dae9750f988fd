// Checks that the deal in a view belongs to the next hand of this match. Pure.

/** @import { Note } from "./kept.js" */

// An attempt takes at least five seconds to fail.
const MOST_IN_A_MINUTE = 12;
const MINUTE_MS = 60_000;

/** Return the numbers of the hands whose deal this view may show. Between hands 1 and 2, a match has the same
 * number as before hand 1.
 * @param {Protocol.MatchFacts} match @returns {number[]} empty where there is none */
function nextHands({ phase, hand }) {
  const number = hand ?? 0;
  if (phase === "waiting") return [1];
  if (phase === "playing") return [number];
  if (phase === "between") return number === 1 ? [1, 2] : [number + 1];
  return [];
}

/** Return the hand that is about to be dealt, or null if one is being played or the match is over.
 * @param {Protocol.WindowView} view @param {(hand: number) => boolean} hasPlayed */
export function upcoming({ match, deal, sheet }, hasPlayed) {
  const next = match.phase === "playing" ? [] : nextHands(match);
  return next.find((hand) => hand === deal?.hand) ?? next.find((hand) => hand !== sheet?.hand && !hasPlayed(hand)) ?? null;
}

/** Return the code of a complaint if the view or its deal belongs to another match or hand, or if the deal of the
 * next hand is missing. Otherwise, return "".
 * @param {Protocol.WindowView} view @param {string} page the match whose page this is */
export function strayCode({ match, deal }, page) {
  if (match.id !== page) return "other-match";
  if (deal && !isReadable(deal)) return "unreadable";
  if (deal) return nextHands(match).includes(deal.hand) && deal.attempt > 0 ? "" : "other-hand";
  return match.phase === "waiting" || match.phase === "between" ? "never-shown" : "";
}

/** Find a note which shows that this browser took part in a hand that it now only watches.
 * @param {Protocol.WindowView} view @param {Note[]} notes of the match @returns {Note|undefined} */
export function findDeniedNote({ match }, notes) {
  if (match.phase !== "playing") return undefined;
  return notes.findLast((note) => note.hand === match.hand && (note.sent?.length || (!isShown(note) && note.played)));
}

const STEPS = ["commit", "open", "dealt"];
/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {unknown} value */
const isText = (value) => typeof value === "string";
/** @param {Record<string, string>} shares */
const areShares = (shares) => isObject(shares) && Object.values(shares).every(isText);
/** @param {Protocol.DealList} list */
const isList = (list) => isObject(list) && (!Array.isArray(list.seats) || list.seats.every(isObject));

/** Whether the facts are complete and well-formed, as they are from an honest server. Other checks examine the
 * list.
 * @param {Protocol.DealFacts} deal */
export function isReadable({ hand, attempt, step, server, list, digest, shares, mine, opened, void: gone }) {
  return Number.isInteger(hand) && Number.isInteger(attempt) && STEPS.includes(step) && areShares(shares)
    && [server, mine ?? "", digest ?? ""].every(isText) && (list === null || isList(list)) && Array.isArray(opened)
    && Array.isArray(gone) && gone.every((each) => isObject(each) && isList(each.list) && areShares(each.shares) && isText(each.secret));
}

/** Return a note, with attempt 0, for a hand of which no attempt was shown.
 * @param {{match: string, hand: number, seat: number, at: string}} of @returns {Note} */
export function unshown(of) {
  return { ...of, attempt: 0, server: "", mine: null, list: null, digest: null, opened: false, taken: false, complaints: [], sent: [] };
}

/** @param {Pick<Note, "attempt">} note @returns {boolean} whether it is of an attempt that the server showed */
export const isShown = ({ attempt }) => attempt > 0;

/** Counts new attempts, because a dishonest server could try many. At an honest table there are few: an attempt
 * fails only if a seat is late, and a seat that was late twice is no longer listed. */
export class Pace {
  /** @type {number[]} when, in ms */
  begun = [];

  /** @param {Protocol.DealFacts} deal shown for the first time @param {number} seats @param {string} now */
  isTooFast({ attempt }, seats, now) {
    const at = Date.parse(now);
    this.begun = this.begun.filter((each) => at - each < MINUTE_MS);
    if (attempt > 1) this.begun.push(at);
    return this.begun.length > MOST_IN_A_MINUTE || attempt > 2 * seats + 1;
  }
}
