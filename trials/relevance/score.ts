/** What the results of one query say about its quality. */
export interface RankedQuery {
  /** The rank of the first correct record, from 1; null if none was among the first ten. */
  rank: number | null;
  /** How many records were found. */
  total: number;
}

export const metrics = ['success@1', 'success@10', 'mrr'] as const;

/** Each metric is a share from 0 to 1. */
export interface Score extends Record<(typeof metrics)[number], number> {
  queries: number;
  /** How many of them found nothing at all. */
  empty: number;
}

/** All metrics are 0 if there are no queries. */
export function score(queries: readonly RankedQuery[]): Score {
  const share = (worth: (rank: number) => number) => {
    const sum = queries.reduce((total, { rank }) => total + (rank === null ? 0 : worth(rank)), 0);
    return queries.length === 0 ? 0 : sum / queries.length;
  };
  return {
    queries: queries.length,
    'success@1': share((rank) => (rank === 1 ? 1 : 0)),
    'success@10': share((rank) => (rank <= 10 ? 1 : 0)),
    /** The mean of 1/rank, a miss counting 0: cut at rank ten. */
    mrr: share((rank) => 1 / rank),
    empty: queries.filter(({ total }) => total === 0).length,
  };
}
