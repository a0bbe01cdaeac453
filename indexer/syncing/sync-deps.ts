import type { AliasGenerations } from '#backends/elasticsearch/alias-generations.ts';
import type { MongoSyncDeps } from '#backends/mongo/open-mongo.ts';

/** Everything needed to keep the index in Elasticsearch in sync with the records in MongoDB. */
export interface SyncDeps extends MongoSyncDeps {
  generations: AliasGenerations;
}
