import { Pool } from 'undici';
import { median, medianOfRatios, timeCalls } from './measure.ts';
import type { ProductServer } from './product-server.ts';
import { type QuestionClass, type QuestionData, questionClasses, toPath } from './search-questions.ts';

export interface CompressionPlan {
  rounds: number;
  /** Searches of each encoding in a round, of all classes in turn. */
  each: number;
}

/** What an answer of 100 records weighs and costs with one `Accept-Encoding`. */
export interface EncodingFigures {
  encoding: string;
  /** Of the answer of 100 records as it travels, in bytes. */
  bytes: number;
  /** p50 of a search from one client, in milliseconds: the median of the rounds. */
  p50: number;
  /** Median over the rounds of: p50 with it / p50 without compression. */
  slower: number;
  /** Searches per second from 16 clients: the median of the rounds. */
  perSecond: number;
  /** Median over the rounds of: searches per second with it / without compression. */
  faster: number;
}

const encodings = ['identity', 'gzip', 'br'];
const clients = 16;
const classNames = Object.keys(questionClasses) as QuestionClass[];

/**
 * Sends searches of the same classes with each encoding, in turns, from one client and from 16, without unpacking the
 * answers. Every question is new, so that no answer comes from a cache.
 */
export async function measureCompression(
  product: ProductServer,
  data: QuestionData,
  { rounds, each }: CompressionPlan,
): Promise<EncodingFigures[]> {
  const pool = new Pool(product.url, { connections: clients, pipelining: 1 });
  const ask = async (path: string, encoding: string) => {
    const { statusCode, headers, body } = await pool.request({
      method: 'GET',
      path,
      headers: { 'Accept-Encoding': encoding },
    });
    const { byteLength } = await body.arrayBuffer();
    if (statusCode !== 200) throw new Error(`${path} gave ${statusCode}`);
    return { byteLength, encoding: headers['content-encoding'] ?? 'identity' };
  };
  const askAll = (encoding: string) =>
    Array.from({ length: each }, (_, place) => {
      const path = toPath(questionClasses[classNames[place % classNames.length] ?? 'one word'](data));
      return () => ask(path, encoding);
    });
  const measured = encodings.map((encoding) => ({ encoding, alone: [] as number[][], crowded: [] as number[][] }));
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const inTurn = round % 2 === 0 ? measured : measured.toReversed();
      for (const { encoding, alone } of inTurn) alone.push(await timeCalls(askAll(encoding), 1));
      for (const { encoding, crowded } of inTurn) {
        const calls = askAll(encoding);
        const start = performance.now();
        await timeCalls(calls, clients);
        crowded.push([(performance.now() - start) / calls.length]);
      }
    }
    const pages = await Promise.all(encodings.map((encoding) => ask('/api/v1/search?per_page=100', encoding)));
    if (pages.some((page, place) => page.encoding !== encodings[place]))
      throw new Error(`the service answered with ${pages.map(({ encoding }) => encoding).join(', ')}`);
    const [plain] = measured;
    // The first round warms up.
    return measured.map(({ encoding, alone, crowded }, place) => ({
      encoding,
      bytes: pages[place]?.byteLength ?? Number.NaN,
      p50: median(alone.slice(1).map(median)),
      slower: medianOfRatios(alone.slice(1), plain?.alone.slice(1) ?? []),
      perSecond: 1_000 / median(crowded.slice(1).map(median)),
      faster: 1 / medianOfRatios(crowded.slice(1), plain?.crowded.slice(1) ?? []),
    }));
  } finally {
    await pool.close();
  }
}
