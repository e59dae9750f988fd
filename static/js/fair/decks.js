// Checks that a record uses one of the site's decks, without missing cards. Pure.

import { check } from "./check.js";
import { hexOf } from "./deal.js";
import { sha256 } from "./sha2.js";

/** @import { Checked, FairRecord, OldRecord } from "./check.js" */

/** Number of cards in each deck, and the first digits of the SHA-256 of its cards, separated by spaces.
 * `tests/rules/fair/test_deck_digests.py` compares these with the rules.
 * @type {[number, string][]} */
const DECKS = [
  [108, "501da3ff262e1b91"],
  [108, "d98179efa085bc8a"],
  [108, "bacdb5fa12dce056"],
  [52, "676ee50afc8433dc"],
];

/** Whether this is one of the site's decks in its order. It may end with additional cards of one kind.
 * @param {string[]} deck */
export function isKnownDeck(deck) {
  return DECKS.some(([count, digest]) => {
    const [cards, more] = [deck.slice(0, count), deck.slice(count)];
    return digestOf(cards) === digest && more.every((card) => card === more[0] && !cards.includes(card));
  });
}

/** @param {string[]} cards */
const digestOf = (cards) => hexOf(sha256(new TextEncoder().encode(cards.join(" ")))).slice(0, 16);

/** Check a hand, including its deck. At the table, only the worker does this, to keep the table's script small.
 * @param {OldRecord|FairRecord} record @param {string} match @param {number} hand @returns {Checked} */
export function checkWithDeck(record, match, hand) {
  const checked = check(record, match, hand);
  if (!checked.fair || isKnownDeck(checked.fair.list.deck)) return checked;
  return { ...checked, faults: [...checked.faults, { code: "rules-deck" }] };
}
