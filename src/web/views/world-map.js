import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { toggled, urlOf } from '../search-state.js';
import { counted, valueName } from '../words.js';

/**
 * @typedef {import('./filters.js').FacetCount} FacetCount
 * From world.json, by country code: outlines as SVG paths, and points for countries that are too small for an outline.
 * @typedef {{ viewBox: string, outlines: Record<string, string>,
 *   places: Record<string, readonly [x: number, y: number]> }} World
 */

/** The shade of a country. Logarithmic, so that a country with few results can be seen beside one with thousands. @param {number} count @param {number} most */
const shadeOf = (count, most) => 0.25 + (0.75 * Math.log1p(count)) / Math.log1p(most);

/**
 * A map for people who see and use a mouse; everybody else finds the same counts in the filters. Loads the outlines when opened.
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
  const chosen = state.filters.get('country') ?? [];
  const most = Math.max(...countries.map(({ count = 0 }) => count), 1);
  const countedCodes = new Set(countries.map(({ value }) => value));
  const empty = chosen.filter((code) => !countedCodes.has(code)).map((value) => ({ value, count: 0 }));
  // Chosen countries are drawn last, so that their neighbors do not cover their outlines.
  const drawn = [...countries, ...empty].toSorted((a, b) => chosen.indexOf(a.value) - chosen.indexOf(b.value));
  const shapeOf = (/** @type {string} */ code) => {
    const [x, y] = places[code] ?? [];
    return outlines[code] ? html`<path d=${outlines[code]} />` : x && html`<circle cx=${x} cy=${y} r="4" />`;
  };
  return html`<svg class="world" viewBox=${viewBox} aria-hidden="true">
      ${Object.keys(outlines).map(shapeOf)}
      ${drawn.map(
        ({ count = 0, ...entry }) => html`<a
          key=${entry.value}
          href=${urlOf(toggled(state, 'country', entry.value))}
          tabindex="-1"
          class="country ${chosen.includes(entry.value) ? 'chosen' : ''}"
          fill-opacity=${shadeOf(count, most)}
        >
          <title>${valueName('countries', entry)}: ${counted(count, 'result')}</title>
          ${shapeOf(entry.value)}
        </a>`,
      )}
    </svg>
    <p class="note">The stronger its colour, the more results a country has. The list “Country” among the filters has the same counts.</p>`;
}
