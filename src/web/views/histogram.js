import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { counted, write } from '../words.js';

/** From `min` to `max`, both inclusive. @typedef {{ min: number, max: number | null, count: number }} Step */
/** The first step that is chosen, and the first one after. @typedef {{ start: number, end: number }} Ends */

/**
 * The audience's steps, with two sliders that set the number fields below, step by step. `info`: of the lower bound.
 * @param {{ infos: readonly import('../search-state.js').FilterInfo[], info: import('../search-state.js').FilterInfo,
 *   state: import('../search-state.js').SearchState, steps: readonly Step[] }} props
 */
export function Histogram({ infos, info, state, steps }) {
  const lower = info.parameter;
  const upper = info.histogram?.upTo ?? '';
  const [from = '', to = ''] = [lower, upper].map((parameter) => state.filters.get(parameter)?.[0] ?? '');
  /** Where the sliders are while one is dragged. @type {[Ends | null, (ends: Ends | null) => void]} */
  const [dragged, drag] = useState(/** @type {Ends | null} */ (null));
  const { start, end } = dragged ?? endsOf(steps, from, to);
  const most = Math.max(...steps.map((step) => step.count), 1);
  const summary = steps.map(
    ({ min, max, count }) =>
      `${max === null ? `${write(min)}+` : `${write(min)}–${write(max)}`}: ${counted(count, 'result')}`,
  );
  /** Belongs to no form: what is chosen is in the fields. @type {(parameter: string, at: number, chosen: string, ofStep: number | null, ends: (to: number) => Ends) => any} */
  const slider = (parameter, at, chosen, ofStep, ends) => {
    const said = dragged === null ? chosen : (ofStep ?? '');
    const drop = () => {
      drag(null);
      const field = /** @type {HTMLInputElement} */ (document.querySelector(`#filter-${parameter}`));
      field.value = String(ofStep ?? '');
      field.dispatchEvent(new Event('change', { bubbles: true }));
    };
    return html`<input
      type="range"
      class="needs-script"
      min="0"
      max=${steps.length}
      value=${at}
      autocomplete="off"
      aria-label="${infos.find((known) => known.parameter === parameter)?.label}, to drag"
      aria-valuetext=${said === '' ? 'any' : write(Number(said))}
      onInput=${(/** @type {any} */ { currentTarget }) => drag(ends(Number(currentTarget.value)))}
      onChange=${drop}
    />`;
  };
  return html`<div class="histogram">
    <strong>Audience</strong>
    <svg viewBox="0 0 ${steps.length} 40" preserveAspectRatio="none" role="img" aria-label=${summary.join('; ')}>
      ${steps.map(({ min, count }, at) => {
        // Whatever is there can be seen.
        const height = count === 0 ? 0 : Math.max(Math.round((count / most) * 40), 1);
        return html`<g key=${min} class=${at >= start && at < end ? 'inside' : ''}>
          <title>${summary[at]}</title>
          <rect class="room" x=${at} width="1" height="40" />
          <rect x=${at + 0.06} width="0.88" y=${40 - height} height=${height} />
        </g>`;
      })}
    </svg>
      ${slider(lower, start, from, start === 0 ? null : (steps[start]?.min ?? null), (at) => ({ start: Math.min(at, end - 1), end }))}
      ${slider(upper, end, to, steps[end - 1]?.max ?? null, (at) => ({ start, end: Math.max(at, start + 1) }))}
  </div>`;
}

/** The steps that the chosen numbers are in: all that have a part within them. @param {readonly Step[]} steps @param {string} from @param {string} to @returns {Ends} */
function endsOf(steps, from, to) {
  const stepOf = (/** @type {string} */ value) => steps.findIndex(({ max }) => max === null || Number(value) <= max);
  const start = from === '' ? 0 : stepOf(from);
  const end = to === '' ? steps.length : stepOf(to) + 1;
  return { start, end: Math.max(end, start + 1) };
}
