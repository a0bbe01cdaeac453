import { askJson, faultOf } from './api.js';

/** The path of the list or search that is deleted when the page is left, or the next one is deleted. Until then, this can be undone. */
let doomed = '';

/** @param {string} path */
export function isDoomed(path) {
  return path === doomed;
}

/** @param {string} path */
export function doom(path) {
  endDoomed();
  doomed = path;
}

export function undoDoom() {
  doomed = '';
}

/** Deletes it for good. Returns whether there was something to delete. */
export function endDoomed() {
  if (doomed === '') return false;
  // keepalive: the request goes on after the page is left.
  askJson(doomed, { method: 'DELETE', keepalive: true }).catch(faultOf);
  return true;
}
