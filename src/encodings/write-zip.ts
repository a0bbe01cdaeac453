import { pipeline } from 'node:stream/promises';
import { constants, crc32, createDeflateRaw } from 'node:zlib';

/** A file of an archive: its name in ASCII, and its content piece by piece. */
export interface ZipEntry {
  name: string;
  content: AsyncIterable<Buffer>;
}

/** Archives without the extensions for larger files, which spreadsheets do not read while they are streamed. */
const maxBytes = 0xffff_ffff;

/** Sizes come after the content; names are UTF-8. */
const flags = 0x0808;
const deflated = 8;
const version = 20;
/** 1 January 1980: the same records make the same bytes. */
const [time, date] = [0, 0x21];

/**
 * A zip archive (APPNOTE 6.3), made as it is read, so memory does not grow with its size. Fails if it gets larger than
 * 4 GiB.
 */
export async function* writeZip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const start = offset;
    const sums = { crc: 0, size: 0 };
    const local = record(
      0x04034b50,
      [2, version],
      [2, flags],
      [2, deflated],
      [2, time],
      [2, date],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    );
    yield Buffer.concat([local, Buffer.from(name)]);
    offset += local.length + name.length;

    let packed = 0;
    for await (const piece of deflate(summed(content, sums))) {
      packed += piece.length;
      yield piece;
    }
    const measures = [
      [4, sums.crc],
      [4, packed],
      [4, sums.size],
    ] as const;
    const descriptor = record(0x08074b50, ...measures);
    yield descriptor;
    offset += packed + descriptor.length;
    if (Math.max(offset, sums.size) > maxBytes) throw new Error('the archive is larger than 4 GiB');

    const central = record(
      0x02014b50,
      [2, version],
      [2, version],
      [2, flags],
      [2, deflated],
      [2, time],
      [2, date],
      ...measures,
      [2, name.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, start],
    );
    directory.push(central, Buffer.from(name));
  }
  const listed = Buffer.concat(directory);
  const count = directory.length / 2;
  yield listed;
  yield record(0x06054b50, [2, 0], [2, 0], [2, count], [2, count], [4, listed.length], [4, offset], [2, 0]);
}

/** A signature and numbers of 2 or 4 bytes, little-endian. */
function record(signature: number, ...numbers: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const all = [[4, signature] as const, ...numbers];
  const buffer = Buffer.alloc(all.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of all) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

/** The same content, whose checksum and size are kept on the way. */
async function* summed(content: AsyncIterable<Buffer>, sums: { crc: number; size: number }): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    sums.crc = crc32(piece, sums.crc);
    sums.size += piece.length;
    yield piece;
  }
}

async function* deflate(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packer = createDeflateRaw({ level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 });
  const fed = pipeline(content, packer);
  // Its error is that of the pieces below.
  fed.catch(() => {});
  for await (const piece of packer) yield piece;
  await fed;
}
