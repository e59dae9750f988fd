import assert from "node:assert/strict";
import { test } from "node:test";

import { commitmentTaken, listClosed } from "../../../static/js/fair/receipts.js";
import { Attempt } from "../dealing.js";
import { Site } from "../site.js";
import { all, DECK, find, makePage, press, textOf, until, viewWith } from "./page.js";

// Tests one player's complete table page with its messages. `socket` is the server's end of the connection.
const page = makePage();
const script = (id, data) => Object.assign(document.createElement("script"), { id, type: "application/json", textContent: JSON.stringify(data) });
document.body.append(script("view", viewWith()), script("deck", DECK), script("house-rules", { changed: [], specials: [] }));

let socket;
let version = 0;
let told = 0;
const sent = [];
const ticks = [];
const clock = { now: 0 };
globalThis.WebSocket = /** @type {any} */ (class {
  constructor(address) {
    Object.assign(this, { address: String(address), readyState: 1 });
    socket = this;
  }

  send(text) {
    sent.push(JSON.parse(text));
  }

  close() {}
});
globalThis.performance = /** @type {any} */ ({ now: () => clock.now });
globalThis.setInterval = /** @type {any} */ ((tick) => ticks.push(tick));
window.Element.prototype.scrollIntoView = () => {};
await import("../../../static/js/table/main.js");

const receive = (message) => socket.onmessage({ data: JSON.stringify(message) });
/** Return the actions sent since the last call, or since the last view. */
function actions() {
  const fresh = sent.slice(told).filter(({ type }) => type === "action");
  told = sent.length;
  return fresh.map(({ action }) => action);
}

/** Open the menu, whose code loads on demand. */
function openMenu() {
  find("#menu-button").click();
  return until(() => find("dialog")?.open);
}

const cardNamed = (name) => all(".card-button").find((button) => button.getAttribute("aria-label").startsWith(name));

/** Receive the server's next view with these events. A pending move is acknowledged first. */
function showView(changes = {}, events = []) {
  version += 1;
  told = sent.length;
  const { id } = sent.findLast(({ type }) => type === "action") ?? {};
  if (id) receive({ type: "ack", id, version });
  receive({ type: "view", version, view: viewWith(changes), events });
}

test("it opens its socket and offers no moves before the first view", () => {
  assert.equal(socket.address, "ws://table.test/ws/match/m/?protocol=2");
  assert.equal(find("#table").hasAttribute("data-live"), false);
  socket.onopen();
  showView();
  assert.equal(find("#table").hasAttribute("data-live"), true);
  assert.equal(document.title, "Your turn – Lastcard");
});

test("a tapped card is sent once, and the prompt says so until the answer", () => {
  cardNamed("Red 7").click();
  cardNamed("Red 7").click();
  assert.equal(textOf("#prompt"), "Your last move is still on its way.");
  assert.deepEqual(actions(), [{ play: "R7" }]);
  receive({ type: "refused", id: "another", code: "stale", message: "Too late." });
  assert.equal(textOf("#prompt"), "Too late.");
});

test("a refused action shows the reason and can be repeated", () => {
  showView();
  find(".action-draw").click();
  const { id } = sent.at(-1);
  assert.equal(textOf("#prompt"), "Sending …");
  receive({ type: "refused", id, code: "not-now", message: "You cannot draw now." });
  assert.equal(textOf("#prompt"), "You cannot draw now.");
});

test("an unplayable card explains itself and sends nothing", () => {
  showView();
  cardNamed("Green 4").click();
  assert.deepEqual([textOf("#prompt"), actions()], ["Green does not fit.", []]);
  assert.equal(textOf("#polite p:last-child"), "Green does not fit.");
});

test("a wild asks for its colour and is sent as one message, and Escape cancels it", () => {
  showView();
  cardNamed("Wild").click();
  assert.deepEqual(actions(), []);
  press("Escape", document.body);
  assert.equal(find(".picker"), null);
  cardNamed("Wild").click();
  all(".pick")[1].click();
  assert.deepEqual(actions(), [{ play: "W", color: "B" }]);
});

test("the draw pile works like the button, and letters press buttons", () => {
  showView();
  find(".draw-pile").click();
  assert.deepEqual(actions(), [{ draw: true }]);
  showView();
  press("d", document.body);
  assert.deepEqual(actions(), [{ draw: true }]);
});

test("with confirmation turned on, the first tap only selects", async () => {
  showView();
  await openMenu();
  find("dialog input").click();
  find("dialog").close();
  cardNamed("Red 7").click();
  assert.match(cardNamed("Red 7").getAttribute("aria-label"), /^Red 7, selected, press again to play it/);
  press("Escape", document.body);
  assert.match(cardNamed("Red 7").getAttribute("aria-label"), /^Red 7, playable/);
  cardNamed("Red 7").click();
  cardNamed("Red 7").click();
  assert.deepEqual(actions(), [{ play: "R7" }]);
});

test("a paused table says so once", () => {
  showView({ match: { ...viewWith().match, paused: true }, prompt: "An organizer has paused this table." });
  assert.deepEqual([textOf("#banner span"), textOf("#prompt"), document.title], [
    "An organizer has paused this table. ", "Play will continue where it stopped.", "Paused – Lastcard",
  ]);
});

test("the table is rendered only for changes and for each second of a clock", async () => {
  showView({ clock: { seat: 0, left_ms: 9000, total_ms: 9000 } });
  let changes = 0;
  const watch = new page.window.MutationObserver((seen) => { changes += seen.length; });
  watch.observe(find("#me"), { childList: true, characterData: true, subtree: true });
  const tickAt = async (now) => {
    clock.now = now;
    changes = 0;
    ticks[0]();
    await null;
    return changes > 0;
  };
  assert.deepEqual([await tickAt(100), await tickAt(600), await tickAt(1100), await tickAt(1600)], [false, false, true, false]);
  watch.disconnect();
});

test("a seat changes to the bank's colours together with the bank's text", () => {
  clock.now = 0;
  showView({ clock: { seat: 0, left_ms: 1000, total_ms: 9000, bank_ms: 30_000, bank_total_ms: 30_000 } });
  const shown = () => [find("#me").hasAttribute("data-bank"), textOf("#me .seat-line")];
  const [tick, showClock] = ticks;
  assert.deepEqual(shown(), [false, "1 s left"]);
  clock.now = 1100;
  showClock();
  assert.deepEqual(shown(), [false, "1 s left"]);
  tick();
  assert.deepEqual(shown(), [true, "bank"]);
});

test("a lost connection is shown, and the table is disabled until it is back", () => {
  window.dispatchEvent(new Event("offline"));
  assert.match(textOf("#line"), /^You’re offline\./);
  assert.equal(find(".action-draw").disabled, true);
  find("#line .banner-button").click();
  socket.onopen();
  showView();
  assert.equal(find("#line").hidden, true);
});

test("the log is a labelled list that can be scrolled by keyboard", () => {
  const list = find(".log-lines");
  assert.deepEqual([list.tabIndex, textOf(`#${list.getAttribute("aria-labelledby")}`)], [0, "What happened"]);
});

test("a log line has only its text, which already says why the table acted for a player", () => {
  const text = "Chitra ran out of time. Chitra draws 1 card.";
  showView({ log: [{ seat: 1, more: false, n: 7, text, auto: "timeout" }] });
  assert.equal(textOf(".log-lines li"), text);
});

test("the log button opens and closes the log", () => {
  showView({ log: [{ n: 1, text: "Ben plays Red 5.", card: "R5" }], last: "Ben plays Red 5." });
  find("#log-button").click();
  assert.deepEqual([find("#table").hasAttribute("data-log"), textOf(".log-lines"), textOf(".ticker")], [true, "Ben plays Red 5.", "Ben plays Red 5."]);
  find(".ticker").click();
  assert.equal(find("#log-button").getAttribute("aria-expanded"), "false");
});

test("text mode replaces the table, accepts typed moves and can be left", async () => {
  showView();
  find("#to-text").click();
  await until(() => !find("#words").hidden);
  assert.deepEqual([find("#words").hidden, find("#stage").hidden, document.activeElement.id], [false, true, "command"]);
  find("#command").value = "draw";
  find("form.command").dispatchEvent(new Event("submit", { cancelable: true }));
  assert.deepEqual(actions(), [{ draw: true }]);
  find(".menu-close").click();
  assert.equal(find("#words").hidden, true);
});

/** Return the last contribution to a shuffle that was sent. */
const asked = () => sent.findLast(({ type }) => type === "commit" || type === "open");

/** Wait until this many receipts have been checked and the table has the results. */
const verify = crypto.subtle.verify.bind(crypto.subtle);
const checks = [];
crypto.subtle.verify = (...args) => {
  checks.push(verify(...args));
  return checks.at(-1);
};
async function waitForReceipts(count) {
  await until(() => checks.length === count);
  assert.deepEqual(await Promise.all(checks), Array(count).fill(true));
  await new Promise((resolve) => { setImmediate(resolve); });
}

test("a share for the next deal is sent automatically and changes nothing on the table", async () => {
  const attempt = new Attempt({ match: "m" });
  const match = { ...viewWith().match, id: "m", phase: "between", links: { result: "/r/", fair: "/m/m/fair/" } };
  const site = await Site.open();
  const partOf = (step, receipt = null) => showView({ match, deal: { ...attempt.facts(step), receipt } });
  partOf("commit");
  await until(asked);
  const commit = asked();
  assert.deepEqual([commit.type, commit.hand, commit.attempt], ["commit", 2, 1]);
  attempt.take(commit);
  receive({ type: "ack", id: commit.id, version, receipt: await site.receipt(commitmentTaken({ ...attempt.draw, seat: 0, server: attempt.server }, commit.commitment)) });
  partOf("open", await site.receipt(listClosed(attempt.draw, attempt.facts("open").digest)));
  assert.equal(sent.at(-1).type, "ping");
  const opened = asked();
  assert.deepEqual([opened.type, opened.list], ["open", attempt.facts("open").digest]);
  receive({ type: "refused", id: opened.id, code: "closed", message: "The list is closed.", version });
  await waitForReceipts(2);
  assert.deepEqual([find("#alarm").hidden, actions(), textOf("#prompt")], [true, [], "Your turn."]);
});

test("a share that the server omits is reported above the table and in text mode", async () => {
  const attempt = new Attempt({ match: "m", hand: 3 });
  const match = { ...viewWith().match, hand: 2, phase: "between" };
  showView({ match, deal: attempt.facts("commit") });
  await until(() => asked().hand === 3);
  attempt.take(asked());
  receive({ type: "ack", id: asked().id, version });
  showView({ match, deal: attempt.facts("open", { list: attempt.list({ seats: [] }) }) });
  assert.match(textOf("#alarm p"), /^Hand 3: your contribution was left out of the shuffle/);
  find("#to-text").click();
  showView();
  assert.equal(find("#alarm").hidden, false);
});

test("the menu explains the shuffle and links to its check", async () => {
  await openMenu();
  const link = all("dialog a").find(({ textContent }) => textContent === "How the cards were shuffled");
  assert.ok(link);
  assert.doesNotMatch(textOf("dialog"), /doesn’t store data for the site/);
  find("dialog").close();
});

test("a player whose session has ended is asked to sign in, and does not become a viewer", () => {
  version += 1;
  receive({ type: "view", version, view: viewWith({ you: null, cards: undefined }), events: [] });
  assert.match(textOf("#banner"), /^You’re signed out\. /);
  assert.equal(find("#hand").hidden, false);
});
