import { setTimeout as pause } from 'node:timers/promises';
import { type Client, errors, type estypes } from '@elastic/elasticsearch';
import type { DeadLetter } from '#search/indexed/index-maintenance.ts';
import { partFault, UnusableAnswer } from './elasticsearch-faults.ts';

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

/** What a write does to one document. */
export interface DocumentWrite {
  /** Of the record that it belongs to. */
  record: string;
  /** An alias of one index, so that a write never creates an index. */
  alias: string;
  /** Its `_id`. */
  id: string;
  version: bigint;
  /** In the engine's format, with its line end; null to delete it. */
  document: Uint8Array | null;
}

export interface RetryUntil {
  /** Aborts the retries. */
  signal: AbortSignal;
  /** Called for each failed attempt. */
  onRetry?: () => void;
}

interface Operation {
  write: DocumentWrite;
  /** The lines of a bulk request, each with its line end. */
  lines: readonly Uint8Array[];
  faults: number;
}

/** `outdated`: the engine has a later version. */
type Verdict = 'settled' | 'outdated' | 'again' | DeadLetter;

/** Requests are as large as the engine accepts; when it reports overload, they get smaller and retries wait. */
export class BulkWriter {
  readonly #client: Client;
  #size = sizes.first;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Writes documents, in requests one after another. Returns the records of which the engine rejects a document for good, and the
   * writes of which it has a later version; retries the others until the signal aborts, by default for two minutes.
   */
  async write(
    writes: readonly DocumentWrite[],
    until?: RetryUntil,
  ): Promise<{ refused: DeadLetter[]; outdated: readonly DocumentWrite[] }> {
    const refused: DeadLetter[] = [];
    const outdated: DocumentWrite[] = [];
    const deadline = performance.now() + retryMs;
    const mayWait = () => (until ? !until.signal.aborted : performance.now() < deadline);
    let remaining = writes.map(toOperation);
    for (let pauseMs = firstPauseMs; remaining.length > 0; ) {
      const request = this.#takeRequest(remaining);
      const verdicts = await this.#send(request, mayWait);
      refused.push(...verdicts.filter((verdict) => typeof verdict === 'object'));
      outdated.push(...request.filter((_, place) => verdicts[place] === 'outdated').map(({ write }) => write));
      const again = request.filter((_, position) => verdicts[position] === 'again');
      remaining = [...again, ...remaining.slice(request.length)];
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
    return { refused, outdated };
  }

  #takeRequest(operations: readonly Operation[]): readonly Operation[] {
    let bytes = 0;
    const end = operations.findIndex((operation, position) => {
      for (const line of operation.lines) bytes += line.length;
      return position > 0 && (position >= this.#size || bytes > maxBytes);
    });
    return end === -1 ? operations : operations.slice(0, end);
  }

  async #send(operations: readonly Operation[], mayWait: () => boolean): Promise<Verdict[]> {
    try {
      const { items } = await this.#client.bulk({
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
function toOperation(write: DocumentWrite): Operation {
  const { alias, id, version, document } = write;
  const place = `"_index":${JSON.stringify(alias)},"_id":${JSON.stringify(id)}`;
  const target = `{${place},"version":${version},"version_type":"external_gte"}`;
  const action = Buffer.from(`{"${document === null ? 'delete' : 'index'}":${target}}\n`);
  return { write, lines: document === null ? [action] : [action, document], faults: 0 };
}

function judge(operation: Operation, item: Answered | undefined, mayWait: boolean): Verdict {
  const { status, error } = item?.index ?? item?.delete ?? {};
  if (status === undefined) throw new UnusableAnswer('the response covers fewer documents than the request');
  if (status === 409) return 'outdated';
  // Deleting a missing document is not an error.
  if (error == null) return 'settled';
  if (status === 400 || status === 413) return refusal(operation, error);
  if (status === 500) {
    operation.faults += 1;
    return operation.faults >= maxFaults ? refusal(operation, error) : 'again';
  }
  if (isPassingStatus(status) && mayWait) return 'again';
  throw partFault(status, error.type);
}

type Answered = Partial<Record<estypes.BulkOperationType, estypes.BulkResponseItem>>;

/** Reads what a write needs to know; tries again while the engine is overloaded or down, as long as a write does. */
export async function readPatiently<Answer>(work: () => Promise<Answer>, until?: RetryUntil): Promise<Answer> {
  const deadline = performance.now() + retryMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await work();
    } catch (error) {
      const mayWait = until ? !until.signal.aborted : performance.now() < deadline;
      if (!mayWait || !isPassing(error)) throw error;
      until?.onRetry?.();
      await pause(pauseMs, undefined, until && { signal: until.signal }).catch(() => {});
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof errors.ResponseError) return isPassingStatus(error.statusCode ?? 0);
  return error instanceof errors.ConnectionError || error instanceof errors.TimeoutError;
}

function isPassingStatus(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504;
}

/** The engine's message may quote the document, so only the kind of error and the field are passed on. */
function refusal({ write: { record: id } }: Operation, { type, reason }: estypes.ErrorCause): DeadLetter {
  const field = /field \[([\w.]+)\]/.exec(reason ?? '')?.[1];
  return { id, reason: `Elasticsearch: ${type}${field === undefined ? '' : ` in ${field}`}` };
}
