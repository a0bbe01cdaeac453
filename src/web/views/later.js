import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { html } from '../html.js';

/**
 * The view, which takes over its part of the server's page in a task of its own: what a person does in between is not kept
 * waiting for the whole page. Its part has to be one element. On the server, and once it has taken over, it is the view.
 * @template {import('preact').FunctionComponent<any>} View
 * @param {View} view
 * @returns {View}
 */
export function later(view) {
  if (typeof document === 'undefined') return view;
  const Later = lazy(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    return { default: view };
  });
  const whole = (/** @type {any} */ props) => html`<${ErrorBoundary}><${Later} ...${props} /></${ErrorBoundary}>`;
  return /** @type {View} */ (whole);
}
