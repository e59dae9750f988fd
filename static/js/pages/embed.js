// In a frame on another site, tells the surrounding page the height of the leaderboard.

/** @param {Element} page */
function tell(page) {
  const height = Math.ceil(page.getBoundingClientRect().height);
  // Any surrounding page may know the height, because the leaderboard is public.
  window.parent.postMessage({ lastcardHeight: height }, "*");
}

if (window.parent !== window)
  new ResizeObserver(() => tell(document.documentElement)).observe(document.documentElement);
