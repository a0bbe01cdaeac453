import type { Client } from '@elastic/elasticsearch';
import type { Clause } from './render-text-query.ts';

/**
 * Compares names letter by letter, as countEdits does. Elasticsearch compiles it once. It reads only records that share a
 * piece of the name (see name-pieces.ts).
 */
const source = `
  int countEdits(String a, String b, int max) {
    int start = 0;
    int endA = a.length();
    int endB = b.length();
    while (start < endA && start < endB && a.charAt(start) == b.charAt(start)) start++;
    while (endA > start && endB > start && a.charAt(endA - 1) == b.charAt(endB - 1)) { endA--; endB--; }
    int width = endB - start;
    int[] beforeLast = new int[width + 1];
    int[] last = new int[width + 1];
    int[] row = new int[width + 1];
    for (int j = 0; j <= width; j++) last[j] = j;
    for (int i = 1; i <= endA - start; i++) {
      int letter = a.charAt(start + i - 1);
      int min = i;
      row[0] = i;
      for (int j = 1; j <= width; j++) {
        int other = b.charAt(start + j - 1);
        int edits = last[j - 1] + (letter == other ? 0 : 1);
        if (last[j] + 1 < edits) edits = last[j] + 1;
        if (row[j - 1] + 1 < edits) edits = row[j - 1] + 1;
        boolean isSwapped = i > 1 && j > 1 && letter == b.charAt(start + j - 2) && a.charAt(start + i - 2) == other;
        if (isSwapped && beforeLast[j - 2] + 1 < edits) edits = beforeLast[j - 2] + 1;
        row[j] = edits;
        if (edits < min) min = edits;
      }
      if (min > max) return max + 1;
      int[] spare = beforeLast;
      beforeLast = last;
      last = row;
      row = spare;
    }
    return last[width];
  }
  int max = params.edits;
  String typed = params.name;
  for (String name : doc['find.near_names']) {
    if (name.charAt(0) != typed.charAt(0) || Math.abs(name.length() - typed.length()) > max) continue;
    if (countEdits(typed, name, max) <= max) return true;
  }
  return false;
`.replaceAll(/\s+/g, ' ');

/**
 * Makes the nodes of an index compile the script, which takes as long as a search may: the first mistyped name would
 * otherwise wait for it. It reads no records.
 */
export async function compileNearNames(
  client: Client,
  index: string,
  options?: { requestTimeout: number },
): Promise<void> {
  const noRecords = { term: { 'find.name_pieces': '' } };
  await client.search({ index, size: 0, query: { bool: { filter: [noRecords, isNear('', 0)] } } }, options);
}

/** Records with a name within `edits` of this one. */
export function isNear(name: string, edits: number): Clause {
  return { script: { script: { source, params: { name, edits } } } };
}
