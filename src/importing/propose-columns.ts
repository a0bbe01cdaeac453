import { Document, isMap, isScalar } from 'yaml';
import { maskEmail } from '#domain/masking.ts';
import type { RecordKey } from '#domain/media-record.ts';
import { cleanText } from '#domain/normalize/clean-text.ts';
import { findField } from '#domain/normalize/find-field.ts';
import { normalizeEmail } from '#domain/normalize/normalize-email.ts';
import { findCountry } from '#domain/places/countries.ts';
import { kinds } from '#domain/vocabularies.ts';
import { ColumnMap } from './column-map.ts';
import type { Input } from './list-inputs.ts';
import { readRows } from './read-rows.ts';

/** A heading of a list, the field that it seems to fill, and some of its values, with addresses masked. */
export interface ProposedColumn {
  heading: string;
  field: RecordKey | null;
  samples: string[];
}

/** Rows that are looked at. */
const maxRows = 200;
const maxSamples = 3;
const maxSampleLength = 40;
/** The share of values that must look like those of a field. */
const enough = 0.8;

/** What values of a field look like, the surest first. */
const looks: ReadonlyArray<readonly [RecordKey, (value: string) => boolean]> = [
  ['email', (value) => 'email' in normalizeEmail(value)],
  ['linkedin_url', (value) => /^(?:https?:\/\/)?(?:www\.)?linkedin\.com\//i.test(value)],
  ['feed_url', (value) => /^https?:\/\/\S{1,500}(?:feed|rss|atom|\.xml)/i.test(value)],
  ['url', (value) => /^(?:https?:\/\/|www\.)\S/i.test(value)],
  ['kind', (value) => kinds.some((kind) => kind === value.toLowerCase())],
  ['country', (value) => findCountry(value) !== null],
  ['phone', (value) => /^[+(0][\d ()./-]{6,30}$/.test(value)],
];

/** Takes every heading for a field of its own, so rows keep what they have. */
class AnyColumns extends ColumnMap {
  override readonly isForImport = false;

  constructor() {
    super({ columns: new Map(), constants: {}, listSeparator: null });
  }

  override fieldOf(heading: string): RecordKey | null {
    return heading === '' ? null : (heading as RecordKey);
  }
}

/** Columns for a list, by its headings and, where they say nothing, by the values of its first rows. */
export async function proposeColumns(input: Input): Promise<ProposedColumn[]> {
  const values = await readValues(input);
  const taken = new Set<RecordKey | null>([...values.keys()].map(findField));
  const given = new Set<RecordKey>();
  return [...values].map(([heading, cells]) => {
    const usual = findField(heading);
    const guessed = usual ?? guess(cells, taken);
    const field = guessed === null || given.has(guessed) ? null : guessed;
    if (field !== null) {
      given.add(field);
      taken.add(field);
    }
    return { heading, field, samples: [...new Set(cells)].slice(0, maxSamples).map(showSample) };
  });
}

/** A proposal as a column file to be edited. */
export function formatColumnFile(columns: readonly ProposedColumn[]): string {
  const document = new Document({
    columns: Object.fromEntries(columns.map(({ heading, field }) => [heading, field])),
    constants: {},
  });
  document.commentBefore =
    ' The field of each column; a column without a field is ignored. Values for rows that have none go under\n constants, such as kind: outlet. See docs/importing.md.';
  const map = document.get('columns');
  if (!isMap(map)) return String(document);
  for (const [at, { samples }] of columns.entries()) {
    const value = map.items[at]?.value;
    if (isScalar(value) && samples.length > 0) value.comment = ` ${samples.join(' · ')}`;
  }
  return document.toString({ nullStr: '', lineWidth: 0 });
}

async function readValues(input: Input): Promise<Map<string, string[]>> {
  const values = new Map<string, string[]>();
  const source = { ...(await input.open()), columns: new AnyColumns() };
  let count = 0;
  try {
    for await (const rows of readRows(source, () => {})) {
      for (const row of rows) {
        if ('fault' in row) continue;
        for (const [heading, cell] of Object.entries(row.source)) {
          const cells = values.get(heading) ?? [];
          if (!values.has(heading)) values.set(heading, cells);
          const text = typeof cell === 'object' ? '' : String(cell).trim();
          if (text !== '') cells.push(text);
        }
        count += 1;
        if (count === maxRows) return values;
      }
    }
  } finally {
    source.close();
  }
  return values;
}

function guess(cells: readonly string[], taken: ReadonlySet<RecordKey | null>): RecordKey | null {
  if (cells.length === 0) return null;
  const found = looks.find(
    ([field, isLike]) => !taken.has(field) && cells.filter(isLike).length >= cells.length * enough,
  );
  if (found) return found[0];
  const isName = new Set(cells).size > cells.length * enough && cells.some((cell) => /\p{L}{2}/u.test(cell));
  return isName && !taken.has('name') ? 'name' : null;
}

function showSample(value: string): string {
  const email = normalizeEmail(value);
  return 'email' in email ? maskEmail(email.email) : cleanText(value, maxSampleLength);
}
