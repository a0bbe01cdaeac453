import { open, stat } from 'node:fs/promises';
import { maskAddresses } from '#records/addresses/scrub-addresses.ts';
import type { ColumnMap } from './column-map.ts';
import { countBytes, fileSize, openSource, type Source } from './open-source.ts';
import { ZipArchive } from './open-zip.ts';
import { RefusedFile } from './refused-file.ts';
import { isWorkbook, openSheet } from './workbook.ts';

/** How files are read that do not say it themselves. */
export interface ReadOptions {
  /** The sheet of workbooks; null for the first one. */
  sheet: string | null;
  /** The encoding of text that is not UTF-8, a label such as `windows-1252`. */
  encoding: string | null;
  columns: ColumnMap;
}

/** A list to import: a file, a sheet of a workbook, or standard input. */
export interface Input {
  /** Its name for messages, without addresses. */
  name: string;
  /** Whether it can be opened more than once. */
  isRereadable: boolean;
  /** @throws RefusedFile if it cannot be read */
  open(): Promise<Source>;
}

const zipSignature = Buffer.from('PK\u0003\u0004');

/** The list at a path; `-` is standard input. A missing file is noticed when it is opened. */
export async function inputAt(path: string, options: ReadOptions): Promise<Input> {
  // A pipe has no size, and can be read only once.
  const size = await fileSize(path).catch(() => null);
  return {
    name: path === '-' ? 'standard input' : maskAddresses(path),
    isRereadable: size !== null,
    open: async () => ((await isZip(path, size)) ? openWorkbook(path, options) : openFile(path, options)),
  };
}

async function openFile(path: string, { encoding, columns }: ReadOptions): Promise<Source> {
  if (path !== '-' && (await stat(path).catch(() => null))?.isDirectory()) {
    throw new RefusedFile('not_a_file', `is a folder. Pass its files, such as ${maskAddresses(path)}/*.csv`);
  }
  return openSource(path, { encoding, columns });
}

async function openWorkbook(path: string, { sheet, columns }: ReadOptions): Promise<Source> {
  const archive = await ZipArchive.open(path);
  try {
    if (!isWorkbook(archive)) throw new RefusedFile('not_text', 'is a zip archive. Unpack it and pass its files');
    const { rows, otherSheets } = await openSheet(archive, sheet);
    const counted = countBytes(rows);
    const close = () => {
      void counted.chunks.return(undefined);
      archive.close();
    };
    return { isSheet: true, otherSheets, encoding: null, columns, size: null, ...counted, close };
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function isZip(path: string, size: number | null): Promise<boolean> {
  if (size === null) return false;
  const file = await open(path).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(zipSignature.length), 0, zipSignature.length, 0);
    return buffer.subarray(0, bytesRead).equals(zipSignature);
  } finally {
    await file.close();
  }
}
