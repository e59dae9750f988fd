// Checks devices' signatures of commitments.

import { fingerprint, signedText } from "./deal.js";
import { isSigned } from "./device.js";

/** @import { Fair, Fault } from "./check.js" */
/** @import { Opened } from "./deal.js" */

/** Return the invalid signatures. A signature that this browser cannot check is no fault.
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

/** Return the fingerprint of the key that signed this seat's commitment, or "" without a signature.
 * @param {Opened} opened @param {number} seat */
export function keyOf({ signed = {} }, seat) {
  return signed[seat] ? fingerprint(signed[seat].key) : "";
}
