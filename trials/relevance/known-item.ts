import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** A query that should find one record. */
export interface KnownItem {
  query: string;
  expectedId: string;
  /** Where the query comes from: the column `class` of a file. Results can be reported by it. */
  group: string;
}

const header = ['query', 'expected_id', 'class'];

/**
 * Reads the queries of a tab-separated file with the header `query, expected_id, class`.
 *
 * @throws Error that names the file, the line and what is wrong with it.
 */
export function readKnownItems(path: string): KnownItem[] {
  const rows: string[][] = parse(readText(path), {
    delimiter: '\t',
    quote: false,
    bom: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
  });
  const [first, ...rest] = rows;
  if (first?.join('\t') !== header.join('\t')) {
    throw new Error(`${path}: the first line must be the header "${header.join('<tab>')}"`);
  }
  if (rest.length === 0) throw new Error(`${path} holds no queries`);
  return rest.map((row, index) => {
    const [query, expectedId, group] = row;
    if (!query || !expectedId || !group || row.length > 3) {
      throw new Error(`${path}, line ${index + 2}: wanted a query, an expected_id and a class with tabs between`);
    }
    return { query, expectedId, group };
  });
}

function readText(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new Error(`${path} cannot be read; --queries takes a file of tab-separated lines`, { cause });
  }
}
