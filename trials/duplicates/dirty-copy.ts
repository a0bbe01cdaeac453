import type { MediaRecord } from '../../src/records/media-record.ts';
import type { Dice } from '../../src/sample/dice.ts';
import { mistype, replaceLetter } from '../relevance/mistype.ts';

/** A way in which another source writes a name or a URL. Null if it does not apply to the record. */
interface Dirt {
  name: string;
  change(record: MediaRecord, dice: Dice): string | null;
}

/** THE RULES FOR NAMES, one row each. */
const nameRules: readonly Dirt[] = [
  { name: 'case', change: ({ name }, dice) => dice.pick([name.toUpperCase(), name.toLowerCase()]) },
  { name: 'the', change: ({ name }) => (/^the /i.test(name) ? name.slice(4) : `The ${name}`) },
  {
    name: 'typo',
    change: ({ name }, dice) => dice.pick([mistype, replaceLetter])(name, dice.below(1_000_000)),
  },
  { name: 'city', change: ({ name, city }) => (city === null ? null : `${name} ${city}`) },
];

/** THE RULES FOR URLS, one row each. */
const urlRules: readonly Dirt[] = [
  {
    name: 'www',
    change: ({ url }) => {
      const other = url?.includes('://www.') ? url.replace('://www.', '://') : url?.replace('://', '://www.');
      // An IP address has none.
      return other !== undefined && URL.canParse(other) ? other : null;
    },
  },
  {
    name: 'https',
    change: ({ url }) => url && (url.startsWith('https') ? url.replace('https', 'http') : url.replace('http', 'https')),
  },
  { name: 'slash', change: ({ url }) => url && (url.endsWith('/') ? url.slice(0, -1) : `${url}/`) },
];

/** A copy of a record as another source may have it, and the rules by which it was made. */
export interface DirtyCopy {
  record: MediaRecord;
  rules: string[];
}

/**
 * A copy under another id, with another spelling of the name and of the URL, and with nothing else to tell by: no alias,
 * feed or address. It depends on the record and the dice alone.
 */
export function dirtyCopy(record: MediaRecord, id: string, dice: Dice): DirtyCopy {
  const name = applyOne(nameRules, record, dice);
  const url = applyOne(urlRules, record, dice);
  return {
    record: {
      ...record,
      id,
      name: name?.value ?? record.name,
      url: url?.value ?? record.url,
      aliases: [],
      feed_url: null,
      email: null,
      email_source: null,
    },
    rules: [name?.rule, url?.rule].filter((rule) => rule !== undefined),
  };
}

/** One of the rules that apply, picked by the dice; null if none does. */
function applyOne(rules: readonly Dirt[], record: MediaRecord, dice: Dice): { rule: string; value: string } | null {
  const values = rules.flatMap((rule) => {
    const value = rule.change(record, dice);
    return value === null ? [] : [{ rule: rule.name, value }];
  });
  return values.length === 0 ? null : dice.pick(values);
}
