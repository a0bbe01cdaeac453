import { startOwnEngine } from '../testing/engines/own-engine.ts';

/**
 * A MongoDB and an Elasticsearch that trials may kill, started once for all files of a run: vitest.config.ts runs them one
 * after the other in one thread. Each leaves them running and serving. They end with the run. Null where none is to be had.
 */
export const [mongodb, elasticsearch] = await Promise.all([startOwnEngine('mongodb'), startOwnEngine('elasticsearch')]);
