import { findField } from '#records/normalize/source-words.ts';
import { isObject } from '#text/json.ts';
import { type RawList, type RawRow, RefusedFile, type RowFault, tooLong } from '../row.ts';
import { rowsOf } from './json-rows.ts';
import { invalidMark, type Lines } from './open-input.ts';

const notUtf8: RowFault = { code: 'not_utf8', reason: 'the object has bytes that are not text in its encoding' };

/** Maximum length of JSON that is read as a whole, in UTF-16 code units. */
const maxJsonLength = 200 * 1024 ** 2;
const batchSize = 1_000;

/** One JSON object per line. Blank lines are ignored. */
export function openNdjson(batches: AsyncIterable<Lines>): RawList {
  async function* rows(): AsyncGenerator<RawRow[]> {
    let line = 0;
    for await (const { lines } of batches) {
      const rowsOfLines: RawRow[] = [];
      for (const text of lines) {
        line += 1;
        if (text === null) rowsOfLines.push({ line, cells: '', fault: tooLong });
        else if (text.trim() !== '') rowsOfLines.push(...readLine(line, text));
      }
      yield rowsOfLines;
    }
  }
  return { format: 'ndjson', headings: null, rows: rows() };
}

function readLine(line: number, text: string): RawRow[] {
  if (text.includes(invalidMark)) return [{ line, cells: text, fault: notUtf8 }];
  try {
    return rowsOf(line, JSON.parse(text), text);
  } catch (error) {
    return [{ line, cells: text, fault: { code: 'not_json', reason: `the line is not valid JSON${placeOf(error)}` } }];
  }
}

/**
 * An array of JSON objects, alone or within an object: `{"data":[…]}`; or objects by their names: `{"BBC":{…},"CNN":{…}}`.
 * Throws RefusedFile if any of the JSON is invalid.
 */
export async function openJson(texts: AsyncIterable<string>): Promise<RawList> {
  let text = '';
  for await (const part of texts) {
    text += part;
    if (text.length > maxJsonLength)
      throw new RefusedFile(
        'json_too_large',
        "is too large for one JSON value. Write one object per line: jq -c '.[]' FILE",
      );
  }
  const values = findArray(parseAll(text));
  const isMarked = text.includes(invalidMark);
  async function* rows(): AsyncGenerator<RawRow[]> {
    for (let start = 0; start < values.length; start += batchSize) {
      yield values.slice(start, start + batchSize).flatMap((value, place) => {
        const rows = rowsOf(start + place + 1, value, '');
        const isInvalid = isMarked && JSON.stringify(value).includes(invalidMark);
        return isInvalid ? rows.map((row) => ({ ...row, fault: notUtf8 })) : rows;
      });
    }
  }
  return { format: 'json', headings: null, rows: rows() };
}

function parseAll(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = `is not valid JSON${placeOf(error)}. JSON is an array of objects, an object with one, or one object per line`;
    throw new RefusedFile('not_json', reason);
  }
}

function findArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const isList = (candidate: unknown): candidate is unknown[] => Array.isArray(candidate) && candidate.some(isObject);
  let inside: readonly unknown[] = Object.values(value as object);
  // APIs wrap it further: `{"data":{"items":[…]}}`.
  for (let depth = 0; depth < 3 && !inside.some(isList); depth += 1)
    inside = inside.filter(isObject).flatMap((object) => Object.values(object));
  const [array, ...otherArrays] = inside.filter(isList);
  if (array !== undefined && otherArrays.length === 0) return array;
  // Several arrays may be those of named media: `{"BBC":{"hosts":[…]},"CNN":{"hosts":[…]}}`.
  const named = namedObjects(value as object);
  if (named !== null) return named;
  const lack =
    array === undefined
      ? 'has a JSON object over several lines, or one without an array of records. Write one object per line, such as with jq -c "to_entries[] | {name: .key} + .value" FILE'
      : 'has several arrays of records in one JSON object. Put each into its own file, or all into one: jq -c "to_entries[] | {group: .key} + .value[]?" FILE';
  throw new RefusedFile('json_over_lines', lack);
}

/** The objects of an object by their names, if all have the same usual heading. If some have a `name`, the key is only a `key`. */
function namedObjects(value: object): readonly unknown[] | null {
  const objects = Object.values(value);
  const [first = null, ...otherObjects] = objects;
  const isShared = (key: string) =>
    findField(key) !== null && otherObjects.every((object) => Object.hasOwn(object, key));
  if (!objects.every(isObject) || otherObjects.length === 0 || !Object.keys(first).some(isShared)) return null;
  const areNamed = objects.some((object) => Object.keys(object).some((key) => findField(key) === 'name'));
  return Object.entries(value).map(([key, object]) => ({ [areNamed ? 'key' : 'name']: key, ...object }));
}

/** Only the position, because the rest of the engine's message may quote the text. */
function placeOf(error: unknown): string {
  const place = /position (\d+)/.exec(String((error as Error).message))?.[1];
  return place === undefined ? '' : ` (character ${Number(place) + 1})`;
}
