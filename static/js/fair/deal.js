// What a deal is made of, byte by byte as docs/fair-deal.md says: commitments, the list and its
// digest, the numbers that everything by chance in a hand comes from. Pure; bytes are hex outside.

import { sha256, sha512 } from "./sha2.js";

/** @typedef {{match: string, hand: number, attempt: number}} Draw which deal is meant */
/** @typedef {Protocol.DealList} List */
/** @typedef {{list: List, secret: string, shares: Record<string, string>}} Opened everything that a deal is made of */

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

/** Each field with its length before it, as 8 bytes.
 * @param {(string|number|Uint8Array)[]} fields */
function joined(fields) {
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

/** T, to which a browser opens its share.
 * @param {List} list */
export function listDigest({ match, hand, attempt, dealer, deck, server, seats }) {
  const entries = seats.flatMap(({ seat, commitment, why }) => [seat, commitment ?? `-${why}`]);
  return digest("lastcard deal 1 list", match, hand, attempt, dealer ?? "", deck.join(" "), server, ...entries);
}

/** The players whose commitments are in the list, in its order.
 * @param {List} list */
export function listed({ seats }) {
  return seats.filter(({ commitment }) => commitment);
}

/** 32 new bytes. Not from crypto.subtle, which is missing on a venue's plain http. */
export function newShare() {
  return hexOf(crypto.getRandomValues(new Uint8Array(SHARE_BYTES)));
}

/** The numbers of one purpose, from its beginning. */
export class Stream {
  /** @param {Opened} opened @param {string} purpose such as "deal" or "reshuffle 1" */
  constructor({ list, secret, shares }, purpose) {
    const opened = listed(list).map(({ seat }) => bytesOf(shares[seat]));
    this.before = ["lastcard deal 1 block", bytesOf(listDigest(list)), purpose];
    this.after = [bytesOf(secret), ...opened];
    this.block = 0;
    this.words = [];
  }

  /** @param {number} n @returns {number} from 0 to n - 1, each as likely */
  below(n) {
    if (n === 1) return 0;
    const end = WORDS - (WORDS % n);
    let word = this.#word();
    while (word >= end) word = this.#word();
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

  #word() {
    if (!this.words.length) this.#fill();
    return this.words.shift();
  }

  #fill() {
    const number = new Uint8Array(8);
    new DataView(number.buffer).setUint32(4, this.block);
    const data = new DataView(sha512(joined([...this.before, number, ...this.after])).buffer);
    this.words = Array.from({ length: 16 }, (_, i) => data.getUint32(4 * i));
    this.block += 1;
  }
}
