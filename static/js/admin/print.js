// Opens the print dialog when the page has loaded, and when the button is pressed.

const button = document.querySelector("[data-print]");

if (button) {
  button.addEventListener("click", () => window.print());
  window.addEventListener("load", () => window.print());
}
