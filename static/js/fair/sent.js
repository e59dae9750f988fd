// Judges the server's answers to this browser's commitments and shares. Pure.

import { isShown } from "./belonging.js";
import { listed } from "./deal.js";
import { sitsOut } from "./leaving.js";

/** @import { Note } from "./kept.js" */

/**
 * @typedef {object} Sent noted before it was sent
 * @property {"commit"|"open"} type
 * @property {string} hex the commitment, or the digest of the list to which the share was opened
 * @property {string} at when, in ISO 8601
 * @property {string} line how the connection was: "live", "waiting" …
 * @property {string|null} reached when the server had answered a ping that went behind it over the
 *   same socket, so that the message had come
 * @property {string|null} answer "ack", or the code of the refusal
 * @property {string|null} answered when
 * @property {string} [key] of this device, where it signed
 * @property {Protocol.Receipt} [receipt] the site's, as it came
 */

// How long an honest server may show a step for which it has just refused a message, and how long it may leave a
// received message unanswered.
const REFUSED_MS = 2000;
const SILENT_MS = 3000;
// Refusals that no commitment of this browser deserves.
const NEVER = ["malformed", "not-in-hand", "wrong-signature"];
/** @type {Record<Sent["type"], Record<"refused"|"silent", string>>} */
const CODES = {
  commit: { refused: "commit-refused", silent: "commit-unanswered" },
  open: { refused: "refused", silent: "open-unanswered" },
};

/** Return the state of a sent message: its step is still "open", it is "in", or the deal went on "without" it.
 * @param {Pick<Note, "hand"|"attempt"|"seat">} note @param {Sent["type"]} type @param {Protocol.DealFacts|null} deal as last shown */
export function standing({ hand, attempt, seat }, type, deal) {
  if (!deal || deal.hand !== hand) return "without";
  if (deal.attempt !== attempt) return isIn(deal.void.find((each) => each.attempt === attempt), type, seat) ? "in" : "without";
  if (type === "open") return deal.step === "open" && !deal.opened.includes(seat) ? "open" : "in";
  if (deal.step === "commit") return deal.mine ? "in" : "open";
  return isIn({ list: deal.list, shares: {} }, type, seat) ? "in" : "without";
}

/** @param {{list: Protocol.DealList|null, shares: Record<string, string>}|undefined} attempt @param {Sent["type"]} type @param {number} seat */
function isIn(attempt, type, seat) {
  if (!attempt?.list?.seats) return false;
  return type === "commit" ? listed(attempt.list).some((each) => each.seat === seat) : attempt.shares[seat] !== undefined;
}

/** Return the code of the complaint about a sent message, "" if it is too early to tell, or null if there is none.
 * @param {Sent} sent @param {ReturnType<typeof standing>} stands @param {string} now */
export function doubtOf({ type, reached, answer, answered }, stands, now) {
  if (answer === "ack") return null;
  if (stands === "in") return type === "commit" && answer === null && since(reached, now) >= SILENT_MS ? "receipt-missing" : null;
  if (answer === null) return stands === "without" && since(reached, now) >= SILENT_MS ? CODES[type].silent : "";
  if (stands === "without") return null;
  return since(answered, now) >= REFUSED_MS ? CODES[type].refused : "";
}

/** Return whether an honest server would never refuse this commitment with this code.
 * @param {string} code @param {Note} note @param {Protocol.DealFacts} deal @param {Note[]} notes of the match and seat */
export function isUnfounded(code, note, deal, notes) {
  return NEVER.includes(code) || (code === "not-listed" && !hasFailed(note, deal) && !mayHaveToSitOut(note, notes));
}

/** @param {Note} note @param {Pick<Protocol.DealFacts, "void">} deal */
export function hasFailed({ seat }, deal) {
  return failures(deal, seat) > 1;
}

/** Return the number of void attempts in which this seat did not open its listed share.
 * @param {Pick<Protocol.DealFacts, "void">} deal @param {number} seat */
export function failures({ void: gone }, seat) {
  return gone.filter(({ list, shares }) => isIn({ list, shares }, "commit", seat) && shares[seat] === undefined).length;
}

/** Whether this seat may have to sit out this hand, according to the notes.
 * @param {Note} note @param {Note[]} notes of the match and seat */
export function mayHaveToSitOut({ hand }, notes) {
  const before = Array.from({ length: hand - 1 }, (_, i) => notes.filter((each) => each.hand === i + 1 && isShown(each)));
  return sitsOut(before.map((attempts) => !attempts.length || attempts.some((each) => (each.failures ?? 0) > 0)));
}

/** @param {string|null} from @param {string} to milliseconds; none since never */
function since(from, to) {
  return from === null ? 0 : Date.parse(to) - Date.parse(from);
}
