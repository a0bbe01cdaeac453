import type { Dirent } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from 'yauzl';
import { maskAddresses } from '#domain/addresses/scrub-addresses.ts';
import type { ColumnMap } from './column-map.ts';
import { cannotRead, countBytes, fileSize, openSource, type Source, unpacked } from './open-source.ts';
import { ZipArchive } from './open-zip.ts';
import { RefusedFile } from './refused-file.ts';
import { isWorkbook, readSheet } from './workbook.ts';

/** How files are read that do not say it themselves. */
export interface ReadOptions {
  /** The sheet of workbooks; null for the first one. */
  sheet: string | null;
  /** The encoding of text that is not UTF-8, a label such as `windows-1252`. */
  encoding: string | null;
  columns: ColumnMap;
}

/** A list to import: a file, a file in a zip archive, or a sheet of a workbook. */
export interface Input {
  /** Its name for messages, such as `media.zip/uk/papers.csv`, without addresses. */
  name: string;
  /** Whether it can be opened more than once. */
  isRereadable: boolean;
  /** @throws RefusedFile if it cannot be read */
  open(): Promise<Source>;
}

const zipSignature = Buffer.from('PK\u0003\u0004');
/** What systems add to folders and archives beside the files that people put there. */
const byproducts = /^(?:\.|__MACOSX$|Thumbs\.db$|desktop\.ini$)/i;

/**
 * The lists at a path: of a folder those in it and below, of a zip archive those within, in the order of their names.
 * What cannot be opened is an input that says so when it is opened, so the others go on. An input must be used before
 * the next one is asked for.
 */
export async function* listInputs(path: string, options: ReadOptions): AsyncGenerator<Input> {
  if (path === '-') yield fileInput(path, options, false);
  else if (await isFolder(path)) yield* listFolder(path, options);
  else if (await isZip(path)) yield* listArchive(path, options);
  else yield await plainFile(path, options);
}

function fileInput(path: string, { encoding, columns }: ReadOptions, isRereadable: boolean): Input {
  const name = path === '-' ? 'standard input' : maskAddresses(path);
  return { name, isRereadable, open: () => openSource(path, { encoding, columns }) };
}

async function plainFile(path: string, options: ReadOptions): Promise<Input> {
  // A pipe has no size. A missing file is noticed when it is opened.
  const size = await fileSize(path).catch(() => null);
  return fileInput(path, options, size !== null);
}

async function* listFolder(path: string, options: ReadOptions): AsyncGenerator<Input> {
  const found = await readdir(path, { withFileTypes: true }).catch((error: unknown) => cannotRead(error));
  if (found instanceof RefusedFile) {
    yield refused(path, found);
    return;
  }
  const entries = found.filter(({ name }) => !byproducts.test(name));
  if (entries.length === 0) yield refused(path, new RefusedFile('empty', 'is a folder without files'));
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = join(path, entry.name);
    if (entry.isFile() || entry.isDirectory()) yield* listInputs(inner, options);
    // A link can lead out of the folder, or back into it.
    else yield refused(inner, new RefusedFile('not_a_file', notAFile(entry)));
  }
}

function notAFile(entry: Dirent): string {
  const what = entry.isSymbolicLink() ? 'a symbolic link, which imports of folders do not follow' : 'not a file';
  return `is ${what}; pass it by its own path to import it`;
}

async function* listArchive(path: string, options: ReadOptions): AsyncGenerator<Input> {
  let archive: ZipArchive;
  try {
    archive = await ZipArchive.open(path);
  } catch (error) {
    yield refused(path, error);
    return;
  }
  try {
    if (isWorkbook(archive)) yield sheetInput(path, archive, options);
    else yield* listEntries(path, archive, options);
  } finally {
    archive.close();
  }
}

function* listEntries(path: string, archive: ZipArchive, options: ReadOptions): Generator<Input> {
  const lists = [...archive.entries].filter(([name]) => !name.split('/').some((part) => byproducts.test(part)));
  if (lists.length === 0) yield refused(path, new RefusedFile('empty', 'is a zip archive without files'));
  for (const [name, entry] of lists.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    yield {
      name: maskAddresses(`${path}/${name}`),
      isRereadable: true,
      open: async () => openEntry(archive, entry, options),
    };
  }
}

function sheetInput(path: string, archive: ZipArchive, { sheet, columns }: ReadOptions): Input {
  const open = async () => openChunks(readSheet(archive, sheet), null, { isSheet: true, encoding: null, columns });
  return { name: maskAddresses(path), isRereadable: true, open };
}

function openEntry(archive: ZipArchive, entry: Entry, { encoding, columns }: ReadOptions): Source {
  return openChunks(unpacked(archive.read(entry)), entry.uncompressedSize, { isSheet: false, encoding, columns });
}

function openChunks(
  chunks: AsyncGenerator<Buffer>,
  size: number | null,
  form: Pick<Source, 'isSheet' | 'encoding' | 'columns'>,
): Source {
  return { ...form, size, ...countBytes(chunks), close: () => void chunks.return(undefined) };
}

function refused(path: string, error: unknown): Input {
  return { name: maskAddresses(path), isRereadable: true, open: () => Promise.reject(error) };
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats?.isDirectory() ?? false;
}

/** Whether a file starts like a zip archive. A pipe can be read only once, so it is not looked at. */
async function isZip(path: string): Promise<boolean> {
  const size = await fileSize(path).catch(() => null);
  if (size === null) return false;
  const file = await open(path).catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(zipSignature.length), 0, zipSignature.length, 0);
    return buffer.subarray(0, bytesRead).equals(zipSignature);
  } catch {
    // It is refused when it is opened.
    return false;
  } finally {
    await file.close();
  }
}
