import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';

/**
 * The records in a step of a number: from `min` to `max`, both inclusive; null in the last, which has no end.
 * @typedef {{ min: number, max: number | null, count: number }} Step
 */

/**
 * How many records each step has, with two sliders that set the number fields beside them, step by step. `from` and `to`: the
 * parameters of the fields, by which they are found, and what is chosen for them.
 * @param {{ label: string, steps: readonly Step[], from: { parameter: string, label: string, value: string }, to: { parameter: string, label: string, value: string } }} props
 */
export function Histogram({ label, steps, from, to }) {
  const { text, count } = locale;
  const { filters, search } = text;
  /** Where a slider is while it is dragged. @type {[Ends | null, (ends: Ends | null) => void]} */
  const [dragged, drag] = useState(/** @type {Ends | null} */ (null));
  const { start, end } = dragged ?? endsOf(steps, from.value, to.value);
  const most = Math.max(...steps.map((step) => step.count), 1);
  const rangeOf = (/** @type {Step} */ { min, max }) =>
    max === null ? `${count(min)}+` : `${count(min)}–${count(max)}`;
  const summary = steps.map((step) => `${rangeOf(step)}: ${search.count(step.count)}`);
  /** A chosen number as it is; while a slider is dragged, the one that it would choose. @type {(chosen: string, ofStep: number | null | undefined) => string} */
  const say = (chosen, ofStep) => {
    const said = dragged === null ? chosen : (ofStep ?? '');
    return said === '' ? filters.any : count(Number(said));
  };
  const setField = (/** @type {string} */ parameter, /** @type {number | null | undefined} */ value) => {
    drag(null);
    const field = /** @type {HTMLInputElement} */ (document.querySelector(`#filter-${parameter}`));
    field.value = value == null ? '' : String(value);
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
  return html`<div class="histogram">
    <strong>${label}</strong>
    <svg viewBox="0 0 ${steps.length} 40" preserveAspectRatio="none" role="img" aria-label=${summary.join('; ')}>
      ${steps.map(
        (step, index) => html`<g key=${step.min} class=${index >= start && index < end ? 'inside' : ''}>
          <title>${summary[index]}</title>
          <rect class="room" x=${index} width="1" height="40" />
          <rect x=${index + 0.06} width="0.88" ...${barOf(step.count / most)} />
        </g>`,
      )}
    </svg>
    <div class="sliders">
      <${Slider}
        label=${filters.drag(from.label)}
        value=${start}
        max=${steps.length}
        said=${say(from.value, start === 0 ? null : steps[start]?.min)}
        onDrag=${(/** @type {number} */ to) => drag({ start: Math.min(to, end - 1), end })}
        onDrop=${() => setField(from.parameter, start === 0 ? null : steps[start]?.min)}
      />
      <${Slider}
        label=${filters.drag(to.label)}
        value=${end}
        max=${steps.length}
        said=${say(to.value, steps[end - 1]?.max)}
        onDrag=${(/** @type {number} */ to) => drag({ start, end: Math.max(to, start + 1) })}
        onDrop=${() => setField(to.parameter, steps[end - 1]?.max)}
      />
    </div>
  </div>`;
}

/**
 * Belongs to no form: what is chosen is in the fields. Its module gives it its value, so that it is never beyond the other one.
 * @param {{ label: string, value: number, max: number, said: string, onDrag: (to: number) => void, onDrop: () => void }} props
 */
function Slider({ label, value, max, said, onDrag, onDrop }) {
  return html`<input
    type="range"
    class="needs-script"
    min="0"
    max=${max}
    value=${value}
    autocomplete="off"
    aria-label=${label}
    aria-valuetext=${said}
    onInput=${(/** @type {any} */ { currentTarget }) => onDrag(Number(currentTarget.value))}
    onChange=${onDrop}
  />`;
}

/** A bar of a part of the height; whatever is there can be seen. @param {number} part */
function barOf(part) {
  const height = part === 0 ? 0 : Math.max(Math.round(part * 40), 1);
  return { y: 40 - height, height };
}

/** The first step that is chosen, and the first one after. @typedef {{ start: number, end: number }} Ends */

/**
 * The steps that the chosen numbers are in: all that have a part within them.
 * @param {readonly Step[]} steps
 * @param {string} from
 * @param {string} to
 * @returns {Ends}
 */
function endsOf(steps, from, to) {
  const holds =
    (/** @type {string} */ value) =>
    (/** @type {Step} */ { max }) =>
      max === null || Number(value) <= max;
  const start = from === '' ? 0 : steps.findIndex(holds(from));
  const end = to === '' ? steps.length : steps.findIndex(holds(to)) + 1;
  return { start, end: Math.max(end, start + 1) };
}
