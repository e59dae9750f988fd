// Small conveniences on every page; each page works without them.
import "./once.js";
import "./summons.js";
import "./times.js";
import { gettext } from "../text.js";

function closeMenus(event) {
  const escape = event.type === "keydown" && event.key === "Escape";
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (escape || (event.type === "pointerdown" && !menu.contains(event.target))) {
      menu.removeAttribute("open");
      if (escape) menu.querySelector("summary").focus();
    }
  }
}

function addPasswordToggle(input) {
  const box = document.createElement("div");
  box.className = "password-field";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "password-toggle";
  button.textContent = gettext("Show");
  button.setAttribute("aria-label", gettext("Show the password"));
  button.addEventListener("click", () => {
    const hidden = input.type === "password";
    input.type = hidden ? "text" : "password";
    button.textContent = hidden ? gettext("Hide") : gettext("Show");
    button.setAttribute("aria-label", hidden ? gettext("Hide the password") : gettext("Show the password"));
  });
  input.replaceWith(box);
  box.append(input, button);
}

/** The asterisk as a word; screen readers have it from the field itself. */
function sayRequired(mark) {
  mark.textContent = gettext("required");
  mark.setAttribute("aria-hidden", "true");
}

document.querySelector("[data-print]")?.addEventListener("click", () => window.print());
document.addEventListener("pointerdown", closeMenus);
document.addEventListener("keydown", closeMenus);
for (const input of document.querySelectorAll("input[type=password]")) addPasswordToggle(input);
for (const mark of document.querySelectorAll(".asteriskField")) sayRequired(mark);

// Says at which ends of a row of tabs there are more than fit.
function hintAtMore(row) {
  const before = row.scrollLeft > 4;
  const after = row.scrollLeft + row.clientWidth < row.scrollWidth - 4;
  row.dataset.more = `${before ? "before" : ""} ${after ? "after" : ""}`;
}

function watchTabs(row) {
  const look = () => hintAtMore(row);
  row.addEventListener("scroll", look, { passive: true });
  window.addEventListener("resize", look);
  new MutationObserver(look).observe(row, { childList: true });
  look();
}

for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  tab.scrollIntoView({ block: "nearest", inline: "center" });
}
for (const row of document.querySelectorAll(".tabs")) watchTabs(row);
