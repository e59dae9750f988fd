// Recomputes a hand's record from the secret and the shares, and finds the differences. Pure. Only `manage.py
// check_record` also checks the rules of the game.

import { sitsOut } from "./leaving.js";
import { chance, hexOf, listed, secretCommitment, shareCommitment } from "./deal.js";
import { sha256 } from "./sha2.js";

/** @import { Opened } from "./deal.js" */
/** @typedef {{code: string, about?: number, number?: number}} Fault `about`: a seat; `number`: of the shuffle, card or attempt */
/** @typedef {Opened & {void: Opened[], points?: Record<string, number>}} Fair `points` of the
 *   cards: where the deal drew the dealer, empty where by lot */
/** @typedef {{seat: number, reveals: Record<string, string>, held: Record<string, string[]>}} Look an X-Ray's entry in the log */
/** @typedef {{deck: string[], nonce: string, commitment: string, names?: string[], fair?: undefined}} OldRecord of version 1 */
/** @typedef {{deck: string[], dealer: number, seats: number, log: Partial<Look>[], reshuffles?: string[][], names?: string[],
 *   fair: Fair}} FairRecord of version 2, as far as it is read here */
/** @typedef {{faults: Fault[], cards: number, shuffles: number, choices: number, fair: Fair|null}} Checked */

const FAILURES = 2;
// This many equal draws happen only in a record that is made to delay the check.
const MOST_ROUNDS = 100;

/** @param {OldRecord|FairRecord} record @param {string} match @param {number} hand number of the hand @returns {Checked} */
export function check(record, match, hand) {
  try {
    return record.fair ? checkComputed(record, match, hand) : checkCommitted(record);
  } catch (error) {
    // The server may have sent a record in which a part is missing or has the wrong type.
    if (!(error instanceof TypeError)) throw error;
    return { ...NOTHING, faults: [{ code: "unreadable" }] };
  }
}

/** @type {Checked} */
const NOTHING = { faults: [], cards: 0, shuffles: 0, choices: 0, fair: null };

/** Check a record of version 1, in which the server alone determined the deck.
 * @param {OldRecord} record @returns {Checked} */
function checkCommitted({ deck, nonce, commitment }) {
  const fixed = hexOf(sha256(new TextEncoder().encode(`${deck.join(" ")}\n${nonce}`)));
  return { ...NOTHING, cards: deck.length, faults: fixed === commitment ? [] : [{ code: "old-commitment" }] };
}

/** @param {FairRecord} record @param {string} match @param {number} hand @returns {Checked} */
function checkComputed(record, match, hand) {
  const { fair } = record;
  const attempts = attemptFaults(fair, match, hand);
  const complete = listed(fair.list).every(({ seat }) => fair.shares[seat] !== undefined);
  const shuffles = record.reshuffles ?? [];
  const reveals = /** @type {Look[]} */ (record.log.filter((entry) => entry.reveals));
  const made = complete ? [...deckFaults(record), ...dealerFaults(record), ...reshuffleFaults(shuffles, fair), ...revealFaults(reveals, record)] : [];
  return { faults: [...attempts, ...made], cards: record.deck.length, shuffles: shuffles.length, choices: reveals.length, fair };
}

// Attempts

/** @param {Fair} fair @param {string} match @param {number} hand @returns {Fault[]} */
function attemptFaults(fair, match, hand) {
  const all = [...fair.void, fair];
  return all.flatMap((opened, i) => [
    ...listFaults(opened.list, fair.list, { match, hand, attempt: i + 1 }),
    ...openingFaults(opened, i + 1),
    ...completeFaults(opened, i + 1, opened === fair),
    ...failedFaults(opened, all.slice(0, i)),
    ...beforeFaults(opened.list),
    ...(all.slice(0, i).some(({ secret }) => secret === opened.secret) ? [{ code: "same-secret", number: i + 1 }] : []),
  ]);
}

/** @param {Protocol.DealList} list @param {Protocol.DealList} dealt @param {import("./deal.js").Draw} draw @returns {Fault[]} */
function listFaults(list, dealt, { match, hand, attempt }) {
  if (list.match !== match || list.hand !== hand || list.attempt !== attempt) return [{ code: "other-deal", number: attempt }];
  /** @param {Protocol.DealList} each */
  const about = ({ dealer, deck, seats }) => JSON.stringify([dealer, deck, seats.map(({ seat }) => seat)]);
  return about(list) === about(dealt) ? [] : [{ code: "other-table", number: attempt }];
}

/** Check that the secret and the opened shares match their commitments.
 * @param {Opened} opened @param {number} number @returns {Fault[]} */
export function openingFaults({ list, secret, shares }, number) {
  const wrong = listed(list).filter(({ seat, commitment }) => shares[seat] !== undefined && shareCommitment(list, seat, shares[seat]) !== commitment);
  const found = wrong.map(({ seat }) => ({ code: "share", about: seat, number }));
  return secretCommitment(list, secret) === list.server ? found : [{ code: "secret", number }, ...found];
}

/** Check that a dealt attempt has all listed shares, and that a void attempt does not.
 * @param {Opened} opened @param {number} number @param {boolean} dealt @returns {Fault[]} */
function completeFaults({ list, shares }, number, dealt) {
  const missing = listed(list).filter(({ seat }) => shares[seat] === undefined);
  if (dealt) return missing.map(({ seat }) => ({ code: "missing-share", about: seat, number }));
  return missing.length ? [] : [{ code: "void-complete", number }];
}

/** Check that a seat left out as "failed" has failed twice.
 * @param {Opened} opened @param {Opened[]} before @returns {Fault[]} */
function failedFaults({ list }, before) {
  /** @param {number} seat */
  const failures = (seat) => before.filter((each) => listed(each.list).some((entry) => entry.seat === seat) && each.shares[seat] === undefined).length;
  const wrong = list.seats.filter(({ seat, why }) => why === "failed" && failures(seat) < FAILURES);
  return wrong.map(({ seat }) => ({ code: "not-failed", about: seat, number: list.attempt }));
}

/** Check that a seat can have held up enough earlier hands to sit out.
 * @param {Protocol.DealList} list @returns {Fault[]} */
function beforeFaults({ seats, hand, attempt }) {
  const wrong = sitsOut(Array(hand - 1).fill(true)) ? [] : seats.filter(({ why }) => why === "before");
  return wrong.map(({ seat }) => ({ code: "not-before", about: seat, number: attempt }));
}

// Chance

/** @param {string[]} a @param {string[]} b @returns {number} the first place at which they differ, or -1 */
const differAt = (a, b) => (a.length === b.length ? a.findIndex((card, i) => card !== b[i]) : 0);

/** @param {{deck: string[], fair: Fair}} record @returns {Fault[]} */
function deckFaults({ deck, fair }) {
  const at = differAt(deck, chance(fair, "deal").shuffled(fair.list.deck));
  return at < 0 ? [] : [{ code: "deck", number: at + 1 }];
}

/** Check that the dealer is the one in the list, or was drawn in this deal.
 * @param {{dealer: number, fair: Fair}} record a player of the hand @returns {Fault[]} */
function dealerFaults({ dealer, fair }) {
  const seats = fair.list.seats.map(({ seat }) => seat);
  const dealt = fair.list.dealer === null ? drawnDealer(/** @type {Required<Fair>} */ (fair), seats) : seats.indexOf(fair.list.dealer);
  return dealt === dealer ? [] : [{ code: "dealer" }];
}

/** Return the player who drew the highest card, or who was drawn by lot if cards have no points.
 * @param {Required<Fair>} fair @param {number[]} seats */
function drawnDealer(fair, seats) {
  const { list: { deck }, points } = fair;
  if (!Object.keys(points).length) return chance(fair, "dealer choice 1").below(seats.length);
  let left = [...seats.keys()];
  for (let round = 1; left.length > 1 && round <= MOST_ROUNDS; round += 1) {
    const drawn = chance(fair, `dealer shuffle ${round}`).shuffled(deck).slice(0, left.length).map((card) => points[card]);
    left = left.filter((_, place) => drawn[place] === Math.max(...drawn));
  }
  return left.length === 1 ? left[0] : -1;
}

/** Check each reshuffle, which starts from the order of the deck.
 * @param {string[][]} piles @param {Fair} fair @returns {Fault[]} */
function reshuffleFaults(piles, fair) {
  const places = new Map(fair.list.deck.map((card, i) => [card, i]));
  /** @param {string} card */
  const place = (card) => places.get(card) ?? NaN;
  const wrong = piles.map((pile, i) => {
    const before = [...pile].sort((a, b) => place(a) - place(b));
    return differAt(pile, chance(fair, `reshuffle ${i + 1}`).shuffled(before)) < 0 ? 0 : i + 1;
  });
  return wrong.filter(Boolean).map((number) => ({ code: "reshuffle", number }));
}

/** Check the cards revealed by X-Rays: one card of each opponent, starting to the player's left.
 * @param {Look[]} entries @param {FairRecord} record @returns {Fault[]} */
function revealFaults(entries, { seats, fair }) {
  /** @param {number} seat @returns {(a: number, b: number) => number} */
  const from = (seat) => (a, b) => ((a - seat + seats) % seats) - ((b - seat + seats) % seats);
  const seen = entries.flatMap(({ seat, reveals, held }) =>
    Object.keys(reveals).map(Number).sort(from(seat)).map((other) => ({ card: reveals[other], cards: held[other] })));
  const wrong = seen.map(({ card, cards }, i) => (cards[chance(fair, `choice ${i + 1}`).below(cards.length)] === card ? 0 : i + 1));
  return wrong.filter(Boolean).map((number) => ({ code: "reveal", number }));
}
