// Replays a finished hand step by step, with all cards open.

import { find, part } from "../elements.js";
import { setCards } from "../table/cards.js";
import { setAttribute, setText, within } from "../table/dom.js";
import { loadPrefs } from "../table/prefs.js";
import { makeCaption } from "./caption.js";
import { makeChances } from "./chances.js";
import { clamp, positionText, requestsPlayableMarks, stepAfter, stepDuration, stepOf, stepQuery } from "./steps.js";
import { makeTable } from "./table.js";
import { gettext } from "../text.js";

const page = find("replay");
/** @type {Protocol.ReplayPage} */
const replay = JSON.parse(find("replay-data").textContent);
const { steps, deck } = replay;
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
const showTable = makeTable(page, replay);
const showCaption = makeCaption(replay);
const showChances = makeChances(replay, (step) => show(step));
let current = 0;
/** @type {number|null} */
let playing = null;
let writing = 0;

/** @param {number} step */
function show(step) {
  current = clamp(step, last);
  showTable(current, could.checked);
  showCaption(current, could.checked);
  showChances(current);
  slider.value = String(current);
  setText(find("place"), positionText(current, last));
  showLog();
  if (current === last) pause();
  writeAddress();
}

/** Update the URL after a short delay, because Safari refuses more than 100 changes in 30 seconds. */
function writeAddress() {
  clearTimeout(writing);
  try {
    history.replaceState(null, "", stepQuery(current, could.checked));
  } catch {
    writing = setTimeout(writeAddress, ADDRESS_MS);
  }
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

/** Play from the current step to the end, or from the beginning if the last step is shown. */
function start() {
  if (current === last) show(0);
  next();
}

function next() {
  playing = setTimeout(() => {
    show(current + 1);
    if (playing !== null) next();
  }, stepDuration(Number(speed.value)));
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
page.addEventListener("click", (event) => {
  /** @type {HTMLElement|null} */
  const link = within(event, "a[data-step]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  show(Number(link.dataset.step));
});
/** @type {Record<string, () => void>} */
const KEYS = { " ": toggle, w: () => loadPrefs().shortcuts && could.click() };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // A focused control keeps its usual keys.
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
could.checked = requestsPlayableMarks(location.search);
show(stepOf(location.search, last));
