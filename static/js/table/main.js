// Connects the parts of the live table with its state and its socket.

import { find, ownPart, part } from "../elements.js";
import { makeOpening } from "../opening.js";
import { makeSigner } from "../fair/device.js";
import { Kept } from "../fair/kept.js";
import { makeLead, makeTense } from "./additions.js";
import { makeAlarm } from "./alarm.js";
import { makeAwake } from "./awake.js";
import { setCards } from "./cards.js";
import { makeActions, makeMe, makePicker } from "./controls.js";
import { awayInWords, clockInWords, clockNow } from "./clock.js";
import { makeCoach } from "./coach.js";
import { makeCall, makeDesk, mayCall } from "./desk.js";
import { h, within } from "./dom.js";
import { focusHand, makeHand } from "./hand.js";
import { makeHearing } from "./hearing.js";
import { makeHelp } from "./help.js";
import { Hurry } from "./hurry.js";
import { listenToKeys } from "./keys.js";
import { makeLater } from "./later.js";
import { markBank, markClock, markTable, standStill } from "./marks.js";
import { makeOpen } from "./open.js";
import { calm, isCatchUp, Motion } from "./motion.js";
import { makeBanner, makeLineSign, makeLog, toggleLog } from "./panels.js";
import { followPrefs, loadPrefs, noteHere, polls, savePrefs } from "./prefs.js";
import { Connection, PING_MS, TICK_MS, WATCH_MS } from "./socket.js";
import { nextOrder, sortCards } from "./sorting.js";
import { makeSheet, nextHand, sheetInWords } from "./sheet.js";
import { makeGoodGame, makeReacted, makeReactions } from "./reactions.js";
import { Shares } from "./shares.js";
import { signal, signalAll, signalsFor, wakeSound } from "./sound.js";
import { makeSink, makeSpeech } from "./speech.js";
import { makeStage } from "./stage.js";
import { makeSummon } from "./summon.js";
import { makeTaps } from "./taps.js";
import { banner, initial, isBrief, isPlayer, lineSign, myTurn, pageTitle, reduce, usable } from "./store.js";

/** @import { HouseRules } from "./cards.js" */
/** @import { Prefs } from "./prefs.js" */
/** @import { Heard } from "./socket.js" */
/** @import { Change, Show, State } from "./store.js" */
import { gettext } from "../text.js";

const NOTICE_MS = 5000;
const CLOCK_MS = 250;
// Fonts load after this delay to keep the first load small.
const LETTERS_MS = 4000;
// Optional parts load after this delay, when the connection is no longer busy.
const LATER_MS = 10_000;

/** @type {(id: string) => any} */
const fromPage = (id) => JSON.parse(find(id).textContent);
const now = () => performance.now();

const table = find("table");
/** @type {Protocol.DeckFacts} */
const deck = fromPage("deck");
/** @type {HouseRules} */
const houseRules = fromPage("house-rules");
setCards({ sprite: table.dataset.sprite ?? "", deck, ...houseRules });
let prefs = loadPrefs();
if (new URLSearchParams(location.search).get("text") === "1") prefs.text = true;
/** @type {State} */
let state = initial(fromPage("view"), now());
let timesShown = "";

// Handlers of taps

const { act, play, draw, press, actInWords } = makeTaps({
  state: () => state,
  prefs: () => prefs,
  now,
  dispatch: (news) => dispatch(news),
  send: (action) => connection.act(action),
  sendOff: (handle, card) => motion.sendOff(handle, card),
  answer: (text) => speech.answer(text),
});

/** Call a referee, or change the reason of the current call. @param {string} reason */
function call(reason) {
  connection.ask({ type: "call_referee", reason });
}

/** @template {keyof Prefs} K @param {K} name @param {Prefs[K]} value */
function change(name, value) {
  prefs = { ...prefs, [name]: value };
  savePrefs(prefs);
  wakeSound(prefs);
  render();
}

/** Notify a player who is looking at another page of their turn or of their next match.
 * @param {State} shown */
function callBack({ view, desk }) {
  const looksAway = prefs.notices && document.hidden;
  const turn = looksAway && myTurn(view) && usable(state, now()) ? { title: gettext("Your turn"), body: view.prompt } : null;
  const next = looksAway && desk?.next && !desk.next.here ? { title: gettext("Your match is on"), body: desk.next.text } : null;
  summon(prefs.notices, next ?? turn);
}

/** Return the card that an element shows, which is one of yours or the top card. @param {Element} element */
function cardAt(element) {
  /** @type {HTMLElement|null} */
  const slot = element.closest(".slot");
  return slot ? (state.view.cards.find(({ id }) => id === slot.dataset.id)?.card ?? null) : state.view.top;
}

// Rendering of the state

const stage = find("stage");
const me = ownPart("me");
const cards = ownPart("hand");
const motion = new Motion(find("flights"), table);
const speech = makeSpeech({ polite: makeSink(find("polite"), 40), urgent: makeSink(find("assertive"), 1) }, () => prefs.text);
const times = () => ({ clock: clockInWords(clockNow(state, now())), away: awayInWords(state, now()) });
const sorted = () => sortCards(state.view.cards ?? [], prefs.order);
const order = () => prefs.order;
const coach = makeCoach(ownPart("coach"), table, {
  taught: () => prefs.taught,
  done: () => {
    change("taught", true);
    if (document.activeElement === document.body) focusHand();
  },
  say: (text) => speech.aside(text),
});
const awake = makeAwake();
const summon = makeSummon(table.dataset.worker ?? "");
const hurry = new Hurry(table);
const reacting = {
  sprite: table.dataset.reactions ?? "",
  prefs: () => prefs,
  send: (/** @type {string} */ shown) => connection.ask({ type: "react", shown }),
  say: (/** @type {string} */ text) => speech.say(text),
};
const reacted = makeReacted(find("flights"), { ...reacting, place: (seat) => motion.placeOf(seat) });
const lead = makeLead(table, {
  say: (text) => speech.say(text),
  call: () => {
    signal("turn", prefs);
    dispatch({ type: "sheet", hidden: false });
  },
});
const tense = makeTense({ table, layer: find("flights"), calm, press, place: (seat) => motion.placeOf(seat) });
const goodGame = makeGoodGame(reacting);
const kept = new Kept();
const proof = h("div.sheet-proof");
const hearing = makeHearing(table, document.getElementById("bell"), { prefs: () => prefs, change });
const parts = [
  coach.show,
  makeStage(stage, { draw }),
  makeMe(me, { order, sort: () => change("order", nextOrder(prefs.order)) }),
  makeOpen(document.getElementById("open")),
  makeHand(cards, { play, order }),
  makeActions(ownPart("actions"), { act: press }),
  makeBanner(find("banner"), {
    "other-tab": () => connection.send({ type: "take_over" }),
    "signed-out": () => location.assign(table.dataset.login ?? "/"),
    "seat-lost": () => location.reload(),
  }),
  makeLineSign(find("line"), () => connection.wake()),
  makeDesk(find("desk"), { call, takeBack: () => connection.ask({ type: "take_call_back" }) }),
  makeCall(ownPart("call", "button"), { call: () => call("") }),
  hearing.show,
  makeLog(find("log-panel"), stage, { toggle: toggleLog }),
  makeSheet(stage, {
    hide: () => dispatch({ type: "sheet", hidden: true }),
    show: () => dispatch({ type: "sheet", hidden: false }),
    ready: (hand) => connection.ask({ type: "ready", hand }),
    between: hearing.between,
    after: [lead.element, goodGame.element],
    proof,
  }),
  makePicker({ stage, me }, {
    answer: (action) => act(action, state.asking?.card),
    cancel: () => dispatch({ type: "cancel" }),
  }),
];

const shares = new Shares({
  // The match ID in the URL, which the player can verify.
  match: location.pathname.split("/")[2] ?? state.view.match.id,
  kept, site: table.dataset.site,
  sign: makeSigner(),
  ask: (message) => connection.askAndPing(message),
  line: { status: () => state.link.name, reached: (id) => connection.reached(id), socket: () => connection.sockets },
});
const showAlarm = makeAlarm(find("alarm"), shares);

parts.push(lead.show, tense.show, showProof, goodGame.show, makeReactions({ face: part(me, ".seat-face"), stage, words: find("words") }, reacting));

const loadProof = makeLater(async () => {
  const { makeProof } = await import("./proof.js");
  return makeProof(kept, { element: proof, computer: table.dataset.computer, say: (text) => speech.say(text), wrong: (hands) => found(hands) });
});

/** Show the result of checking the open hands. @type {Show} */
function showProof(shown, time) {
  if (shown.view.sheet) loadProof().then((show) => show(shown, time), () => {});
}

/** @type {ReturnType<typeof import("./asked.js").makeAsked>|null} */
let asked = null;
const loadAsked = makeLater(async () => {
  const { makeAsked } = await import("./asked.js");
  asked ??= makeAsked(find("words"), {
    times, cards: sorted,
    menu: {
      prefs: () => prefs,
      change: (name, value) => (name === "text" ? setTextMode(Boolean(value)) : change(name, value)),
      hear: hearing,
      rules: { ...houseRules, link: /** @type {HTMLAnchorElement} */ (find("rules")).href },
      call: () => mayCall(state) && (() => call("")),
      log: toggleLog,
      shuffle: () => ({ link: state.view.match.links.fair, lasting: shares.kept.lasting }),
      showMe: () => state.view.coach?.length > 0 && (() => {
        coach.again();
        change("taught", false);
        coach.focus();
      }),
    },
    text: {
      deck,
      state: () => state,
      act: actInWords,
      cancel: () => dispatch({ type: "cancel" }),
      say: (text) => speech.answer(text),
      leave: () => setTextMode(false),
    },
  });
  return asked;
});

/** Load the menu and text mode, and pass them to `use`.
 * @param {(made: NonNullable<typeof asked>) => void} use @param {() => void} [failed] */
function ask(use, failed = () => {}) {
  if (asked) use(asked);
  else loadAsked().then(use, failed);
}

const explainFailure = () => dispatch({ type: "why", text: gettext("That couldn’t be loaded. Try again."), now: now() });

/** Show in the alarm, too, that the automatic check has found wrong deals.
 * @param {number[]} hands with wrong deals */
function found(hands) {
  shares.found(hands, state.view.you);
  showAlarm(state, now());
}

/** @param {boolean} on */
function setTextMode(on) {
  change("text", on);
  if (!on) return focusHand();
  return ask(() => {
    render();
    find("command").focus();
  }, explainFailure);
}

/** @param {Change|{type: "pong"|"probe", now?: number}} news */
function dispatch(news) {
  const { notice, asking } = state;
  state = reduce(state, news);
  render();
  if (state.notice && state.notice !== notice) speech.answer(state.notice.text);
  if (prefs.text && asking && news.type === "cancel") speech.answer(gettext("Undone."));
}

function render() {
  const time = now();
  timesShown = timesOf(state, time);
  markTable(table, state, time, prefs.text);
  find("words").hidden = !prefs.text;
  stage.hidden = prefs.text;
  find("polite").classList.toggle("vh", !prefs.text);
  for (const show of parts) show(state, time);
  if (prefs.text) ask(({ showText }) => showText(state, now()));
  document.title = pageTitle(state, document.hidden, table.dataset.event);
  speech.show(state);
  awake(!state.view.match.paused && state.view.match.phase !== "over");
  callBack(state);
  markBank(table, clockNow(state, time));
  showClock();
}

/** Return all texts that change with time, so that the page is rendered only when one differs. The clock is
 * separate.
 * @param {[State, number]} at */
function timesOf(...at) {
  return JSON.stringify([usable(...at), banner(at[0]), lineSign(...at), isBrief(...at), clockInWords(clockNow(...at)), awayInWords(...at), nextHand(...at)]);
}

function showClock() {
  const clock = clockNow(state, now());
  markClock(table, clock);
  hurry.show(clock);
  tense.showTime(state, now());
  if (hurry.ticks(clock, state.view.you)) signal("hurry", prefs);
  speech.clock(clock !== null && clock.seat === state.view.you ? clock : null);
}

// Messages from the server

/** @param {Heard} message */
function received(message) {
  const time = now();
  // The server treats a player whose session has ended as a viewer.
  if (message.type === "view" && isPlayer(state.view) && !isPlayer(message.view)) {
    shares.signedOut(message.view, state.view.you);
    return connection.signOut();
  }
  if (shares.answered(message)) return showAlarm(state, time);
  if (message.type === "reacted") return reacted(message, state.view);
  if (message.type === "refused" && message.id === state.pending?.id) motion.snapBack();
  if (message.type === "view") receivedView(message, time);
  else dispatch({ ...message, now: time });
  // The view alone cannot show whether the card was played, because the hand may contain an equal card.
  if (!state.pending) motion.release();
}

/** @param {Protocol.View} message @param {number} time */
function receivedView({ view, version, events }, time) {
  const was = state.view;
  const before = motion.before();
  coach.hear(events, view.you);
  if (version !== state.version && isCatchUp(events)) standStill(table);
  dispatch({ type: "view", view, version, now: time });
  const lands = prefs.text ? 0 : motion.show(events, before, state.view);
  signalAll(signalsFor(events, was, state.view), prefs, lands);
  if (!prefs.text && !isCatchUp(events)) tense.happen(events, view.you);
  if (events.some((event) => event.event === "caught" && event.seat === view.you)) speech.caught(view);
  if (view.sheet && !was.sheet) speech.say(sheetInWords(view));
  shares.hear(state.view);
  showAlarm(state, time);
}

/** Return the WebSocket address, with version 2 of the protocol. A window without control adds `follow`, so that it
 * does not take control when it reconnects. */
function address() {
  const follows = state.version !== null && isPlayer(state.view) && !state.view.controls;
  return new URL(`${table.dataset.socket ?? ""}?protocol=2${follows ? "&follow" : ""}`, location.href.replace(/^http/, "ws"));
}

const connection = new Connection({
  open: () => opening.open(),
  onblocked: () => opening.change(),
  version: () => state.version ?? 0,
  onmessage: received,
  onstatus: (status) => dispatch({ type: "link", status, now: now() }),
  beat: () => (isPlayer(state.view) ? PING_MS : WATCH_MS),
  now,
});
const opening = makeOpening(address, { isLive: () => connection.status.name === "live", reopen: () => connection.wake() });

function tick() {
  connection.tick();
  shares.watch();
  showAlarm(state, now());
  if (now() > LATER_MS && state.link.name === "live") loadLater();
  const { notice } = state;
  if (notice && now() - notice.at > NOTICE_MS) dispatch({ type: "quiet" });
  else if (timesOf(state, now()) !== timesShown) render();
}

/** Load the optional parts in advance. */
function loadLater() {
  for (const load of [loadAsked, loadProof, tense.load]) load().catch(() => {});
}

for (const place of [cards, stage]) {
  makeHelp(place, table, { cardAt, say: (text) => speech.answer(text) });
}
find("log-button").addEventListener("click", toggleLog);
find("menu-button").addEventListener("click", () => ask(({ openMenu }) => openMenu(), explainFailure));
find("to-text").addEventListener("click", (event) => {
  event.preventDefault();
  setTextMode(true);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || within(event, "dialog")) return;
  if (state.asking || state.selected) dispatch({ type: "cancel" });
});
listenToKeys(() => prefs.shortcuts && !prefs.text);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connection.wake());
document.addEventListener("visibilitychange", () => render());
window.addEventListener("pageshow", (event) => event.persisted && connection.wake());
window.addEventListener("online", () => connection.wake());
window.addEventListener("offline", () => connection.offline());

followPrefs((chosen) => {
  prefs = { ...chosen, text: prefs.text };
  render();
});
noteHere(location.pathname);
if (document.getElementById("own-match")) makeLater(() => import("../pages/summons.js"))().catch(() => {});
showAlarm(state, now());
connection.start();
if (polls()) opening.change();
setInterval(tick, TICK_MS);
setInterval(showClock, CLOCK_MS);
setTimeout(() => import("../letters.js").catch(() => {}), LETTERS_MS);
