import { z } from 'zod';
import { facetFields } from '#records/fields.ts';
import { openQuery } from '#search/lists.ts';
import { facetsAnswer, presentLists, presentMore } from '../api/facets.ts';
import { listWords, quote, rejectValue, suggest } from '../parse/faults.ts';
import { querySchema, toSearchQuery, wholeNumberParameter } from '../parse/parameters.ts';
import { aboutFilters, filterArguments, readArguments, type Tool } from './tool.ts';

const listNames = facetFields.map(({ facet }) => facet.list);
const maxValues = 300;
const usualValues = 10;

/** Names of lists, one each or with commas between them; all without any. */
const listsParameter = z.array(z.string()).transform((texts, context): readonly string[] => {
  const names = texts.flatMap((text) => text.split(',', 100)).slice(0, 100);
  const asked = new Set(names.map((name) => name.trim().toLowerCase()));
  for (const name of asked) {
    if (listNames.includes(name)) continue;
    rejectValue(context, `${quote(name)} is not a list of counts.`, {
      code: 'unknown_value',
      right: `Use ${listWords(listNames)}.`,
      ...suggest(name, listNames),
    });
  }
  return listNames.filter((name) => asked.has(name));
});

const parameters = querySchema({
  lists: listsParameter.default(listNames),
  values: wholeNumberParameter(1, maxValues).default(usualValues),
});

export const countMedia: Tool = {
  name: 'count_media',
  title: 'Count media',
  description: `Count the records that match, in total and by ${listWords(listNames)}: how many there are, or which values a filter can have. Takes the filters of search_media. ${aboutFilters} Each list leaves out its own filter, so it shows the alternatives.`,
  input: {
    ...filterArguments,
    lists: z.array(z.enum(listNames)).optional().describe('Only these lists. Default: all.'),
    values: z
      .int()
      .min(1)
      .max(maxValues)
      .default(usualValues)
      .describe('At most so many values of each list, the most frequent first.'),
  },
  output: facetsAnswer.omit({ audiences: true }).partial().required({ total: true }).shape,
  async call(given, deps, caller) {
    const { lists, values, ...asked } = readArguments(given, parameters).values;
    const { query } = await openQuery(deps, toSearchQuery(asked), caller);
    const { total, counts, more, isCorrected } = await deps.index.countFacets(query);
    const counted = presentLists(counts);
    const unlisted = presentMore(more);
    const shown = lists.map((name) => {
      const all = counted[name] ?? [];
      const first = all.slice(0, values);
      return { name, first, others: all.length - first.length + (unlisted[name] ?? 0) };
    });
    return {
      structured: {
        total,
        ...Object.fromEntries(shown.map(({ name, first }) => [name, first])),
        more: unlisted,
        ...(isCorrected && { corrected: true }),
      },
      text: [
        `Matching records: ${total}.`,
        ...shown.map(({ name, first, others }) => {
          const counts = first.map(({ value, label, count }) => `${value} (${label}) ${count}`).join(', ');
          return `${name}: ${counts || 'none'}${others > 0 ? `, and ${others} more values` : ''}`;
        }),
      ].join('\n'),
    };
  },
};
