import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './command-line.ts';

/** @throws UsageError if there is such a file, and the operator did not say that it may be replaced */
export function refuseExisting(file: string, force: boolean): void {
  if (!force && existsSync(file)) throw new UsageError(`${file} exists. Use --force to replace it, or another name.`);
}

/**
 * Writes a file under a temporary name beside it and renames it when it is whole, for its owner alone: it may hold
 * addresses.
 */
export async function writeOutputFile(file: string, steps: readonly [Readable, ...Duplex[]]): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    await pipeline([...steps, createWriteStream(temporary, { mode: 0o600, flags: 'wx' })]);
    const handle = await open(temporary, 'r');
    await handle.sync().finally(() => handle.close());
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new Error(`${file} cannot be written (${code}). Use a file in an existing folder.`, { cause: error });
  }
}
