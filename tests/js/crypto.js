// What every browser has and Node.js 18, which is Debian 12's, has not.
import { webcrypto } from "node:crypto";

globalThis.crypto ??= /** @type {any} */ (webcrypto);
