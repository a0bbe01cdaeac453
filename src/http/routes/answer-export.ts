import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import type { MediaRecord } from '#domain/media-record.ts';
import type { RecordScan } from '#ports/search-index.ts';
import type { HeldSlot } from '#ports/work-slots.ts';
import { chooseKind, type ExportRequest, exportRecords } from '#usecases/export-records.ts';
import { takeSlot } from '#usecases/take-slot.ts';
import type { AppDeps, WriteFile } from '../app-deps.ts';
import { exportParameters } from '../parse/export-parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { keyOf } from '../request-state.ts';

export interface ExportLimits {
  /** So long nothing may get through to the reader, in milliseconds. */
  stallMs: number;
  /** So long an export may last, in milliseconds. */
  totalMs: number;
}

const usualLimits: ExportLimits = { stallMs: 60_000, totalMs: 60 * 60_000 };

/** GET /export: every record that matches, as a file. */
export function answerExport(deps: AppDeps, limits = usualLimits): RequestHandler {
  return async (req, res) => {
    const { values: request } = readParameters(req.originalUrl, exportParameters);
    const key = keyOf(res);
    const slot = await takeSlot(deps.slots, 'export', key);
    try {
      const now = deps.now();
      const scan = await exportRecords(deps, request, key, now);
      try {
        const batches = await startReading(scan, res, slot);
        setHeaders(res, request, scan.total, now);
        if (req.method === 'HEAD') res.end();
        else await send(req, res, deps.writeFile(batches, request.format), limits);
      } finally {
        await scan.close();
      }
    } finally {
      await slot.release();
    }
  };
}

/**
 * The batches of a scan, the first of them already read, so that an engine that fails at once can still be answered by
 * an error. One that fails later breaks the connection, by a reset: its end alone would make half a file look whole to
 * readers that know no chunks. The slot is given back before the last bytes go out: whoever has them all may begin the
 * next export.
 */
async function startReading(
  scan: RecordScan,
  res: Response,
  slot: HeldSlot,
): Promise<AsyncIterable<readonly MediaRecord[]>> {
  const batches = scan[Symbol.asyncIterator]();
  const first = await batches.next();
  return (async function* readAll() {
    try {
      for (let next = first; !next.done; next = await batches.next()) yield next.value;
      await slot.release();
    } catch (error) {
      res.socket?.resetAndDestroy();
      throw error;
    } finally {
      await batches.return?.();
    }
  })();
}

function setHeaders(res: Response, request: ExportRequest, total: number, now: Date): void {
  res.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName(request, now)}"`,
    'X-Total-Count': String(total),
  });
  res.vary('Accept-Encoding');
}

/** Such as masthead-outlets-2026-11-21.csv; the kind where it is one, the tool where it is for one. */
function fileName({ query, format }: ExportRequest, now: Date): string {
  const kinds = chooseKind(query).filters.flatMap((filter) =>
    'field' in filter && filter.field === 'kind' && filter.none.length === 0 ? filter.any : [],
  );
  const [kind, ...others] = new Set(kinds);
  const subject = kind !== undefined && others.length === 0 ? `${kind}s` : 'records';
  const tool = format === 'csv' ? [] : [format];
  return `${['masthead', subject, ...tool, now.toISOString().slice(0, 10)].join('-')}.csv`;
}

/** Resolves once all is sent, or the reader has left. Rejects where the source failed. */
async function send(
  req: Request,
  res: Response,
  file: ReturnType<WriteFile>,
  { stallMs, totalMs }: ExportLimits,
): Promise<void> {
  const isCompressed = req.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isCompressed) res.set('Content-Encoding', 'gzip');
  const steps: NodeJS.ReadWriteStream[] = isCompressed ? [createGzip(gzipOptions)] : [];
  const deadline = setTimeout(() => res.socket?.resetAndDestroy(), totalMs);
  res.setTimeout(stallMs, () => res.socket?.resetAndDestroy());
  try {
    await pipeline([...file, ...steps, res]);
  } catch (error) {
    if (!hasLeft(error)) throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/** Quick, since the link is seldom what an export waits for; each piece goes out as it is made. */
const gzipOptions = { level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH };

function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
