import { z } from 'zod';
import { plansWith } from '#accounts/plans.ts';
import { writeCursor } from '#outbound/changes-cursor.ts';
import { countExcluded, exportRecords } from '#outbound/export-records.ts';
import { currentCursor } from '#outbound/read-changes.ts';
import { inSlot } from '#outbound/work-slots.ts';
import { openQuery } from '#search/lists.ts';
import { count, header } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { exportSchema } from '../parse/export-parameters.ts';
import { andWords } from '../parse/faults.ts';
import { toSearchQuery } from '../parse/query-parameters.ts';
import { readParameters } from '../parse/read-parameters.ts';
import { keyOf } from '../request-state.ts';
import { attachmentOf, type FileLimits, fileName, sendFile, startReading } from '../send-file.ts';

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
