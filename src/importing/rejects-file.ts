import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** One line of a rejects file: a rejected row, or a value that was changed or skipped. Never the value itself. */
export interface RejectEntry {
  level: 'reject' | 'note';
  file: string;
  /** The line on which the row starts, from 1. */
  line: number;
  id: string | null;
  field: string | null;
  code: string;
  reason: string;
}

/** The rejects of one run as NDJSON. The file and its folder are created with the first entry. */
export class RejectsFile {
  readonly path: string;
  #handle: FileHandle | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Whether it contains anything. */
  get isMade(): boolean {
    return this.#handle !== null;
  }

  async append(entries: readonly RejectEntry[]): Promise<void> {
    if (entries.length === 0) return;
    this.#handle ??= await this.#make();
    await this.#handle.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }

  async #make(): Promise<FileHandle> {
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return await open(this.path, 'w', 0o600);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Error(`the rejects file ${this.path} cannot be written (${code}); choose another with --rejects FILE`, {
        cause: error,
      });
    }
  }
}
