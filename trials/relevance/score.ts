/** The rank of the first correct record among the results of one query. */
export interface RankedQuery {
  class: string;
  /** From 1; null if no correct record was among the first ten. */
  rank: number | null;
}

export const metrics = ['mrr', 'success@1', 'success@10'] as const;
export type Metric = (typeof metrics)[number];

/** Each metric is a share from 0 to 1. */
export interface Score extends Record<Metric, number> {
  class: string;
  queries: number;
}

/** The class under which the score over all queries is reported. */
export const allClasses = 'all';

/** One score a class, in order of their names, and at last the one over all queries. */
export function scoreByClass(ranked: readonly RankedQuery[]): Score[] {
  const groups = Map.groupBy(ranked, (query) => query.class);
  const classes = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return [...classes, [allClasses, ranked] as const].map(([name, queries]) => score(name, queries));
}

function score(name: string, queries: readonly RankedQuery[]): Score {
  const share = (worth: (rank: number) => number) => {
    const sum = queries.reduce((total, { rank }) => total + (rank === null ? 0 : worth(rank)), 0);
    return queries.length === 0 ? 0 : sum / queries.length;
  };
  return {
    class: name,
    queries: queries.length,
    /** The mean of 1/rank, a miss counting 0: cut at rank ten. */
    mrr: share((rank) => 1 / rank),
    'success@1': share((rank) => (rank === 1 ? 1 : 0)),
    'success@10': share((rank) => (rank <= 10 ? 1 : 0)),
  };
}
