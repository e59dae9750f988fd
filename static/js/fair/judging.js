// Judges the deals of a match. Each hand's record is loaded, recomputed and compared with this browser's notes.

import { hasKey } from "./device.js";
import { leavingFaults } from "./leaving.js";
import { missingHands } from "./own.js";
import { signatureFaults } from "./signed.js";
import { BROKEN, LOST, ofChecked, ofHidden, ofUnused } from "./verdict.js";

/** @import { Checked, FairRecord, OldRecord } from "./check.js" */
/** @import { Kept } from "./kept.js" */
/** @import { Own, Verdict } from "./verdict.js" */
/** @typedef {(record: OldRecord|FairRecord, match: string, hand: number) => Checked|Promise<Checked>} Compute */

export class Judge {
  /** @param {Protocol.FairPage} page @param {Kept} kept @param {Compute} compute */
  constructor(page, kept, compute) {
    this.page = page;
    this.kept = kept;
    this.compute = compute;
    /** Whether this device signs what it sends, or null while that is unknown. @type {boolean|null} */
    this.signs = null;
    /** The deals of the hands judged before. @type {import("./leaving.js").Hands} */
    this.hands = new Map();
  }

  /** @param {Protocol.FairHand} hand @returns {Promise<Verdict>} */
  async verdict(hand) {
    const { match } = this.page;
    this.signs ??= await hasKey();
    if (hand.state === "unused") return ofUnused(match, hand, this.#own(hand), this.#after(hand, ({ state }) => state !== "unused"));
    if (!hand.record) return ofHidden(this.#after(hand, ({ record }) => record !== null));
    const { away, record } = await load(hand.record);
    if (!record) return away ? LOST : BROKEN;
    const checked = await this.compute(record, match, hand.number);
    const leaving = checked.faults.length ? [] : [...leavingFaults(checked.fair, this.hands), ...(await signatureFaults(checked.fair))];
    this.hands.set(hand.number, checked.fair);
    return ofChecked({ ...checked, faults: [...checked.faults, ...leaving] }, record, hand, this.#own(hand));
  }

  /** Return the numbers of hands that the server no longer shows. */
  missing() {
    return missingHands(this.page.hands, this.#notes());
  }

  /** Whether there are any notes to export as evidence. */
  get noted() {
    return this.#notes().length > 0;
  }

  /** This visitor's seat according to the page or, without notes for that seat, the seat of the notes. */
  get seat() {
    const seats = this.#notes().map(({ seat }) => seat);
    return seats.includes(this.page.you ?? -1) ? this.page.you : seats[0] ?? this.page.you;
  }

  #notes() {
    return this.kept.notes(this.page.match);
  }

  /** @param {Protocol.FairHand} hand @param {(other: Protocol.FairHand) => boolean} is @returns {boolean} whether any after it is that */
  #after({ number }, is) {
    return this.page.hands.some((other) => other.number > number && is(other));
  }

  /** @param {Protocol.FairHand} hand @returns {Own} */
  #own({ number }) {
    const notes = this.#notes().filter(({ hand }) => hand === number);
    const owned = this.seat !== null && this.kept.owns(this.page.match, this.seat);
    const sat = this.#notes().some(({ seat, sent }) => seat === this.seat && sent?.length);
    return { notes, you: this.seat, sat, keys: this.page.keys, signs: this.signs === true, owned, shareOf: (note) => note.mine && this.kept.share(note, note.seat, note.mine) };
  }
}

// Statuses of proxies, limits and sign-ins, which do not concern the hand.
const AWAY = [0, 401, 408, 425, 429, 502, 503, 504];

/** @param {string} address @returns {Promise<{away: boolean, record: OldRecord|FairRecord|null}>} `away`: it cannot be had now */
async function load(address) {
  try {
    const answer = await fetch(address);
    return { away: answer.redirected || AWAY.includes(answer.status), record: answer.ok ? await answer.json() : null };
  } catch (error) {
    return { away: !(error instanceof SyntaxError), record: null };
  }
}
