import type { MongoClient } from 'mongodb';

/** MongoDB's own limit, in seconds. */
const usualLimit = 60;

/**
 * Lets the server end a transaction after two seconds. That of a killed process locks its records until then, so every kill
 * would cost a minute. Returns how to set the server's own limit again.
 */
export async function limitTransactions(client: MongoClient): Promise<() => Promise<void>> {
  const limit = async (transactionLifetimeLimitSeconds: number) => {
    await client.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds });
  };
  await limit(2);
  return () => limit(usualLimit);
}
