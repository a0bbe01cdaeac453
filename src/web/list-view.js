/** What the URL of the page of lists says. @typedef {{ list: string, status: string, sort: string, page: string, columns: string }} ListView */

/** @returns {ListView} */
export function readView() {
  const given = new URLSearchParams(location.search);
  const read = (/** @type {string} */ name) => given.get(name) ?? '';
  return {
    list: read('list'),
    status: read('status'),
    sort: read('sort'),
    page: read('page'),
    columns: read('columns'),
  };
}

/** @param {ListView} view @param {string} [record] what is open beside it */
export function urlOfView(view, record = '') {
  const given = Object.entries({ ...view, record }).filter(([, value]) => value !== '');
  return given.length === 0 ? './lists' : `./lists?${new URLSearchParams(given)}`;
}
