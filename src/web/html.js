import htm from 'htm';
import { h } from 'preact';

// The types of the package describe it as CommonJS.
const template = /** @type {typeof import('htm').default} */ (/** @type {unknown} */ (htm));

/** Markup without a build: html`<p class=${name}>${text}</p>`. Values only ever become text. */
export const html = template.bind(h);
