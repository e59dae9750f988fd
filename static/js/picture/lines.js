// Fits text into a box, in the largest possible font size. Pure.

/** @typedef {(text: string, size: number) => number} Measure returns the width of a text in pixels */
/** @typedef {{width: number, lines: number, most: number, least: number}} Box `most`, `least`: font sizes */

const STEP = 4;

/** @param {string} text @param {Box} box @param {Measure} measure @returns {{size: number, lines: string[]}} */
export function fitLines(text, { width, lines: most, most: largest, least }, measure) {
  for (let size = largest; size > least; size -= STEP) {
    const lines = wrap(text.split(/\s+/u).filter(Boolean), width, (part) => measure(part, size));
    if (lines && lines.length <= most) return { size, lines: balance(lines, width, (part) => measure(part, size)) };
  }
  const parts = splitLong(text, width, (part) => measure(part, least));
  const lines = wrap(parts, width, (part) => measure(part, least)) ?? parts;
  return { size: least, lines: lines.length > most ? cut(lines, most, width, (part) => measure(part, least)) : lines };
}

/** Wrap the words into lines; return null if a word is wider than the box.
 * @param {string[]} words @param {number} width @param {(text: string) => number} measure */
function wrap(words, width, measure) {
  /** @type {string[]} */
  const lines = [];
  for (const word of words) {
    if (measure(word) > width) return null;
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Make the lines similarly wide without adding lines, so that the last line is not a single word.
 * @param {string[]} lines @param {number} width @param {(text: string) => number} measure */
function balance(lines, width, measure) {
  const words = lines.join(" ").split(" ");
  for (let narrow = width / 2; narrow < width; narrow += width / 20) {
    const found = wrap(words, narrow, measure);
    if (found && found.length <= lines.length) return found;
  }
  return lines;
}

/** Split the text into words, and any word wider than the box into parts that fit.
 * @param {string} text @param {number} width @param {(text: string) => number} measure */
function splitLong(text, width, measure) {
  return text.split(/\s+/u).flatMap((word) => {
    if (measure(word) <= width) return [word];
    /** @type {string[]} */
    const parts = [""];
    for (const letter of splitLetters(word)) {
      if (measure(parts[parts.length - 1] + letter) > width) parts.push("");
      parts[parts.length - 1] += letter;
    }
    return parts;
  });
}

/** Split a word into user-perceived characters, so that vowel signs stay with their consonants.
 * @param {string} word */
function splitLetters(word) {
  if (!Intl.Segmenter) return [...word];
  return Array.from(new Intl.Segmenter().segment(word), ({ segment }) => segment);
}

/** @param {string[]} lines @param {number} most @param {number} width @param {(text: string) => number} measure */
function cut(lines, most, width, measure) {
  const kept = lines.slice(0, most);
  const letters = splitLetters(kept[most - 1]);
  while (letters.length && measure(`${letters.join("")}…`) > width) letters.pop();
  return [...kept.slice(0, -1), `${letters.join("").trimEnd()}…`];
}
