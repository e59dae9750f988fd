// Fetches the tables of the control room every few seconds while the page is visible.
import { find } from "../elements.js";
import { gettext } from "../text.js";

const SECONDS = 4;
const tables = document.getElementById("tables");
/** @type {HTMLInputElement|null} */
const wanted = document.querySelector("#sound");
const title = document.title;
let answeredAt = new Date();
let calls = Number(document.getElementById("called")?.dataset.called ?? 0);
/** @type {AudioContext|null} */
let audio = null;

/** @param {HTMLElement} shown */
async function refresh(shown) {
  // A refresh while a button is pressed would lose the click.
  if (document.hidden || shown.matches(":active")) return;
  const answer = await fetch(shown.dataset.part ?? "", { headers: { Accept: "text/html" } });
  if (answer.redirected) return location.reload();
  if (!answer.ok) throw new Error(`The tables answered ${answer.status}`);
  put(shown, await answer.text());
  answeredAt = new Date();
}

/** Replace the tables, and keep the horizontal scroll position and the focus on the element with the same key.
 * @param {HTMLElement} shown @param {string} html */
function put(shown, html) {
  const focused = document.activeElement?.getAttribute("data-key");
  const along = shown.querySelector(".room-bar")?.scrollLeft ?? 0;
  shown.innerHTML = html;
  shown.querySelector(".room-bar")?.scrollTo({ left: along });
  tellCalls(Number(document.getElementById("called")?.dataset.called ?? 0));
  /** @type {HTMLElement|null} */
  const again = focused ? shown.querySelector(`[data-key="${CSS.escape(focused)}"]`) : null;
  again?.focus({ preventScroll: true });
}

/** Show the number of calls in the title. Play a quiet sound for a new call, if sounds are on.
 * @param {number} now */
function tellCalls(now) {
  document.title = now ? `(${now}) ${title}` : title;
  if (now > calls && wanted?.checked) sound();
  calls = now;
}

function sound() {
  audio ??= new AudioContext();
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: 660 });
  const gain = new GainNode(audio, { gain: 0.06 });
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.4);
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.4);
}

/** @param {HTMLElement} shown @param {boolean} lost */
function tell(shown, lost) {
  shown.classList.toggle("stale", lost);
  const time = answeredAt.toLocaleTimeString([], { hourCycle: "h23" });
  find("stale").textContent = lost ? gettext("The server is not answering. The tables below were last updated at %(time)s. Trying again every few seconds.", { time }) : "";
}

/** @param {HTMLElement} shown */
async function loop(shown) {
  try {
    await refresh(shown);
    tell(shown, false);
  } catch {
    tell(shown, true);
  }
  setTimeout(loop, SECONDS * 1000, shown);
}

if (tables) {
  tellCalls(calls);
  setTimeout(loop, SECONDS * 1000, tables);
}
