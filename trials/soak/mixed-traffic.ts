import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import { questionClasses, questionData, toPath } from '../bench/search-questions.ts';

/** A GET request as some caller makes it. */
export interface Visit {
  path: string;
  /** Null for a caller without a key. */
  key: string | null;
}

/** Shares in a hundred. Every class of search has its turn. */
const shares = { search: 60, facets: 15, record: 15, account: 5, plans: 4, export: 1 } as const;

/** Makes up requests as users make them, the same for the same seed. */
export function mixTraffic(some: readonly MediaRecord[], keys: readonly string[], seed: number): () => Visit {
  const dice = new Dice(seed);
  const questions = questionData(some, dice);
  const classes = Object.values(questionClasses);
  const search = () => toPath(dice.pick(classes)(questions));
  // In turn, since a key may run two exports at once.
  let turn = 0;
  const nextKey = () => {
    turn += 1;
    return keys[turn % keys.length] ?? null;
  };
  const sorts: Record<keyof typeof shares, () => Visit> = {
    search: () => ({ path: search(), key: dice.fraction() < 0.5 ? nextKey() : null }),
    facets: () => ({
      path: search()
        .replace('/search', '/facets')
        .replace(/page=\d+&per_page=\d+&?/, ''),
      key: null,
    }),
    record: () => ({ path: `/api/v1/records/${encodeURIComponent(questions.record().id)}`, key: nextKey() }),
    account: () => ({ path: '/api/v1/me', key: nextKey() }),
    plans: () => ({ path: '/api/v1/plans', key: null }),
    export: () => ({ path: `/api/v1/export?country=${someCountry(questions.record)}`, key: nextKey() }),
  };
  const hat = (Object.keys(shares) as (keyof typeof shares)[]).flatMap((sort) => Array(shares[sort]).fill(sort));
  return () => sorts[dice.pick(hat) as keyof typeof shares]();
}

function someCountry(record: () => MediaRecord): string {
  for (;;) {
    const { country } = record();
    if (country !== null) return country;
  }
}
