import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { listCountries } from '#domain/places/countries.ts';
import world from '#web/world.json' with { type: 'json' };
import { drawWorld, worldPath } from './draw-world.ts';

describe('the map of the pages', () => {
  it('is what `npm run world` draws', async () => {
    expect(await readFile(worldPath, 'utf8')).toBe(await drawWorld());
  });

  it('gives no territory with a code of its own to another country', () => {
    const { outlines, places } = world as { outlines: Record<string, string>; places: Record<string, number[]> };
    const leftmost = (code: string) =>
      Math.min(...Array.from(outlines[code]?.matchAll(/M(\d+)/g) ?? [], ([, x]) => Number(x)));
    expect(leftmost('FR')).toBeGreaterThan(480);
    expect(leftmost('GF')).toBeLessThan(400);
    expect(Object.keys(outlines)).toContain('SJ');
    expect(Object.keys(places)).toEqual(expect.arrayContaining(['GP', 'MQ', 'RE', 'YT', 'BQ', 'TK']));
  });

  it('knows each country by the code that filters take, once', () => {
    const known = new Set(listCountries().map(({ code }) => code));
    const drawn = [...Object.keys(world.outlines), ...Object.keys(world.places)];
    expect(drawn.filter((code) => !known.has(code))).toEqual([]);
    expect(new Set(drawn).size).toBe(drawn.length);
    const missing = [...known].filter((code) => !drawn.includes(code)).toSorted();
    // Antarctica, and what the atlas has not at all.
    expect(missing).toMatchInlineSnapshot(`
      [
        "AC",
        "AQ",
        "BV",
        "CC",
        "CX",
        "GI",
        "TA",
        "TV",
        "UM",
      ]
    `);
  });
});
