// Which devices signed the parts of a deal, and whether they did.

import { fingerprint, signedText } from "./deal.js";
import { isSigned } from "./device.js";

/** @import { Fair, Fault } from "./check.js" */
/** @import { Opened } from "./deal.js" */

/** Signatures that are none. What this engine cannot check is no fault.
 * @param {Fair|null} fair @returns {Promise<Fault[]>} */
export async function signatureFaults(fair) {
  if (!fair) return [];
  const found = await Promise.all([...fair.void, fair].map((opened, i) => wrongIn(opened, i + 1)));
  return found.flat();
}

/** @param {Opened} opened @param {number} number of the attempt @returns {Promise<Fault[]>} */
async function wrongIn({ list, signed = {} }, number) {
  const told = await Promise.all(Object.entries(signed).map(async ([seat, each]) => {
    const entry = list.seats.find((one) => one.seat === Number(seat));
    const fits = entry?.commitment ? await isSigned(each, signedText(list, Number(seat), entry.commitment)) : false;
    return fits === false ? [{ code: "signature", about: Number(seat), number }] : [];
  }));
  return told.flat();
}

/** What the key is called that signed this seat's part; "" where none did.
 * @param {Opened} opened @param {number} seat */
export function keyOf({ signed = {} }, seat) {
  return signed[seat] ? fingerprint(signed[seat].key) : "";
}
