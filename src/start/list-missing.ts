import { setTimeout as pause } from 'node:timers/promises';
import type { KeyStore } from '#accounts/stored-key.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { Problem } from '#src/problem.ts';

/** How long an engine may take to answer that it is up, in milliseconds. */
const timeoutMs = 2_000;

/** Which engines do not answer now, in words; empty if all do. Never takes longer than two seconds. */
export async function listMissing({ index, keys }: { index: SearchIndex; keys: KeyStore }): Promise<string[]> {
  const [isSearchReady, isKeyStoreReady] = await Promise.all([
    holdsInTime(index.isReady()),
    holdsInTime(keys.isReady()),
  ]);
  return [...(isSearchReady ? [] : ['search index']), ...(isKeyStoreReady ? [] : ['key store'])];
}

async function holdsInTime(answer: Promise<boolean>): Promise<boolean> {
  const end = new AbortController();
  try {
    return await Promise.race([answer, pause(timeoutMs, false, { signal: end.signal })]);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  } finally {
    end.abort();
  }
}
