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
