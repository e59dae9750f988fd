// The deals of a match, hand by hand: each record is loaded, computed, and compared with what this
// browser has kept.

import { leavingFaults } from "./leaving.js";
import { missingHands } from "./own.js";
import { signatureFaults } from "./signed.js";
import { BROKEN, HIDDEN, LOST, ofChecked, ofUnused } from "./verdict.js";

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
    /** What the records judged so far have. @type {import("./leaving.js").Hands} */
    this.hands = new Map();
  }

  /** @param {Protocol.FairHand} hand @returns {Promise<Verdict>} */
  async verdict(hand) {
    const { match } = this.page;
    if (hand.state === "unused") return ofUnused(match, hand, this.#own(hand));
    if (!hand.record) return HIDDEN;
    const { code, record } = await load(hand.record);
    if (!record) return code === 500 ? BROKEN : LOST;
    const checked = await this.compute(record, match, hand.number);
    const leaving = checked.faults.length ? [] : [...leavingFaults(checked.fair, this.hands), ...(await signatureFaults(checked.fair))];
    this.hands.set(hand.number, checked.fair);
    return ofChecked({ ...checked, faults: [...checked.faults, ...leaving] }, record, hand, this.#own(hand));
  }

  /** Numbers of hands that the server no longer shows; each is `MISSING`. */
  missing() {
    return missingHands(this.page.hands, this.#notes());
  }

  /** Whether there is anything to show to somebody else. */
  get noted() {
    return this.#notes().length > 0;
  }

  #notes() {
    return this.kept.notes(this.page.match).filter(({ seat }) => seat === this.page.you);
  }

  /** @param {Protocol.FairHand} hand @returns {Own} */
  #own({ number }) {
    const notes = this.#notes().filter(({ hand }) => hand === number);
    return { notes, you: this.page.you, keys: this.page.keys, shareOf: (note) => note.mine && this.kept.share(note, note.seat, note.mine) };
  }
}

/** @param {string} address @returns {Promise<{code: number, record: OldRecord|FairRecord|null}>} null where it cannot be had now */
async function load(address) {
  try {
    const answer = await fetch(address);
    return { code: answer.status, record: answer.ok ? await answer.json() : null };
  } catch {
    return { code: 0, record: null };
  }
}
