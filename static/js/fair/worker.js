// Computes records beside the page, which has a table to show.

import { check } from "./check.js";

self.addEventListener("message", ({ data: { record, match, hand } }) => self.postMessage(check(record, match, hand)));
