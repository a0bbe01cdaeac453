import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DeadLetter } from '#ports/index-generations.ts';

/** What could not be indexed, as NDJSON: ids and reasons, no more. The file is made with its first entry. */
export class DeadLetterFile {
  readonly path: string;
  readonly #folder: string;
  #count = 0;

  /** @param started names the file */
  constructor(folder: string, started: Date) {
    this.#folder = folder;
    this.path = join(folder, `${started.toISOString().replaceAll(':', '-')}.ndjson`);
  }

  get count(): number {
    return this.#count;
  }

  add({ id, reason }: DeadLetter): void {
    if (this.#count === 0) mkdirSync(this.#folder, { recursive: true });
    appendFileSync(this.path, `${JSON.stringify({ id, reason })}\n`);
    this.#count += 1;
  }
}
