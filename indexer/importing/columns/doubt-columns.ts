import { type ContactColumn, isContactColumn } from '#records/contacts/contact-columns.ts';
import type { RecordKey } from '#records/media-record.ts';
import { isNamedRegion } from '#records/places/regions.ts';
import { nameKey } from '#text/fold.ts';
import { findHost } from '#text/hosts.ts';
import type { Sample } from '../row.ts';
import type { ColumnMap } from './column-map.ts';
import { contradicts, fieldOfPeople, fieldsInHeading, filledValues, partsOfNames } from './guess-field.ts';

/** So few pages may be at one site by chance. */
const enoughPages = 5;

/** The map without usual headings whose values are plainly something else. */
export function withoutDoubted(map: ColumnMap, sample: Sample): ColumnMap {
  const headingsOf = (field: RecordKey) => [...sample.keys()].filter((heading) => map.fieldOf(heading) === field);
  const nameColumns = headingsOf('name');
  const names = sample.get(nameColumns[0] ?? '') ?? [];
  const hasEmail = headingsOf('email').length > 0;
  const parts = partsOfNames(sample);
  const doubted = [...sample].filter(([heading, values]) => {
    const field = map.names(heading) ? null : (map.fieldOf(heading) as RecordKey | ContactColumn | null);
    // contact_count fills nothing: it tells whether a row has all its contacts.
    if (field === null || field === 'contact_count' || isContactColumn(field)) return false;
    if (field === 'id' && standForSeveral(values, names)) return true;
    if (field === 'name' && parts.has(heading)) return true;
    const cells = filledValues(values);
    if (field === 'url' && areAtOneSite(cells) && ownSite(map, sample) !== null) return true;
    if (isStateOfWork(heading, cells)) return true;
    if (contradicts(field, cells, { hasEmail })) return true;
    return fieldOfPeople(field, cells, { hasOtherName: nameColumns.length > 1 }) !== null;
  });
  return map.with(Object.fromEntries(doubted.map(([heading]) => [heading, null])));
}

/** Whether a `State` is one of work, such as `Reminder sent`: several values, and none of them the name or code of a region. */
export function isStateOfWork(heading: string, cells: readonly string[]): boolean {
  const isNoRegion = (cell: string) => cell.length > 3 && !isNamedRegion(cell);
  return nameKey(heading) === 'state' && cells.length >= 5 && cells.every(isNoRegion);
}

/** Whether pages are those of a directory: most are at one site. */
export function areAtOneSite(pages: readonly string[]): boolean {
  const sites = Map.groupBy(pages, findHost);
  return pages.length >= enoughPages && [...sites].some(([site, at]) => site !== null && at.length > pages.length / 2);
}

/** The unknown column that may have the pages of the media themselves, such as `domain`; null without one. */
function ownSite(map: ColumnMap, sample: Sample): string | null {
  const mayBe = ([heading, values]: [string, readonly string[]]) => {
    const sites = filledValues(values).map(findHost);
    const isUnknown = !map.names(heading) && map.fieldOf(heading) === null;
    return (
      isUnknown && fieldsInHeading(heading).includes('url') && new Set(sites.filter(Boolean)).size > sites.length / 2
    );
  };
  return [...sample].find(mayBe)?.[0] ?? null;
}

/** Whether ids are not ids: more than one in twenty rows has an id that came with another name. */
function standForSeveral(ids: readonly string[], names: readonly string[]): boolean {
  const first = new Map<string, string>();
  const differs = ids.filter((id, row) => {
    const name = nameKey(names[row] ?? '');
    if (id !== '' && !first.has(id)) first.set(id, name);
    return id !== '' && name !== '' && first.get(id) !== name;
  });
  return differs.length >= 5 && differs.length > ids.length / 20;
}
