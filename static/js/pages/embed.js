// In a frame on another site: tells the page around it how high the leaderboard is.

/** @param {Element} page */
function tell(page) {
  const height = Math.ceil(page.getBoundingClientRect().height);
  // Whoever frames it may know: everybody may, the page is public.
  window.parent.postMessage({ lastcardHeight: height }, "*");
}

if (window.parent !== window)
  new ResizeObserver(() => tell(document.documentElement)).observe(document.documentElement);
