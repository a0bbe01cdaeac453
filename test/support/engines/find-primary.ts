import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { Engine } from './engine.ts';

/** The current primary of a replica set; waits until there is one. */
export async function findPrimary(members: readonly Engine[]): Promise<Engine> {
  for (;;) {
    for (const member of members) if (await isPrimary(member)) return member;
    await pause(100);
  }
}

/** A member that is away is not primary. */
async function isPrimary({ url }: Engine): Promise<boolean> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
  try {
    const { isWritablePrimary } = await client.db('admin').command({ hello: 1 });
    return isWritablePrimary === true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
