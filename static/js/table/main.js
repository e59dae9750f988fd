// The live table: one state, one render, one socket.

import { setCards } from "./cards.js";
import { makeActions, makeMe, makePicker } from "./controls.js";
import { nextQuestion } from "./choices.js";
import { makeHand } from "./hand.js";
import { listenToKeys } from "./keys.js";
import { makeMenu, tableInWords } from "./menu.js";
import { Motion } from "./motion.js";
import { makeBanner, makeLog, makeSheet } from "./panels.js";
import { loadPrefs, savePrefs } from "./prefs.js";
import { Connection, TICK_MS } from "./socket.js";
import { nextOrder, sortCards } from "./sorting.js";
import { signal, signalsFor } from "./sound.js";
import { makeSpeech } from "./speech.js";
import { makeStage } from "./stage.js";
import { clockLeft, initial, isPlayer, myTurn, pageTitle, ready, reduce, usable } from "./store.js";

const NOTICE_MS = 5000;
const CLOCK_MS = 250;

const find = (id) => document.getElementById(id);
const fromPage = (id) => JSON.parse(find(id).textContent);
const now = () => performance.now();

const table = find("table");
setCards({ sprite: table.dataset.sprite, wild: table.dataset.wild, names: fromPage("card-names") });
let prefs = loadPrefs();
let state = initial(fromPage("view"), now());

// What taps do

function act(action, handle = null) {
  const question = action.play && nextQuestion(state.view, action);
  if (question) return dispatch({ type: "ask", action, card: handle });
  if (action.play) motion.sendOff(handle, action.play);
  const id = connection.act(action);
  return dispatch({ type: "sent", id, action, card: handle, now: now() });
}

function play(handle, uno) {
  const card = state.view.cards.find(({ id }) => id === handle);
  if (!card) return;
  if (!card.playable) return dispatch({ type: "why", text: card.why || state.view.prompt, now: now() });
  if (!ready(state, now())) return;
  if (prefs.confirm && !uno && state.selected !== handle) return dispatch({ type: "select", card: handle });
  act(uno ? { play: card.card, uno: true } : { play: card.card }, handle);
}

function draw() {
  if (state.view.may?.draw && ready(state, now())) act({ draw: true });
}

function change(name, value) {
  prefs = { ...prefs, [name]: value };
  savePrefs(prefs);
  render();
}

function toggleLog() {
  const open = table.toggleAttribute("data-log");
  find("log-button").setAttribute("aria-expanded", String(open));
}

// State in, page out

const stage = find("stage");
const motion = new Motion(find("flights"), table);
const speech = makeSpeech(find("polite"), find("assertive"));
const order = () => prefs.order;
const parts = [
  makeStage(stage, { draw }),
  makeMe(find("me"), { order, sort: () => change("order", nextOrder(prefs.order)) }),
  makeHand(find("hand"), { play, order }),
  makeActions(find("actions"), { act }),
  makeBanner(find("banner"), {
    offline: () => connection.wake(),
    "other-tab": () => connection.send({ type: "take_over" }),
    "signed-out": () => location.assign(table.dataset.login),
  }),
  makeLog(find("log-panel"), stage, { toggle: toggleLog }),
  makeSheet(stage, {
    hide: () => dispatch({ type: "sheet", hidden: true }),
    show: () => dispatch({ type: "sheet", hidden: false }),
  }),
  makePicker(stage, {
    answer: (action) => act(action, state.asking?.card),
    cancel: () => dispatch({ type: "cancel" }),
  }),
];

function dispatch(change) {
  state = reduce(state, change);
  render();
}

function render() {
  const time = now();
  table.toggleAttribute("data-viewer", !isPlayer(state.view));
  table.toggleAttribute("data-over", state.view.match.phase === "over");
  table.toggleAttribute("data-live", state.link.name === "live" && state.version !== null);
  table.toggleAttribute("data-usable", usable(state, time));
  table.toggleAttribute("data-my-turn", myTurn(state.view));
  for (const show of parts) show(state, time);
  document.title = pageTitle(state);
  speech.show(state);
  showClock();
}

function showClock() {
  const left = clockLeft(state, now());
  const { clock } = state.view;
  for (const element of table.querySelectorAll("[data-seat]")) {
    const running = left !== null && Number(element.dataset.seat) === clock.seat;
    element.toggleAttribute("data-clock", running);
    if (!running) continue;
    element.style.setProperty("--left", String((100 * left) / clock.total_ms));
    element.toggleAttribute("data-late", left <= 5000);
  }
  if (left !== null && clock.seat === state.view.you) speech.clock(Math.ceil(left / 1000));
}

// What the server says

function received(message) {
  const time = now();
  if (message.type === "view") return receivedView(message, time);
  if (message.type === "refused") motion.snapBack();
  return dispatch({ ...message, now: time });
}

function receivedView({ view, version, events }, time) {
  const was = state.view;
  const before = motion.before();
  dispatch({ type: "view", view, version, now: time });
  motion.show(events, before, state.view);
  for (const name of signalsFor(events, was, state.view)) signal(name, prefs);
}

const connection = new Connection({
  open: () => new WebSocket(new URL(table.dataset.socket, location.href.replace(/^http/, "ws"))),
  version: () => state.version ?? 0,
  onmessage: received,
  onstatus: (status) => dispatch({ type: "link", status, now: now() }),
  now,
});

function tick() {
  connection.tick();
  const { notice } = state;
  if (notice && now() - notice.at > NOTICE_MS) dispatch({ type: "quiet" });
  else render();
}

find("log-button").addEventListener("click", toggleLog);
find("menu-button").addEventListener("click", makeMenu({
  prefs: () => prefs,
  change,
  words: () => {
    const left = clockLeft(state, now());
    return tableInWords(state.view, left === null ? null : Math.ceil(left / 1000), sortCards(state.view.cards ?? [], prefs.order));
  },
}));
document.addEventListener("keydown", (event) => event.key === "Escape" && state.asking && dispatch({ type: "cancel" }));
listenToKeys(() => prefs.shortcuts);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connection.wake());
window.addEventListener("pageshow", (event) => event.persisted && connection.wake());
window.addEventListener("online", () => connection.wake());
window.addEventListener("offline", () => connection.offline());

connection.start();
setInterval(tick, TICK_MS);
setInterval(showClock, CLOCK_MS);
