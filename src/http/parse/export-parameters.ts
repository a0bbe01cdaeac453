import { z } from 'zod';
import { type ExportFormat, exportFormats } from '#domain/outbound/export-format.ts';
import { findNearestWord } from '#domain/search/nearest-word.ts';
import type { ExportRequest } from '#usecases/export-records.ts';
import { listWords } from './faults.ts';
import type { ParameterSet } from './read-parameters.ts';
import { queryParameters, querySchema, toSearchQuery } from './search-parameters.ts';

export const formatParameter = z
  .string()
  .transform((text, context): ExportFormat => {
    const format = exportFormats.find((known) => known === text.toLowerCase());
    if (format !== undefined) return format;
    const nearest = findNearestWord(text, exportFormats);
    context.addIssue({
      code: 'custom',
      message: 'This format does not exist.',
      params: {
        code: 'unknown_value',
        right: `Use ${listWords(exportFormats)}.`,
        allowed: exportFormats,
        ...(nearest !== null && { did_you_mean: nearest }),
      },
    });
    return z.NEVER;
  })
  .meta({
    description: 'csv: every field. instantly, smartlead, lemlist: the import format of that tool.',
    override: { enum: [...exportFormats], default: 'csv' },
  });

/** The parameters of /export. */
export const exportSchema = querySchema.extend({ format: formatParameter.optional() });

export const exportParameters: ParameterSet<ExportRequest> = {
  schema: exportSchema.transform(({ format = 'csv', ...query }) => ({ query: toSearchQuery(query), format })),
  names: [...queryParameters.names, 'format'],
  repeatable: queryParameters.repeatable,
};
