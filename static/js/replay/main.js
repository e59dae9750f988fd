// A finished hand step by step, all cards open.

import { find, part } from "../elements.js";
import { cardBack, cardFace, cardName, setCards } from "../table/cards.js";
import { showColor, topInWords, wayInWords } from "../table/centre.js";
import { h, keyed, setAttribute, setText, within } from "../table/dom.js";
import { loadPrefs } from "../table/prefs.js";
import { sortCards } from "../table/sorting.js";
import { addressOf, clamp, freshCards, marksCould, stepAfter, stepOf, stepTime } from "./steps.js";
import { gettext, ngettext } from "../text.js";

const page = find("replay");
/** @type {Protocol.ReplayPage} */
const { steps, deck, colors, seats } = JSON.parse(find("replay-data").textContent);
const last = steps.length - 1;
setCards({ sprite: page.dataset.sprite ?? "", deck });

const ADDRESS_MS = 1000;
/** @type {HTMLInputElement} */
const slider = find("step");
/** @type {HTMLInputElement} */
const could = find("could");
/** @type {HTMLSelectElement} */
const speed = find("speed");
const play = find("play");
let current = 0;
/** @type {number|null} */
let playing = null;
let writing = 0;

/** @param {number} step */
function show(step) {
  current = clamp(step, last);
  const now = steps[current];
  const before = steps[Math.max(0, current - 1)];
  showCentre(now);
  setText(find("text"), now.texts.join(" "));
  setText(find("could-text"), could.checked ? now.could.text : "");
  for (const item of find("seats").querySelectorAll("li")) showSeat(item, now, before);
  slider.value = String(current);
  setText(find("place"), gettext("%(step)s of %(last)s", { step: current, last }));
  showLog();
  if (current === last) pause();
  writeAddress();
}

/** Safari refuses more than a hundred in half a minute; then the address follows a little later. */
function writeAddress() {
  clearTimeout(writing);
  try {
    history.replaceState(null, "", addressOf(current, could.checked));
  } catch {
    writing = setTimeout(writeAddress, ADDRESS_MS);
  }
}

/** @param {Protocol.Step} step */
function showCentre(step) {
  const { discard, direction, penalty, draw_pile: left } = step;
  const pile = h("span.pile-left", {}, cardBack(), h("b", {}, String(left)));
  const tops = h("span.discard", { role: "img", "aria-label": topInWords(step) }, ...discard.slice(-1).map(cardFace));
  const color = h("span");
  showColor(color, { ...step, colors });
  const facts = h(
    "p.replay-facts", {},
    color.hasChildNodes() ? color : null,
    h("span", {}, `${direction === 1 ? "↻" : "↺"} ${wayInWords(step)}`),
    penalty ? h("span.owed", {}, gettext("%(name)s owes %(cards)s", { name: seats[penalty.seat].name, cards: penalty.cards })) : null,
  );
  find("centre").replaceChildren(pile, tops, facts);
}

/** @param {HTMLElement} item @param {Protocol.Step} now @param {Protocol.Step} before */
function showSeat(item, now, before) {
  const { seat = "" } = item.dataset;
  const count = now.counts[seat];
  item.hidden = count === undefined;
  if (item.hidden) return;
  const cards = now.cards[seat];
  setAttribute(item, "data-turn", String(now.turn) === seat || null);
  setAttribute(item, "data-acted", String(now.seat) === seat || null);
  setText(part(item, "small"), seatWords(count, String(now.turn) === seat, now.said_uno.includes(Number(seat))));
  const place = part(item, ".replay-cards");
  if (!cards) return showBacks(place, count);
  const fresh = freshCards(cards, before.cards[seat] ?? []);
  const sorted = sortCards(cards.map((card, i) => ({ card, fresh: fresh[i] })), "color");
  keyed(place, sorted, ({ card }, i) => `${card}${i}`, ({ card }) => h("span", { role: "img", "aria-label": cardName(card) }, cardFace(card)),
    (element, one) => {
      setAttribute(element, "data-fresh", one.fresh || null);
      mark(element, one.card, could.checked && String(now.turn) === seat && now.could.cards.includes(one.card));
    });
}

/** Cards that stay closed.
 * @param {HTMLElement} root @param {number} count */
function showBacks(root, count) {
  setAttribute(root, "aria-hidden", "true");
  keyed(root, Array(count).fill("back"), (_, i) => `back${i}`, () => h("span", {}, cardBack()));
}

/** @param {Element} element @param {string} card @param {boolean} playable */
function mark(element, card, playable) {
  setAttribute(element, "data-could", playable || null);
  setAttribute(element, "aria-label", playable ? gettext("%(card)s, could be played", { card: cardName(card) }) : cardName(card));
}

/** @param {number} count @param {boolean} turn @param {boolean} uno */
function seatWords(count, turn, uno) {
  const cards = ngettext("%(count)s card", "%(count)s cards", count);
  return [cards, turn ? `▶\uFE0E ${gettext("turn")}` : "", uno && count ? gettext("UNO!") : ""].filter(Boolean).join(" · ");
}

function showLog() {
  const log = find("log");
  for (const link of log.querySelectorAll("a"))
    setAttribute(link, "aria-current", Number(link.dataset.step) === current ? "step" : null);
  const line = part(log, "li:has([aria-current])");
  log.scrollTop = line.offsetTop - log.offsetTop - log.clientHeight / 2;
}

function pause() {
  clearTimeout(playing ?? 0);
  playing = null;
  showPlay();
}

/** From where it stands to the end; from the beginning when it stands there. */
function start() {
  if (current === last) show(0);
  next();
}

function next() {
  playing = setTimeout(() => {
    show(current + 1);
    if (playing !== null) next();
  }, stepTime(Number(speed.value)));
  showPlay();
}

function showPlay() {
  setText(part(play, ":first-child"), playing === null ? "▶\uFE0E" : "❚❚");
  setText(part(play, ":last-child"), playing === null ? gettext("Play") : gettext("Pause"));
}

function toggle() {
  if (playing === null) start();
  else pause();
}

play.addEventListener("click", toggle);
could.addEventListener("change", () => show(current));
slider.max = String(last);
slider.addEventListener("input", () => show(slider.valueAsNumber));
for (const button of document.querySelectorAll("[data-go]"))
  button.addEventListener("click", () => show(stepAfter(button.getAttribute("data-go") ?? "", current, last) ?? current));
find("log").addEventListener("click", (event) => {
  const link = within(event, "a");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  show(Number(link.dataset.step));
});
/** @type {Record<string, () => void>} */
const KEYS = { " ": toggle, w: () => loadPrefs().shortcuts && could.click() };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // On a control the keys are the control's own.
  const own = within(event, "button, a, select, input");
  const command = own && event.key === " " ? null : KEYS[event.key];
  if (command) {
    event.preventDefault();
    return command();
  }
  const step = within(event, "input[type=range], select") ? null : stepAfter(event.key, current, last);
  if (step === null) return;
  event.preventDefault();
  return show(step);
});
could.checked = marksCould(location.search);
show(stepOf(location.search, last));
