// Web Crypto for Node.js 18 (Debian 12), which has no global `crypto`.
import { webcrypto } from "node:crypto";

globalThis.crypto ??= /** @type {any} */ (webcrypto);
