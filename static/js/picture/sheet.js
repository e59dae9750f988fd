// Saves a picture of the match from the score sheet. Loads when the button is pressed.

import { find } from "../elements.js";
import { savePicture } from "./save.js";

/** @param {HTMLElement} button @param {Protocol.SheetView} data @param {Protocol.WindowView} view
 * @param {string} card name of the last card's picture */
export function saveSheet(button, { winners, rows, story }, { seats, match, colors }, card) {
  const { event = "", sprite = "", signs = "" } = find("table").dataset;
  const points = rows.find(({ seat }) => seat === winners[0])?.total ?? null;
  return savePicture(button, {
    names: winners.map((seat) => seats[seat].name), faces: winners.map((seat) => seats[seat].face), points, story, event,
    heading: match.title, at: "", card, colors: colors.map(({ color }) => color), sprite, signs,
  });
}
