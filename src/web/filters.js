import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { formatCount, sentence } from './format.js';
import { filterInfos } from './search-state.js';

/**
 * @typedef {import('./search-state.js').SearchState} SearchState
 * @typedef {import('./search-state.js').FilterInfo} FilterInfo
 * @typedef {{ value: string, label: string, count: number }} FacetCount
 * @typedef {Record<string, FacetCount[]>} Facets
 */

/** How many values of a list are shown at first, and how many it needs to get a lookup field. */
const shownAtFirst = 7;
const longList = 15;

/** Lists that are shown in full, and what was typed to look up values. */
const opened = new Set();
/** @type {Map<string, string>} */
const lookedFor = new Map();

/**
 * Every filter there is, with what each choice would find.
 * @param {SearchState} state
 * @param {Facets | null} facets
 * @param {(parameter: string, value: string) => void} onToggle
 * @param {() => void} redraw
 */
export function viewFilters(state, facets, onToggle, redraw) {
  return filterInfos.map((info) => {
    const chosen = state.filters.get(info.parameter) ?? [];
    if (info.isSwitch) return viewSwitch(info, chosen, onToggle);
    if (info.list !== undefined) return viewList(info, chosen, facets?.[info.list] ?? [], onToggle, redraw);
    if (info.values !== undefined) {
      const values = info.values.map((value) => ({ value, label: sentence(value), count: -1 }));
      return viewList(info, chosen, values, onToggle, redraw);
    }
    return viewOpen(info, onToggle);
  });
}

/**
 * @param {FilterInfo} info
 * @param {string[]} chosen
 * @param {(parameter: string, value: string) => void} onToggle
 */
function viewSwitch({ parameter, label }, chosen, onToggle) {
  return html`<label class="choice switch">
    <input type="checkbox" .checked=${live(chosen.includes('1'))} @change=${() => onToggle(parameter, '1')} />
    <span>${label}</span>
  </label>`;
}

/**
 * @param {FilterInfo} info
 * @param {(parameter: string, value: string) => void} onToggle
 */
function viewOpen({ parameter, label, bound }, onToggle) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const value = String(new FormData(form).get('value') ?? '').trim();
    form.reset();
    if (value !== '') onToggle(parameter, value);
  };
  return html`<form class="add-value" @submit=${submit}>
    <label for="filter-${parameter}">${label}</label>
    <div class="joined">
      <input id="filter-${parameter}" name="value" type=${bound ?? 'text'} min=${bound === 'number' ? 0 : nothing} autocomplete="off" />
      <button>Add<span class="unseen"> ${label.toLowerCase()}</span></button>
    </div>
  </form>`;
}

/**
 * @param {FilterInfo} info
 * @param {string[]} chosen
 * @param {FacetCount[]} values
 * @param {(parameter: string, value: string) => void} onToggle
 * @param {() => void} redraw
 */
function viewList({ parameter, label }, chosen, values, onToggle, redraw) {
  const sought = (lookedFor.get(parameter) ?? '').toLowerCase();
  const found = values.filter(({ value, label }) => `${label} ${value}`.toLowerCase().includes(sought));
  const isWhole = opened.has(parameter);
  const first = found.slice(0, isWhole ? found.length : shownAtFirst);
  // Chosen values stay visible, even if they have no results.
  const known = new Map(values.map((entry) => [entry.value, entry]));
  const missing = chosen
    .filter((value) => !value.startsWith('!') && !first.some((entry) => entry.value === value))
    .map((value) => known.get(value) ?? { value, label: sentence(value), count: 0 });
  const look = (/** @type {InputEvent} */ event) => {
    lookedFor.set(parameter, /** @type {HTMLInputElement} */ (event.target).value);
    redraw();
  };
  const open = () => {
    opened.has(parameter) ? opened.delete(parameter) : opened.add(parameter);
    redraw();
  };
  if (values.length === 0 && missing.length === 0) return nothing;
  return html`<fieldset>
    <legend>${label}</legend>
    ${
      values.length > longList
        ? html`<input
            type="search"
            class="look"
            placeholder="Look up"
            aria-label="Look up in ${label.toLowerCase()}"
            .value=${live(lookedFor.get(parameter) ?? '')}
            @input=${look}
          />`
        : nothing
    }
    ${[...missing, ...first].map(
      ({ value, label, count }) => html`<label class="choice">
        <input
          type="checkbox"
          .checked=${live(chosen.includes(value))}
          @change=${() => onToggle(parameter, value)}
        />
        <span>${label}</span>
        ${count < 0 ? nothing : html`<small>${formatCount(count)}</small>`}
      </label>`,
    )}
    ${
      found.length > shownAtFirst
        ? html`<button type="button" class="quiet" aria-expanded=${isWhole} @click=${open}>
            ${isWhole ? 'Show fewer' : `Show all ${formatCount(found.length)}`}
            <span class="unseen">of ${label.toLowerCase()}</span>
          </button>`
        : nothing
    }
  </fieldset>`;
}

/**
 * What is chosen, each with a way to undo it.
 * @param {SearchState} state
 * @param {Facets | null} facets
 * @param {(parameter: string, value: string) => void} onToggle
 * @param {() => void} onClear
 */
export function viewChips(state, facets, onToggle, onClear) {
  const chips = [...state.filters].flatMap(([parameter, values]) => values.map((value) => ({ parameter, value })));
  if (chips.length === 0) return nothing;
  return html`<ul class="chips" aria-label="Chosen filters">
    ${chips.map(({ parameter, value }) => {
      const text = describeChoice(parameter, value, facets);
      return html`<li>
        <button type="button" @click=${() => onToggle(parameter, value)}>
          <span class="unseen">Remove filter</span> ${text} <span aria-hidden="true">×</span>
        </button>
      </li>`;
    })}
    <li><button type="button" class="quiet" @click=${onClear}>Clear all</button></li>
  </ul>`;
}

/**
 * Such as `Country: Germany`, or `Country: not Germany`.
 * @param {string} parameter
 * @param {string} given
 * @param {Facets | null} facets
 */
function describeChoice(parameter, given, facets) {
  const info = filterInfos.find((known) => known.parameter === parameter);
  if (info?.isSwitch) return info.label;
  const isNegated = given.startsWith('!');
  const value = isNegated ? given.slice(1) : given;
  const entry = info?.list === undefined ? undefined : facets?.[info.list]?.find((known) => known.value === value);
  const isClosed = info?.list !== undefined || info?.values !== undefined;
  const label = entry?.label ?? (isClosed ? sentence(value) : value);
  return `${info?.label ?? parameter}: ${isNegated ? 'not ' : ''}${label}`;
}
