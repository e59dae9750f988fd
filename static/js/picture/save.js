// Saves the picture of a finished match: through the device's share dialog if it accepts images, otherwise as a file.

import { all, gettext, ngettext } from "../text.js";
import { draw, HEIGHT, WIDTH } from "./drawing.js";

/** @typedef {{names: string[], points: number|null, story: string, event: string, heading: string, at: string, card: string,
 *   faces: Protocol.Face[], colors: string[], sprite: string, signs: string}} Facts `at`: when the match ended, as ISO time,
 *   "" for now */

/** @param {Facts} facts @returns {import("./drawing.js").Scene} */
export function sceneOf({ names, points, event, heading, at, ...rest }) {
  const when = new Date(at || Date.now());
  const date = new Intl.DateTimeFormat(document.documentElement.lang || undefined, { dateStyle: "long", numberingSystem: "latn" }).format(when);
  return {
    ...rest,
    event: event || heading,
    headline: ngettext("%(names)s wins the match!", "%(names)s win the match!", names.length, { names: all(names) }),
    score: points === null ? "" : ngettext("%(count)s point", "%(count)s points", points),
    foot: [event ? heading : "", date, "Lastcard"].filter(Boolean).join(" · "),
  };
}

/** @param {Facts} facts @returns {Promise<Blob>} */
export async function makePicture(facts) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.textAlign = "center";
  await draw(context, sceneOf(facts));
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("No picture was made"))), "image/png");
  });
}

/** @param {Blob} blob */
async function shareOrDownload(blob) {
  const file = new File([blob], "lastcard.png", { type: blob.type });
  const touched = matchMedia("(pointer: coarse)").matches;
  if (touched && navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Save the picture when the button is pressed; the button shows an error.
 * @param {HTMLElement} button @param {Facts} facts */
export async function savePicture(button, facts) {
  if (button.getAttribute("aria-disabled")) return;
  button.setAttribute("aria-disabled", "true");
  try {
    await shareOrDownload(await makePicture(facts));
  } catch (error) {
    // Closing the share dialog is not an error.
    if (!(error instanceof DOMException && error.name === "AbortError")) button.textContent = gettext("That didn’t work. Try again");
  }
  button.removeAttribute("aria-disabled");
}
