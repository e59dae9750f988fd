// Parts of the page that it does without at first: each is fetched once, when it is needed or when
// the table has been at rest for a while, and again after a failure.

/** The texts that the page began without, in a language other than English.
 * @type {Promise<void>|null} */
let texts = null;

/** @template T @param {() => Promise<T>} load an import() @returns {() => Promise<T>} */
export function makeLater(load) {
  /** @type {Promise<T>|null} */
  let loading = null;
  return () => {
    loading ??= loadTexts().then(load);
    loading.catch(() => {
      loading = null;
    });
    return loading;
  };
}

/** Modules name their texts as they begin, so the texts come first. */
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
