import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { all, DECK, find, makePage, stateWith, textOf, viewWith } from "./page.js";

let show;
let calls;

beforeEach(async () => {
  makePage();
  const { setCards } = await import("../../../static/js/table/cards.js");
  const { makeSheet } = await import("../../../static/js/table/sheet.js");
  setCards({ sprite: "/s.svg", deck: DECK });
  calls = [];
  show = makeSheet(find("#stage"), { hide: () => calls.push("hide"), show: () => calls.push("show"), ready: (number) => calls.push(number), between: [document.createElement("section")], after: [document.createElement("p")], proof: document.createElement("div") });
});

const rows = [
  { seat: 0, name: "Asha", place: 2, points: 0, total: 10, cards_left: ["R7", "W"] },
  { seat: 1, name: "Ben", place: 1, points: 27, total: 47, cards_left: [] },
];
const hand = { hand: 2, over: false, blocked: false, winner: 1, winner_name: "Ben", rows, next_ms: 8000, links: { replay: "/replay/", record: "/record/" } };
const over = { ...hand, over: true, winners: [0], hands: [[10, 0], [0, 47]], numbers: ["1", "2"], ended_text: "The target is reached.", links: { replays: ["/h/1/", null] } };
const cells = (row) => [...row.children].map((cell) => cell.textContent);

test("after a hand, all players' points are listed, the best first", () => {
  show(stateWith({ sheet: hand }), 0);
  assert.equal(textOf("#sheet-title"), "Ben wins hand 2");
  assert.deepEqual(all("tbody tr").map(cells), [["★ BenA", "+27", "47 453 to go", "none"], ["AshaA", "0", "10 490 to go", "Red 7, Wild2"]]);
  assert.deepEqual(all("tbody tr").map((row) => [row.dataset.best, row.dataset.you]), [["true", undefined], [undefined, "true"]]);
  assert.deepEqual(all(".sheet-links a").map((link) => [link.textContent, link.getAttribute("href"), link.target]), [
    ["Replay this hand", "/replay/", "_blank"], ["The shuffle", "/fair/", "_blank"], ["Save this hand as a file", "/record/", "_blank"],
  ]);
});

test("the seconds until the next hand are counted, but not while the table is paused", () => {
  const next = (changes, now) => {
    show(stateWith({ sheet: hand, ...changes }), now);
    return textOf(".sheet-next");
  };
  assert.equal(next({}, 0), "Next hand in 8 s");
  assert.equal(next({}, 7100), "Next hand in 1 s");
  assert.equal(next({ match: { ...viewWith().match, paused: true } }, 0), "The next hand is on hold: the table is paused.");
  assert.equal(next({ sheet: { ...hand, next_ms: null } }, 0), "");
});

test("the headline says whether you, another player or no one won the hand", () => {
  show(stateWith({ sheet: { ...hand, winner: 0 } }), 0);
  assert.equal(textOf("#sheet-title"), "You win the hand!");
  show(stateWith({ sheet: { ...hand, hand: 3, winner: null, blocked: true } }), 0);
  assert.equal(textOf("#sheet-title"), "Hand 3 is blocked: no one scores");
});

test("after the match, the sheet names the winner and lists all hands with replays", () => {
  show(stateWith({ sheet: over }), 0);
  assert.deepEqual([textOf("#sheet-title"), textOf(".sheet-next")], ["You win the match!", "The target is reached."]);
  assert.equal(all(".cheer svg").length, 28);
  assert.deepEqual(all(".all-hands tbody tr").map(cells), [["1", "10", "0"], ["2", "0", "47"]]);
  assert.deepEqual(all(".all-hands a").map((link) => link.getAttribute("href")), ["/h/1/"]);
  assert.deepEqual(all(".sheet-links a").map((link) => [link.textContent, link.target]), [["Result page", ""], ["The shuffle", ""]]);
});

test("after the match, the sheet links to the luck review if it is available", () => {
  show(stateWith({ sheet: { ...over, links: { ...over.links, review: "/luck/" } } }), 0);
  assert.deepEqual(all(".sheet-links a").map((link) => [link.textContent, link.getAttribute("href")]).at(0), ["Was it luck?", "/luck/"]);
});

test("many shapes fall for the winner, and few for viewers", () => {
  const shapes = (you) => {
    show(stateWith({ you, sheet: { ...over, winners: [1] } }), 0);
    return all(".cheer svg").length;
  };
  assert.equal(shapes(0), 0);
  find("#stage").nextElementSibling.dataset.shown = "";
  assert.equal(shapes(null), 9);
});

test("the final sheet begins with the faces of the winners", () => {
  show(stateWith({ sheet: { ...over, winners: [0, 1] } }), 0);
  assert.deepEqual(all(".winner-face .face").map((face) => face.className), ["face tone-3", "face tone-3"]);
  assert.equal(find(".winners").getAttribute("aria-hidden"), "true");
  show(stateWith({ sheet: hand }), 0);
  assert.equal(all(".winners").length, 0);
});

test("a winner with a sign is shown with it instead of the initial", () => {
  const seats = viewWith().seats.map((seat) => ({ ...seat, face: { letter: "A", tone: 2, sign: "owl" } }));
  show(stateWith({ seats, sheet: { ...over, winners: [0] } }), 0);
  assert.deepEqual(all(".winner-face .face").map((face) => [face.className, face.textContent]), [["face tone-2 sign-owl", ""]]);
});

for (const [who, teams, told] of [["alone", 0, "You finished 3rd of 4 with 12 points."], ["with a partner", 2, "Your team finished 2nd of 2 with 12 points."]]) {
  test(`at the end a player reads their own place: ${who}`, () => {
    const places = [1, 3, 0, 2].map((seat, n) => ({ ...over.rows[0], seat, total: n < 2 ? 40 : 12, place: n < 2 ? 1 : 3 }));
    const seats = places.map((_row, seat) => ({ ...viewWith().seats[0], seat, name: `P${seat}`, team: teams ? seat % teams : null }));
    show(stateWith({ seats, sheet: { ...over, rows: places, winners: [1, 3] } }), 0);
    assert.equal(textOf(".own-place"), told);
  });
}

test("after a lost practice match, the player can play again", () => {
  const { match } = viewWith();
  show(stateWith({ sheet: { ...over, winners: [1] }, match: { ...match, practice: true } }), 0);
  assert.deepEqual([textOf("#sheet-title"), all(".cheer svg").length, textOf(".sheet-again")], ["Ben wins the match!", 0, "Play again"]);
  show(stateWith({ sheet: { ...over, hand: 3, winners: [], rows: [] } }), 0);
  assert.deepEqual([textOf("#sheet-title"), all(".sheet > .scores").length], ["The match is over", 0]);
});

for (const [mine, expected] of [["/e/cup/my-table/", ["My next table", "/e/cup/my-table/"]], [undefined, ["Back to the event", "/e/cup/"]]]) {
  test(`after a match it links to the next table, and after the last one to the event: ${expected[0]}`, () => {
    if (mine) find("#table").dataset.mine = mine;
    const { match } = viewWith();
    show(stateWith({ sheet: over, match: { ...match, links: { ...match.links, event: "/e/cup/" } } }), 0);
    assert.deepEqual(all(".sheet-links .sheet-again").map((link) => [link.textContent, link.getAttribute("href")]), [expected]);
  });
}

test("the initial points are above the hands", () => {
  show(stateWith({ sheet: { ...over, start: [120, 45] } }), 0);
  assert.deepEqual(all(".all-hands tbody tr").map(cells)[0], ["Carried over", "120", "45"]);
});

test("the sheet can be hidden and shown again, and the focus follows", () => {
  show(stateWith({ sheet: hand }), 0);
  find(".sheet-close").focus();
  find(".sheet-close").click();
  show(stateWith({ sheet: hand }, { sheetHidden: true }), 0);
  assert.deepEqual([all(".sheet").length, document.activeElement], [0, find(".sheet-open")]);
  find(".sheet-open").click();
  show(stateWith({ sheet: hand }), 0);
  assert.deepEqual([all(".sheet-open").length, document.activeElement, calls], [0, find(".sheet"), ["hide", "show"]]);
  show(stateWith(), 0);
  assert.deepEqual([all(".sheet").length, document.activeElement], [0, find("#hand")]);
});

test("nothing under the sheet can get the focus", () => {
  find("#stage").append(Object.assign(document.createElement("button"), { className: "draw-pile" }));
  show(stateWith({ sheet: hand }), 0);
  assert.equal(find(".draw-pile").hasAttribute("inert"), true);
  show(stateWith(), 0);
  assert.equal(find(".draw-pile").hasAttribute("inert"), false);
});

test("the sheet is not rebuilt as time passes, and appears after the last card has landed", () => {
  show(stateWith(), 0);
  show(stateWith({ sheet: hand }), 0);
  const [row] = all("tbody tr");
  assert.equal(find(".sheet").dataset.fresh, "true");
  show(stateWith({ sheet: { ...hand } }), 3000);
  assert.equal(all("tbody tr")[0], row);
});

test("players of the next hand can declare themselves ready, and see how many are", () => {
  const waiting = { ...hand, next_hand: 3, waits_for: [0, 1], ready: [] };
  show(stateWith({ sheet: waiting }), 0);
  find(".sheet-ready").click();
  assert.deepEqual([textOf(".sheet-ready"), calls], ["I’m ready", [3]]);
  show(stateWith({ sheet: { ...waiting, ready: [0] } }), 0);
  assert.deepEqual([textOf(".sheet-ready"), find(".sheet-ready").getAttribute("aria-disabled")], ["Ready: 1 of 2", "true"]);
  show(stateWith({ sheet: { ...waiting, waits_for: [1] } }), 0);
  assert.equal(find(".sheet-ready").hidden, true);
});

test("a change of rank is next to the name, and a bar grows from its previous value", () => {
  const changed = [{ ...rows[0], place: 2, before: 1 }, { ...rows[1], place: 1, before: 2 }];
  show(stateWith({ sheet: { ...hand, rows: changed } }), 0);
  assert.deepEqual(all(".rank-change").map((change) => change.textContent), [" ▲1, up 1 place", " ▼1, down 1 place"]);
  const { style } = find("tbody th");
  assert.deepEqual([style.getPropertyValue("--was"), style.getPropertyValue("--share")], ["0.04", "0.094"]);
});

test("the sheet shows the story of the hand", () => {
  show(stateWith({ sheet: { ...hand, story: "Asha drew 12 cards and still won." } }), 0);
  assert.equal(textOf(".sheet-story"), "Asha drew 12 cards and still won.");
  show(stateWith({ sheet: { ...hand, hand: 3, story: "" } }), 0);
  assert.equal(find(".sheet-story"), null);
});

test("a partner is labelled", () => {
  const teams = [0, 1, 0, 1].map((team, seat) => ({ ...viewWith().seats[0], seat, name: `P${seat}`, team }));
  const places = teams.map(({ seat }) => ({ ...rows[0], seat, name: `P${seat}`, place: 1 }));
  show(stateWith({ seats: teams, sheet: { ...hand, rows: places } }), 0);
  assert.deepEqual(all("tbody tr").map((row) => [row.dataset.row, row.querySelector(".partner")?.textContent]), [["1", undefined], ["0", undefined], ["2", " your partner"], ["3", undefined]]);
});

test("a player without points is not shown as falling", () => {
  const passed = [{ ...rows[0], total: 0, place: 2, before: 1 }, { ...rows[1], place: 1, before: 1 }];
  show(stateWith({ sheet: { ...hand, rows: passed } }), 0);
  assert.equal(all(".rank-change").length, 0);
});
