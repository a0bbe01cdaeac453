import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { unfiltered, urlOf, withFilter, without } from '../search-state.js';
import { counted, valueName, word, write } from '../words.js';
import { closePopup, Field, Popup } from './parts.js';

/** @typedef {import('../search-state.js').SearchState} SearchState */
/** @typedef {import('../search-state.js').FilterInfo} FilterInfo */
/** @typedef {{ value: string, label: string, count?: number }} FacetCount */
/** @typedef {import('../account-lists.js').ListHead} ListHead */
/** @typedef {Record<string, FacetCount[]>} Facets @typedef {{ info: FilterInfo, chosen: string[] }} FilterProps */

/** How many values of a list are shown at first. Lists with more than `longList` values have a field to search them. */
const shownAtFirst = 7;
const longList = 15;

/** The filters that have a button of their own, in this order. All others are behind one button. */
const atHand = ['has_email', 'named', 'kind', 'category', 'country', 'language'];

/**
 * All filters that can tell results apart, with the number of results for each value. The controls belong to the form `search`, from
 * which the page reads its state. Filters without a control are kept there as hidden inputs.
 * @param {{ infos: readonly FilterInfo[], state: SearchState, facets: Facets | null, total: number, lists: readonly ListHead[] }} props
 */
export function Filters({ infos, state, facets, total, lists }) {
  const allProps = infos.map((info) => ({ info, chosen: state.filters.get(info.parameter) ?? [] }));
  const leftOut = lists.map(({ id }) => `!${id}`).filter((list) => state.filters.get('list')?.includes(list));
  if (lists.length > 0) allProps.push({ info: ofLists, chosen: leftOut });
  const shownProps = allProps.filter((props) => props.chosen.length > 0 || !isEmpty(props.info, facets));
  const [first = [], moreFilters = []] = [true, false].map((isAtHand) =>
    shownProps.filter(({ info }) => atHand.includes(info.parameter) === isAtHand),
  );
  const place = (/** @type {FilterProps} */ { info }) => atHand.indexOf(info.parameter);
  const control = (/** @type {FilterProps} */ props) =>
    props.info === ofLists
      ? html`<${LeaveOut} lists=${lists} chosen=${leftOut} />`
      : html`<${Control} key=${props.info.parameter} ...${props} state=${state} facets=${facets} />`;
  const hidden = [...state.filters]
    .filter(([name]) => !infos.some(({ parameter }) => parameter === name))
    .map(([name, values]) => [name, name === 'list' ? values.filter((value) => !leftOut.includes(value)) : values]);
  const count = (/** @type {readonly FilterProps[]} */ propsList) =>
    propsList.reduce((sum, { chosen }) => sum + chosen.length, 0);
  const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {FilterProps[]} */ propsList) =>
    html`<${Popup} key=${id} id="filters-${id}" shown=${count(propsList) === 0 ? label : `${label} (${write(count(propsList))})`} class="chip ${count(propsList) === 0 ? '' : 'chosen'}">
      <div class=${propsList.length > 1 ? 'many' : ''}>${propsList.map(control)}</div>
      <p class="sheet-end">
        <button form="search" class="no-script">Apply</button>
        <button type="button" class="needs-script" popovertarget="filters-${id}" popovertargetaction="hide">Show ${counted(total, 'result')}</button>
      </p>
    </${Popup}>`;
  return html`<div class="filters line" role="group" aria-label="Filters">
    ${first.toSorted((a, b) => place(a) - place(b)).map((props) => (props.info.isSwitch ? control(props) : button(props.info.parameter, props.info.label, [props])))}
    ${button('others', 'More filters', moreFilters)}
    <button form="search" class="no-script">Apply</button>
    ${hidden.map(([name, values]) => html`<${Kept} name=${name} values=${values} />`)}
  </div>`;
}

/** The filter that only accounts with lists have. @type {FilterInfo} */
const ofLists = { parameter: 'list', label: 'Not in list' };

/** Lists whose media are left out. @param {{ lists: readonly ListHead[], chosen: readonly string[] }} props */
function LeaveOut({ lists, chosen }) {
  return html`<fieldset>
    <legend>${ofLists.label}</legend>
    ${lists.map(
      ({ id, name, count }) => html`<label class="choice" key=${id}>
        <input type="checkbox" form="search" name="list" value="!${id}" checked=${chosen.includes(`!${id}`)} />
        <span dir="auto">${name}</span> <small>${write(count)}</small>
      </label>`,
    )}
  </fieldset>`;
}

/** Whether no result has a value of a filter, so that nothing could be chosen. @param {FilterInfo} info @param {Facets | null} facets */
function isEmpty({ list, histogram }, facets) {
  if (facets === null) return false;
  const counted = histogram?.list ?? list;
  return counted !== undefined && (facets[counted] ?? []).every(({ count }) => count === 0);
}

/** @param {FilterProps & { state: SearchState, facets: any }} props */
function Control({ state, facets, ...props }) {
  const { isSwitch, bound, histogram, list, values } = props.info;
  if (isSwitch) return html`<${Switch} ...${props} />`;
  if (bound !== undefined) {
    const steps = histogram && facets?.[histogram.list];
    return html`${steps && html`<${Histogram} info=${props.info} state=${state} steps=${steps} />`}<${Bound} ...${props} />
      ${props.info.parameter === 'created_since' ? html`<${Recent} state=${state} />` : null}`;
  }
  const counted = list === undefined ? values?.map((value) => ({ value })) : (facets?.[list] ?? []);
  return counted === undefined ? html`<${Open} ...${props} />` : html`<${List} ...${props} values=${counted} />`;
}

/** Values without a control of their own. @param {{ name: string, values: readonly string[] }} props */
function Kept({ name, values }) {
  return values.map((value) => html`<input key=${value} type="hidden" form="search" name=${name} value=${value} />`);
}

/** @param {FilterProps} props */
function Switch({ info: { parameter, label }, chosen }) {
  return html`<label class="choice ${atHand.includes(parameter) ? 'chip' : ''} ${chosen.length > 0 ? 'chosen' : ''}">
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

/** What came in lately. @param {{ state: SearchState }} props */
function Recent({ state }) {
  const since = (/** @type {number} */ days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const link = (/** @type {string} */ name, /** @type {number} */ days) =>
    html`<a class="chip" href=${urlOf(withFilter(state, 'created_since', since(days)))} onClick=${closePopup}>${name}</a>`;
  return html`<p class="line">${link('New this week', 7)} ${link('New this month', 30)}</p>`;
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
  const entries = values.map((entry) => ({ ...entry, label: valueName(list, entry) }));
  const matching = entries.filter((entry) =>
    `${entry.label} ${entry.value}`.toLowerCase().includes(sought.toLowerCase()),
  );
  const most = Math.max(...values.map(({ count = 0 }) => count));
  const first = isWhole ? matching : matching.slice(0, shownAtFirst);
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
      matching.length > shownAtFirst
        ? html`<button type="button" class="quiet needs-script" aria-expanded=${isWhole} onClick=${() => open(!isWhole)}>
            ${isWhole ? 'Show fewer' : `Show all ${write(matching.length)}`}<span class="unseen">${' '}of ${label.toLowerCase()}</span>
          </button>`
        : null
    }
  </fieldset>`;
}

/** A bar behind a value. Its length is an attribute: the policy of the pages allows no styles. @param {{ part: number, of: number }} props */
function Share({ part, of }) {
  return html`<svg class="share" aria-hidden="true" width="${Math.round((100 * part) / of)}%"></svg>`;
}

/** From `min` to `max`, both inclusive. @typedef {{ min: number, max: number | null, count: number }} Step */

/**
 * How many results each step of the audience has. A click on a step asks for this audience or a larger one. With a keyboard, the
 * field below does the same. `info`: the filter of the lower bound.
 * @param {{ info: FilterInfo, state: SearchState, steps: readonly Step[] }} props
 */
function Histogram({ info: { parameter: lower, histogram }, state, steps }) {
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

/** What is chosen, each with a link that undoes it. @param {{ infos: readonly FilterInfo[], state: SearchState, facets: Facets | null, lists: readonly ListHead[] }} props */
export function Chips({ infos, state, facets, lists }) {
  const chips = [...state.filters].flatMap(([parameter, values]) => values.map((value) => ({ parameter, value })));
  if (chips.length === 0) return null;
  return html`<ul class="chips line" role="list" aria-label="Chosen filters">
    ${chips.map(
      ({ parameter, value }) => html`<li key="${parameter} ${value}">
        <a class="chip chosen" href=${urlOf(without(state, parameter, value))}>
          <span class="unseen">Remove filter${' '}</span><bdi>${parameter === 'list' ? describeList(lists, value) : describe(infos, parameter, value, facets)}</bdi>${' '}
          <span aria-hidden="true">×</span>
        </a>
      </li>`,
    )}
    <li><a href=${urlOf(unfiltered(state))}>Clear all</a></li>
  </ul>`;
}

/** Such as `Not in list Spring launch`. Until the lists are known, without the name. @param {readonly ListHead[]} lists @param {string} value */
function describeList(lists, value) {
  const name = lists.find(({ id }) => value.replace('!', '') === id)?.name ?? '';
  return `${value.startsWith('!') ? 'Not in' : 'In'} list ${name}`.trim();
}

/** Such as `Country: Germany`, or `Country: not Germany`. @param {readonly FilterInfo[]} infos @param {string} parameter @param {string} text @param {Facets | null} facets */
function describe(infos, parameter, text, facets) {
  const info = infos.find((candidate) => candidate.parameter === parameter);
  const { label, isSwitch, list, values, bound } = info ?? /** @type {FilterInfo} */ ({ label: word(parameter) });
  if (isSwitch && text === '1') return label;
  const value = text.replace(/^!/, '');
  const entry = list === undefined ? undefined : facets?.[list]?.find((entry) => entry.value === value);
  const isClosed = list !== undefined || values !== undefined;
  const name = isClosed
    ? valueName(list, entry ?? { value })
    : bound === 'number' && /^\d+$/.test(value)
      ? write(Number(value))
      : value;
  return `${label}: ${text.startsWith('!') ? 'not ' : ''}${name}`;
}
