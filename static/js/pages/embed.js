// In a frame on another site, sends the leaderboard's height to the embedding page.

/** @param {Element} page */
function tell(page) {
  const height = Math.ceil(page.getBoundingClientRect().height);
  // Any page may receive the height, because the leaderboard is public.
  window.parent.postMessage({ lastcardHeight: height }, "*");
}

if (window.parent !== window)
  new ResizeObserver(() => tell(document.documentElement)).observe(document.documentElement);
