import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { roomForLinks, urlOf, without } from '../search-state.js';
import { Histogram } from './histogram.js';
import { Field } from './parts.js';

/**
 * @typedef {import('../search-state.js').SearchState} SearchState
 * @typedef {import('../search-state.js').FilterInfo} FilterInfo
 * @typedef {{ value: string, label: string, count?: number }} FacetCount
 * @typedef {Record<string, FacetCount[]>} Facets
 */

/** How many values of a list are shown at first, and how many it needs to get a field to look them up. */
const shownAtFirst = 7;
const longList = 15;

/**
 * Every filter there is, with what each choice would find. Its controls belong to the form `search`, which is the state:
 * what has no control is kept by a hidden one.
 * @param {{ infos: readonly FilterInfo[], state: SearchState, facets: Facets | null }} props
 */
export function Filters({ infos, state, facets }) {
  const known = new Set(infos.map(({ parameter }) => parameter));
  return html`${infos.map((info) => {
    const chosen = state.filters.get(info.parameter) ?? [];
    const props = { key: info.parameter, info, chosen };
    if (info.isSwitch) return html`<${Switch} ...${props} />`;
    if (info.histogram !== undefined)
      return html`<${Drawn} ...${props} infos=${infos} state=${state} facets=${facets} />`;
    if (info.bound !== undefined) return html`<${Bound} ...${props} />`;
    const values = info.list === undefined ? info.values?.map((value) => ({ value })) : (facets?.[info.list] ?? []);
    return values === undefined ? html`<${Open} ...${props} />` : html`<${List} ...${props} values=${values} />`;
  })}
  ${[...state.filters].filter(([name]) => !known.has(name)).map(([name, values]) => html`<${Kept} name=${name} values=${values} />`)}`;
}

/** Values without a control of their own. @param {{ name: string, values: readonly string[] }} props */
function Kept({ name, values }) {
  return values.map((value) => html`<input key=${value} type="hidden" form="search" name=${name} value=${value} />`);
}

/** @param {{ info: FilterInfo, chosen: string[] }} props */
function Switch({ info, chosen }) {
  const label = useLabel(info);
  const isOn = chosen.includes('1');
  return html`<label class="choice switch">
      <input type="checkbox" form="search" name=${info.parameter} value="1" checked=${isOn} />
      <span>${label}</span>
    </label>
    <${Kept} name=${info.parameter} values=${chosen.filter((value) => value !== '1')} />`;
}

/** A day and a time, as in a link of a program: a field for days cannot hold it. */
const dayAndTime = /^\d{4}-\d{2}-\d{2}T/;

/** Writes 1e3, which a field for numbers takes too, as the digits that the API takes. @param {any} event */
function writeDigits({ currentTarget }) {
  const { valueAsNumber } = currentTarget;
  if (Number.isSafeInteger(valueAsNumber)) currentTarget.value = String(valueAsNumber);
}

/** @param {{ info: FilterInfo, chosen: string[] }} props */
function Bound({ info, chosen }) {
  const label = useLabel(info);
  const { parameter, bound } = info;
  const [value = ''] = chosen;
  const isTime = bound === 'date' && dayAndTime.test(value);
  return html`<div class="add-value">
    <label for="filter-${parameter}">${label}${isTime ? ' (UTC)' : null}</label>
    <${Field}
      id="filter-${parameter}"
      form="search"
      name=${parameter}
      type=${isTime ? 'datetime-local' : bound}
      step=${isTime ? 'any' : undefined}
      min=${bound === 'number' ? 0 : undefined}
      onChange=${bound === 'number' ? writeDigits : undefined}
      autocomplete="off"
      value=${value}
    />
  </div>`;
}

/**
 * The lower bound of a range, below a histogram of what the range bounds.
 * @param {{ info: FilterInfo, chosen: string[], infos: readonly FilterInfo[], state: SearchState, facets: Facets | null }} props
 */
function Drawn({ info, chosen, infos, state, facets }) {
  const { table } = locale.text;
  const label = useLabel(info);
  const { list = '', upTo = '' } = info.histogram ?? {};
  const other = infos.find(({ parameter }) => parameter === upTo) ?? info;
  const otherLabel = useLabel(other);
  const steps = /** @type {import('./histogram.js').Step[] | undefined} */ (/** @type {unknown} */ (facets?.[list]));
  const [from = ''] = chosen;
  const [to = ''] = state.filters.get(upTo) ?? [];
  return html`${
    steps === undefined
      ? null
      : html`<${Histogram}
          label=${table.columns.audience}
          steps=${steps}
          from=${{ parameter: info.parameter, label, value: from }}
          to=${{ parameter: upTo, label: otherLabel, value: to }}
        />`
  }<${Bound} info=${info} chosen=${chosen} />`;
}

/** @param {{ info: FilterInfo, chosen: string[] }} props */
function Open({ info, chosen }) {
  const label = useLabel(info);
  const { parameter } = info;
  return html`<div class="add-value">
    <label for="filter-${parameter}">${label}</label>
    <${Another} info=${info} chosen=${chosen} />
    <${Kept} name=${parameter} values=${chosen} />
  </div>`;
}

/** Takes a value that is in no list. @param {{ info: FilterInfo, chosen: string[] }} props */
function Another({ info, chosen }) {
  const { filters } = locale.text;
  const { parameter } = info;
  const label = useLabel(info);
  return html`<div class="joined">
    <${Field} id="filter-${parameter}" form="search" name=${parameter} aria-label=${label} autocomplete="off" value="" since=${String(chosen)} />
    <button form="search" class="quiet">${filters.add}<span class="unseen">${' '}${label.toLowerCase()}</span></button>
  </div>`;
}

/** @param {{ info: FilterInfo, chosen: string[], values: FacetCount[] }} props */
function List({ info, chosen, values }) {
  const { text, count: format, value: nameOf } = locale;
  const { filters } = text;
  const [sought, look] = useState('');
  const [isWhole, open] = useState(false);
  const label = useLabel(info);
  const { parameter } = info;
  const entries = values.map((entry) => ({ ...entry, label: nameOf(info.list, entry) }));
  const found = entries.filter((entry) => `${entry.label} ${entry.value}`.toLowerCase().includes(sought.toLowerCase()));
  const most = Math.max(...values.map(({ count = 0 }) => count));
  const isCounted = values.some((entry) => entry.count !== undefined);
  const first = found.slice(0, isWhole ? found.length : shownAtFirst);
  // Chosen values stay visible, even if they have no results.
  const known = new Map(entries.map((entry) => [entry.value, entry]));
  const missing = chosen
    .filter((value) => !value.startsWith('!') && !first.some((entry) => entry.value === value))
    .map((value) => known.get(value) ?? { value, label: nameOf(info.list, { value }), ...(isCounted && { count: 0 }) });
  if (values.length === 0 && chosen.length === 0) return null;
  return html`<fieldset>
    <legend>${label}</legend>
    ${
      values.length > longList && !info.isOpen
        ? html`<input
            type="search"
            class="look needs-script"
            placeholder=${filters.lookUp}
            aria-label=${filters.lookUpIn(label)}
            value=${sought}
            onInput=${(/** @type {any} */ event) => look(event.target.value)}
          />`
        : null
    }
    ${[...missing, ...first].map(
      ({ value, label: name, count }) => html`<label class="choice" key=${value}>
        <input type="checkbox" form="search" name=${parameter} value=${value} checked=${chosen.includes(value)} />
        <span dir="auto">${name}</span>
        ${count === undefined ? null : html`<small>${format(count)}</small><${Share} part=${count} of=${most} />`}
      </label>`,
    )}
    <${Kept} name=${parameter} values=${chosen.filter((value) => value.startsWith('!'))} />
    ${info.isOpen ? html`<${Another} info=${info} chosen=${chosen} />` : null}
    ${
      found.length > shownAtFirst
        ? html`<button type="button" class="quiet needs-script" aria-expanded=${isWhole} onClick=${() => open(!isWhole)}>
            ${isWhole ? filters.showFewer : filters.showAll(found.length)}
            <span class="unseen">${' '}${filters.ofList(label)}</span>
          </button>`
        : null
    }
  </fieldset>`;
}

/** A bar behind a value. Its length is an attribute: the policy of the pages allows no styles. @param {{ part: number, of: number }} props */
function Share({ part, of }) {
  return html`<svg class="share" aria-hidden="true"><rect width="${Math.round((100 * part) / of)}%" height="100%" rx="3" /></svg>`;
}

/** @param {FilterInfo} info */
function useLabel({ parameter, label }) {
  const { labels } = locale.text.filters;
  return (Object.hasOwn(labels, parameter) ? labels[parameter] : undefined) ?? label;
}

/**
 * What is chosen, each with a link that undoes it.
 * @param {{ infos: readonly FilterInfo[], state: SearchState, facets: Facets | null }} props
 */
export function Chips({ infos, state, facets }) {
  const { text, count } = locale;
  const { filters } = text;
  const chips = [...state.filters].flatMap(([parameter, values]) => values.map((value) => ({ parameter, value })));
  if (chips.length === 0) return null;
  const room = roomForLinks(state);
  return html`<ul class="chips" role="list" aria-label=${filters.chosen}>
    ${chips.slice(0, room).map(
      ({ parameter, value }) => html`<li key="${parameter} ${value}">
        <a class="chip chosen" href=${urlOf(without(state, parameter, value))}>
          <span class="unseen">${filters.remove}${' '}</span>
          <${Choice} infos=${infos} parameter=${parameter} given=${value} facets=${facets} />${' '}
          <span aria-hidden="true">×</span>
        </a>
      </li>`,
    )}
    ${chips.length > room ? html`<li>+ ${count(chips.length - room)}</li>` : null}
    <li><a href=${urlOf({ ...state, filters: new Map(), page: 1 })}>${filters.clear}</a></li>
  </ul>`;
}

/**
 * Such as `Country: Germany`, or `Country: not Germany`.
 * @param {{ infos: readonly FilterInfo[], parameter: string, given: string, facets: Facets | null }} props
 */
function Choice({ infos, parameter, given, facets }) {
  const { text, count, value: nameOf } = locale;
  const info = infos.find((known) => known.parameter === parameter) ?? { parameter, label: parameter };
  const name = useLabel(info);
  if (info.isSwitch && given === '1') return name;
  const isNegated = given.startsWith('!');
  const value = isNegated ? given.slice(1) : given;
  const entry = info.list === undefined ? undefined : facets?.[info.list]?.find((known) => known.value === value);
  const isClosed = info.list !== undefined || info.values !== undefined;
  const open = info.bound === 'number' && /^\d+$/.test(value) ? count(Number(value)) : value;
  return html`<bdi>${text.filters.describe(name, isClosed ? nameOf(info.list, entry ?? { value }) : open, isNegated)}</bdi>`;
}
