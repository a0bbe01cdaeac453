import { expect, it } from 'vitest';
import { placeKey } from '#domain/places/place-key.ts';

it('is the same for all spellings of a place, and for no other', () => {
  const key = (country: string | null, region: string | null, city: string | null) =>
    placeKey({ country, region, city });
  expect(key('US', 'TX', 'austin')).toBe(key('US', 'Texas', 'Austin'));
  for (const city of ['Munich', 'Muenchen']) expect(key('DE', 'BY', city)).toBe(key('DE', 'Bavaria', 'München'));
  expect(key('DE', null, 'Wuerzburg')).toBe(key('DE', null, 'Würzburg'));
  expect(key('US', 'TX', 'Paris')).not.toBe(key('US', 'Maine', 'Paris'));
  expect(key('US', null, 'Paris')).not.toBe(key('FR', null, 'Paris'));
});
