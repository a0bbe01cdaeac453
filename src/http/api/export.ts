import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { plansWith } from '#accounts/plans.ts';
import type { ExportFormat, FileChoices } from '#outbound/export-records.ts';
import { countExcluded, defaultToOutlets, type ExportRequest, exportRecords } from '#outbound/export-records.ts';
import type { HeldSlot } from '#outbound/work-slots.ts';
import { takeSlot } from '#outbound/work-slots.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { openQuery } from '#search/lists.ts';
import type { RecordScan } from '#search/search-index.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Api, jsonAnswer, ofSearch, withKey } from '../openapi/api.ts';
import { file } from '../openapi/headers.ts';
import { andWords, type FaultDetails, listWords, rejectValue, suggest } from '../parse/faults.ts';
import { fieldsParameter, repeatableFields } from '../parse/fields-parameter.ts';
import { queryParameters, querySchema, switchParameter, switchValues, toSearchQuery } from '../parse/parameters.ts';
import { closedParameter } from '../parse/patterns.ts';
import { type ParameterSet, readParameters } from '../parse/read-parameters.ts';
import { keyOf } from '../request-state.ts';
import { type FileLimits, sendFile } from '../send-file.ts';

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

const bomParameter = switchParameter('bom').meta({
  description: '1: the file begins with a byte order mark, by which Excel knows it as UTF-8. Only for csv.',
  override: closedParameter(switchValues),
});

function exportSchema(formats: Formats) {
  const schema = querySchema({
    format: formatParameter(formats).optional(),
    fields: fieldsParameter.optional(),
    bom: bomParameter.optional(),
  });
  return choices.reduce((before, choice) => {
    const names = formats.filter((format) => format.choices.includes(choice)).map(({ name }) => name);
    return before.refine(
      (given) => !given[choice] || (given.format ?? formats[0])?.choices?.includes(choice) !== false,
      {
        when: ({ value }) => typeof value === 'object',
        path: [choice],
        message: `This format has no ${choice}. Use it with ${listWords(names)}.`,
        params: { code: 'not_in_format' } satisfies FaultDetails,
      },
    );
  }, schema);
}

const choices = ['fields', 'bom'] as const;

/** An export, and what was chosen about its file. */
type AskedExport = ExportRequest & { choices: FileChoices };

/** What selects the records and the format; for at least one format. */
export function exportParameters(formats: Formats): ParameterSet<AskedExport> {
  const [defaultFormat] = formats;
  if (defaultFormat === undefined) throw new Error('There is no export format.');
  return {
    schema: exportSchema(formats).transform(({ format = defaultFormat, fields, bom = false, ...query }) => ({
      query: toSearchQuery(query),
      format,
      choices: { ...(fields && { fields }), hasMark: bom },
    })),
    names: [...queryParameters.names, 'format', ...choices],
    repeatable: queryParameters.repeatable.union(repeatableFields),
  };
}

type ExportDeps = Pick<
  AppDeps,
  'lists' | 'mergedIds' | 'plans' | 'formats' | 'index' | 'suppressions' | 'slots' | 'usage' | 'now'
>;

const defaultLimits: FileLimits = { stallMs: 60_000, totalMs: 60 * 60_000 };

/** GET /export: every record that matches, as a file (contract A5). */
export function handleExport(deps: ExportDeps, limits = defaultLimits): RequestHandler {
  const parameters = exportParameters(deps.formats);
  return async (req, res) => {
    const { values: request } = readParameters(req.originalUrl, parameters);
    const { format } = request;
    const key = keyOf(res);
    const { query, list } = await openQuery(deps, request.query, { key });
    const choices = { ...request.choices, ...(list && { list: list.byRecord }) };
    const slot = await takeSlot(deps.slots, 'export', key);
    try {
      const now = deps.now();
      const scan = await exportRecords(deps, { query, format }, key, now);
      try {
        const count = (rows: number) => deps.usage.count(key.hash, { exportedRows: rows });
        const batches = await startReading(scan, res, slot);
        setHeaders(res, request, scan.total, now);
        res.set('X-Excluded-Count', String(await countExcluded(deps.index, { query, format })));
        if (req.method === 'HEAD') res.end();
        else await sendFile(req, res, format.write(counted(batches, count), choices), { ...format, ...limits });
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

/** Reports the rows of each batch that is asked for. */
async function* counted(
  batches: AsyncIterable<readonly MediaRecord[]>,
  count: (rows: number) => void,
): AsyncGenerator<readonly MediaRecord[]> {
  for await (const batch of batches) {
    count(batch.length);
    yield batch;
  }
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

export function describeExport({ plans, formats, problems }: Api): ZodOpenApiOperationObject {
  const titlesOf = (some: Api['plans']) => andWords.format(some.map(({ title }) => title));
  const whole = plansWith(plans, 'export_all');
  const small = plansWith(plans, 'export_outlets').filter((plan) => !whole.includes(plan));
  const types = new Map(formats.map((format) => [format.contentType.split(';', 1)[0] ?? '', format]));
  return {
    operationId: 'export',
    tags: ['Media'],
    summary: 'Export all matching records as a file',
    description: `Without \`kind\`, exports outlets. ${titlesOf(small)} exports outlets as csv, ${titlesOf(whole)} everything. The file is a snapshot, gzipped if you accept it. If the connection breaks, the file is incomplete. X-Total-Count gives the number of rows at the start; records suppressed meanwhile are left out. A trailer has the digest of the bytes as sent. A key can run two exports at once.`,
    security: withKey,
    requestParams: { query: exportSchema(formats) },
    responses: {
      200: {
        description: 'The file. CSV (RFC 4180) begins with a header line.',
        headers: jsonAnswer('', z.any(), null, file).headers,
        content: Object.fromEntries(
          [...types].map(([type, { isCompressed, example }]) => [
            type,
            { schema: isCompressed ? z.file() : z.string(), example },
          ]),
        ),
      },
      ...problems([
        ...ofSearch,
        'key_missing',
        'plan_required',
        'plan_expired',
        'meaning_unavailable',
        'too_many_rows',
      ]),
    },
  } as ZodOpenApiOperationObject;
}
