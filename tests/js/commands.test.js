import assert from "node:assert/strict";
import { test } from "node:test";

import { understand } from "../../static/js/table/commands.js";

const COLORS = [["R", "red"], ["Y", "yellow"], ["G", "green"], ["B", "blue"]].map(([color, name]) => ({ color, name }));
const SUITS = [["S", "spades"], ["H", "hearts"], ["D", "diamonds"], ["C", "clubs"]].map(([color, name]) => ({ color, name }));

/** Return a deck in the server's format from [code, name, letter, ...signs] entries. @returns {any} */
function makeDeck(noun, example, ...cards) {
  const facts = cards.map(([card, name, letter = "", ...signs], place) => [card, { name, art: card, color: place, number: place, letter, signs }]);
  return { cards: Object.fromEntries(facts), orders: {}, noun, example };
}

const UNO = makeDeck(
  "colour", "R7", ["R7", "Red 7", "R", "7"], ["R2", "Red 2", "R", "2"], ["G4", "Green 4", "G", "4"], ["B7", "Blue 7", "B", "7"],
  ["Y9", "Yellow 9", "Y", "9"], ["W", "Wild"], ["W+4", "Wild Draw Four"], ["R+2", "Red Draw Two", "R", "+2", "Draw Two"],
  ["BS", "Blue Skip", "B", "S", "Skip"], ["BB", "Boo Blue", "B"], ["BLANK", "Blank"],
);
const EIGHTS = makeDeck(
  "suit", "7S", ["8H", "8 of hearts", "H", "8"], ["8S", "8 of spades", "S", "8"], ["10D", "10 of diamonds", "D", "10"],
  ["AH", "Ace of hearts", "H", "A", "Ace"], ["QC", "Queen of clubs", "C", "Q", "Queen"], ["7S", "7 of spades", "S", "7"],
);
const PLAYABLE = ["R7", "R2", "W", "W+4", "R+2"];

function view(changes = {}) {
  const held = ["R7", "R2", "G4", "B7", "W", "W+4", "R+2"];
  const wild = (play) => COLORS.map(({ color }) => ({ play, color }));
  return {
    you: 0, colors: COLORS, prompt: "Your turn: play red, a 5 or a wild, or draw a card.",
    seats: [{ seat: 0, name: "Asha" }, { seat: 1, name: "Ben" }, { seat: 2, name: "Bela Rao" }],
    cards: held.map((card) => ({ card, playable: PLAYABLE.includes(card), why: PLAYABLE.includes(card) ? "" : `${UNO.cards[card].name} does not fit.` })),
    actions: [{ play: "R7" }, { play: "R2" }, { play: "R+2" }, ...wild("W"), ...wild("W+4"), { draw: true }, { catch: 1 }, { catch: 2 }],
    may: { draw: true, pass: false, call: false, uno: false, choose: false, catch: [1, 2] },
    ...changes,
  };
}

const meaning = (text, changes, asking = null) => understand(text, { view: view(changes), asking, deck: UNO });

const ACTIONS = [
  ["play red 7", { play: "R7" }],
  ["Red seven", { play: "R7" }],
  ["r7", { play: "R7" }],
  ["R 7.", { play: "R7" }],
  ["please play the red 7", { play: "R7" }],
  ["r7 uno", { play: "R7", uno: true }],
  ["play red 2 and say uno", { play: "R2", uno: true }],
  ["wild", { play: "W" }],
  ["wild green", { play: "W", color: "G" }],
  ["play wild, name green", { play: "W", color: "G" }],
  ["w g", { play: "W", color: "G" }],
  ["wild draw four blue", { play: "W+4", color: "B" }],
  ["w+4 blue uno", { play: "W+4", color: "B", uno: true }],
  ["red +2", { play: "R+2" }],
  ["red draw two", { play: "R+2" }],
  ["r draw two", { play: "R+2" }],
  ["seven red", { play: "R7" }],
  ["play 7", { play: "R7" }],
  ["draw", { draw: true }],
  ["d", { draw: true }],
  ["catch ben", { catch: 1 }],
  ["catch bela r", { catch: 2 }],
];
for (const [text, action] of ACTIONS) test(`“${text}” is an action`, () => assert.deepEqual(meaning(text), { action }));

const ANSWERS = [
  ["g4", "Green 4 does not fit."],
  ["yellow 9", "You don’t have Yellow 9."],
  ["play red", "Which one: Red 7, Red 2 or Red Draw Two?"],
  ["red", "I don’t understand “red”. Type “help” for a list of commands."],
  ["r7 green", "You don’t choose a colour with Red 7. Just type “play Red 7”."],
  ["blue b", "I don’t understand “blue b”. Type “help” for a list of commands."],
  ["b skip", "You don’t have Blue Skip."],
  ["constructor", "I don’t understand “constructor”. Type “help” for a list of commands."],
  ["fly away", "I don’t understand “fly away”. Type “help” for a list of commands."],
  ["pass", "You can’t do that now. Your turn: play red, a 5 or a wild, or draw a card."],
  ["uno", "You can’t say UNO now."],
  ["catch", "Catch who? Right now you can catch Ben or Bela Rao."],
  ["catch dev", "Catch who? Right now you can catch Ben or Bela Rao."],
  ["  ", "Type a command, or “help” for a list."],
];
for (const [text, sorry] of ANSWERS) test(`“${text}” is answered`, () => assert.deepEqual(meaning(text), { sorry }));

test("questions about the table are recognized", () => {
  const asked = ["hand", "top", "counts", "clock", "last", "scores", "turn", "moves", "help", "?"].map((text) => meaning(text).ask);
  assert.deepEqual(asked, ["hand", "top", "counts", "clock", "last", "scores", "turn", "moves", "help", "help"]);
});

test("an unavailable action is not sent", () => {
  const may = { draw: false, catch: [], call: false };
  assert.match(meaning("draw", { may }).sorry, /^You can’t do that now\./);
  assert.deepEqual(meaning("catch ben", { may }), { sorry: "There’s no one to catch now." });
  assert.deepEqual(meaning("r7", { actions: [], prompt: "It’s Ben’s turn." }), { sorry: "It’s Ben’s turn." });
});

test("the only player to catch needs no name, and UNO can be said when it is available", () => {
  assert.deepEqual(meaning("catch", { may: { catch: [2] } }), { action: { catch: 2 } });
  assert.deepEqual(meaning("uno", { may: { call: true } }), { action: { call: true } });
  assert.match(meaning("uno", { may: { uno: true } }).sorry, /play red 7 uno/);
});

const asking = { action: { play: "W", uno: true }, card: "h1" };

test("a begun play is completed with a colour or cancelled", () => {
  assert.deepEqual(meaning("green", {}, asking), { action: { play: "W", uno: true, color: "G" } });
  assert.deepEqual(meaning("y", {}, asking), { action: { play: "W", uno: true, color: "Y" } });
  assert.deepEqual(meaning("cancel", {}, asking), { cancel: true });
  assert.deepEqual(meaning("mauve", {}, asking), { sorry: "First choose red, yellow, green or blue, or cancel." });
});

test("the table's question for a colour or a seat is answered by name", () => {
  assert.deepEqual(meaning("green", { may: { choose: true } }), { action: { choose: "G" } });
  const swap = { action: { play: "BLANK", color: "R" }, card: "h1" };
  assert.deepEqual(meaning("ben", {}, swap), { action: { play: "BLANK", color: "R", with: 1 } });
  const cards = [{ card: "BLANK", playable: true, why: "" }];
  const actions = [{ play: "BLANK", color: "R", with: 1 }, { play: "BLANK", color: "R", with: 2 }];
  assert.deepEqual(meaning("blank red with bela", { cards, actions }), { action: { play: "BLANK", color: "R", with: 2 } });
});

/** Return the meaning of a command when all cards of the deck are in your hand and playable. Eights require a suit. */
function understandEights(text, begun = null) {
  const cards = Object.keys(EIGHTS.cards).map((card) => ({ card, playable: true, why: "" }));
  const plays = ({ card }) => (card.startsWith("8") ? SUITS.map(({ color }) => ({ play: card, color })) : [{ play: card }]);
  return understand(text, { view: view({ colors: SUITS, cards, actions: cards.flatMap(plays) }), asking: begun, deck: EIGHTS });
}

const PLAYED = [
  ["ten of diamonds", { play: "10D" }],
  ["10d", { play: "10D" }],
  ["8 hearts", { play: "8H" }],
  ["8h", { play: "8H" }],
  ["hearts 8", { play: "8H" }],
  ["eight of hearts, name spades", { play: "8H", color: "S" }],
  ["8h s", { play: "8H", color: "S" }],
  ["8s ocho", { play: "8S", ocho: true }],
  ["ace of hearts", { play: "AH" }],
  ["ah", { play: "AH" }],
  ["ace h", { play: "AH" }],
  ["q clubs", { play: "QC" }],
  ["play queen", { play: "QC" }],
];
for (const [text, action] of PLAYED) test(`“${text}” is a playing card`, () => assert.deepEqual(understandEights(text), { action }));

test("playing cards are named by their own suits and ranks", () => {
  assert.deepEqual(understandEights("play 8"), { sorry: "Which one: 8 of hearts or 8 of spades?" });
  assert.deepEqual(understandEights("10d hearts"), { sorry: "You don’t choose a suit with 10 of diamonds. Just type “play 10 of diamonds”." });
  assert.deepEqual(understandEights("h", { action: { play: "8S" } }), { action: { play: "8S", color: "H" } });
});

test("translations have their own words for commands, calls, numbers and colours", async () => {
  const own = {
    "draw d take": "ziehen nimm", turn: "dran", uno: "uno letzte",
    "and say name naming call of the a an i please colour color": "und bitte",
    "zero one two three four five six seven eight nine ten": "null eins zwei drei vier fünf sechs sieben",
  };
  const page = /** @type {any} */ (globalThis);
  page.django = { catalog: {}, gettext: (text) => text, pgettext: (_, text) => own[text] ?? text };
  const address = "../../static/js/table/commands.js?german";
  const german = await import(address).finally(() => delete page.django);
  const colors = [{ color: "R", name: "Rot" }, { color: "B", name: "helles Blau" }];
  const meant = (text) => german.understand(text, { view: view({ colors }), asking: null, deck: UNO });
  assert.deepEqual(meant("nimm"), { action: { draw: true } });
  assert.deepEqual(meant("dran"), { ask: "turn" });
  assert.deepEqual(meant("bitte rot sieben und letzte"), { action: { play: "R7", uno: true } });
  assert.deepEqual(meant("w helles blau"), { action: { play: "W", color: "B" } });
  assert.deepEqual(meant("draw"), { sorry: "Which one: Wild Draw Four or Red Draw Two?" });
});

test("a catch or a call is possible while a colour has to be chosen", () => {
  assert.deepEqual(meaning("catch ben", {}, asking), { action: { catch: 1 } });
  assert.deepEqual(meaning("uno", { may: { call: true } }, asking), { action: { call: true } });
});

test("a full name wins over a longer name that begins with it", () => {
  const seats = ["Asha", "Priya Rao", "Priya Rao 2"].map((name, seat) => ({ seat, name }));
  assert.deepEqual(meaning("catch priya rao", { seats }), { action: { catch: 1 } });
  assert.deepEqual(meaning("catch priya rao 2", { seats }), { action: { catch: 2 } });
  assert.deepEqual(meaning("catch priya", { seats }), { sorry: "Catch who? Right now you can catch Priya Rao or Priya Rao 2." });
});
