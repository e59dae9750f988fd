import assert from "node:assert/strict";
import { test } from "node:test";

import { understand } from "../../static/js/table/commands.js";

const NAMES = {
  R7: "Red 7", R2: "Red 2", G4: "Green 4", B7: "Blue 7", Y9: "Yellow 9", W: "Wild", "W+4": "Wild Draw Four", "R+2": "Red Draw Two",
  BS: "Blue Skip", "10D": "10 of diamonds", "8S": "8 of spades", BLANK: "Blank",
};
const COLORS = [["R", "red"], ["Y", "yellow"], ["G", "green"], ["B", "blue"]].map(([color, name]) => ({ color, name }));
const PLAYABLE = ["R7", "R2", "W", "W+4", "R+2"];

function view(changes = {}) {
  const held = ["R7", "R2", "G4", "B7", "W", "W+4", "R+2"];
  const wild = (play) => COLORS.map(({ color }) => ({ play, color }));
  return {
    you: 0, colors: COLORS, prompt: "Your turn: play red, a 5 or a wild, or draw a card.",
    seats: [{ seat: 0, name: "Asha" }, { seat: 1, name: "Ben" }, { seat: 2, name: "Bela Rao" }],
    cards: held.map((card) => ({ card, playable: PLAYABLE.includes(card), why: PLAYABLE.includes(card) ? "" : `${NAMES[card]} does not fit.` })),
    actions: [{ play: "R7" }, { play: "R2" }, { play: "R+2" }, ...wild("W"), ...wild("W+4"), { draw: true }, { catch: 1 }, { catch: 2 }],
    may: { draw: true, pass: false, call: false, uno: false, choose: false, catch: [1, 2] },
    ...changes,
  };
}

const meaning = (text, changes, asking = null) => understand(text, { view: view(changes), asking, names: NAMES });

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
  ["play 7", { play: "R7" }],
  ["draw", { draw: true }],
  ["d", { draw: true }],
  ["catch ben", { catch: 1 }],
  ["catch bela r", { catch: 2 }],
];
for (const [text, action] of ACTIONS) test(`“${text}” is an action`, () => assert.deepEqual(meaning(text), { action }));

const ANSWERS = [
  ["g4", "Green 4 does not fit."],
  ["yellow 9", "You do not hold Yellow 9."],
  ["play red", "Which one: Red 7, Red 2 or Red Draw Two?"],
  ["red", "I do not understand “red”. Say “help” for the commands."],
  ["r7 green", "Red 7 takes no colour. Say “play Red 7”."],
  ["fly away", "I do not understand “fly away”. Say “help” for the commands."],
  ["pass", "That is not possible now. Your turn: play red, a 5 or a wild, or draw a card."],
  ["uno", "UNO cannot be said now."],
  ["catch", "Catch whom? Now it can be Ben or Bela Rao."],
  ["catch dev", "Catch whom? Now it can be Ben or Bela Rao."],
  ["  ", "Type a command. Say “help” for the list."],
];
for (const [text, sorry] of ANSWERS) test(`“${text}” is answered`, () => assert.deepEqual(meaning(text), { sorry }));

test("questions about the table", () => {
  const asked = ["hand", "top", "counts", "clock", "last", "scores", "turn", "moves", "help", "?"].map((text) => meaning(text).ask);
  assert.deepEqual(asked, ["hand", "top", "counts", "clock", "last", "scores", "turn", "moves", "help", "help"]);
});

test("what is not offered is not sent", () => {
  const may = { draw: false, catch: [], call: false };
  assert.match(meaning("draw", { may }).sorry, /^That is not possible now\./);
  assert.deepEqual(meaning("catch ben", { may }), { sorry: "Nobody can be caught now." });
  assert.deepEqual(meaning("r7", { actions: [], prompt: "It is Ben's turn." }), { sorry: "It is Ben's turn." });
});

test("the only one who can be caught needs no name, and UNO is said when it can be", () => {
  assert.deepEqual(meaning("catch", { may: { catch: [2] } }), { action: { catch: 2 } });
  assert.deepEqual(meaning("uno", { may: { call: true } }), { action: { call: true } });
  assert.match(meaning("uno", { may: { uno: true } }).sorry, /play red 7 uno/);
});

const asking = { action: { play: "W", uno: true }, card: "h1" };

test("a begun card is finished with a colour or taken back", () => {
  assert.deepEqual(meaning("green", {}, asking), { action: { play: "W", uno: true, color: "G" } });
  assert.deepEqual(meaning("y", {}, asking), { action: { play: "W", uno: true, color: "Y" } });
  assert.deepEqual(meaning("cancel", {}, asking), { cancel: true });
  assert.deepEqual(meaning("mauve", {}, asking), { sorry: "First choose: red, yellow, green or blue or cancel." });
});

test("a colour asked for by the table is chosen, and a seat to swap with is named", () => {
  assert.deepEqual(meaning("green", { may: { choose: true } }), { action: { choose: "G" } });
  const swap = { action: { play: "BLANK", color: "R" }, card: "h1" };
  assert.deepEqual(meaning("ben", {}, swap), { action: { play: "BLANK", color: "R", with: 1 } });
  const cards = [{ card: "BLANK", playable: true, why: "" }];
  const actions = [{ play: "BLANK", color: "R", with: 1 }, { play: "BLANK", color: "R", with: 2 }];
  assert.deepEqual(meaning("blank red with bela", { cards, actions }), { action: { play: "BLANK", color: "R", with: 2 } });
});

test("playing cards by their names and letters", () => {
  const suits = [["S", "spades"], ["H", "hearts"], ["D", "diamonds"], ["C", "clubs"]].map(([color, name]) => ({ color, name }));
  const cards = ["10D", "8S"].map((card) => ({ card, playable: true, why: "" }));
  const changes = { colors: suits, cards, actions: cards.map(({ card }) => ({ play: card })) };
  assert.deepEqual(meaning("ten of diamonds", changes), { action: { play: "10D" } });
  assert.deepEqual(meaning("8s ocho", changes), { action: { play: "8S", ocho: true } });
});

test("a catch and a call wait for no colour that is asked for", () => {
  assert.deepEqual(meaning("catch ben", {}, asking), { action: { catch: 1 } });
  assert.deepEqual(meaning("uno", { may: { call: true } }, asking), { action: { call: true } });
});

test("of two names of which one begins like the other, the whole name is meant", () => {
  const seats = ["Asha", "Priya Rao", "Priya Rao 2"].map((name, seat) => ({ seat, name }));
  assert.deepEqual(meaning("catch priya rao", { seats }), { action: { catch: 1 } });
  assert.deepEqual(meaning("catch priya rao 2", { seats }), { action: { catch: 2 } });
  assert.deepEqual(meaning("catch priya", { seats }), { sorry: "Catch whom? Now it can be Priya Rao or Priya Rao 2." });
});
