import type { Dice } from './dice.ts';
import { latinTongues } from './latin-tongues.ts';
import { otherTongues } from './other-tongues.ts';
import type { Place } from './places.ts';
import { readTongue, type Tongue } from './tongue.ts';

const tongues = new Map([...latinTongues, ...otherTongues].map((source) => [source.tag, readTongue(source)]));
const english = tongueOf('en');

/** Places that write Chinese in traditional characters. */
const traditionalChinese: ReadonlySet<string> = new Set(['TW', 'HK', 'MO']);

/** Languages of large immigrant groups, which have media there too. */
const otherLanguages: Readonly<Record<string, readonly string[]>> = {
  US: ['es', 'es', 'es', 'zh', 'ru', 'vi', 'ko', 'pl', 'ar'],
  GB: ['pl', 'ar', 'ro'],
  CA: ['fr', 'fr', 'fr', 'zh', 'uk', 'it'],
  AU: ['zh', 'el', 'it', 'vi'],
  DE: ['tr', 'ru', 'ar'],
  FR: ['ar', 'pt'],
  IL: ['ru', 'ar'],
  SE: ['ar'],
};

/** A language for a medium in the place; English if there is no place. */
export function pickTongue(place: Place | null, dice: Dice): Tongue {
  if (place === null) return english;
  if (dice.chance(0.04)) return english;
  const others = otherLanguages[place.country];
  if (others !== undefined && dice.chance(0.12)) return tongueOf(dice.pick(others));
  const spoken = spokenIn(place);
  return dice.chance(0.85) ? (spoken[0] ?? english) : dice.pick(spoken);
}

const spokenByCountry = new Map<string, readonly Tongue[]>();

/** The supported languages of the country, the main one first; English if none is supported. */
function spokenIn({ country, languages }: Place): readonly Tongue[] {
  const known = spokenByCountry.get(country);
  if (known) return known;
  const tags = languages.map((tag) => (tag === 'zh' && traditionalChinese.has(country) ? 'zh-Hant' : tag));
  const found = tags.map((tag) => tongues.get(tag)).filter((tongue) => tongue !== undefined);
  const spoken = found.length > 0 ? found : [english];
  spokenByCountry.set(country, spoken);
  return spoken;
}

function tongueOf(tag: string): Tongue {
  const tongue = tongues.get(tag);
  if (tongue === undefined) throw new RangeError(`no words for the language ${tag}`);
  return tongue;
}
