import pRetry, { AbortError } from 'p-retry';
import { parseJson } from '#text/json.ts';

/** Where vectors of texts come from: an endpoint that speaks OpenAI's `/v1/embeddings`, as Ollama, vLLM and OpenAI do. */
interface EmbeddingsSettings {
  /** Its base, with or without `/v1` or `/v1/embeddings`. */
  url: string;
  model: string;
  key: string | null;
}

export const textsARequest = 64;
/** The longest answer: 64 vectors of 8,000 numbers take half of it. */
const maxAnswerBytes = 32 * 1024 * 1024;
/** How long an answer may take, in milliseconds: of records, and of a query that a caller waits for. */
const recordsTimeoutMs = 60_000;
const queryTimeoutMs = 1_500;
/** Retries for records, after 1, 2, 4, … seconds. */
const retries = 4;

/** Turns texts into vectors, in their order. Its errors say what failed, never a text or the key. */
export class EmbeddingsEndpoint {
  readonly model: string;
  readonly #url: string;
  readonly #key: string | null;

  constructor({ url, model, key }: EmbeddingsSettings) {
    this.model = model;
    this.#url = url.replace(/(\/v1)?(\/embeddings)?$/, '/v1/embeddings');
    this.#key = key;
  }

  /** At most `textsARequest` texts; retried while the endpoint is away or busy. */
  embedRecords(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    return pRetry(() => this.#ask(texts, AbortSignal.any([signal, AbortSignal.timeout(recordsTimeoutMs)])), {
      retries,
      randomize: true,
      signal,
    });
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector = []] = await this.#ask([text], AbortSignal.timeout(queryTimeoutMs));
    return vector;
  }

  async #ask(texts: readonly string[], signal: AbortSignal): Promise<number[][]> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(this.#key !== null && { Authorization: `Bearer ${this.#key}` }),
      },
      body: JSON.stringify({ model: this.model, input: texts, encoding_format: 'float' }),
      redirect: 'error',
      signal,
    }).catch((error: Error) => {
      throw new Error(`the embeddings endpoint cannot be reached (${error.name})`);
    });
    if (!response.ok) {
      await response.body?.cancel();
      const refused = new Error(`the embeddings endpoint answered with status ${response.status}`);
      // Another try of a wrong key, model or path gets the same answer.
      throw response.status < 500 && response.status !== 429 && response.status !== 408
        ? new AbortError(refused)
        : refused;
    }
    const vectors = readVectors(await readAnswer(response), texts.length);
    if (vectors === null) throw new Error('the answer of the embeddings endpoint has not one vector for each text');
    return vectors;
  }
}

/** The JSON of an answer; null if it is none. Throws an Error, and reads no further, if it is too long. */
async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Another try gets the same answer.
    if (bytes > maxAnswerBytes) {
      const most = `${maxAnswerBytes / 1024 / 1024} MB`;
      throw new AbortError(`the answer of the embeddings endpoint is longer than ${most}`);
    }
    chunks.push(chunk);
  }
  return parseJson(Buffer.concat(chunks).toString());
}

function readVectors(answer: unknown, count: number): number[][] | null {
  const { data } = (answer ?? {}) as { data?: { index?: number; embedding?: unknown }[] };
  if (!Array.isArray(data) || data.length !== count) return null;
  const vectors = data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ embedding }) => embedding);
  const isVector = (vector: unknown): vector is number[] =>
    Array.isArray(vector) && vector.length > 0 && vector.every((value) => Number.isFinite(value));
  return vectors.every(isVector) ? vectors : null;
}
