import { randomUUID } from 'node:crypto';
import type { KeyedKind, KeyedStore, OpenKeyed } from '#records/keyed-store.ts';

/** An error that a process logged, without what callers sent. */
export type LoggedFault = ReturnType<typeof readFault>;

/** The last faults of a process. */
interface ProcessFaults {
  startedAt: string;
  faults: LoggedFault[];
}

const livesMs = 30 * 24 * 60 * 60 * 1_000;
export const faultKind: KeyedKind<ProcessFaults> = {
  name: 'process_faults',
  orderOf: ({ startedAt }) => startedAt,
  livesMs,
};

/** Faults that are kept of each process, and frames of each. */
const most = 50;
const mostFrames = 8;
/** How long a fault waits for others to be written with, in milliseconds. */
const pauseMs = 5_000;

/** Keeps the last faults of this process in the store, for `admin bundle`. While the store is away, they wait. */
export class FaultLog {
  readonly #faults: LoggedFault[] = [];
  readonly #startedAt = new Date().toISOString();
  readonly #key = randomUUID();
  #store: KeyedStore<ProcessFaults> | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** From now on, faults are written there, also those of before. */
  open(open: OpenKeyed): void {
    this.#store = open(faultKind);
    if (this.#faults.length > 0) this.#writeSoon();
  }

  /** Takes a line of the log whose level is an error, after secrets and addresses were hidden in it. */
  note(line: string): void {
    this.#faults.push(readFault(line));
    this.#faults.splice(0, this.#faults.length - most);
    this.#writeSoon();
  }

  async write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const value = { startedAt: this.#startedAt, faults: [...this.#faults] };
    if (value.faults.length > 0) await this.#store?.change(this.#key, () => value);
  }

  #writeSoon(): void {
    if (this.#store === null || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      // The store is away: the next fault is written with this one.
      this.write().catch(() => {});
    }, pauseMs).unref();
  }
}

/** The last faults of all processes, newest process first. */
export function listFaults(open: OpenKeyed): Promise<ProcessFaults[]> {
  return open(faultKind).list({ limit: 20 });
}

/** What is in quotes may be what somebody typed or what a record says. */
const quoted = /(["'`“‘])(?:(?!\1).)*(?:\1|$)/gs;

function readFault(line: string) {
  const { time, msg, err, missing, request_id } = JSON.parse(line);
  const message = [msg, missing, err?.message].filter((part) => typeof part === 'string').join(': ');
  const frames = String(err?.stack ?? '')
    .split('\n')
    .filter((frame) => /^\s+at /.test(frame));
  return {
    at: String(time),
    message: message.replace(quoted, '…').slice(0, 500),
    /** Where it happened in the code. */
    stack: frames.slice(0, mostFrames).map((frame) => frame.trim()),
    requestId: typeof request_id === 'string' ? request_id : null,
  };
}
