import { countOf } from '#text/printed.ts';

interface Start {
  url: string;
  /** What holds the data, in words. */
  backend: string;
  /** Null if the store does not answer yet. */
  records: number | null;
  /** Sample records that this start loaded. */
  loaded: number;
  /** A prefix for commands, such as `docker compose run --rm -T api`; null for none. */
  commandPrefix: string | null;
  /** What commands need besides the prefix, as a line. */
  note?: string | undefined;
}

/** The message of `npm start` once it serves: what it did, and what to try. */
export function welcome({ url, backend, records, loaded, commandPrefix, note }: Start): string {
  const count = new Intl.NumberFormat('en');
  const run = (command: string) => `${commandPrefix === null ? '' : `${commandPrefix} `}npm run --silent ${command}`;
  return [
    `Masthead serves ${records === null ? '' : `${countOf(records, 'record')} `}at ${url} (${backend}).`,
    ...(loaded > 0
      ? [
          `The store was empty, so ${count.format(loaded)} sample records were loaded: invented media with addresses under .example.`,
          `Your first import replaces them: ${run('indexer -- import FILE')}`,
        ]
      : []),
    // Only the embedded store is filled automatically.
    ...(records === 0
      ? [
          `The store is empty. To fill it: ${run('indexer -- import FILE')} && ${run('indexer -- reindex')}`,
          `With sample records: ${run('indexer -- sample 5000')} > sample.ndjson, then as above.`,
        ]
      : []),
    '',
    `In a browser: ${url}, with plans at ${url}/plans and the API reference at ${url}/docs.`,
    '',
    'Try:',
    `  curl '${url}/api/v1/search?q=tech+newsletters&country=US'`,
    `  curl '${url}/api/v1/facets?kind=podcast'`,
    `  KEY=$(${run('admin -- keys issue --tier pro --days 30')})   # then, with full addresses:`,
    `  curl -H "Authorization: Bearer $KEY" '${url}/api/v1/search?q=radio&has_email=1'`,
    ...(note === undefined ? [] : ['', note]),
    '',
  ].join('\n');
}
