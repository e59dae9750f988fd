// Animates the last card of a hand, enlarged, before the score sheet appears. A tap or a key skips it.

const FLIGHT_MS = 340;
const STILL_MS = 900;
// Maximum size of the card: shares of the window's width and height, and width in pixels.
const MOST = { width: 0.46, height: 0.3, pixels: 230 };

/** @param {{layer: HTMLElement, sheet: HTMLElement, face: Node, from: DOMRect, to: DOMRect, calm: boolean}} scene
 * `calm`: without animation @returns {() => void} skips it */
export function landLarge({ layer, sheet, face, from, to, calm }) {
  const width = Math.min(innerWidth * MOST.width, innerHeight * MOST.height, MOST.pixels);
  const [cover, ring, shown] = ["last-card", "last-ring", "last-face"].map(makeLayer);
  shown.append(face);
  cover.append(ring, shown);
  cover.style.setProperty("--card-w", `${width}px`);
  cover.style.setProperty("--x", `${to.left + to.width / 2}px`);
  cover.style.setProperty("--y", `${to.top + to.height / 2}px`);
  const cut = () => {
    if (!cover.isConnected) return;
    cover.remove();
    sheet.dataset.fresh = "now";
    for (const type of SKIP_EVENTS) document.removeEventListener(type, cut, true);
  };
  for (const type of SKIP_EVENTS) document.addEventListener(type, cut, true);
  sheet.dataset.fresh = "breath";
  layer.append(cover);
  if (!calm) move(shown, from, to, width);
  setTimeout(cut, FLIGHT_MS + STILL_MS);
  return cut;
}

/** @param {string} className */
function makeLayer(className) {
  return Object.assign(document.createElement("span"), { className });
}

const SKIP_EVENTS = ["pointerdown", "keydown"];

/** Enlarge the card, move it to its place and let it drop there.
 * @param {HTMLElement} shown @param {DOMRect} from @param {DOMRect} to @param {number} width */
function move(shown, from, to, width) {
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  const small = Math.min(from.width, from.height / 1.5) / width;
  shown.animate(
    [
      { translate: `${x}px ${y}px`, scale: small, rotate: "-10deg", easing: "cubic-bezier(.3,.1,.4,1)" },
      { translate: `0 ${-width * 0.16}px`, scale: 1.16, rotate: "2deg", offset: 0.62, easing: "cubic-bezier(.6,0,1,.6)" },
      { translate: "0 0", scale: "1.03 0.95", rotate: "-3deg", offset: 0.84 },
      { translate: "0 0", scale: 1, rotate: "-3deg" },
    ],
    { duration: FLIGHT_MS * 1.19, fill: "backwards" },
  );
}
