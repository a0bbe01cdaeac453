import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type GeoPermissibleObjects, geoCentroid, geoEqualEarth, geoPath } from 'd3-geo';
import isoCountries from 'i18n-iso-countries';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Where the map of the pages is. */
export const worldPath = new URL('../../src/web/world.json', import.meta.url);

const width = 1000;

/** What the atlas has without an ISO code, or apart from the country that has it. */
const codesByName: Readonly<Record<string, string>> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' };

/** No place for it at the foot of a map that is wider than high. */
const leftOut = new Set(['AQ']);

/**
 * The map as JSON, from the package world-atlas (Natural Earth, public domain): the outline of each country as the `d` of an SVG path, and the place of those that are too
 * small for one, by ISO 3166-1 alpha-2 code.
 */
export async function drawWorld(): Promise<string> {
  const countries = await readCountries('countries-110m.json');
  const small = await readCountries('countries-50m.json');
  const everything: GeoPermissibleObjects = {
    type: 'FeatureCollection',
    features: countries.map(({ shape }) => shape),
  };
  const projection = geoEqualEarth().fitWidth(width, everything);
  const height = Math.ceil(geoPath(projection).bounds(everything)[1][1]);
  const draw = geoPath(projection);

  const outlines = new Map<string, string>();
  for (const { code, shape } of countries) {
    outlines.set(code, (outlines.get(code) ?? '') + shorten(draw(shape) ?? ''));
  }
  const places = new Map<string, readonly number[]>();
  for (const { code, shape } of small) {
    if (!outlines.has(code)) places.set(code, (projection(geoCentroid(shape)) ?? []).map(Math.round));
  }
  return `{
  "viewBox": "0 0 ${width} ${height}",
  "outlines": {
${listEntries(outlines)}
  },
  "places": {
${listEntries(places)}
  }
}
`;
}

/** The countries of a file of the atlas, in the order of their codes. */
async function readCountries(file: string) {
  const path = createRequire(import.meta.url).resolve(`world-atlas/${file}`);
  const world: Topology<{ countries: GeometryCollection<{ name: string }> }> = JSON.parse(await readFile(path, 'utf8'));
  return feature(world, world.objects.countries)
    .features.map((shape) => ({ code: codeOf(shape), shape }))
    .filter(({ code }) => code !== '' && !leftOut.has(code))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

function codeOf({ id, properties }: { id?: string | number | undefined; properties: { name: string } }): string {
  return codesByName[properties.name] ?? isoCountries.numericToAlpha2(String(id)) ?? '';
}

/** The same path in whole numbers, each point from the one before, without points that coincide. */
function shorten(path: string): string {
  const rings = path.split('M').filter((ring) => ring !== '');
  return rings.map((ring) => shortenRing(ring.replace('Z', '').split('L'))).join('');
}

function shortenRing(points: readonly string[]): string {
  const numbers = points.map((point) => point.split(',').map((number) => Math.round(Number(number))));
  const [[startX = 0, startY = 0] = []] = numbers;
  let [x, y] = [startX, startY];
  const steps: string[] = [];
  for (const [nextX = 0, nextY = 0] of numbers) {
    if (nextX === x && nextY === y) continue;
    steps.push(`${nextX - x}${nextY < y ? '' : ' '}${nextY - y}`);
    [x, y] = [nextX, nextY];
  }
  return steps.length < 2 ? '' : `M${startX} ${startY}l${steps.join(' ').replaceAll(' -', '-')}z`;
}

function listEntries(entries: ReadonlyMap<string, unknown>): string {
  return Array.from(entries, ([code, value]) => `    "${code}": ${JSON.stringify(value).replaceAll(',', ', ')}`).join(
    ',\n',
  );
}
