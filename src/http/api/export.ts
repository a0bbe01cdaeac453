import { z } from 'zod';
import { plansWith } from '#accounts/plans.ts';
import { count, header } from '#http/answer-parts.ts';
import type { AppDeps } from '#http/app-deps.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { andWords, type FaultDetails, listWords } from '#http/parse/faults.ts';
import { checkedAnyway, switchParameter, wordParameter } from '#http/parse/parameter-kinds.ts';
import { querySchema, toSearchQuery } from '#http/parse/query-parameters.ts';
import { readParameters } from '#http/parse/read-parameters.ts';
import { datesParameter, rowsParameter } from '#http/parse/result-parameters.ts';
import { fieldsParameter } from '#http/record-answer.ts';
import { keyOf } from '#http/request-state.ts';
import { attachmentOf, type FileLimits, fileName, sendFile, startReading } from '#http/send-file.ts';
import { writeCursor } from '#outbound/changes-cursor.ts';
import { countExcluded, type ExportFormat, exportRecords } from '#outbound/export-records.ts';
import { currentCursor } from '#outbound/read-changes.ts';
import { inSlot } from '#outbound/work-slots.ts';
import { openQuery } from '#search/lists/lists.ts';

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

/** The parameters of an export: what to write, and how. Not every format has every choice. */
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
