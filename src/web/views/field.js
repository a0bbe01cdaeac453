import { useLayoutEffect, useRef } from 'preact/hooks';
import { html } from '../html.js';

/**
 * A field that shows `value`, and keeps what is typed into it while the page is drawn again: until `value` changes, or `since`.
 * @param {{ value: string, since?: string, [attribute: string]: any }} props
 */
export function Field({ value, since, ...attributes }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isNew = useRef(true);
  useLayoutEffect(() => {
    // What was typed before this module was there stays, too.
    if (input.current !== null && !isNew.current) input.current.value = value;
    isNew.current = false;
  }, [value, since]);
  return html`<input ref=${input} defaultValue=${value} ...${attributes} />`;
}
