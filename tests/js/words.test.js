import assert from "node:assert/strict";
import { test } from "node:test";

import { setCards } from "../../static/js/table/cards.js";
import { makeSpeech } from "../../static/js/table/speech.js";
import { answerInWords, commands, moveName, movesOf, tableInWords } from "../../static/js/table/words.js";
import { stopTimers } from "./timers.js";

const DECK = { cards: { R7: { name: "Red 7" }, W: { name: "Wild" }, R5: { name: "Red 5" }, "7S": { name: "7 of spades" } }, noun: "colour", example: "R7" };
/** @type {any} */
const SUITED = { ...DECK, noun: "suit", example: "7S" };
setCards({ sprite: "", deck: /** @type {any} */ (DECK) });

const view = {
  you: 0, turn: 0, direction: 1, top: "R5", color: "R", penalty: null, draw_pile: 90, prompt: "Your turn.", draw_label: "Draw",
  match: { target: 500, paused: false }, colors: [{ color: "R", name: "red" }, { color: "G", name: "green" }],
  seats: [{ seat: 0, name: "Asha", count: 2, score: 20 }, { seat: 1, name: "Ben", count: 5, score: 0 }],
  log: [{ n: 1, text: "Ben plays Red 5." }],
  actions: [{ play: "R7" }, { play: "R7", uno: true }, { play: "W", color: "R" }, { play: "W", color: "G" }, { draw: true }, { catch: 1 }],
};
const CARDS = [{ card: "R7", playable: true }, { card: "W", playable: false }];

test("U29: text mode answers questions about hand, top card, counts, clock, last moves and scores", () => {
  const told = (ask, times = { clock: "14 seconds", away: null }) => answerInWords(ask, view, times, CARDS);
  assert.equal(told("hand"), "Your cards: Red 7 (playable), Wild.");
  assert.equal(told("top"), "Top card: Red 5, colour red. Direction: clockwise.");
  assert.equal(told("counts"), "Cards in hand: Asha 2 (turn), Ben 5. Draw pile: 90.");
  assert.equal(told("clock"), "Clock: 14 seconds.");
  assert.equal(told("clock", { clock: null, away: null }), "No clock is running.");
  assert.equal(told("last"), "Last moves: Ben plays Red 5.");
  assert.equal(told("scores"), "Scores: Asha 20, Ben 0. Target 500.");
  assert.equal(told("turn"), "Your turn.");
  assert.equal(told("moves"), "Play Red 7, Play Red 7 and say UNO, Play Wild, Draw, Catch Ben");
  assert.match(told("help"), /^play red 7, or r7: plays a card/);
});

test("the commands are explained with a card and the colour word of the deck", () => {
  setCards({ sprite: "", deck: SUITED });
  assert.deepEqual(commands()[0], ["play 7 of spades, or 7s", "plays a card; “7s uno” also says UNO; add a suit if the card needs one"]);
  assert.equal(commands()[4][0], "a suit");
  assert.equal(answerInWords("top", { ...view, top: "7S", color: "G" }, {}, []), "Top card: 7 of spades, suit green. Direction: clockwise.");
  setCards({ sprite: "", deck: /** @type {any} */ (DECK) });
});

test("a card with a choice is one move", () => {
  assert.deepEqual(movesOf(view).map((move) => moveName(move, view)).slice(2), ["Play Wild", "Draw", "Catch Ben"]);
  assert.equal(moveName({ choose: "G" }, view), "Choose green");
});

function makeListener() {
  const heard = { polite: [], urgent: [] };
  return { heard, speech: makeSpeech({ polite: (text) => heard.polite.push(text), urgent: (text) => heard.urgent.push(text) }) };
}

const at = (n, changes = {}) => ({ view: { ...view, turn: 1, log: Array.from({ length: n }, (_, i) => ({ n: i + 1, text: `Line ${i + 1}.` })), ...changes } });

test("U28: several texts at once become one announcement, and none is lost", () => {
  const timers = stopTimers();
  const { heard, speech } = makeListener();
  for (const n of [1, 2, 3, 5]) speech.show(at(n));
  timers.tick(300);
  speech.show(at(6));
  timers.tick(300);
  assert.deepEqual(heard.polite, ["Line 2. Line 3. Line 4. Line 5.", "Line 6."]);
  timers.reset();
});

test("departures and returns are announced, but not earlier absences or your own", () => {
  const timers = stopTimers();
  const { heard, speech } = makeListener();
  const here = (...present) => at(1, { seats: view.seats.map((seat, n) => ({ ...seat, playing: true, bot: false, present: present[n] })) });
  speech.show(here(true, true));
  speech.show(here(false, false));
  timers.tick(300);
  speech.show(here(true, true));
  timers.tick(300);
  assert.deepEqual(heard.polite, ["Ben is away.", "Ben is back."]);
  const new_here = makeListener();
  const coming = here(true, false);
  coming.view.seats[1].gone_seconds = null;
  new_here.speech.show(coming);
  new_here.speech.show(here(true, true));
  timers.tick(300);
  assert.deepEqual(new_here.heard.polite, ["Ben is here."]);
  const late = makeListener();
  late.speech.show(here(true, false));
  timers.tick(300);
  assert.deepEqual(late.heard.polite, []);
  timers.reset();
});

test("U62: your turn is announced after what led to it, or in order if the texts are displayed", () => {
  const timers = stopTimers();
  const { heard, speech } = makeListener();
  speech.show(at(1));
  speech.show(at(2, { turn: 0 }));
  timers.tick(300);
  assert.deepEqual(heard, { polite: [], urgent: ["Line 2. Your turn."] });
  const story = { polite: [], urgent: [] };
  const read = makeSpeech({ polite: (text) => story.polite.push(text), urgent: (text) => story.urgent.push(text) }, () => true);
  read.show(at(1));
  read.show(at(3, { turn: 0 }));
  timers.tick(300);
  assert.deepEqual(story, { polite: ["Line 2. Line 3. Your turn."], urgent: [] });
  timers.reset();
});

test("the reason for a catch is announced before the catch", () => {
  const timers = stopTimers();
  const { heard, speech } = makeListener();
  speech.show(at(1));
  speech.show(at(2));
  speech.caught({ ...view, turn: 1 });
  timers.tick(300);
  assert.deepEqual(heard, { polite: [], urgent: ["Line 2. You’ve been caught!"] });
  timers.reset();
});

test("the coach's texts never delay a turn, and are not urgent", () => {
  const timers = stopTimers();
  const { heard, speech } = makeListener();
  speech.aside("What fits. A card fits by its colour.");
  speech.show(at(1, { turn: 0 }));
  timers.tick(300);
  assert.deepEqual(heard, { polite: ["What fits. A card fits by its colour."], urgent: ["Your turn."] });
  timers.reset();
});

test("U62: text mode lists the cards that were shown to you", () => {
  const seen = { ...view, seen: { 1: ["R7", "W"] } };
  assert.equal(answerInWords("seen", seen, { clock: null, away: null }, CARDS), "Cards you’ve seen: Ben: Red 7, Wild.");
  assert.equal(answerInWords("seen", view, { clock: null, away: null }, CARDS), "You haven’t seen anyone’s cards.");
});

test("U28: only your turn, a catch of you and a pause are immediate, and a repeated text is announced again", () => {
  const { heard, speech } = makeListener();
  speech.show(at(1));
  for (const turn of [0, 1, 0]) speech.show(at(1, { turn }));
  speech.caught({ ...view, turn: 1 });
  speech.show(at(1, { match: { paused: true } }));
  assert.deepEqual(heard.urgent, ["Your turn.", "", "Your turn.", "You’ve been caught!", "The table is paused."]);
});

const running = (seconds, inBank = false) => ({ until: 1000 * seconds, inBank });

test("U47: the clock warns once at 10 and once at 5 seconds", () => {
  const timers = stopTimers();
  const { heard, speech } = makeListener();
  for (let left = 14; left > 0; left -= 0.25) speech.clock(running(left));
  timers.tick(300);
  assert.deepEqual(heard.polite, ["10 seconds left. 5 seconds left."]);
  timers.reset();
});

test("U47: warnings include the bank, whose start is announced once, and repeat in the next turn", () => {
  const timers = stopTimers();
  const { heard, speech } = makeListener();
  for (let turn = 0; turn < 2; turn += 1) {
    for (let left = 26; left > 3; left -= 0.25) speech.clock(running(left, left <= 20));
    speech.clock(null);
    timers.tick(300);
  }
  const said = "You’re using your time bank: 20 seconds. 10 seconds left. 5 seconds left.";
  assert.deepEqual(heard.polite, [said, said]);
  timers.reset();
});

test("U47: a turn shorter than the warnings gets those that fit", () => {
  const timers = stopTimers();
  const { heard, speech } = makeListener();
  for (let turn = 0; turn < 2; turn += 1) {
    for (let left = 7; left > 0; left -= 0.25) speech.clock(running(left));
    speech.clock(null);
    timers.tick(300);
  }
  assert.deepEqual(heard.polite, ["5 seconds left.", "5 seconds left."]);
  timers.reset();
});

const NO_TIMES = { clock: null, away: null };

test("U49: viewers who see hands later hear no counts, and commentators hear all cards", () => {
  const watched = { ...view, you: null, seats: view.seats.map((seat) => ({ ...seat, count: null })) };
  const terms = (told) => tableInWords(told, NO_TIMES, []).map(([term]) => term);
  assert.equal(terms(view).includes("Cards in hand"), true);
  assert.equal(terms(watched).includes("Cards in hand"), false);
  const open = [{ seat: 0, cards: ["R7", "W"] }, { seat: 1, cards: [] }];
  assert.deepEqual(tableInWords({ ...view, you: null, open }, NO_TIMES, []).filter(([term]) => term.endsWith("’s cards")), [["Asha’s cards", "Red 7, Wild"], ["Ben’s cards", "nothing"]]);
});
