import { setTimeout as pause } from 'node:timers/promises';
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import type { DeadLetter } from '#search/index-maintenance.ts';
import { partFault, UnusableAnswer } from './elasticsearch-faults.ts';
import { documentId } from './index-document.ts';

/** Documents per request. Throughput stops growing with two or three concurrent requests of 1,000 to 2,000. */
const sizes = { min: 50, first: 1_000, max: 2_000 };
/** Limits the size of a request with long descriptions. */
const maxBytes = 8_000_000;
/** Default time to keep trying while the engine is overloaded or down, in milliseconds. */
const retryMs = 120_000;
const firstPauseMs = 250;
const maxPauseMs = 10_000;
/** How many times a document may get an internal error of the engine before the error counts as the document's own. */
const maxFaults = 5;

/** A change in the engine's format. Bytes, so that many changes can wait without work for the garbage collector. */
export interface PreparedChange {
  id: string;
  version: bigint;
  /** What the engine stores of the record, in its own format; null if nothing should be found. */
  document: Uint8Array | null;
}

export interface RetryUntil {
  /** Aborts the retries. */
  signal: AbortSignal;
  /** Called for each failed attempt. */
  onRetry?: () => void;
}

interface Operation {
  id: string;
  /** The lines of a bulk request, each with its line end. */
  lines: readonly Uint8Array[];
  faults: number;
}

type Verdict = 'settled' | 'again' | DeadLetter;

/** Requests are as large as the engine accepts; when it reports overload, they get smaller and retries wait. */
export class BulkWriter {
  readonly #client: Client;
  #size = sizes.first;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Returns what the engine rejects for good; retries the others until the signal aborts, by default for two minutes.
   * The index must be named by an alias, so that a write never creates an index.
   */
  async write(alias: string, changes: readonly PreparedChange[], until?: RetryUntil): Promise<DeadLetter[]> {
    const refused: DeadLetter[] = [];
    const deadline = performance.now() + retryMs;
    const mayWait = () => (until ? !until.signal.aborted : performance.now() < deadline);
    let left = changes.map(toOperation);
    for (let pauseMs = firstPauseMs; left.length > 0; ) {
      const request = this.#takeRequest(left);
      const verdicts = await this.#send(alias, request, mayWait);
      refused.push(...verdicts.filter((verdict) => typeof verdict === 'object'));
      const again = request.filter((_, position) => verdicts[position] === 'again');
      left = [...again, ...left.slice(request.length)];
      if (again.length === 0) {
        this.#size = Math.min(sizes.max, Math.ceil(this.#size * 1.1));
        pauseMs = firstPauseMs;
        continue;
      }
      this.#size = Math.max(sizes.min, Math.floor(this.#size / 2));
      until?.onRetry?.();
      await pause(pauseMs * (0.5 + Math.random() / 2), undefined, until && { signal: until.signal }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
    return refused;
  }

  #takeRequest(operations: readonly Operation[]): readonly Operation[] {
    let bytes = 0;
    const end = operations.findIndex((operation, position) => {
      for (const line of operation.lines) bytes += line.length;
      return position > 0 && (position >= this.#size || bytes > maxBytes);
    });
    return end === -1 ? operations : operations.slice(0, end);
  }

  async #send(index: string, operations: readonly Operation[], mayWait: () => boolean): Promise<Verdict[]> {
    try {
      const { items } = await this.#client.bulk({
        index,
        require_alias: true,
        // Anything but a list is sent unchanged; the client's types do not say so.
        operations: Buffer.concat(operations.flatMap(({ lines }) => lines)) as unknown as [],
        filter_path: ['items.*.status', 'items.*.error.type', 'items.*.error.reason'],
      });
      return operations.map((operation, position) => judge(operation, items[position], mayWait()));
    } catch (error) {
      if (!mayWait() || !isPassing(error)) throw error;
      return operations.map(() => 'again');
    }
  }
}

/** Written by hand because the version exceeds JavaScript's exact integers. */
function toOperation({ id, version, document }: PreparedChange): Operation {
  const target = `{"_id":${JSON.stringify(documentId(id))},"version":${version},"version_type":"external_gte"}`;
  const action = Buffer.from(`{"${document === null ? 'delete' : 'index'}":${target}}\n`);
  return { id, lines: document === null ? [action] : [action, document], faults: 0 };
}

function judge(operation: Operation, item: Answered | undefined, mayWait: boolean): Verdict {
  const { status, error } = item?.index ?? item?.delete ?? {};
  if (status === undefined) throw new UnusableAnswer('the response covers fewer documents than the request');
  // Deleting a missing document is not an error, and a later version is just as good.
  if (error == null || status === 409) return 'settled';
  if (status === 400 || status === 413) return refusal(operation, error);
  if (status === 500) {
    operation.faults += 1;
    return operation.faults >= maxFaults ? refusal(operation, error) : 'again';
  }
  if (isPassingStatus(status) && mayWait) return 'again';
  throw partFault(status, error.type);
}

type Answered = Partial<Record<estypes.BulkOperationType, estypes.BulkResponseItem>>;

function isPassing(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return isPassingStatus(error.statusCode ?? 0);
  return error instanceof errors.ConnectionError || error instanceof errors.TimeoutError;
}

function isPassingStatus(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/** The engine's message may quote the document, so only the kind of error and the field are passed on. */
function refusal({ id }: Operation, { type, reason }: estypes.ErrorCause): DeadLetter {
  const field = /field \[([\w.]+)\]/.exec(reason ?? '')?.[1];
  return { id, reason: `Elasticsearch: ${type}${field === undefined ? '' : ` in ${field}`}` };
}
