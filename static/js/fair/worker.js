// Checks records in a worker, so that the page stays responsive.

import { checkWithDeck } from "./decks.js";

self.addEventListener("message", ({ data: { record, match, hand } }) => self.postMessage(checkWithDeck(record, match, hand)));
