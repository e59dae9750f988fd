// One command prints: the dialogue of the browser opens with the page, and again by the button.

const button = document.querySelector("[data-print]");

if (button) {
  button.addEventListener("click", () => window.print());
  window.addEventListener("load", () => window.print());
}
