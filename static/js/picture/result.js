// The button that saves a picture of a match on its result page. The drawing code loads on demand.

import { find } from "../elements.js";

const facts = document.getElementById("picture");

if (facts) {
  const button = find("save-picture");
  const { event = "", sprite = "", signs = "" } = button.dataset;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const { savePicture } = await import("./save.js");
    await savePicture(button, { ...JSON.parse(facts.textContent ?? ""), event, sprite, signs });
  });
}
