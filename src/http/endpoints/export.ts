import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { MediaRecord } from '#domain/media-record.ts';
import { defaultToOutlets } from '#domain/outbound/export-kinds.ts';
import { plansWith } from '#domain/plans/plans.ts';
import type { ExportFormat } from '#ports/export-format.ts';
import type { RecordScan } from '#ports/search-index.ts';
import type { HeldSlot } from '#ports/work-slots.ts';
import { type ExportRequest, exportRecords } from '#usecases/export-records.ts';
import { takeSlot } from '#usecases/take-slot.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Api, jsonAnswer, ofSearch, withKey } from '../openapi/api.ts';
import { file } from '../openapi/headers.ts';
import { andWords, listWords, suggest } from '../parse/faults.ts';
import { queryParameters, querySchema, rejectValue, toSearchQuery } from '../parse/parameters.ts';
import { closedParameter } from '../parse/patterns.ts';
import { type ParameterSet, readParameters } from '../parse/read-parameters.ts';
import { keyOf } from '../request-state.ts';

type Formats = readonly ExportFormat[];

/** The format's row; without the parameter, the first of all. */
function formatParameter(formats: Formats) {
  const names = formats.map(({ name }) => name);
  const docs = Map.groupBy(formats, ({ doc }) => doc);
  const description = [...docs].map(([doc, alike]) => `${alike.map(({ name }) => name).join(', ')}: ${doc}.`).join(' ');
  return z
    .string()
    .transform((text, context): ExportFormat => {
      const format = formats.find(({ name }) => name === text.toLowerCase());
      if (format !== undefined) return format;
      return rejectValue(context, 'This format does not exist.', {
        code: 'unknown_value',
        right: `Use ${listWords(names)}.`,
        ...suggest(text, names),
      });
    })
    .meta({ description, override: { ...closedParameter(names), default: names[0] } });
}

const exportSchema = (formats: Formats) => querySchema.extend({ format: formatParameter(formats).optional() });

/** What selects the records and the format; for at least one format. */
export function exportParameters(formats: Formats): ParameterSet<ExportRequest> {
  const [defaultFormat] = formats;
  if (defaultFormat === undefined) throw new Error('There is no export format.');
  return {
    schema: exportSchema(formats).transform(({ format = defaultFormat, ...query }) => ({
      query: toSearchQuery(query),
      format,
    })),
    names: [...queryParameters.names, 'format'],
    repeatable: queryParameters.repeatable,
  };
}

type ExportDeps = Pick<AppDeps, 'plans' | 'formats' | 'index' | 'suppressions' | 'slots' | 'now'>;

export interface ExportLimits {
  /** How long a reader may take nothing, in milliseconds. */
  stallMs: number;
  /** Maximum duration of an export, in milliseconds. */
  totalMs: number;
}

const defaultLimits: ExportLimits = { stallMs: 60_000, totalMs: 60 * 60_000 };

/** GET /export: every record that matches, as a file (contract A5). */
export function handleExport(deps: ExportDeps, limits = defaultLimits): RequestHandler {
  const parameters = exportParameters(deps.formats);
  return async (req, res) => {
    const { values: request } = readParameters(req.originalUrl, parameters);
    const key = keyOf(res);
    const slot = await takeSlot(deps.slots, 'export', key);
    try {
      const now = deps.now();
      const scan = await exportRecords(deps, request, key, now);
      try {
        const batches = await startReading(scan, res, slot);
        setHeaders(res, request, scan.total, now);
        if (req.method === 'HEAD') res.end();
        else await send(req, res, request.format.write(batches), limits);
      } finally {
        await scan.close();
      }
    } finally {
      await slot.release();
    }
  };
}

/**
 * The batches of a scan, with the first already read, so an engine that fails at once can still be answered with an
 * error. A later failure resets the connection: a normal end would make half a file look complete to readers without
 * chunked encoding. The slot is released before the last bytes go out, so a client that has them all can start the next
 * export.
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
    'Content-Type': request.format.contentType,
    'Content-Disposition': `attachment; filename="${fileName(request, now)}"`,
    'X-Total-Count': String(total),
  });
  res.vary('Accept-Encoding');
}

/** Such as masthead-outlets-2026-11-21.csv; with the kind if there is only one, and the tool if it is for one. */
function fileName({ query, format }: ExportRequest, now: Date): string {
  const kinds = defaultToOutlets(query).filters.flatMap((filter) =>
    'field' in filter && filter.field === 'kind' && filter.none.length === 0 ? filter.any : [],
  );
  const [kind, ...others] = new Set(kinds);
  const subject = kind !== undefined && others.length === 0 ? `${kind}s` : 'records';
  const tool = format.needsAddress ? [format.name] : [];
  return `${['masthead', subject, ...tool, now.toISOString().slice(0, 10)].join('-')}.${format.extension}`;
}

/** Resolves when everything is sent, or the reader has left. Rejects if the source failed. */
async function send(
  req: Request,
  res: Response,
  file: ReturnType<ExportFormat['write']>,
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

/** Fast compression, since the network is seldom the bottleneck of an export; each piece is sent as it is made. */
const gzipOptions = { level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH };

function hasLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

export function describeExport({ plans, formats, problems }: Api): ZodOpenApiOperationObject {
  const titlesOf = (some: Api['plans']) => andWords.format(some.map(({ title }) => title));
  const whole = plansWith(plans, 'export_all');
  const small = plansWith(plans, 'export_outlets').filter((plan) => !whole.includes(plan));
  const types = [...new Set(formats.map(({ contentType }) => contentType.split(';', 1)[0] ?? contentType))];
  return {
    operationId: 'export',
    tags: ['Media'],
    summary: 'Export all matching records as a file',
    description: `Without \`kind\`, exports outlets. ${titlesOf(small)} exports outlets as csv, ${titlesOf(whole)} everything. The file is a snapshot, gzipped if you accept it. If the connection breaks, the file is incomplete. X-Total-Count gives the number of rows at the start; records suppressed meanwhile are left out. A key can run two exports at once.`,
    security: withKey,
    requestParams: { query: exportSchema(formats) },
    responses: {
      200: {
        description: 'CSV (RFC 4180) with a header line.',
        headers: jsonAnswer('', z.any(), null, file).headers,
        content: Object.fromEntries(
          types.map((type) => [
            type,
            type === 'text/csv' ? { schema: z.string(), example: 'id,kind,name,…\r\n' } : { schema: z.file() },
          ]),
        ),
      },
      ...problems([...ofSearch, 'key_missing', 'plan_required', 'plan_expired']),
    },
  } as ZodOpenApiOperationObject;
}
