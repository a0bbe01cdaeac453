import { open, rename, rm } from 'node:fs/promises';
import type { Masthead } from './create-masthead.ts';
import type { CallOptions, ExportFileParameters } from './types.ts';

/** A file that was proved whole. */
export interface SavedExport {
  path: string;
  /** Rows without the heading. */
  rows: number;
  bytes: number;
}

/**
 * Writes an export to a file. The bytes go to a file of its own beside it, which becomes `path` when it is proved whole; a
 * file that was there before stays until then, and for good if the export fails.
 *
 * @throws MastheadError `incomplete_export` if rows are missing.
 */
export async function saveExport(
  masthead: Pick<Masthead, 'exportFile'>,
  path: string,
  parameters: ExportFileParameters = {},
  options: CallOptions = {},
): Promise<SavedExport> {
  const { body, total } = await masthead.exportFile(parameters, options);
  const part = `${path}.${crypto.randomUUID()}.part`;
  let bytes = 0;
  try {
    const file = await open(part, 'wx');
    try {
      for await (const chunk of body) {
        await file.writeFile(chunk);
        bytes += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return { path, rows: total, bytes };
}
