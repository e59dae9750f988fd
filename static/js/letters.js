// Brings letters of scripts that the device cannot draw. Whoever can draw them loads nothing.

const SCRIPTS = ["Arabic", "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala"];
const LOOK_MS = 5000;
// A device draws what it lacks as boxes of one width, and so it draws this, which is no letter.
const NO_LETTER = "\u0378";

/** Returns what says whether a text has a script that the device lacks; it measures each script once.
 * @param {(letter: string) => number} width as the device draws it */
export function makeLacking(width) {
  const unknown = new Set(SCRIPTS);
  /** @param {string} name @param {string} text */
  const lacks = (name, text) => {
    const letters = new Set(text.match(new RegExp(`(?=\\p{Lo})\\p{Script=${name}}`, "gu")));
    if (letters.size) unknown.delete(name);
    return letters.size > 0 && [...letters].every((letter) => width(letter) === width(NO_LETTER));
  };
  return (/** @type {string} */ text) => {
    const any = new RegExp(`[${[...unknown].map((name) => `\\p{Script=${name}}`).join("")}]`, "u");
    return any.test(text) && [...unknown].some((name) => lacks(name, text));
  };
}

const pen = document.createElement("canvas").getContext?.("2d");
if (pen) pen.font = "32px sans-serif";
const isLacking = makeLacking((letter) => pen?.measureText(letter).width ?? 0);

function look() {
  const typed = [...document.querySelectorAll("input, textarea")].map((each) => /** @type {HTMLInputElement} */ (each).value);
  const link = /** @type {HTMLLinkElement|null} */ (document.querySelector("link[disabled]"));
  if (!link) clearInterval(again);
  else if (pen && isLacking(`${document.body.textContent} ${typed.join(" ")}`)) link.disabled = false;
}

const again = setInterval(look, LOOK_MS);
look();
