// Loads parts of the page after the first load, on demand or some time later. Each module is fetched once; after a
// failure, the next use tries again.

/** Translated texts of the parts that load later.
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

/** Load the translated texts before a module, because modules look up their texts when they start. */
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
