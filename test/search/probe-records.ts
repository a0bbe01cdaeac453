import { contactKinds, emptyContact } from '#records/contacts/contact.ts';
import { withContacts } from '#records/contacts/with-contacts.ts';
import { emptyRecord } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { continentOf, countryName, listCountries } from '#records/places/countries.ts';
import { listLanguages } from '#records/places/languages.ts';
import * as vocabularies from '#records/vocabularies.ts';
import probes from './probes.json' with { type: 'json' };

/** Unicode blocks whose letters, marks, digits and punctuation are affected by folding and splitting. */
const blocks: readonly (readonly [first: number, last: number])[] = [
  [0x21, 0x6ff], // Latin, IPA, combining marks, Greek, Cyrillic, Armenian, Hebrew, Arabic
  [0x900, 0x97f], // Devanagari
  [0xe01, 0xe5b], // Thai
  [0x1e00, 0x1fff], // more Latin and Greek
  [0x2010, 0x206f], // punctuation, invisible characters
  [0x3041, 0x30ff], // Hiragana, Katakana
  [0x4e00, 0x4e1f], // Han
  [0xac00, 0xac1f], // Hangul
  [0xd7a, 0xd7f], // letters of Malayalam
  [0xfb00, 0xfb06], // ligatures
  [0xfe00, 0xfe0f], // variation selectors
  [0xff01, 0xffee], // full and half width
];

/** Text that scrubbing changes, each in a different way; see docs/data-staff.md. */
export const probeTexts: readonly string[] = probes.texts;

/** Those with a postal code, and others. */
const regionOf: Readonly<Record<string, string>> = { US: 'Texas', CA: 'Ontario', AU: 'New South Wales' };
const regions = ['Île-de-France', 'São Paulo'];
const cities = ['San José', 'Zürich', '東京', 'The Hague'];

/**
 * A few hundred records that together have every vocabulary value, every country and language, and text in many
 * scripts, so that any change in folding, masks, concepts, filters or suppressions shows in what an index makes of them.
 */
export function makeProbeRecords(): MediaRecord[] {
  const languages = listLanguages();
  const countries = listCountries();
  const count = Math.max(countries.length, languages.length);
  return [...Array.from({ length: count }, (_, place) => makeProbe(place)), makeLetterProbe()];
}

function makeProbe(place: number): MediaRecord {
  const pick = <Value>(values: readonly Value[]): Value => values[place % values.length] as Value;
  const { code } = pick(listCountries());
  const [name = '', ...aliases] = pick(probes.names);
  const kind = pick(vocabularies.kinds);
  const isKnown = place % 2 === 0;
  const { email = null, email_source = null, ...hosts } = pick<Partial<MediaRecord>>(probes.hosts);
  const desk = { ...emptyContact('desk'), email, email_source, email_status: pick(vocabularies.emailStatuses) };
  const ada = { ...emptyContact('ada'), kind: pick(contactKinds), name: 'Ada Lovelace', title: 'Editor' };
  const verified = { ...ada, last_verified_at: '2026-01-31T12:00:00.000Z', phone: '+44 20 7946 0958' };
  const record = {
    ...emptyRecord(`probe-${place}`, kind, `${name} ${place}`),
    ...hosts,
    aliases,
    description: isKnown ? `About ${name}: 24/7, www.example.org, "quoted"` : null,
    language: pick(listLanguages()).code,
    continent: continentOf(code),
    country: code,
    country_name: countryName(code),
    region: regionOf[code] ?? pick(regions),
    city: pick(cities),
    city_size: pick(vocabularies.citySizes),
    type: kind === 'outlet' ? pick(vocabularies.outletTypes) : null,
    categories: [pick(vocabularies.categories), vocabularies.categories[0]],
    coverage: pick(vocabularies.coverages),
    audience: isKnown ? place * 1_000 : null,
    frequency: pick(vocabularies.frequencies),
    platform: isKnown ? 'Substack' : null,
    updated_at: '2026-02-01T00:00:00.000Z',
    tags: isKnown ? [name, 'Straße & Łódź'] : [],
  };
  return withContacts(record, isKnown ? [desk, verified] : [desk]);
}

/** Every character of the blocks in its own word, so that folding, dropping and splitting show. */
function makeLetterProbe(): MediaRecord {
  const words = blocks.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, place) => `a${String.fromCodePoint(first + place)}b`),
  );
  // Pure ASCII text takes a separate path through folding.
  const ascii = words.filter((word) => /^[\x21-\x7e]+$/.test(word));
  return {
    ...emptyRecord('probe-letters', 'outlet', ascii.join(' ')),
    description: words.join(' '),
    updated_at: '2026-02-01T00:00:00.000Z',
  };
}

/** Documents as other tools write them; reading changes each in a different way. */
export const probeDocuments: readonly { _id: unknown; [key: string]: unknown }[] = probes.documents.map((document) => ({
  ...document,
  // What JSON has not, or only at length.
  ...(document._id === 'foreign' && { platform: 'x'.repeat(5_000), updated_at: new Date('2026-02-01T00:00:00Z') }),
  ...(document._id === 'texts' && { aliases: probeTexts }),
}));
