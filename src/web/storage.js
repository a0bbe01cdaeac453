/**
 * Stores something for every tab of this browser.
 * @param {string} name
 * @param {unknown} value
 * @returns {boolean} false where the browser refuses: its storage is full or blocked
 */
export function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
