import type { ExportFormat } from '#outbound/export-records.ts';
import { fieldsParameter } from '../record-answer.ts';
import { type FaultDetails, listWords } from './faults.ts';
import { checkedAnyway, switchParameter, wordParameter } from './parameter-kinds.ts';
import { querySchema } from './query-parameters.ts';
import { datesParameter, rowsParameter } from './result-parameters.ts';

/** The parameters of an export: what to write, and how. Not every format has every choice. */
export function exportSchema(formats: readonly ExportFormat[]) {
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
