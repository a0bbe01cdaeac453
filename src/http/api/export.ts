import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { plansWith } from '#accounts/plans.ts';
import { writeCursor } from '#outbound/changes-cursor.ts';
import {
  countExcluded,
  defaultToOutlets,
  type ExportFormat,
  type ExportRequest,
  exportRecords,
} from '#outbound/export-records.ts';
import { currentCursor } from '#outbound/read-changes.ts';
import { type HeldSlot, inSlot } from '#outbound/work-slots.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { type OpenedList, openQuery } from '#search/lists.ts';
import type { RecordScan } from '#search/search-index.ts';
import { count, header } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { andWords, type FaultDetails, listWords } from '../parse/faults.ts';
import { checkedAnyway, switchParameter, wordParameter } from '../parse/parameter-kinds.ts';
import { querySchema, toSearchQuery } from '../parse/query-parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { datesParameter, rowsParameter } from '../parse/result-parameters.ts';
import { fieldsParameter } from '../record-answer.ts';
import { keyOf } from '../request-state.ts';

function exportSchema(formats: readonly ExportFormat[]) {
  const usual = formats[0] as ExportFormat;
  const names = formats.map(({ name }) => name);
  const docs = Map.groupBy(formats, ({ doc }) => doc);
  const description = [...docs].map(([doc, alike]) => `${alike.map(({ name }) => name).join(', ')}: ${doc}.`).join(' ');
  const schema = querySchema({
    format: wordParameter(names, () => 'This format does not exist.')
      .transform((name) => formats.find((format) => format.name === name) ?? usual)
      .default(usual)
      .describe(`${description} ${usual.name} unless you say.`),
    rows: rowsParameter,
    fields: fieldsParameter,
    bom: switchParameter('bom')
      .optional()
      .describe('1: the file begins with a byte order mark, by which Excel knows it as UTF-8. Only for csv.'),
    dates: datesParameter.describe('1: the file of a list has `list_contacted_at` before `list_status`.'),
  });
  return (['fields', 'bom'] as const)
    .reduce((before, choice) => {
      const able = formats.filter((format) => format.choices.includes(choice)).map(({ name }) => name);
      return before.refine((values) => !values[choice] || values.format?.choices?.includes(choice) !== false, {
        ...checkedAnyway,
        path: [choice],
        message: `This format has no ${choice}. Use it with ${listWords(able)}.`,
        params: { code: 'not_in_format' } satisfies FaultDetails,
      });
    }, schema)
    .refine(({ fields, format }) => !fields?.includes('contacts') || format?.holdsContacts !== undefined, {
      ...checkedAnyway,
      path: ['fields'],
      message: 'contacts is a field of JSON alone. Use it with ndjson, or rows=contacts for a row of each contact.',
      params: { code: 'not_in_format' } satisfies FaultDetails,
    });
}

const defaultLimits: FileLimits = { stallMs: 60_000, totalMs: 60 * 60_000 };

export function exportFile(deps: AppDeps, limits = defaultLimits): Endpoint {
  const { plans, formats } = deps;
  const parameters = exportSchema(formats);
  const titlesOf = (listed: AppDeps['plans']) => andWords.format(listed.map(({ title }) => title));
  const wholePlans = plansWith(plans, 'export_all');
  const small = plansWith(plans, 'export_outlets').filter((plan) => !wholePlans.includes(plan));
  return {
    operationId: 'export',
    facts: { small: titlesOf(small), whole: titlesOf(wholePlans) },
    access: 'key',
    scope: 'export',
    query: parameters,
    answer: {
      description: 'The file. CSV (RFC 4180) begins with a header line.',
      schema: Object.fromEntries(
        formats.map(({ contentType, isCompressed }) => [
          contentType.split(';', 1)[0],
          { schema: isCompressed ? z.file() : z.string() },
        ]),
      ),
      headers: fileHeaders,
    },
    errors: [
      'search_unavailable',
      'plan_required',
      'plan_expired',
      'meaning_unavailable',
      'too_many_rows',
      'not_found',
    ],
    async handle(req, res) {
      const { fields, bom, dates, format, rows, ...selection } = readParameters(req.originalUrl, parameters).values;
      const key = keyOf(res);
      const { query, list } = await openQuery(deps, toSearchQuery(selection), { key }, rows);
      const request = { query, format, rows };
      await inSlot(deps.slots, 'export', key, async (slot) => {
        const now = deps.now();
        // Before the scan, so that it shows at least all that the cursor knows.
        const cursor = await currentCursor(deps, now);
        const scan = await exportRecords(deps, request, key, now);
        try {
          const report = (rows: number) => deps.usage.count(key.hash, { exportedRows: rows });
          const batches = await startReading(scan, res, slot, report);
          res.vary('Accept-Encoding').set({
            'Content-Type': format.contentType,
            'Content-Disposition': attachmentOf(fileName(request, list, now)),
            'X-Total-Count': String(scan.total),
            'X-Excluded-Count': String(await countExcluded(deps.index, request)),
            ...(cursor !== null && { 'X-Changes-Cursor': writeCursor(cursor) }),
          });
          const choices = { rows, fields: fields ?? undefined, list: list?.byRecord, hasDates: dates, hasMark: bom };
          if (req.method === 'HEAD') res.end();
          else await sendFile(req, res, format.write(batches, choices), { ...format, ...limits });
        } finally {
          await scan.close();
        }
      });
    },
  };
}

const fileHeaders = {
  'Content-Disposition': header('FileName'),
  'X-Total-Count': header('TotalCount', count),
  'X-Excluded-Count': header('ExcludedCount', count),
  'X-Changes-Cursor': header('ChangesCursor').optional(),
  Trailer: header('Trailer').optional(),
};

/**
 * The batches of a scan. Reads the first one at once, so that an error of the engine can still be the answer. A later error
 * resets the connection, because half a file would look whole. Releases the slot before the last bytes go out, so that a
 * client who has them can start the next export. `report` gets the number of rows of each batch.
 */
async function startReading(
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

/** Characters that some file system does not take, and a dot that would hide the file. */
const unsafeInNames = /^\.|[\s\p{Cc}\p{Cf}"*/:<>?\\|]+/gu;

/** Such as `masthead-outlets-2026-11-21.csv`: named after the list or the only kind, and the tool if the format is a tool's. */
function fileName(
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
function attachmentOf(name: string): string {
  const plain = name.replace(/[^ -~]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
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
async function sendFile(
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
