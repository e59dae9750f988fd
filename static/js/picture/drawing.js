// Draws the picture of a finished match: the winners' faces, the result, the last card and the story.

import { makeSignImage, makeSymbolImage, token } from "./art.js";
import { fitLines } from "./lines.js";

export const WIDTH = 1080;
export const HEIGHT = 1350;
const MIDDLE = WIDTH / 2;
const EDGE = 90;
const FACES_AT = 365;
const MOST_FACES = 4;
const CARD = { width: 172, height: 258, x: MIDDLE, y: 942 };

/** @typedef {{headline: string, score: string, story: string, event: string, foot: string, card: string,
 *   faces: Protocol.Face[], colors: string[], sprite: string, signs: string}} Scene `card` and `colors` are names in the
 *   sprite; every text except the headline may be "" */

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
export async function draw(context, scene) {
  drawFelt(context);
  await drawShapes(context, scene);
  if (scene.event) drawText(context, scene.event, { y: 100, lines: 2, most: 46, least: 30, color: "--felt-ink", font: "--font", weight: 650 });
  await drawFaces(context, scene);
  drawText(context, scene.headline, { y: 640, lines: 2, most: 84, least: 44, color: "--bright", font: "--font-display", weight: 700 });
  if (scene.score) drawText(context, scene.score, { y: 775, lines: 1, most: 38, least: 28, color: "--felt-ink", font: "--font", weight: 600 });
  await drawCard(context, scene);
  if (scene.story) drawText(context, scene.story, { y: 1152, lines: 2, most: 48, least: 32, color: "--felt-ink", font: "--font-display", weight: 600 });
  drawFoot(context, scene);
}

/** @param {CanvasRenderingContext2D} context */
function drawFelt(context) {
  const ground = context.createLinearGradient(0, 0, WIDTH / 3, HEIGHT);
  ground.addColorStop(0, token("--felt-light"));
  ground.addColorStop(1, token("--felt-deep"));
  context.fillStyle = ground;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  drawRays(context);
  const glow = context.createRadialGradient(MIDDLE, FACES_AT, 40, MIDDLE, FACES_AT, 640);
  glow.addColorStop(0, token("--gold-glow"));
  glow.addColorStop(1, "transparent");
  context.fillStyle = glow;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.strokeStyle = token("--card-yellow");
  context.lineWidth = 6;
  context.strokeRect(27, 27, WIDTH - 54, HEIGHT - 54);
  context.lineWidth = 2;
  context.strokeRect(39, 39, WIDTH - 78, HEIGHT - 78);
}

/** @param {CanvasRenderingContext2D} context */
function drawRays(context) {
  const fading = context.createRadialGradient(MIDDLE, FACES_AT, 60, MIDDLE, FACES_AT, 760);
  fading.addColorStop(0, token("--bright-soft"));
  fading.addColorStop(1, "transparent");
  context.fillStyle = fading;
  const step = Math.PI / 12;
  for (let ray = 0; ray < 24; ray += 2) {
    context.beginPath();
    context.moveTo(MIDDLE, FACES_AT);
    context.arc(MIDDLE, FACES_AT, 760, ray * step, (ray + 1) * step);
    context.fill();
  }
}

const SKY = [[150, 250, 64, -18], [930, 240, 54, 22], [250, 430, 46, 12], [832, 420, 66, -30], [105, 480, 48, 40], [975, 480, 46, 8], [190, 900, 58, -8], [890, 910, 52, 34]];

/** Scatter the shapes of the deck's colours around the winners.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene */
async function drawShapes(context, { sprite, colors }) {
  for (const [i, [x, y, size, lean]] of SKY.entries()) {
    const color = colors[i % colors.length];
    const image = await makeSymbolImage(sprite, `s-${color}`, size, size, readProperty(`shape-${color}`, "--glow") || token("--felt-edge"));
    if (image) paintTilted(context, x, y, lean, () => context.drawImage(image, -size / 2, -size / 2, size, size));
  }
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} degrees @param {() => void} paint */
function paintTilted(context, x, y, degrees, paint) {
  context.save();
  context.translate(x, y);
  context.rotate((degrees * Math.PI) / 180);
  paint();
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
async function drawFaces(context, { faces, signs }) {
  const shown = faces.slice(0, MOST_FACES);
  const radius = shown.length > 2 ? 82 : shown.length > 1 ? 104 : 132;
  const apart = 2 * radius + 46;
  for (const [i, face] of shown.entries()) {
    await drawFace(context, face, MIDDLE + (i - (shown.length - 1) / 2) * apart, radius, signs);
  }
}

/** @param {CanvasRenderingContext2D} context @param {Protocol.Face} face @param {number} x @param {number} radius @param {string} signs */
async function drawFace(context, { tone, sign, letter }, x, radius, signs) {
  for (const [more, color] of /** @type {[number, string][]} */ ([[18, token("--gold-deep")], [14, token("--felt-deep")], [8, token("--card-yellow")], [0, readProperty(`face tone-${tone}`, "--tone") || token("--faceless")]])) {
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, FACES_AT, radius + more, 0, 2 * Math.PI);
    context.fill();
  }
  const size = radius * 1.3;
  const image = sign ? await makeSignImage(signs, sign, size) : null;
  if (image) context.drawImage(image, x - size / 2, FACES_AT - size / 2, size, size);
  else drawLetter(context, letter, x, radius);
  paintTilted(context, x, FACES_AT - radius - 26, -5, () => drawCrown(context, radius / 132));
}

/** @param {CanvasRenderingContext2D} context @param {string} letter @param {number} x @param {number} radius */
function drawLetter(context, letter, x, radius) {
  context.fillStyle = token("--card-paper");
  context.textBaseline = "middle";
  context.font = `800 ${Math.round(radius * 1.1)}px ${token("--font-figures")}`;
  context.fillText(letter, x, FACES_AT + radius * 0.06);
  context.textBaseline = "alphabetic";
}

/** Return the value of a CSS property on an element with this class. @param {string} className @param {string} property */
function readProperty(className, property) {
  const probe = Object.assign(document.createElement("span"), { className, hidden: true });
  document.body.append(probe);
  const value = getComputedStyle(probe).getPropertyValue(property).trim();
  probe.remove();
  return value;
}

/** Draw the crown of templates/tournament/closing/crown.html. @param {CanvasRenderingContext2D} context @param {number} scale */
function drawCrown(context, scale) {
  context.scale(2.6 * scale, 2.6 * scale);
  context.translate(-32, -22);
  context.fillStyle = token("--card-yellow");
  context.strokeStyle = token("--gold-deep");
  context.lineWidth = 1.5;
  const gold = new Path2D("M4 11 18 24 32 3 46 24 60 11 55 37H9Z");
  context.fill(gold);
  context.stroke(gold);
  context.fillStyle = token("--gold-deep");
  context.fill(new Path2D("M9.5 31H54.5L53.4 37H10.6Z"));
  for (const [x, y, radius, color] of /** @type {[number, number, number, string][]} */ ([[4, 10, 3.6, "--card-red"], [32, 4.5, 4, "--card-blue"], [60, 10, 3.6, "--card-green"]])) {
    context.fillStyle = token(color);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
async function drawCard(context, { sprite, card }) {
  const { width, height, x, y } = CARD;
  const image = card ? await makeSymbolImage(sprite, card, width, height) : null;
  if (!image) return;
  paintTilted(context, x, y, -4, () => {
    context.shadowColor = token("--shade-deep");
    context.shadowBlur = 40;
    context.shadowOffsetY = 18;
    context.drawImage(image, -width / 2, -height / 2, width, height);
  });
}

/** Draw a text centred horizontally in the picture, around height `y`.
 * @param {CanvasRenderingContext2D} context @param {string} text
 * @param {{y: number, lines: number, most: number, least: number, color: string, font: string, weight: number}} how
 */
function drawText(context, text, { y, lines: count, most, least, color, font, weight }) {
  const fontOf = (/** @type {number} */ size) => `${weight} ${size}px ${token(font)}`;
  const measure = (/** @type {string} */ part, /** @type {number} */ size) => {
    context.font = fontOf(size);
    return context.measureText(part).width;
  };
  const { size, lines } = fitLines(text, { width: WIDTH - 2 * EDGE, lines: count, most, least }, measure);
  context.font = fontOf(size);
  context.fillStyle = token(color);
  const leading = size * 1.22;
  lines.forEach((line, i) => context.fillText(line, MIDDLE, y + (i - (lines.length - 1) / 2) * leading + size * 0.35));
}

/** @param {CanvasRenderingContext2D} context @param {Scene} scene */
function drawFoot(context, { foot }) {
  context.fillStyle = token("--card-yellow");
  context.fillRect(MIDDLE - 60, 1226, 120, 4);
  drawText(context, foot, { y: 1268, lines: 1, most: 34, least: 22, color: "--felt-muted", font: "--font", weight: 500 });
}
