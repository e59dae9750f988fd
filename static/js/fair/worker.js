// Computes records beside the page, which has a table to show.

import { checkWithDeck } from "./decks.js";

self.addEventListener("message", ({ data: { record, match, hand } }) => self.postMessage(checkWithDeck(record, match, hand)));
