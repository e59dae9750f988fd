// The decks of the rules, so that a record which leaves cards out has no tick. Pure.

import { hexOf } from "./deal.js";
import { sha256 } from "./sha2.js";

/** @typedef {{ruleset?: string, options?: {blanks?: number}, fair: {list: {deck: string[]}}}} OfRules */

/** By rule set: the first digits of the SHA-256 of its cards in deck order, separated by one space,
 * without blanks. `tests/rules/fair/test_deck_digests.py` says what they are. @type {Record<string, string>} */
const DECKS = {
  ocho: "501da3ff262e1b91",
  "uno-500": "d98179efa085bc8a",
  "ocho-cards": "bacdb5fa12dce056",
  "uno-400": "d98179efa085bc8a",
  "uno-assignment": "d98179efa085bc8a",
  "crazy-eights": "676ee50afc8433dc",
};

/** Whether these are the cards of the rules that the record names, in their order.
 * @param {OfRules} record */
export function isDeckOfRules({ ruleset = "", options, fair }) {
  const cards = fair.list.deck.filter((card) => card !== "BLANK");
  const digest = hexOf(sha256(new TextEncoder().encode(cards.join(" ")))).slice(0, 16);
  return fair.list.deck.length - cards.length === (options?.blanks ?? 0) && DECKS[ruleset] === digest;
}
