// Filters the players on the check-in page while a name is typed. If the browser can read QR codes, the camera can
// find a player by a code. Without this script, the search form works.
import { gettext } from "../text.js";

const LOOK_MS = 300;
/** @typedef {{detect: (picture: HTMLVideoElement) => Promise<{rawValue: string}[]>}} Detector */
// Not every browser has this class, so the type checker does not know it.
const { BarcodeDetector } = /** @type {{BarcodeDetector?: new (options: {formats: string[]}) => Detector}} */ (window);
/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** @type {HTMLInputElement|null} */
const filter = document.querySelector("[data-filter]");
/** @type {NodeListOf<HTMLElement>} */
const rows = document.querySelectorAll("[data-row]");
/** @type {HTMLElement|null} */
const none = document.querySelector("[data-none]");
/** @type {HTMLButtonElement|null} */
const scan = document.querySelector("[data-scan]");
/** @type {HTMLVideoElement|null} */
const video = document.querySelector("[data-scanner]");

/** @param {string} typed */
function narrow(typed) {
  const asked = plain(typed.trim());
  let found = 0;
  for (const row of rows) {
    row.hidden = !plain(row.dataset.row ?? "").includes(asked);
    found += Number(!row.hidden);
  }
  if (none) none.hidden = found > 0;
}

/** If a single player matches, Enter focuses the player's button instead of submitting the search.
 * @param {KeyboardEvent} event */
function enter(event) {
  const left = [...rows].filter((row) => !row.hidden);
  const button = left.length === 1 ? left[0].querySelector("button") : null;
  if (event.key !== "Enter" || !button) return;
  event.preventDefault();
  button.focus();
}

/** @param {string} text */
function addressIn(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** @param {Detector} detector @param {HTMLVideoElement} picture */
async function look(detector, picture) {
  const [code] = await detector.detect(picture).catch(() => []);
  const address = code && addressIn(code.rawValue);
  if (address?.origin === location.origin && address.pathname === location.pathname) {
    location.assign(address.href);
  } else {
    setTimeout(look, LOOK_MS, detector, picture);
  }
}

/** @param {Detector} detector @param {HTMLVideoElement} picture @param {HTMLButtonElement} button */
async function start(detector, picture, button) {
  try {
    picture.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch {
    button.textContent = gettext("No camera: search by name instead");
    return;
  }
  button.hidden = true;
  picture.hidden = false;
  await picture.play();
  look(detector, picture);
}

filter?.addEventListener("input", () => narrow(filter.value));
filter?.addEventListener("keydown", enter);
if (scan && video && BarcodeDetector) {
  scan.hidden = false;
  scan.addEventListener("click", () => start(new BarcodeDetector({ formats: ["qr_code"] }), video, scan));
}
