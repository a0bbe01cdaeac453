import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from './engine.ts';

export interface FetchOptions {
  /** Where the client downloads to, and where it runs. */
  folder: string;
  log: LogLine;
  /** How often progress is looked at. */
  progressMs?: number;
  /** Time without progress after which the download is given up. */
  stallMs?: number;
}

/**
 * Runs a package client that downloads to a folder, and reports progress.
 *
 * @throws Error with the client's last output if it fails, is missing, or receives nothing for too long.
 */
export async function runFetcher(
  command: string,
  args: readonly string[],
  { folder, log, progressMs = 3_000, stallMs = 120_000 }: FetchOptions,
): Promise<void> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keepTail = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000);
  };
  child.stdout.on('data', keepTail);
  child.stderr.on('data', keepTail);

  let size = 0;
  let grownAt = Date.now();
  let stalled = false;
  const watch = setInterval(() => {
    const now = folderSize(folder);
    if (now > size) {
      grownAt = Date.now();
      size = now;
      log(`  … ${Math.round(size / 1e6)} MB`);
    } else if (Date.now() - grownAt > stallMs) {
      stalled = true;
      child.kill('SIGKILL');
    }
  }, progressMs);

  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).finally(() => clearInterval(watch));
  if (stalled) throw new Error(`${command} got nothing for ${stallMs / 1000} s and was ended`);
  if (code !== 0) throw new Error(`${command} failed: ${lastLines(output)}`);
}

function folderSize(folder: string): number {
  let size = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      size += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
  }
  return size;
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-5).join(' | ') || 'it said nothing';
}
