// Scrolls a hall screen slowly down and back to the top. The button and the space bar pause it.

import { part } from "../elements.js";
import { gettext } from "../text.js";

const SPEED = 40; // pixels per second
const LONGEST_PASS = 90; // seconds; longer lists scroll faster
const REST_MS = 6000;
/** @type {HTMLButtonElement} */
const button = part(document, "[data-scroll]");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let running = !calm.matches;
let position = 0;
let last = performance.now();
let restUntil = last + REST_MS;

/** @param {number} now */
function step(now) {
  const bottom = document.documentElement.scrollHeight - innerHeight;
  if (running && bottom > 4 && now > restUntil) {
    position = Math.min(bottom, position + (Math.max(SPEED, bottom / LONGEST_PASS) * (now - last)) / 1000);
    scrollTo({ top: position, behavior: "instant" });
    if (position >= bottom) {
      restUntil = now + REST_MS;
      setTimeout(toTop, REST_MS);
    }
  }
  last = now;
  requestAnimationFrame(step);
}

function toTop() {
  if (!running) return;
  position = 0;
  scrollTo({ top: 0, behavior: "instant" });
  restUntil = performance.now() + REST_MS;
}

function toggle() {
  running = !running;
  position = scrollY;
  restUntil = performance.now();
  button.textContent = running ? gettext("Pause scrolling") : gettext("Auto-scroll");
}

button.hidden = false;
button.textContent = running ? gettext("Pause scrolling") : gettext("Auto-scroll");
button.addEventListener("click", toggle);
document.addEventListener("keydown", (event) => {
  if (event.key === " " && event.target === document.body) {
    event.preventDefault();
    toggle();
  }
});
requestAnimationFrame(step);
