import { startOwnEngine } from '../test/support/engines/own-engine.ts';

/**
 * A MongoDB and an Elasticsearch that trials may kill, started once for all files of a run: vitest.config.ts runs them
 * one after another in one thread. Each leaves them running and serving. They stop with the run. Null if unavailable.
 */
export const [mongodb, elasticsearch] = await Promise.all([startOwnEngine('mongodb'), startOwnEngine('elasticsearch')]);
