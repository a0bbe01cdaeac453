interface Start {
  url: string;
  /** What holds the data, in words. */
  backend: string;
  /** Null where the store does not answer yet. */
  records: number | null;
  /** Sample records that this start loaded. */
  loaded: number;
}

/** Only the embedded store is filled by itself. */
const howToFill = [
  'There is nothing to find yet. To fill it: npm run indexer -- import FILE && npm run indexer -- reindex',
  'With invented records: npm run --silent indexer -- sample 5000 > sample.ndjson, then as above.',
];

/** What `npm start` says once it serves: what it did, and what to try. */
export function welcome({ url, backend, records, loaded }: Start): string {
  const count = new Intl.NumberFormat('en');
  return [
    `Masthead serves ${records === null ? '' : `${count.format(records)} records `}at ${url} (${backend}).`,
    ...(loaded > 0
      ? [
          `The store was empty, so ${count.format(loaded)} sample records were loaded: invented media, addresses under .example.`,
          'The first import of your own takes their place: npm run indexer -- import FILE',
        ]
      : []),
    ...(records === 0 ? howToFill : []),
    '',
    `In a browser: ${url}, with plans at ${url}/plans and the API reference at ${url}/docs.`,
    '',
    'Try:',
    `  curl '${url}/api/v1/search?q=tech+newsletters&country=US'`,
    `  curl '${url}/api/v1/facets?kind=podcast'`,
    '  KEY=$(npm run --silent admin -- keys issue --tier pro --days 30)   # then, with whole addresses:',
    `  curl -H "Authorization: Bearer $KEY" '${url}/api/v1/search?q=radio&has_email=1'`,
    '',
  ].join('\n');
}
