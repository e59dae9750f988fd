// Checks the receipts with which the site signs its acknowledgements in a deal.

import { isSigned } from "./device.js";
import { joined } from "./deal.js";

/** @import { Draw } from "./deal.js" */
/** @import { Complaint, Kept, Note } from "./kept.js" */

/** @param {string} kind @param {Draw} draw @param {(string|number)[]} more */
function text(kind, { match, hand, attempt }, ...more) {
  return joined([`lastcard receipt 1 ${kind}`, match, hand, attempt, ...more]);
}

/** Return the text of a receipt which states that this seat's commitment was accepted after the server's.
 * @param {Draw & {seat: number, server: string}} note @param {string} commitment */
export const commitmentTaken = (note, commitment) => text("commit", note, note.seat, commitment, note.server);

/** Return the text of a receipt which states that the deal's only list has this digest.
 * @param {Draw} draw @param {string} digest */
export const listClosed = (draw, digest) => text("list", draw, digest);

/** Return the text of a receipt which states that this seat has opened this share for the list with this digest.
 * @param {Draw & {seat: number}} note @param {string} digest @param {string} share */
export const shareTaken = (note, digest, share) => text("open", note, note.seat, digest, share);

export class Receipts {
  /** @param {Kept} kept @param {string} key by which the page says that the site signs, or "" */
  constructor(kept, key) {
    this.kept = kept;
    this.key = key;
  }

  /** Check a receipt, and return the code of a complaint or null. Each new key causes one complaint.
   * @param {unknown} receipt as it came @param {Uint8Array} signed what it should be of @param {string} now */
  async doubt(receipt, signed, now) {
    if (!receipt) return "receipt-missing";
    if (!isReceipt(receipt) || (await isSigned(receipt, signed)) === false) return "receipt-wrong";
    const known = this.#known(now);
    if (known.includes(receipt.key)) return null;
    this.kept.keepSiteKey(receipt.key, now);
    return known.length ? "site-key-changed" : null;
  }

  /** Return the keys that this browser has seen. The first is the one that the page names.
   * @param {string} now */
  #known(now) {
    if (this.key && !this.kept.siteKeys().length) this.kept.keepSiteKey(this.key, now);
    return this.kept.siteKeys().map(({ key }) => key);
  }
}

/** Return whether receipts prove the complaint: this browser's commitment was accepted, and then left out.
 * @param {Pick<Note, "hand"|"seat"> & Partial<Note>} note @param {Complaint} complaint */
export function isProven({ mine, sent = [] }, { code, deal }) {
  return code === "left-out" && "receipt" in deal && deal.receipt !== null && sent.some(({ hex, receipt }) => hex === mine && receipt);
}

/** @param {any} value @returns {value is Protocol.Receipt} */
function isReceipt(value) {
  return typeof value.key === "string" && typeof value.signature === "string";
}
