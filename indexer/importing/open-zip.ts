import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { BrokenFile, RefusedFile } from './row.ts';

/** Bytes that an archive may unpack to. */
const maxUnpacked = 8 * 1024 ** 3;
/** How many times its packed size a file may unpack to, if it is larger than this. Sheets of lists stay far below. */
const maxRatio = 100;
const largeFile = 16 * 1024 ** 2;
const maxEntries = 10_000;

/** A zip archive on disk, such as a workbook, whose files are read in place: nothing is unpacked to disk. */
export class ZipArchive {
  /** By their names, without folders. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly #zip: ZipFile;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.entries = entries;
  }

  /** @throws RefusedFile if it is damaged, has a password, has names that leave it, or unpacks to far too much. */
  static async open(path: string): Promise<ZipArchive> {
    let zip: ZipFile | undefined;
    const entries = new Map<string, Entry>();
    try {
      zip = await openPromise(path, { lazyEntries: true, autoClose: false });
      if (zip.entryCount > maxEntries) throw tooLarge(`has more than ${maxEntries} files`);
      let unpacked = 0;
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.endsWith('/')) continue;
        if (entry.isEncrypted()) throw new RefusedFile('bad_archive', 'has a password; save it without one');
        unpacked += entry.uncompressedSize;
        checkSize(entry, unpacked);
        if (entries.has(entry.fileName))
          throw new RefusedFile('bad_archive', 'has two files of one name, as no workbook has');
        entries.set(entry.fileName, entry);
      }
      return new ZipArchive(zip, entries);
    } catch (error) {
      zip?.close();
      if (error instanceof RefusedFile) throw error;
      const reason = 'is a damaged zip archive or workbook';
      throw new RefusedFile('bad_archive', reason, { cause: error });
    }
  }

  /**
   * The content of a file of the archive, unpacked as it is read.
   *
   * @throws RefusedFile if there is none of this name; BrokenFile if it is damaged
   */
  async *readFile(name: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new RefusedFile('bad_archive', `is a damaged workbook: ${name} is missing`);
    let stream: Readable | undefined;
    try {
      stream = await this.#zip.openReadStreamPromise(entry);
      for await (const chunk of stream) yield chunk as Buffer;
    } catch (error) {
      throw new BrokenFile('is a damaged workbook', { cause: error });
    } finally {
      stream?.destroy();
    }
  }

  close(): void {
    this.#zip.close();
  }
}

/** The sizes that the archive states; reading fails if a file unpacks to more. */
function checkSize({ uncompressedSize, compressedSize }: Entry, unpacked: number): void {
  if (unpacked > maxUnpacked) throw tooLarge(`unpacks to more than ${maxUnpacked / 1024 ** 3} GiB`);
  if (uncompressedSize > largeFile && uncompressedSize > compressedSize * maxRatio) {
    throw tooLarge(`unpacks to more than ${maxRatio} times its size`);
  }
}

function tooLarge(what: string): RefusedFile {
  return new RefusedFile(
    'bad_archive',
    `${what}, like an archive made to fill the memory. Save the sheet as "CSV UTF-8"`,
  );
}
