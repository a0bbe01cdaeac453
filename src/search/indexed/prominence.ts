import type { MediaRecord } from '#records/media-record.ts';
import { nameKey } from '#text/fold.ts';
import { hostLabel, hostOfUrl } from '#text/hosts.ts';
import { memoize } from '#text/memoize.ts';
import { compactName } from './name-forms.ts';

/**
 * How well known a medium is, by what is known of it: which of equal matches comes first. Ten points are a tenfold audience.
 * The length of a name counts nothing. The points were fitted to tasks of `npm run relevance` (trials/relevance/README.md).
 */
export function prominenceOf(record: MediaRecord): number {
  return Math.round(10 * Object.values(prominencePoints(record)).reduce((sum, points) => sum + points, 0));
}

/** What its points are for. */
export function prominencePoints(record: MediaRecord): Readonly<Record<string, number>> {
  const { coverage, city_size, audience, language, feed_url } = record;
  const ofAudience =
    audience === null
      ? {
          'unknown audience': points.unknownAudience,
          coverage: points.reach[coverage as keyof typeof points.reach] ?? 0,
          'size of its city': points.citySize[city_size as keyof typeof points.citySize] ?? 0,
        }
      : { audience: Math.max(10 * Math.log10(audience + 1), 0) };
  return {
    ...ofAudience,
    // Records of well-known media have more fields filled.
    'known language': language === null ? 0 : points.language,
    'known feed': feed_url === null ? 0 : points.feed,
    ...fameOfNames(record),
    ...fameOfHost(record),
    ...specialty(record),
  };
}

const points = {
  unknownAudience: 16,
  reach: { national: 5, international: 5 },
  citySize: { town: 0, small: 2, medium: 4, large: 6, mega: 8 },
  language: 3,
  feed: 2,
  tagged: -5,
  foreign: -2,
  /** For each letter by which the label of its host is shorter than `maxLabel`, because short labels are scarce. */
  letter: 1 / 3,
  ownLabel: 1,
  nameInOtherScript: 2,
  toTellApart: -3,
} as const;

const maxLabel = 12;
/** A letter that is not Latin. */
const otherScript = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** A medium that is named in many scripts is known in much of the world. `El País (Uruguay)` says that another is better known. */
function fameOfNames({ aliases }: MediaRecord) {
  const names = aliases.filter((alias) => !/[(（]/.test(alias));
  const inOtherScripts = names.filter((alias) => otherScript.test(alias));
  const isToldApart = names.length < aliases.length;
  return {
    'names in other scripts': points.nameInOtherScript * Math.log2(inOtherScripts.length + 1),
    'alias in brackets': isToldApart ? points.toTellApart : 0,
  };
}

/** A page below another site's home page is hardly the medium itself. */
function fameOfHost({ url, name }: MediaRecord): Readonly<Record<string, number>> {
  const host = url === null ? null : hostOfUrl(url);
  if (url === null || host === null || URL.parse(url)?.pathname !== '/') return {};
  const label = hostLabel(host);
  const isOwn = label === compactName(nameKey(name).replace(/^the /, ''));
  return {
    'short host label': points.letter * Math.max(0, maxLabel - label.length),
    'host label is its name': isOwn ? points.ownLabel : 0,
  };
}

/** An outlet for some readers of its place: tags say for whom, another language than the country's too. */
function specialty({ kind, tags, country, language }: MediaRecord): Readonly<Record<string, number>> {
  if (kind !== 'outlet') return {};
  const isForeign =
    country !== null && language !== null && !spokenIn(country).includes(language.split('-', 1)[0] ?? '');
  return {
    'has tags': tags.length > 0 ? points.tagged : 0,
    'foreign language': isForeign ? points.foreign : 0,
  };
}

/** The language that most speak there, as CLDR has it, and English, which has papers of record in many countries. */
const spokenIn = memoize((country) => [new Intl.Locale(`und-${country}`).maximize().language, 'en']);
