// Menus that close, password toggles and tab hints for every page. Pages also work without them.
import { keepNames } from "./names.js";
import "./once.js";
import "./printed.js";
import "./summons.js";
import "./times.js";
import { part } from "../elements.js";
import { gettext } from "../text.js";

/** @param {PointerEvent|KeyboardEvent} event */
function closeMenus(event) {
  const escape = "key" in event && event.key === "Escape";
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (escape || (event.type === "pointerdown" && !menu.contains(/** @type {Node} */ (event.target)))) {
      menu.removeAttribute("open");
      if (escape) part(menu, "summary").focus();
    }
  }
}

/** @param {HTMLInputElement} input */
function addPasswordToggle(input) {
  const box = document.createElement("div");
  box.className = "password-field";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "password-toggle";
  button.textContent = gettext("Show");
  button.setAttribute("aria-label", gettext("Show password"));
  button.addEventListener("click", () => {
    const hidden = input.type === "password";
    input.type = hidden ? "text" : "password";
    button.textContent = hidden ? gettext("Hide") : gettext("Show");
    button.setAttribute("aria-label", hidden ? gettext("Hide password") : gettext("Show password"));
  });
  input.replaceWith(box);
  box.append(input, button);
}

/** Replace the asterisk with the word "required". Screen readers get this information from the field.
 * @param {Element} mark */
function spellOutRequired(mark) {
  mark.textContent = gettext("required");
  mark.setAttribute("aria-hidden", "true");
}

keepNames(document);
document.addEventListener("pointerdown", closeMenus);
document.addEventListener("keydown", closeMenus);
for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[type=password]"))) addPasswordToggle(input);
for (const mark of document.querySelectorAll(".asteriskField")) spellOutRequired(mark);

/** Mark the ends of a row of tabs beyond which further tabs are hidden. @param {HTMLElement} row */
function markOverflow(row) {
  const before = row.scrollLeft > 4;
  const after = row.scrollLeft + row.clientWidth < row.scrollWidth - 4;
  row.dataset.more = `${before ? "before" : ""} ${after ? "after" : ""}`;
}

/** @param {HTMLElement} row */
function watchTabs(row) {
  const look = () => markOverflow(row);
  row.addEventListener("scroll", look, { passive: true });
  window.addEventListener("resize", look);
  new MutationObserver(look).observe(row, { childList: true });
  look();
}

for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  tab.scrollIntoView({ block: "nearest", inline: "center" });
}
for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".tabs"))) watchTabs(row);
