import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { defaultToOutlets, type ExportFormat, type ExportRequest } from '#outbound/export-records.ts';
import type { HeldSlot } from '#outbound/work-slots.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { OpenedList } from '#search/lists/lists.ts';
import type { RecordScan } from '#search/search-index.ts';

/** Characters that some file system does not take, and a dot that would hide the file. */
const unsafeInNames = /^\.|[\s\p{Cc}\p{Cf}"*/:<>?\\|]+/gu;

/** Such as `masthead-outlets-2026-11-21.csv`: named after the list or the only kind, and the tool if the format is a tool's. */
export function fileName(
  { query, format }: Pick<ExportRequest, 'query' | 'format'>,
  list: Pick<OpenedList, 'name'> | null,
  now: Date,
): string {
  const tool = format.needsAddress ? [format.name] : [];
  const end = `${[...tool, now.toISOString().slice(0, 10)].join('-')}.${format.extension}`;
  if (list !== null) return `${list.name.toWellFormed().replace(unsafeInNames, ' ').trim()}-${end}`;
  const kinds = defaultToOutlets(query).filters.flatMap((filter) =>
    'field' in filter && filter.field === 'kind' && filter.none.length === 0 ? filter.any : [],
  );
  const [kind, ...otherKinds] = new Set(kinds);
  const subject = kind !== undefined && otherKinds.length === 0 ? `${kind}s` : 'records';
  return `masthead-${subject}-${end}`;
}

/** The name in quotes, in ASCII; and whole beside it where that is not the same (RFC 6266). */
export function attachmentOf(name: string): string {
  const plain = name.replace(/[^ -~]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}

/**
 * The batches of a scan. Reads the first one at once, so that an error of the engine can still be the answer. A later error
 * resets the connection, because half a file would look whole. Releases the slot before the last bytes go out, so that a
 * client who has them can start the next export. `report` gets the number of rows of each batch.
 */
export async function startReading(
  scan: RecordScan,
  res: Response,
  slot: HeldSlot,
  report: (rows: number) => void,
): Promise<AsyncIterable<readonly MediaRecord[]>> {
  const batches = scan[Symbol.asyncIterator]();
  const first = await batches.next();
  return (async function* readAll() {
    try {
      for (let next = first; !next.done; next = await batches.next()) {
        report(next.value.length);
        yield next.value;
      }
      await slot.release();
    } catch (error) {
      res.socket?.resetAndDestroy();
      throw error;
    } finally {
      await batches.return?.();
    }
  })();
}

export interface FileLimits {
  /** How long a reader may take nothing, in milliseconds. */
  stallMs: number;
  totalMs: number;
}

/** Fast compression, since the network is seldom the bottleneck of an export; each piece is sent as it is made. */
const gzipOptions = { level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH };

/**
 * Sends a file, gzipped if the caller accepts it and it is not compressed already, with its digest as a trailer (RFC 9530).
 * Resolves when everything is sent or the reader has left. Rejects if the source failed.
 */
export async function sendFile(
  req: Request,
  res: Response,
  file: AsyncIterable<Buffer>,
  { isCompressed, stallMs, totalMs }: FileLimits & Pick<ExportFormat, 'isCompressed'>,
): Promise<void> {
  const steps: (NodeJS.ReadWriteStream | ((sent: AsyncIterable<Buffer>) => AsyncIterable<Buffer>))[] = [];
  if (!isCompressed && req.acceptsEncodings('gzip', 'identity') === 'gzip') {
    res.set('Content-Encoding', 'gzip');
    steps.push(createGzip(gzipOptions));
  }
  // HTTP/1.0 has no trailers.
  if (req.httpVersion !== '1.0') {
    res.set('Trailer', 'Content-Digest');
    // Sends the headers without a length, so that even an empty file has a trailer.
    res.flushHeaders();
    steps.push((sent) => addDigest(res, sent));
  }
  const deadline = setTimeout(() => res.socket?.resetAndDestroy(), totalMs);
  res.setTimeout(stallMs, () => res.socket?.resetAndDestroy());
  try {
    await pipeline([file, ...steps, res]);
  } catch (error) {
    const hasLeft = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!hasLeft) throw error;
  } finally {
    clearTimeout(deadline);
  }
}

async function* addDigest(res: Response, sent: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  for await (const chunk of sent) {
    digest.update(chunk);
    yield chunk;
  }
  res.addTrailers({ 'Content-Digest': `sha-256=:${digest.digest('base64')}:` });
}
