import { Pool } from 'undici';
import { median } from './measure.ts';

/** Milliseconds, medians over the rounds of the median of a round. */
export interface KeyCheckFigures {
  withoutKey: number;
  withKey: number;
  /** Median over the rounds of the difference of their medians. */
  added: number;
}

/**
 * Sends one search with a key and without, alternating, on one connection. The key's plan has expired, so the answers
 * are the same and only the key check differs. A first round warms up.
 */
export async function measureKeyCheck(
  url: string,
  path: string,
  key: string,
  { rounds, each }: { rounds: number; each: number },
): Promise<KeyCheckFigures> {
  const pool = new Pool(url, { connections: 1, pipelining: 1 });
  const ask = async (headers: Record<string, string>) => {
    const start = performance.now();
    const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
    await body.dump();
    if (statusCode !== 200) throw new Error(`${path} gave ${statusCode}`);
    return performance.now() - start;
  };
  const medians: { withoutKey: number; withKey: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const times = { withoutKey: [] as number[], withKey: [] as number[] };
    for (let turn = 0; turn < each; turn += 1) {
      times.withoutKey.push(await ask({}));
      times.withKey.push(await ask({ Authorization: `Bearer ${key}` }));
    }
    medians.push({ withoutKey: median(times.withoutKey), withKey: median(times.withKey) });
  }
  await pool.close();
  const counted = medians.slice(1);
  return {
    withoutKey: median(counted.map(({ withoutKey }) => withoutKey)),
    withKey: median(counted.map(({ withKey }) => withKey)),
    added: median(counted.map(({ withoutKey, withKey }) => withKey - withoutKey)),
  };
}
