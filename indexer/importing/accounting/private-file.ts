import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Creates a file that only its owner can read, and its folder. Returns its path. */
export async function makeFile(path: string, content: string): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode: 0o600 });
    return path;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`${path} cannot be written (${code}); choose another folder with --rejects FOLDER`, { cause });
  }
}
