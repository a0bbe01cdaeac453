import { askJson, faultOf } from './api.js';

/**
 * What was done, or a question that stays until it is answered. `act`: what undoes it or says yes, under this label.
 * @typedef {{ said: string, act: (() => void) | null, label?: string, stays?: true }} Done
 */

/** How long a message about what was done stays, in milliseconds, unless somebody is at it. */
const messageMs = 8_000;

/** Shows what was done, for a while. @param {HTMLElement} place @param {() => void} draw */
export function createMessage(place, draw) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaving;
  const message = {
    /** @type {Done | null} */
    done: null,
    /** @param {Done | null} next */
    tell(next) {
      clearTimeout(leaving);
      message.done = next;
      if (next !== null && !next.stays) leaving = setTimeout(leave, messageMs);
    },
  };
  function leave() {
    const isUsed = place.querySelector('.done:is(:hover, :focus-within)') !== null;
    message.tell(isUsed ? message.done : null);
    draw();
  }
  return message;
}

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
