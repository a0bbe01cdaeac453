// Five calls with the functions that Orval makes, printed as JSON.
import { countFacets, findRecord, lookUpRecords, search } from './masthead.ts';

const { MASTHEAD_URL = '', MASTHEAD_KEY = '' } = process.env;
const fetchWithoutBase = globalThis.fetch;
globalThis.fetch = (path, init) => fetchWithoutBase(new URL(String(path), MASTHEAD_URL), init);
const options = { headers: { Authorization: `Bearer ${MASTHEAD_KEY}`, 'Content-Type': 'application/json' } };

const country = ['US', 'GB'];
const page = await search({ kind: ['podcast', 'newsletter'], country, has_email: true }, options);
if (page.status !== 200) throw new Error(`search: ${page.status}`);
const [first] = page.data.results;
if (first === undefined) throw new Error('search: nothing');
const facets = await countFacets({ country }, options);
const looked = await lookUpRecords({ ids: [first.id, 'nobody'] }, options);
const record = await findRecord(first.id, {}, options);
const lost = await findRecord('nobody', {}, options);
if (facets.status !== 200 || looked.status !== 200 || record.status !== 200) throw new Error('an error answered');

console.log(
  JSON.stringify({
    id: first.id,
    found: page.data.total,
    counted: facets.data.total,
    looked: looked.data.results.map((one) => one.record !== null),
    name: record.data.name,
    lost: lost.status,
  }),
);
