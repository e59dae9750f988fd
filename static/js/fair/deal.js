// Commitments, list digests and random numbers of a deal, as specified in docs/fair-deal.md. Pure. Bytes are passed
// as hex.

import { sha256, sha512 } from "./sha2.js";

/** @typedef {{match: string, hand: number, attempt: number}} Draw which deal is meant */
/** @typedef {Protocol.DealList} List */
/** @typedef {{key: string, signature: string}} Signed what a device made of a commitment, in hex */
/** @typedef {{list: List, secret: string, shares: Record<string, string>,
 *   signed?: Record<string, Signed>, let_go?: number[]}} Opened everything that a deal is made of; `let_go`:
 *   seats whose accepted part went with who left, before the list */

export const SHARE_BYTES = 32;
const WORDS = 2 ** 32;

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} hex pairs of digits; what is none is a zero byte, which fits no commitment */
export function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Join the fields, each preceded by its length in 8 bytes. @param {(string|number|Uint8Array)[]} fields */
export function joined(fields) {
  const parts = fields.map((field) => (field instanceof Uint8Array ? field : new TextEncoder().encode(String(field))));
  const bytes = new Uint8Array(parts.reduce((length, part) => length + 8 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(bytes.buffer).setUint32(at + 4, part.length);
    bytes.set(part, at + 8);
    at += 8 + part.length;
  }
  return bytes;
}

/** @param {...(string|number|Uint8Array)} fields the first is the label */
const digest = (...fields) => hexOf(sha256(joined(fields)));

/** @param {Draw} draw @param {string} secret */
export function secretCommitment({ match, hand, attempt }, secret) {
  return digest("lastcard deal 1 secret", match, hand, attempt, bytesOf(secret));
}

/** @param {Draw} draw @param {number} seat of the match @param {string} share */
export function shareCommitment({ match, hand, attempt }, seat, share) {
  return digest("lastcard deal 1 share", match, hand, attempt, seat, bytesOf(share));
}

/** Return the text of a commitment that a device signs.
 * @param {Draw} draw @param {number} seat @param {string} commitment */
export function signedText({ match, hand, attempt }, seat, commitment) {
  return joined(["lastcard deal 1 signed", match, hand, attempt, seat, commitment]);
}

/** Return the fingerprint of a device's public key. @param {string} key */
export function fingerprint(key) {
  return digest("lastcard deal 1 key", bytesOf(key)).slice(0, 8);
}

/** Return the digest of the list, which a browser needs before it opens its share. @param {List} list */
export function listDigest({ match, hand, attempt, dealer, deck, server, seats }) {
  const entries = seats.flatMap(({ seat, commitment, why }) => [seat, commitment ?? `-${why}`]);
  return digest("lastcard deal 1 list", match, hand, attempt, dealer ?? "", deck.join(" "), server, ...entries);
}

/** Return the entries of the list that have commitments. @param {List} list */
export function listed({ seats }) {
  return seats.filter(({ commitment }) => commitment);
}

/** Return 32 random bytes, without crypto.subtle, which is missing over plain HTTP. */
export function newShare() {
  return hexOf(crypto.getRandomValues(new Uint8Array(SHARE_BYTES)));
}

/** Yield an endless sequence of 32-bit words for one purpose. @param {Opened} opened @param {string} purpose */
function* words({ list, secret, shares }, purpose) {
  const before = ["lastcard deal 1 block", bytesOf(listDigest(list)), purpose];
  const after = [bytesOf(secret), ...listed(list).map(({ seat }) => bytesOf(shares[seat]))];
  for (let k = 0; ; k += 1) {
    const number = new Uint8Array(8);
    new DataView(number.buffer).setUint32(4, k);
    const block = new DataView(sha512(joined([...before, number, ...after])).buffer);
    for (let at = 0; at < 64; at += 4) yield block.getUint32(at);
  }
}

/** Random integers from 32-bit words. */
export class Stream {
  /** @param {Iterator<number>} from */
  constructor(from) {
    this.from = from;
  }

  /** @param {number} n @returns {number} from 0 to n - 1, each as likely; one of one needs no word */
  below(n) {
    if (n === 1) return 0;
    // Words at the upper end are skipped, because they would make low numbers more likely.
    const end = WORDS - (WORDS % n);
    let word = this.from.next().value;
    while (word >= end) word = this.from.next().value;
    return word % n;
  }

  /** @template T @param {T[]} list @returns {T[]} another list; the first is the top card */
  shuffled(list) {
    const cards = [...list];
    for (let i = cards.length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1);
      [cards[i], cards[j]] = [cards[j], cards[i]];
    }
    return cards;
  }
}

/** Return the random numbers for one purpose: "deal", "reshuffle 1", "choice 2" …
 * @param {Opened} opened @param {string} purpose */
export const chance = (opened, purpose) => new Stream(words(opened, purpose));
