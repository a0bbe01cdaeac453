import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { toggled, urlOf } from '../search-state.js';
import { useRoot } from './parts.js';

/**
 * @typedef {import('../search-state.js').SearchState} SearchState
 * @typedef {import('./filters.js').FacetCount} FacetCount
 * What world.json has, by code: the outlines of countries as paths, and where those are that are too small for one.
 * @typedef {{ viewBox: string, outlines: Record<string, string>, places: Record<string, readonly [x: number, y: number]> }} World
 * A country to fill in. `shade`: from 1, the lightest; 0 for none. `url`: where a press on it leads.
 * @typedef {{ name: string, shade: number, url: string, isChosen: boolean }} Filled
 */

/** How many shades there are. */
const shades = 5;
/** An attribute: the policy of the pages allows no styles. A chosen country without results is seen, too. @param {number} shade */
const opacityOf = (shade) => 0.3 + 0.7 * ((shade - 1) / (shades - 1));

/**
 * The world with the countries of the results, shaded by their counts. A press filters by a country. It is for those who
 * see and point: the list of countries among the filters has the same counts for everybody.
 * @param {{ state: SearchState, countries: FacetCount[] }} props
 */
export function CountryMap({ state, countries }) {
  const { text, value: nameOf } = locale;
  const { map } = text;
  const [pointedAt, point] = useState('');
  const chosen = new Set(state.filters.get('country'));
  const steps = stepsUpTo(Math.max(...countries.map(({ count = 0 }) => count), 1));
  const entries = new Map(countries.map((entry) => [entry.value, entry]));
  /** @type {(code: string) => Filled | null} */
  const fill = (code) => {
    const { count = 0, ...entry } = entries.get(code) ?? { value: code };
    const isChosen = chosen.has(code);
    if (count === 0 && !isChosen) return null;
    return {
      name: `${nameOf('countries', entry)}: ${text.search.count(count)}`,
      shade: steps.filter((least) => count >= least).length,
      url: urlOf(toggled(state, 'country', code)),
      isChosen,
    };
  };
  return html`<${OpenedMap} heading=${map.heading}>
    ${(/** @type {World} */ world) => html`<${WorldMap} world=${world} fill=${fill} onPoint=${point} />
      <p class="pointed" aria-hidden="true">${pointedAt}</p>
      <${Legend} steps=${steps} />
      <p class="note">${map.list} <${Unmapped} world=${world} countries=${countries} /></p>`}
  </${OpenedMap}>`;
}

/** Where one record is. @param {{ code: string, name: string }} props */
export function PlaceMap({ code, name }) {
  const { map } = locale.text;
  const root = useRoot();
  /** @type {(known: string) => Filled | null} */
  const fill = (known) =>
    known === code ? { name, shade: shades, url: `${root}?country=${code}`, isChosen: true } : null;
  return html`<${OpenedMap} heading=${map.heading}>
    ${(/** @type {World} */ world) => html`<${WorldMap} world=${world} fill=${fill} onPoint=${() => {}} />`}
  </${OpenedMap}>`;
}

/** What shows a map when it is opened: only then are the outlines loaded. @param {{ heading: string, children: (world: World) => any }} props */
function OpenedMap({ heading, children }) {
  const { map } = locale.text;
  const [world, setWorld] = useState(/** @type {World | null} */ (null));
  const [isMissing, miss] = useState(false);
  const onToggle = async (/** @type {any} */ event) => {
    if (!event.currentTarget.open || world !== null) return;
    try {
      const answer = await fetch(new URL('../world.json', import.meta.url));
      if (!answer.ok) throw new Error(answer.statusText);
      setWorld(await answer.json());
    } catch {
      // The next opening tries again.
      miss(true);
    }
  };
  return html`<details class="map needs-script" onToggle=${onToggle}>
    <summary>${heading}</summary>
    ${world === null ? html`<p class="note" role="status">${isMissing ? map.missing : map.loading}</p>` : children(world)}
  </details>`;
}

/** @param {{ world: World, fill: (code: string) => Filled | null, onPoint: (name: string) => void }} props */
function WorldMap({ world: { viewBox, outlines, places }, fill, onPoint }) {
  const shapes = [
    ...Object.entries(outlines).map(([code, d]) => ({ code, shape: html`<path d=${d} />` })),
    ...Object.entries(places).map(([code, [x, y]]) => ({ code, shape: html`<circle cx=${x} cy=${y} r="4" />` })),
  ].map((entry) => ({ ...entry, filled: fill(entry.code) }));
  // What comes later is drawn over what comes before: the outline of a choice is not cut off by its neighbors.
  const rank = (/** @type {{ filled: Filled | null }} */ { filled }) => (filled === null ? 0 : filled.isChosen ? 2 : 1);
  return html`<svg class="world" viewBox=${viewBox} aria-hidden="true" onPointerLeave=${() => onPoint('')}>
    ${shapes
      .filter(({ code, filled }) => filled !== null || Object.hasOwn(outlines, code))
      .toSorted((a, b) => rank(a) - rank(b))
      .map(({ code, shape, filled }) =>
        filled === null
          ? html`<g key=${code} onPointerEnter=${() => onPoint('')}>${shape}</g>`
          : html`<a
              key=${code}
              href=${filled.url}
              tabindex="-1"
              class="country ${filled.isChosen ? 'chosen' : ''}"
              fill-opacity=${opacityOf(filled.shade)}
              onPointerEnter=${() => onPoint(filled.name)}
            >
              ${shape}
            </a>`,
      )}
  </svg>`;
}

/** Which counts each shade stands for. @param {{ steps: readonly number[] }} props */
function Legend({ steps }) {
  const { text, count } = locale;
  return html`<ul class="legend" role="list" aria-hidden="true">
    <li>${text.map.legend}</li>
    ${steps.map((least, index) => {
      const most = steps[index + 1];
      const range =
        most === undefined
          ? `${count(least)}+`
          : least === most - 1
            ? count(least)
            : `${count(least)}–${count(most - 1)}`;
      return html`<li key=${least}><svg fill-opacity=${opacityOf(index + 1)} viewBox="0 0 1 1"><rect width="1" height="1" /></svg> ${range}</li>`;
    })}
  </ul>`;
}

/** Says how many countries have results and no place on the map. @param {{ world: World, countries: FacetCount[] }} props */
function Unmapped({ world: { outlines, places }, countries }) {
  const { map } = locale.text;
  const missing = countries.filter(({ value }) => !Object.hasOwn(outlines, value) && !Object.hasOwn(places, value));
  return missing.length === 0 ? null : map.unmapped(missing.length);
}

/**
 * The least count of each shade, from 1: as many steps as there are shades, each the same multiple of the one before, in
 * round numbers. Fewer where counts are small.
 * @param {number} most
 */
function stepsUpTo(most) {
  const steps = Array.from({ length: shades }, (_, index) => {
    const exact = most ** (index / shades);
    const unit = 10 ** Math.floor(Math.log10(exact));
    return Math.ceil(exact / unit) * unit;
  });
  return [...new Set(steps)].filter((least) => least <= most);
}
