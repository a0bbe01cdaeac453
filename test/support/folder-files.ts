import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Reads every file in a folder and below it, by its path there. A running service may remove a file of its own between the
 * listing and the reading (the one with which it tries whether it can write): that one is left out.
 */
export async function readFolder(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(paths.map(async (path) => [path, await readIfThere(path)] as const));
  return new Map(files.flatMap(([path, bytes]) => (bytes === null ? [] : [[path, bytes]])));
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
