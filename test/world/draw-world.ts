import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type GeoPermissibleObjects, geoCentroid, geoEqualEarth, geoPath } from 'd3-geo';
import type { Feature, Geometry, Position } from 'geojson';
import isoCountries from 'i18n-iso-countries';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Where the map of the pages is. */
export const worldPath = new URL('../../src/web/world.json', import.meta.url);

const width = 1000;

/** What the atlas has without an ISO code, or apart from the country that has it. */
const codesByName: Readonly<Record<string, string>> = { Kosovo: 'XK', 'N. Cyprus': 'CY', Somaliland: 'SO' };

/** What the atlas has as a part of another country although it has a code: within these degrees west, south, east and north. */
const parts = [
  { code: 'GF', of: 'FR', within: [-55, 2, -51, 6] },
  { code: 'GP', of: 'FR', within: [-62, 15.7, -61, 16.6] },
  { code: 'MQ', of: 'FR', within: [-61.3, 14.3, -60.7, 15] },
  { code: 'RE', of: 'FR', within: [55, -22, 56, -20] },
  { code: 'YT', of: 'FR', within: [44, -14, 46, -12] },
  { code: 'SJ', of: 'NO', within: [8, 74, 36, 82] },
  { code: 'BQ', of: 'NL', within: [-69, 11, -62, 19] },
  { code: 'TK', of: 'NZ', within: [-174, -11, -170, -8] },
] as const;

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
    type: 'GeometryCollection',
    geometries: countries.map(({ shape }) => shape),
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
    .features.flatMap(splitParts)
    .filter(({ code }) => code !== '' && !leftOut.has(code))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

/** The shape of a country, and of each of its parts that has a code of its own. */
function splitParts(country: Feature<Geometry, { name: string }>) {
  const owner = codeOf(country);
  const byCode = Map.groupBy(listPolygons(country.geometry), (coordinates) => {
    const [x, y] = geoCentroid({ type: 'Polygon', coordinates });
    const isIn = ([west, south, east, north]: (typeof parts)[number]['within']) =>
      west < x && x < east && south < y && y < north;
    return parts.find(({ of, within }) => of === owner && isIn(within))?.code ?? owner;
  });
  return Array.from(byCode, ([code, coordinates]) => ({ code, shape: { type: 'MultiPolygon' as const, coordinates } }));
}

function listPolygons(geometry: Geometry): Position[][][] {
  if (geometry.type === 'MultiPolygon') return geometry.coordinates;
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  throw new Error(`The atlas has a ${geometry.type} as a country.`);
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
