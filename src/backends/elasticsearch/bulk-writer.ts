import { setTimeout as pause } from 'node:timers/promises';
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import type { MediaRecord } from '#domain/media-record.ts';
import type { DeadLetter, RecordWriter } from '#ports/index-generations.ts';
import { askElasticsearch } from './elasticsearch-faults.ts';
import { documentId, indexDocument } from './index-document.ts';

/** Documents a request: two requests of 1,000 to 2,000 at a time are where throughput stops growing. */
const sizes = { least: 50, first: 1_000, most: 2_000 };
/** Bytes a request, about, so that long descriptions do not swell it. */
const mostBytes = 8_000_000;
const mostInFlight = 2;
/** How long to go on trying while the engine is overloaded or away, in milliseconds. */
const patienceMs = 120_000;
const firstPauseMs = 250;
const longestPauseMs = 10_000;

interface Operation {
  id: string;
  action: string;
  document: string;
}

/**
 * Writes records to one index, two requests at a time, as large as the engine takes them: it makes them smaller when
 * the engine says that it has too much to do, and waits before it tries again.
 */
export class BulkWriter implements RecordWriter {
  readonly #client: Client;
  readonly #index: string;
  readonly #reportDeadLetter: (letter: DeadLetter) => void;
  readonly #inFlight = new Set<Promise<void>>();
  #waiting: Operation[] = [];
  #waitingBytes = 0;
  #size = sizes.first;
  #failure: unknown = null;

  constructor(client: Client, index: string, reportDeadLetter: (letter: DeadLetter) => void) {
    this.#client = client;
    this.#index = index;
    this.#reportDeadLetter = reportDeadLetter;
  }

  async add(records: readonly MediaRecord[]): Promise<void> {
    for (const record of records) {
      const document = JSON.stringify(indexDocument(record));
      const action = JSON.stringify({ index: { _id: documentId(record.id) } });
      this.#waiting.push({ id: record.id, action, document });
      this.#waitingBytes += document.length;
      if (this.#waiting.length >= this.#size || this.#waitingBytes >= mostBytes) await this.#send();
    }
  }

  async flush(): Promise<void> {
    if (this.#waiting.length > 0) await this.#send();
    await Promise.all(this.#inFlight);
    this.#throwFailure();
  }

  async #send(): Promise<void> {
    while (this.#inFlight.size >= mostInFlight) await Promise.race(this.#inFlight);
    this.#throwFailure();
    const operations = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const sending = askElasticsearch(() => this.#write(operations))
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#inFlight.delete(sending));
    this.#inFlight.add(sending);
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  async #write(operations: readonly Operation[]): Promise<void> {
    const deadline = performance.now() + patienceMs;
    let left = operations;
    for (let pauseMs = firstPauseMs; left.length > 0; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const refused = await this.#tryOnce(left, performance.now() < deadline);
      if (refused.length === 0) this.#size = Math.min(sizes.most, Math.ceil(this.#size * 1.1));
      else {
        this.#size = Math.max(sizes.least, Math.floor(this.#size / 2));
        await pause(pauseMs * (0.5 + Math.random() / 2));
      }
      left = refused;
    }
  }

  /** Answers the operations that the engine had no room for, all of them where it did not answer. */
  async #tryOnce(operations: readonly Operation[], mayFail: boolean): Promise<readonly Operation[]> {
    try {
      const lines = operations.flatMap(({ action, document }) => [action, document]);
      const { items } = await this.#client.bulk({
        index: this.#index,
        operations: lines,
        filter_path: ['items.*.status', 'items.*.error'],
      });
      return operations.filter((operation, place) => !this.#isSettled(operation, items[place]?.index, mayFail));
    } catch (error) {
      if (!mayFail || !isPassing(error)) throw error;
      return operations;
    }
  }

  #isSettled({ id }: Operation, item: estypes.BulkResponseItem | undefined, mayFail: boolean): boolean {
    if (item === undefined) throw new Error('Elasticsearch answered for fewer documents than it was given');
    if (item.error === undefined) return true;
    if (mayFail && isPassingStatus(item.status)) return false;
    this.#reportDeadLetter({ id, reason: describeRefusal(item) });
    return true;
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return isPassingStatus(error.statusCode ?? 0);
  return error instanceof errors.ConnectionError || error instanceof errors.TimeoutError;
}

function isPassingStatus(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/** The engine's own words may quote the document: only the kind of fault and the field are given on. */
function describeRefusal({ status, error }: estypes.BulkResponseItem): string {
  const field = /field \[([\w.]+)\]/.exec(error?.reason ?? '')?.[1];
  return `Elasticsearch: ${error?.type ?? status}${field === undefined ? '' : ` in ${field}`}`;
}
