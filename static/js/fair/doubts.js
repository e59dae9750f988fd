// Compares the server's facts about a deal with this browser's notes. Pure.

import { isShown } from "./belonging.js";
import { listDigest, listed, secretCommitment, shareCommitment } from "./deal.js";
import { hasFailed, mayHaveToSitOut } from "./sent.js";

/** @import { List } from "./deal.js" */
/** @import { Note } from "./kept.js" */
/** @typedef {{code: string, about: number|null}} Doubt `about`: the seat that it concerns */

/** @param {string} code @param {number|null} [about] @returns {Doubt} */
const doubt = (code, about = null) => ({ code, about });

/** Return a complaint about each problem with the server's facts.
 * @param {Note} note of this attempt @param {Protocol.DealFacts} deal
 * @param {Note[]} notes what was kept of the match and seat
 * @param {string|null} share this browser's own, where its commitment was acknowledged
 * @returns {Doubt[]} */
export function doubts(note, deal, notes, share) {
  const before = notes.filter(({ hand, attempt }) => hand === note.hand && attempt < note.attempt);
  const found = deal.server === note.server ? [] : [doubt("other-server")];
  if (isSentAway(note, deal, notes)) found.push(doubt("sent-away", note.seat));
  if (deal.list || deal.step !== "commit") found.push(...listDoubts(note, deal));
  if (deal.list && deal.step === "dealt" && !found.length) found.push(...shareDoubts(deal.list, deal.shares, note, share));
  if (before.some(({ played }) => played)) found.push(doubt("dealt-again"));
  if (deal.step === "open" && share !== null && !note.opened && deal.opened.includes(note.seat)) found.push(doubt("opened-unsent", note.seat));
  // No attempt may follow the one that is dealt.
  const later = deal.step === "dealt" && notes.some(({ hand, attempt }) => hand === note.hand && attempt > note.attempt);
  if (later) found.push(doubt("attempt-hidden"));
  return [...found, ...voidDoubts(note, deal, before.filter(isShown))];
}

/** @param {List|null} list @returns {string|null} null where it is no list at all */
export function digestOf(list) {
  try {
    return list && listDigest(list);
  } catch {
    return null;
  }
}

/** @param {Note} note @param {Protocol.DealFacts} deal @returns {Doubt[]} */
function listDoubts(note, { list, digest, void: gone }) {
  const mine = digestOf(list);
  if (!list || mine === null || mine !== digest || !fits(list, note)) return [doubt("wrong-list")];
  if (note.digest !== null && note.digest !== mine) return [doubt("second-list")];
  const entry = list.seats.find(({ seat }) => seat === note.seat);
  const failed = entry?.why === "failed" && hasFailed(note, { void: gone });
  return note.mine === null || entry?.commitment === note.mine || failed ? [] : [doubt("left-out", note.seat)];
}

/** Return whether the list says that this seat failed or sits out, contrary to this browser's notes.
 * @param {Note} note @param {Protocol.DealFacts} deal @param {Note[]} notes */
function isSentAway(note, deal, notes) {
  const why = deal.list?.seats?.find(({ seat }) => seat === note.seat)?.why;
  if (note.mine !== null) return false;
  return (why === "failed" && !hasFailed(note, deal)) || (why === "before" && !mayHaveToSitOut(note, notes));
}

/** @param {List} list @param {Note} note */
function fits(list, { match, hand, attempt, server }) {
  return list.match === match && list.hand === hand && list.attempt === attempt && list.server === server;
}

/** Check that each listed share of a dealt hand is present and matches its commitment, and that this browser's own
 * share is unchanged.
 * @param {List} list @param {Record<string, string>} shares @param {Note} note @param {string|null} share */
function shareDoubts(list, shares, note, share) {
  const wrong = listed(list).filter(({ seat, commitment }) => {
    const opened = shares[seat];
    if (seat === note.seat && share !== null && opened !== share) return true;
    return opened === undefined || shareCommitment(list, seat, opened) !== commitment;
  });
  return wrong.map(({ seat }) => doubt("share-wrong", seat));
}

/** Check that all void attempts are shown unchanged, with this browser's opened shares.
 * @param {Note} note @param {Protocol.DealFacts} deal @param {Note[]} before */
function voidDoubts(note, deal, before) {
  const found = before.filter(({ attempt }) => attempt < deal.attempt && !deal.void.some((each) => each.attempt === attempt));
  if (deal.void.length < deal.attempt - 1 || found.length) return [doubt("attempt-hidden")];
  return deal.void.flatMap((each) => attemptDoubts(each, before.find(({ attempt }) => attempt === each.attempt), note));
}

/** @param {Protocol.VoidAttempt} attempt @param {Note|undefined} kept @param {Note} note */
function attemptDoubts({ list, secret, shares }, kept, { seat }) {
  const digest = digestOf(list);
  if (digest === null) return [doubt("void-wrong")];
  const other = kept && (kept.server !== list.server || (kept.digest !== null && kept.digest !== digest));
  const fit = listed(list).every((each) => shares[each.seat] === undefined || shareCommitment(list, each.seat, shares[each.seat]) === each.commitment);
  if (other || !fit || secretCommitment(list, secret) !== list.server) return [doubt("void-wrong")];
  return kept?.taken && shares[seat] === undefined ? [doubt("called-late", seat)] : [];
}
