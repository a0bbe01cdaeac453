import type { AliasGenerations } from '#backends/elasticsearch/alias-generations.ts';
import type { MongoSyncDeps } from '#backends/mongo/open-mongo.ts';

/** All that it takes to keep the index in Elasticsearch equal to the records in MongoDB. */
export interface SyncDeps extends MongoSyncDeps {
  generations: AliasGenerations;
}
