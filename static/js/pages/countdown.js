// Shows the remaining time of a round.

function show() {
  /** @type {HTMLElement|null} */
  const clock = document.querySelector("[data-until]");
  if (!clock) return;
  const seconds = Math.max(0, Math.ceil((Date.parse(clock.dataset.until ?? "") - Date.now()) / 1000));
  clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

show();
setInterval(show, 1000);
