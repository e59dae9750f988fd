// The check-in page: names are found while they are typed, and a player's picture by the camera
// where the browser can read one. Without either the page's own search does it.
import { gettext } from "../text.js";

const LOOK_MS = 300;
// Not in every browser, and so unknown to the type checker.
const Detector = /** @type {any} */ (window).BarcodeDetector;
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** @type {HTMLInputElement} */
const filter = document.querySelector("[data-filter]");
/** @type {NodeListOf<HTMLElement>} */
const rows = document.querySelectorAll("[data-row]");
/** @type {HTMLElement} */
const none = document.querySelector("[data-none]");
/** @type {HTMLButtonElement} */
const scan = document.querySelector("[data-scan]");
/** @type {HTMLVideoElement} */
const video = document.querySelector("[data-scanner]");

function narrow() {
  const asked = plain(filter.value.trim());
  let found = 0;
  for (const row of rows) {
    row.hidden = !plain(row.dataset.row).includes(asked);
    found += Number(!row.hidden);
  }
  if (none) none.hidden = found > 0;
}

/** With one name left, Enter goes to its button instead of loading the page anew. */
function enter(event) {
  const left = [...rows].filter((row) => !row.hidden);
  const button = left.length === 1 && left[0].querySelector("button");
  if (event.key !== "Enter" || !button) return;
  event.preventDefault();
  button.focus();
}

function addressIn(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

async function look(detector) {
  const [code] = await detector.detect(video).catch(() => []);
  const address = code && addressIn(code.rawValue);
  if (address?.origin === location.origin && address.pathname === location.pathname) {
    location.assign(address.href);
  } else {
    setTimeout(look, LOOK_MS, detector);
  }
}

async function start() {
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch {
    scan.textContent = gettext("No camera: search by name instead");
    return;
  }
  scan.hidden = true;
  video.hidden = false;
  await video.play();
  look(new Detector({ formats: ["qr_code"] }));
}

filter?.addEventListener("input", narrow);
filter?.addEventListener("keydown", enter);
if (scan && Detector) {
  scan.hidden = false;
  scan.addEventListener("click", start);
}
