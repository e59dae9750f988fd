// A fake site that signs receipts as described in docs/fair-deal.md.

import { bytesOf, hexOf } from "../../static/js/fair/deal.js";
import "./crypto.js";

const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

export class Site {
  /** Create a site with its own key. */
  static async open() {
    const site = new Site();
    site.pair = await crypto.subtle.generateKey(P256, false, ["sign", "verify"]);
    site.key = hexOf(new Uint8Array(await crypto.subtle.exportKey("raw", site.pair.publicKey)));
    return site;
  }

  /** @param {Uint8Array} text */
  async receipt(text) {
    const made = await crypto.subtle.sign(P256, this.pair.privateKey, text);
    return { key: this.key, signature: hexOf(new Uint8Array(made)) };
  }
}

/** Return the receipt with its last byte changed. */
export function broken({ key, signature }) {
  const bytes = bytesOf(signature);
  bytes[63] ^= 1;
  return { key, signature: hexOf(bytes) };
}
