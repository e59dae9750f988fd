// Parts of the page that load later: each is fetched once, when it is needed or some time after the page has
// loaded, and again after a failure.

/** Texts that the page did not load at first, in a language other than English.
 * @type {Promise<void>|null} */
let texts = null;

/** @template T @param {() => Promise<T>} load an import() @returns {() => Promise<T>} */
export function makeLater(load) {
  /** @type {Promise<T>|null} */
  let loading = null;
  return () => {
    if (!loading) {
      loading = loadTexts().then(load);
      loading.catch(() => {
        loading = null;
      });
    }
    return loading;
  };
}

/** Load the texts before the modules, which look up their texts when they start. */
function loadTexts() {
  const { texts: address } = document.getElementById("table")?.dataset ?? {};
  texts ??= address ? fetchTexts(address) : Promise.resolve();
  texts.catch(() => {
    texts = null;
  });
  return texts;
}

/** @param {string} src @returns {Promise<void>} */
function fetchTexts(src) {
  return new Promise((done, fail) => {
    document.head.append(Object.assign(document.createElement("script"), { src, onload: () => done(), onerror: fail }));
  });
}
