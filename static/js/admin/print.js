// Opens the browser's print dialog when the page loads, and again when the button is pressed.

const button = document.querySelector("[data-print]");

if (button) {
  button.addEventListener("click", () => window.print());
  window.addEventListener("load", () => window.print());
}
