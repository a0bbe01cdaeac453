import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { toggled, urlOf } from '../search-state.js';
import { counted, valueName, write } from '../words.js';

/**
 * @typedef {import('./filters.js').FacetCount} FacetCount
 * By code, from world.json: outlines as paths; where countries are too small for one, their places.
 * @typedef {{ viewBox: string, outlines: Record<string, string>,
 *   places: Record<string, readonly [x: number, y: number]> }} World
 * @typedef {{ name: string, shade: number, url: string, isChosen: boolean }} Filled `shade`: 1 is the lightest, 0 none
 */

const shades = 5;
/** An attribute: the policy of the pages allows no styles. A chosen country without results is seen, too. @param {number} shade */
const opacityOf = (shade) => 0.3 + 0.7 * ((shade - 1) / (shades - 1));

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
  const steps = stepsUpTo(Math.max(...countries.map(({ count = 0 }) => count), 1));
  /** @type {(code: string) => Filled | null} */
  const fill = (code) => {
    const entry = countries.find(({ value }) => value === code) ?? { value: code };
    const { count = 0 } = /** @type {FacetCount} */ (entry);
    const isChosen = chosen.includes(code);
    if (count === 0 && !isChosen) return null;
    const shade = steps.filter((least) => count >= least).length;
    const name = `${valueName('countries', entry)}: ${counted(count, 'result')}`;
    return { name, shade, url: urlOf(toggled(state, 'country', code)), isChosen };
  };
  const shapes = [
    ...Object.entries(outlines).map(([code, d]) => ({ code, shape: html`<path d=${d} />` })),
    ...Object.entries(places).map(([code, [x, y]]) => ({ code, shape: html`<circle cx=${x} cy=${y} r="4" />` })),
  ].map((entry) => ({ ...entry, filled: fill(entry.code) }));
  // What comes later is drawn over what comes before: the outline of a choice is not cut off by its neighbors.
  const rank = (/** @type {{ filled: Filled | null }} */ { filled }) => (filled === null ? 0 : filled.isChosen ? 2 : 1);
  const unmapped = countries.filter(({ value }) => !Object.hasOwn(outlines, value) && !Object.hasOwn(places, value));
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
                fill-opacity=${opacityOf(filled.shade)}
                onPointerEnter=${() => point(filled.name)}
              >
                ${shape}
              </a>`,
        )}
    </svg>
    <p class="pointed" aria-hidden="true">${pointedAt}</p>
    <${Legend} steps=${steps} />
    <p class="note">
      The list “Country” among the filters has the same counts.${' '}
      ${unmapped.length === 0 ? null : `${counted(unmapped.length, 'country is', 'countries are')} not on the map.`}
    </p>`;
}

/** Which counts each shade stands for. @param {{ steps: readonly number[] }} props */
function Legend({ steps }) {
  return html`<ul class="legend" role="list" aria-hidden="true">
    <li>Results per country</li>
    ${steps.map((least, at) => {
      const most = (steps[at + 1] ?? Number.POSITIVE_INFINITY) - 1;
      const range =
        most === Number.POSITIVE_INFINITY
          ? `${write(least)}+`
          : least === most
            ? write(least)
            : `${write(least)}–${write(most)}`;
      return html`<li key=${least}><svg fill-opacity=${opacityOf(at + 1)} viewBox="0 0 1 1"><rect width="1" height="1" /></svg> ${range}</li>`;
    })}
  </ul>`;
}

/**
 * The least count of each shade, in round numbers, each the same multiple of the last. Fewer if counts are small.
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
