import { checkMongo, createMongoClient, explainMongoFault, openDatabase } from '#backends/mongo/connect-mongo.ts';
import { jobTimeoutMs } from '#src/start/open-backends.ts';

/** Connects to the database as it is, without bringing it to the form of this version, does the work and disconnects. */
export async function withMongo(
  uri: string,
  work: (db: ReturnType<typeof openDatabase>) => Promise<void>,
): Promise<void> {
  await using client = createMongoClient(uri, jobTimeoutMs);
  await checkMongo(client).catch((error) => {
    throw explainMongoFault(error, client);
  });
  await work(openDatabase(client, uri));
}
