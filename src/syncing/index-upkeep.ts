import type { AliasGenerations } from '#backends/elasticsearch/alias-generations.ts';
import type { MongoUpkeep } from '#backends/mongo/open-mongo.ts';

/** All that it takes to keep the index in Elasticsearch equal to the records in MongoDB. */
export interface IndexUpkeep extends MongoUpkeep {
  generations: AliasGenerations;
}
