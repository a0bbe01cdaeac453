import { idOfOnlyContact } from '#records/contacts/contact-id.ts';
import { type MediaRecord, type RecordPatch, sampleIdPrefix } from '#records/media-record.ts';
import { mergeRecord } from '#records/merge-record.ts';
import type { RecordStore } from '#records/record-store.ts';
import {
  type Category,
  type Coverage,
  categories,
  type Frequency,
  type Kind,
  type OutletType,
} from '#records/vocabularies.ts';
import { dayMs } from '#text/days.ts';
import details from './details.json' with { type: 'json' };
import { Dice, daysBefore, weighted } from './dice.ts';
import { inventContacts, inventEmail } from './invent-contacts.ts';
import { type InventedName, inventName, inventPerson } from './invent-name.ts';
import { type Locale, pickLocale, textOf } from './locale.ts';
import { fictionalNumber, type Place, pickPlace } from './places.ts';
import sentences from './sentences.json' with { type: 'json' };

interface SampleOptions {
  count: number;
  /** Any integer; default 1. */
  seed?: number;
}

/**
 * Generates invented media in real places, one by one, in constant memory. The same seed gives the same records on
 * every machine, and the first n are the same for any count. Every address and host is under `.example` (RFC 2606),
 * every phone number is from a range reserved for fiction. Ids are `sample-000001` and so on.
 */
export function* generateSample(options: SampleOptions): Generator<MediaRecord, void, undefined> {
  for (const patch of generatePatches(options)) {
    const result = mergeRecord(null, patch, new Date(0));
    if (!('record' in result)) throw new Error(`${patch.id} is ${result.outcome}`);
    yield result.record;
  }
}

/** The patches of which a store makes the sample, as it makes records of an import. */
export function* generatePatches({ count, seed = 1 }: SampleOptions): Generator<RecordPatch, void, undefined> {
  const dice = new Dice(seed);
  // Tags, created_at and further contacts came later. With dice of their own, all other values are still the same as before.
  const tagDice = new Dice(seed);
  const ageDice = new Dice(seed);
  const contactDice = new Dice(seed);
  for (let place = 1; place <= count; place += 1) {
    const { patch, newsroom, first } = inventMedium(`${sampleIdPrefix}${String(place).padStart(6, '0')}`, dice);
    const created = Date.parse(patch.updated_at) - ageDice.below(1100) * dayMs;
    yield {
      ...patch,
      created_at: new Date(created).toISOString(),
      tags: inventTags(patch, tagDice),
      contacts: { patches: inventContacts(newsroom, first, contactDice), areAll: true },
    };
  }
}

const pickKind = weighted<Kind>(details.kinds);
const pickOutletType = weighted<OutletType>(details.outletTypes);
const frequencies: Readonly<Record<Kind, ReturnType<typeof weighted<Frequency>>>> = {
  outlet: weighted(details.frequencies.outlet),
  podcast: weighted(details.frequencies.podcast),
  newsletter: weighted(details.frequencies.newsletter),
};
/** A medium without tags and further contacts. */
function inventMedium(id: string, dice: Dice) {
  const kind = pickKind(dice);
  const type = kind === 'outlet' ? pickOutletType(dice) : null;
  const place = kind === 'outlet' || dice.chance(0.94) ? pickPlace(dice) : null;
  const isInCity = place !== null && dice.chance(kind === 'outlet' ? 0.94 : 0.6);
  const locale = pickLocale(place, dice);
  const topics = pickCategories(kind, type, dice);
  const topic = topics[0] ?? 'other';
  const name = inventName({ locale, kind, type, topic, place: isInCity ? place : null }, dice);
  const person = dice.chance(kind === 'outlet' ? 0.55 : 0.8) ? inventPerson(locale, kind, topic, dice) : null;
  const host = `${name.slug}.example`;
  const url = `https://${dice.chance(0.5) ? 'www.' : ''}${host}/`;
  const email = dice.chance(0.88) ? inventEmail(host, person, dice) : null;
  const verified = email !== null && dice.chance(0.85) ? dice.below(600) : null;
  const coverage = dice.chance(0.9) ? pickCoverage(kind, place, isInCity, dice) : null;
  const placeName = place === null ? null : isInCity ? place.city : place.countryName;
  const { contact, ...patch } = {
    id,
    kind,
    name: name.text,
    aliases: inventAliases(name, locale, kind, dice),
    url: dice.chance(0.97) ? url : null,
    description: dice.chance(0.93) ? describeMedia({ locale, kind, type, categories: topics, placeName }, dice) : null,
    language: locale.tag,
    continent: place?.continent ?? null,
    country: place?.country ?? null,
    country_name: place?.countryName ?? null,
    region: isInCity ? place.region : null,
    city: isInCity ? place.city : null,
    city_size: isInCity ? place.citySize : null,
    type,
    categories: topics,
    coverage,
    contact: {
      name: person?.name ?? null,
      title: person !== null && dice.chance(0.9) ? person.title : null,
      email: email?.address ?? null,
      email_status: email?.status ?? null,
      email_source: email !== null && dice.chance(0.8) ? url + dice.pick(details.contactPages) : null,
      last_verified_at: verified === null ? null : daysBefore(verified, dice),
      phone: place !== null && dice.chance(0.7) ? fictionalNumber(place.country, dice) : null,
    },
    audience: dice.chance(0.75) ? inventAudience(coverage, dice) : null,
    frequency: dice.chance(0.9) ? frequencies[kind](dice) : null,
    feed_url: inventFeed(kind, host, dice),
    platform: dice.chance(kind === 'outlet' ? 0.2 : 0.8) ? dice.pick(details.platforms[kind]) : null,
    linkedin_url: dice.chance(0.3) ? `https://linkedin.example/company/${name.slug}` : null,
    updated_at: daysBefore(dice.below(verified ?? 1100), dice),
  };
  const isKnown = Object.values(contact).some((value) => value !== null);
  return {
    patch,
    newsroom: { id, kind, categories: topics, locale, host, url, country: place?.country ?? null },
    first: isKnown ? { patch: { id: idOfOnlyContact(id), ...contact }, person } : null,
  };
}

/** Tags say who owns a medium, for whom it is, and what a radio station plays. */
function inventTags({ type }: Pick<MediaRecord, 'type'>, dice: Dice): string[] {
  return [
    ...(dice.chance(0.3) ? [dice.pick(details.owners)] : []),
    ...(dice.chance(0.15) ? [dice.pick(details.communities)] : []),
    ...(type === 'radio' && dice.chance(0.7) ? [dice.pick(details.stationFormats)] : []),
  ];
}

function pickCategories(kind: Kind, type: OutletType | null, dice: Dice): Category[] {
  const isGeneral = kind === 'outlet' && type !== 'magazine' && type !== 'journal' && type !== 'blog';
  const picked = new Set<Category>();
  if (isGeneral && dice.chance(0.45)) picked.add(dice.chance(0.6) ? 'local_news' : 'general_news');
  const topicCount = 1 + dice.below(3);
  while (picked.size < topicCount) picked.add(dice.pick(categories));
  return [...picked];
}

function pickCoverage(kind: Kind, place: Place | null, isInCity: boolean, dice: Dice): Coverage {
  if (place === null) return 'international';
  if (!isInCity) return dice.chance(0.8) ? 'national' : 'international';
  if (kind !== 'outlet') return dice.pick(['local', 'regional', 'national', 'national', 'international']);
  const isLarge = place.citySize === 'mega' || place.citySize === 'large';
  return dice.pick(isLarge ? ['local', 'regional', 'national', 'international'] : ['local', 'local', 'regional']);
}

function inventAliases(name: InventedName, locale: Locale, kind: Kind, dice: Dice): string[] {
  const aliases: string[] = [];
  if (locale.isRomanised && dice.chance(0.85)) aliases.push(name.latin);
  const gloss =
    locale.tag === 'en' || name.brand === null ? null : `${name.brand} ${dice.pick(details.englishNouns[kind])}`;
  if (gloss !== null && dice.chance(locale.isRomanised ? 0.4 : 0.15)) aliases.push(gloss);
  const initials = abbreviate(name);
  if (initials.length >= 3 && dice.chance(0.12)) aliases.push(initials);
  return [...new Set(aliases)];
}

function abbreviate({ slug }: InventedName): string {
  return slug
    .split('-')
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
}

/** Audiences are log-normally distributed: many small media, few very large ones. */
function inventAudience(coverage: Coverage | null, dice: Dice): number {
  const median = coverage === 'national' ? 40_000 : coverage === 'international' ? 80_000 : 6_000;
  return Math.min(Math.round(median * Math.exp(1.5 * dice.normal())), 90_000_000);
}

function inventFeed(kind: Kind, host: string, dice: Dice): string | null {
  if (kind === 'podcast') return dice.chance(0.95) ? `https://feeds.${host}/rss` : null;
  return dice.chance(kind === 'outlet' ? 0.55 : 0.4) ? `https://${host}/feed.xml` : null;
}

/** As many as the first start loads, so that its sample is one atomic step: an interrupted start leaves all of it or nothing. */
const batchSize = 5000;

/** Returns how many records are new or changed. Saving the same records again changes nothing. */
export async function loadSample(records: RecordStore, count: number): Promise<number> {
  let saved = 0;
  const save = async (batch: readonly RecordPatch[]) => {
    const outcomes = await records.merge(batch);
    saved += outcomes.filter((outcome) => outcome === 'created' || outcome === 'updated').length;
  };
  let batch: RecordPatch[] = [];
  for (const patch of generatePatches({ count })) {
    if (batch.push(patch) < batchSize) continue;
    await save(batch);
    batch = [];
  }
  if (batch.length > 0) await save(batch);
  return saved;
}

/** `topicWords`: what articles on a topic are about, as people search for it. `everydayWords`: for media with one topic. */
const { firstSentences, secondSentences, everydayWords } = sentences;
const topicWords: Readonly<Record<Category, readonly string[]>> = sentences.topicWords;

interface Description {
  locale: Locale;
  kind: Kind;
  type: OutletType | null;
  categories: readonly Category[];
  /** The city or country it covers; null if it is for everybody. */
  placeName: string | null;
}

/** Two short sentences, in the medium's own language if we have words for it, otherwise in English. */
export function describeMedia({ locale, kind, type, categories, placeName }: Description, dice: Dice): string {
  const place = placeName ?? 'every country';
  const [first = 'other', second = first] = categories;
  if (locale.descriptions.length > 0 && placeName !== null && dice.chance(0.4)) {
    const description = describeInOwnWords(locale, first, second, placeName, dice);
    if (description !== null) return description;
  }
  const noun = wordFor(kind, type);
  const filled: Record<string, string> = {
    What: noun.charAt(0).toUpperCase() + noun.slice(1),
    what: noun,
    place,
    topic: dice.pick(topicWords[first]),
    other: dice.pick(second === first ? everydayWords : topicWords[second]),
    third: dice.pick(topicWords[first]),
  };
  return fill(`${dice.pick(firstSentences)} ${dice.pick(secondSentences)}`, filled);
}

function describeInOwnWords(locale: Locale, first: Category, second: Category, placeName: string, dice: Dice) {
  const topic = locale.topics[first];
  const other = locale.topics[second === first ? 'society' : second];
  if (topic === undefined || other === undefined || topic === other) return null;
  const place = locale.isRomanised ? locale.cities[placeName] : placeName;
  if (place === undefined) return null;
  return fill(dice.pick(locale.descriptions), {
    place: textOf(place),
    topic: textOf(topic).toLowerCase(),
    other: textOf(other).toLowerCase(),
  });
}

function wordFor(kind: Kind, type: OutletType | null): string {
  if (kind !== 'outlet') return kind;
  if (type === 'tv') return 'TV channel';
  if (type === 'radio') return 'radio station';
  if (type === 'wire') return 'news agency';
  if (type === 'online') return 'news site';
  return type === null || type === 'other' ? 'publication' : type;
}

function fill(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, key: string) => words[key] ?? '');
}
