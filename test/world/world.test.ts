import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { listCountries } from '#domain/places/countries.ts';
import world from '#web/world.json' with { type: 'json' };
import { drawWorld, worldPath } from './draw-world.ts';

describe('the map of the pages', () => {
  it('is what `npm run world` draws', async () => {
    expect(await readFile(worldPath, 'utf8')).toBe(await drawWorld());
  });

  it('knows each country by the code that filters take, once', () => {
    const known = new Set(listCountries().map(({ code }) => code));
    const drawn = [...Object.keys(world.outlines), ...Object.keys(world.places)];
    expect(drawn.filter((code) => !known.has(code))).toEqual([]);
    expect(new Set(drawn).size).toBe(drawn.length);
    const missing = [...known].filter((code) => !drawn.includes(code)).toSorted();
    // Antarctica, and what the atlas has as a part of another country or not at all.
    expect(missing).toMatchInlineSnapshot(`
      [
        "AC",
        "AQ",
        "BQ",
        "BV",
        "CC",
        "CX",
        "GF",
        "GI",
        "GP",
        "MQ",
        "RE",
        "SJ",
        "TA",
        "TK",
        "TV",
        "UM",
        "YT",
      ]
    `);
  });
});
