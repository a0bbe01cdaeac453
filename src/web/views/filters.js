import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { unfiltered, urlOf, without } from '../search-state.js';
import { valueName, word, write } from '../words.js';
import { Histogram } from './histogram.js';
import { Field } from './parts.js';

/** @typedef {import('../search-state.js').SearchState} SearchState */
/** @typedef {import('../search-state.js').FilterInfo} FilterInfo */
/** @typedef {{ value: string, label: string, count?: number }} FacetCount */
/** @typedef {Record<string, FacetCount[]>} Facets @typedef {{ info: FilterInfo, chosen: string[] }} FilterProps */

/** How many values of a list are shown at first. Lists with more than `longList` values have a field to search them. */
const shownAtFirst = 7;
const longList = 15;

/**
 * All filters, with the number of results for each value. The controls belong to the form `search`, from which the page reads its
 * state. Filters without a control are kept there as hidden inputs.
 * @param {{ infos: readonly FilterInfo[], state: SearchState, facets: Facets | null }} props
 */
export function Filters({ infos, state, facets }) {
  const known = new Set(infos.map(({ parameter }) => parameter));
  return html`${infos.map((info) => {
    const chosen = state.filters.get(info.parameter) ?? [];
    const props = { key: info.parameter, info, chosen };
    if (info.isSwitch) return html`<${Switch} ...${props} />`;
    if (info.bound !== undefined) {
      const steps = info.histogram === undefined ? undefined : facets?.[info.histogram.list];
      return html`${steps && html`<${Histogram} key="histogram" info=${info} state=${state} steps=${steps} />`}<${Bound} ...${props} />`;
    }
    const values = info.list === undefined ? info.values?.map((value) => ({ value })) : (facets?.[info.list] ?? []);
    return values === undefined ? html`<${Open} ...${props} />` : html`<${List} ...${props} values=${values} />`;
  })}
  ${[...state.filters].filter(([name]) => !known.has(name)).map(([name, values]) => html`<${Kept} name=${name} values=${values} />`)}`;
}

/** Values without a control of their own. @param {{ name: string, values: readonly string[] }} props */
function Kept({ name, values }) {
  return values.map((value) => html`<input key=${value} type="hidden" form="search" name=${name} value=${value} />`);
}

/** @param {FilterProps} props */
function Switch({ info: { parameter, label }, chosen }) {
  return html`<label class="choice">
    <input type="checkbox" form="search" name=${parameter} value="1" checked=${chosen.includes('1')} />
    <span>${label}</span>
  </label>`;
}

/** @param {FilterProps} props */
function Bound({ info: { parameter, label, bound }, chosen: [value = ''] }) {
  return html`<div class="add-value">
    <label for="filter-${parameter}">${label}</label>
    <${Field}
      id="filter-${parameter}"
      form="search"
      name=${parameter}
      type=${value.includes('T') ? 'text' : bound}
      min=${bound === 'number' ? 0 : undefined}
      autocomplete="off"
      value=${value}
    />
  </div>`;
}

/** @param {FilterProps} props */
function Open({ info, chosen }) {
  return html`<div class="add-value">
    <label for="filter-${info.parameter}">${info.label}</label>
    <${Another} info=${info} chosen=${chosen} />
    <${Kept} name=${info.parameter} values=${chosen} />
  </div>`;
}

/** A field for a value that is not in the list. @param {FilterProps} props */
function Another({ info: { parameter, label }, chosen }) {
  return html`<div class="line">
    <${Field} id="filter-${parameter}" form="search" name=${parameter} aria-label=${label} autocomplete="off" value="" since=${String(chosen)} />
    <button form="search" class="quiet">Add<span class="unseen">${' '}${label.toLowerCase()}</span></button>
  </div>`;
}

/** @param {FilterProps & { values: FacetCount[] }} props */
function List({ info, chosen, values }) {
  const { parameter, label, list, isOpen } = info;
  const [sought, look] = useState('');
  const [isWhole, open] = useState(false);
  if (values.length === 0 && chosen.length === 0) return null;
  const entries = values.map((entry) => ({ ...entry, label: valueName(list, entry) }));
  const found = entries.filter((entry) => `${entry.label} ${entry.value}`.toLowerCase().includes(sought.toLowerCase()));
  const most = Math.max(...values.map(({ count = 0 }) => count));
  const first = isWhole ? found : found.slice(0, shownAtFirst);
  // Chosen values stay visible, even if they have no results.
  const none = { count: values.some(({ count }) => count !== undefined) ? 0 : undefined };
  const missing = chosen
    .filter((value) => !value.startsWith('!') && !first.some((entry) => entry.value === value))
    .map(
      (value) =>
        entries.find((entry) => entry.value === value) ?? { value, label: valueName(list, { value }), ...none },
    );
  return html`<fieldset>
    <legend>${label}</legend>
    ${
      values.length > longList && !isOpen
        ? html`<input
            type="search"
            class="needs-script"
            placeholder="Look up"
            aria-label="Look up in ${label.toLowerCase()}"
            value=${sought}
            onInput=${(/** @type {any} */ event) => look(event.target.value)}
          />`
        : null
    }
    ${[...missing, ...first].map(
      ({ value, label: name, count }) => html`<label class="choice" key=${value}>
        <input type="checkbox" form="search" name=${parameter} value=${value} checked=${chosen.includes(value)} />
        <span dir="auto">${name}</span>
        ${count === undefined ? null : html`<small>${write(count)}</small><${Share} part=${count} of=${most} />`}
      </label>`,
    )}
    <${Kept} name=${parameter} values=${chosen.filter((value) => value.startsWith('!'))} />
    ${isOpen ? html`<${Another} info=${info} chosen=${chosen} />` : null}
    ${
      found.length > shownAtFirst
        ? html`<button type="button" class="quiet needs-script" aria-expanded=${isWhole} onClick=${() => open(!isWhole)}>
            ${isWhole ? 'Show fewer' : `Show all ${write(found.length)}`}<span class="unseen">${' '}of ${label.toLowerCase()}</span>
          </button>`
        : null
    }
  </fieldset>`;
}

/** A bar behind a value. Its length is an attribute: the policy of the pages allows no styles. @param {{ part: number, of: number }} props */
function Share({ part, of }) {
  return html`<svg class="share" aria-hidden="true" width="${Math.round((100 * part) / of)}%"></svg>`;
}

/** What is chosen, each with a link that undoes it. @param {{ infos: readonly FilterInfo[], state: SearchState, facets: Facets | null }} props */
export function Chips({ infos, state, facets }) {
  const chips = [...state.filters].flatMap(([parameter, values]) => values.map((value) => ({ parameter, value })));
  if (chips.length === 0) return null;
  return html`<ul class="chips line" role="list" aria-label="Chosen filters">
    ${chips.map(
      ({ parameter, value }) => html`<li key="${parameter} ${value}">
        <a class="chip chosen" href=${urlOf(without(state, parameter, value))}>
          <span class="unseen">Remove filter${' '}</span><bdi>${describe(infos, parameter, value, facets)}</bdi>${' '}
          <span aria-hidden="true">×</span>
        </a>
      </li>`,
    )}
    <li><a href=${urlOf(unfiltered(state))}>Clear all</a></li>
  </ul>`;
}

/** Such as `Country: Germany`, or `Country: not Germany`. @param {readonly FilterInfo[]} infos @param {string} parameter @param {string} given @param {Facets | null} facets */
function describe(infos, parameter, given, facets) {
  const info = infos.find((known) => known.parameter === parameter);
  const { label, isSwitch, list, values, bound } = info ?? /** @type {FilterInfo} */ ({ label: word(parameter) });
  if (isSwitch && given === '1') return label;
  const value = given.replace(/^!/, '');
  const known = list === undefined ? undefined : facets?.[list]?.find((entry) => entry.value === value);
  const isClosed = list !== undefined || values !== undefined;
  const name = isClosed
    ? valueName(list, known ?? { value })
    : bound === 'number' && /^\d+$/.test(value)
      ? write(Number(value))
      : value;
  return `${label}: ${given.startsWith('!') ? 'not ' : ''}${name}`;
}
