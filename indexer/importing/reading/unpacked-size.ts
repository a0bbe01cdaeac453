import { createInflateRaw } from 'node:zlib';

/* The parts of a zip archive that are needed here (APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16). */
const end = { mark: 'PK\u0005\u0006', entries: 10, directory: 16 };
const entry = { mark: 0x02014b50, length: 46, method: 10, packed: 20, name: 28, extra: 30, comment: 32, at: 42 };
const file = { length: 30, name: 26, extra: 28 };
const deflated = 8;

/**
 * How many bytes the files of a zip archive take unpacked. They are counted, because an archive may state any sizes. Stops
 * above `limit`. What is damaged counts nothing: the parser of the archive says so.
 */
export async function countUnpacked(archive: Buffer, limit: number): Promise<number> {
  let total = 0;
  for (const { content, method } of listFiles(archive)) {
    if (method !== deflated) total += content.length;
    else total += await countInflated(content, limit - total);
    if (total > limit) break;
  }
  return total;
}

async function countInflated(content: Buffer, limit: number): Promise<number> {
  const inflate = createInflateRaw();
  inflate.end(content);
  let total = 0;
  try {
    for await (const chunk of inflate) {
      total += chunk.length;
      if (total > limit) break;
    }
  } catch {
    // Damaged.
  }
  return total;
}

function* listFiles(archive: Buffer): Generator<{ content: Buffer; method: number }> {
  const last = archive.lastIndexOf(end.mark, -22, 'latin1');
  if (last < 0) return;
  let place = archive.readUInt32LE(last + end.directory);
  for (let entriesLeft = archive.readUInt16LE(last + end.entries); entriesLeft > 0; entriesLeft -= 1) {
    if (place + entry.length > archive.length || archive.readUInt32LE(place) !== entry.mark) return;
    const at = archive.readUInt32LE(place + entry.at);
    if (at + file.length > archive.length) return;
    const start = at + file.length + archive.readUInt16LE(at + file.name) + archive.readUInt16LE(at + file.extra);
    yield {
      content: archive.subarray(start, start + archive.readUInt32LE(place + entry.packed)),
      method: archive.readUInt16LE(place + entry.method),
    };
    const parts = [entry.name, entry.extra, entry.comment].map((part) => archive.readUInt16LE(place + part));
    place += parts.reduce((sum, length) => sum + length, entry.length);
  }
}
