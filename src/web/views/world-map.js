import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { toggled, urlOf } from '../search-state.js';
import { counted, valueName } from '../words.js';

/**
 * @typedef {import('./filters.js').FacetCount} FacetCount
 * By code, from world.json: outlines as paths; where countries are too small for one, their places.
 * @typedef {{ viewBox: string, outlines: Record<string, string>,
 *   places: Record<string, readonly [x: number, y: number]> }} World
 * @typedef {{ name: string, opacity: number, url: string, isChosen: boolean }} Filled
 */

/** By magnitude, so that a country with few results is seen beside one with thousands. @param {number} count @param {number} most */
const shadeOf = (count, most) => 0.25 + (0.75 * Math.log1p(count)) / Math.log1p(most);

/**
 * For those who see and point: the filters have the same counts for everybody. Outlines are loaded when it is opened.
 * @param {{ state: import('../search-state.js').SearchState, countries: FacetCount[] }} props
 */
export function CountryMap({ state, countries }) {
  const [world, setWorld] = useState(/** @type {World | null} */ (null));
  const [isMissing, miss] = useState(false);
  const onToggle = async (/** @type {any} */ { currentTarget }) => {
    if (!currentTarget.open || world !== null) return;
    try {
      const answer = await fetch(new URL('../world.json', import.meta.url));
      if (!answer.ok) throw new Error(answer.statusText);
      setWorld(await answer.json());
    } catch {
      miss(true);
    }
  };
  return html`<details class="map needs-script" onToggle=${onToggle}>
    <summary>On a map</summary>
    ${
      world === null
        ? html`<p class="note" role="status">${isMissing ? 'The map could not be loaded. Close and open it to try again.' : 'Loading the map…'}</p>`
        : html`<${WorldMap} world=${world} state=${state} countries=${countries} />`
    }
  </details>`;
}

/** @param {{ world: World, state: import('../search-state.js').SearchState, countries: FacetCount[] }} props */
function WorldMap({ world: { viewBox, outlines, places }, state, countries }) {
  const [pointedAt, point] = useState('');
  const chosen = state.filters.get('country') ?? [];
  const most = Math.max(...countries.map(({ count = 0 }) => count), 1);
  /** @type {(code: string) => Filled | null} */
  const fill = (code) => {
    const entry = countries.find(({ value }) => value === code) ?? { value: code };
    const { count = 0 } = /** @type {FacetCount} */ (entry);
    const isChosen = chosen.includes(code);
    if (count === 0 && !isChosen) return null;
    const name = `${valueName('countries', entry)}: ${counted(count, 'result')}`;
    return { name, opacity: shadeOf(count, most), url: urlOf(toggled(state, 'country', code)), isChosen };
  };
  const shapes = [
    ...Object.entries(outlines).map(([code, d]) => ({ code, shape: html`<path d=${d} />` })),
    ...Object.entries(places).map(([code, [x, y]]) => ({ code, shape: html`<circle cx=${x} cy=${y} r="4" />` })),
  ].map((entry) => ({ ...entry, filled: fill(entry.code) }));
  // What comes later is drawn over what comes before: the outline of a choice is not cut off by its neighbors.
  const rank = (/** @type {{ filled: Filled | null }} */ { filled }) => (filled === null ? 0 : filled.isChosen ? 2 : 1);
  return html`<svg class="world" viewBox=${viewBox} aria-hidden="true" onPointerLeave=${() => point('')}>
      ${shapes
        .filter(({ code, filled }) => filled !== null || Object.hasOwn(outlines, code))
        .toSorted((a, b) => rank(a) - rank(b))
        .map(({ code, shape, filled }) =>
          filled === null
            ? html`<g key=${code} onPointerEnter=${() => point('')}>${shape}</g>`
            : html`<a
                key=${code}
                href=${filled.url}
                tabindex="-1"
                class="country ${filled.isChosen ? 'chosen' : ''}"
                fill-opacity=${filled.opacity}
                onPointerEnter=${() => point(filled.name)}
              >
                ${shape}
              </a>`,
        )}
    </svg>
    <p class="pointed" aria-hidden="true">${pointedAt}</p>
    <p class="note">The stronger its colour, the more results a country has. The list “Country” among the filters has the same counts.</p>`;
}
