import { html } from '../dom.js';
import { urlOf, withFilter, without } from '../search-state.js';
import { counted, write } from '../words.js';

/** From `min` to `max`, both inclusive. @typedef {{ min: number, max: number | null, count: number }} Step */

/**
 * How many results each step of the audience has. A click on a step asks for this audience or a larger one. With a keyboard, the
 * field below does the same. `info`: the filter of the lower bound.
 * @param {{ info: import('../search-state.js').FilterInfo, state: import('../search-state.js').SearchState,
 *   steps: readonly Step[] }} props
 */
export function Histogram({ info: { parameter: lower, histogram }, state, steps }) {
  const upper = histogram?.upTo ?? '';
  const [from, to] = [lower, upper].map((bound) => state.filters.get(bound)?.[0]);
  const most = Math.max(...steps.map((step) => step.count), 1);
  const nameOf = (/** @type {Step} */ { min, max, count }) =>
    `${max === null ? `${write(min)}+` : `${write(min)}–${write(max)}`}: ${counted(count, 'result')}`;
  return html`<div class="histogram">
    <strong>Audience</strong>
    <p class="unseen">${steps.map(nameOf).join('; ')}</p>
    <svg viewBox="0 0 ${steps.length} 40" preserveAspectRatio="none" aria-hidden="true">
      ${steps.map((step, at) => {
        const { min, max, count } = step;
        // At least one pixel, so that a step with any results can be seen.
        const height = count === 0 ? 0 : Math.max(Math.round((count / most) * 40), 1);
        const isInside =
          min <= Number(to ?? Number.POSITIVE_INFINITY) && (max ?? Number.POSITIVE_INFINITY) >= Number(from ?? 0);
        const url = urlOf(withFilter(without(state, upper, to ?? ''), lower, String(min)));
        return html`<a key=${min} href=${url} tabindex="-1" class=${isInside ? 'inside' : ''}>
          <title>${nameOf(step)}</title>
          <rect class="room" x=${at} width="1" height="40" />
          <rect x=${at + 0.06} width="0.88" y=${40 - height} height=${height} />
        </a>`;
      })}
    </svg>
  </div>`;
}
