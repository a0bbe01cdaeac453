import type { ColumnKey } from '#records/contacts/contact-columns.ts';
import { nameKey } from '#text/fold.ts';
import type { Sample } from '../row.ts';
import type { ColumnMap } from './column-map.ts';
import { fieldOfPeople, filledValues, holdsEmail, isWebAddress, most } from './guess-field.ts';
import { headingKey, vague } from './people-headings.ts';

/**
 * What single columns of a list say: the field that the map gives a heading, and what the sampled values under it look like. It
 * decides nothing: people-names.ts, people-details.ts and person-or-medium.ts do, from what it says.
 */
export class ColumnSurvey {
  /** All headings, in the order of the list. */
  readonly headings: readonly string[];
  /** Headings that the column file says nothing of. */
  readonly open: readonly string[];
  readonly sample: Sample;
  readonly #map: ColumnMap;

  constructor(map: ColumnMap, sample: Sample) {
    this.sample = sample;
    this.#map = map;
    this.headings = [...sample.keys()];
    this.open = this.headings.filter((heading) => !map.names(heading));
  }

  /** The cells under a heading, one for each sampled row; none without such a heading. */
  cells(heading: string): readonly string[] {
    return this.sample.get(heading) ?? [];
  }

  /** The cell of one row; '' without such a column or row. */
  cell(heading: string, row: number): string {
    return this.cells(heading)[row] ?? '';
  }

  /** The cells that say something. */
  values(heading: string): string[] {
    return filledValues(this.cells(heading));
  }

  isFilled(heading: string): boolean {
    return this.values(heading).length > 0;
  }

  /** Whether more than half of the values are like that; false without values. */
  isMostly(heading: string, isLike: (value: string) => boolean): boolean {
    return most(this.values(heading), isLike);
  }

  /** Orders headings, those with most values first. */
  readonly byFilled = (heading: string, other: string) => this.values(other).length - this.values(heading).length;

  /** The field that the column file or the heading says; null for unknown headings. */
  means(heading: string): ColumnKey | null {
    return this.#map.fieldOf(heading);
  }

  /** The headings that the column file gives this field. */
  namedFor(field: ColumnKey): string[] {
    return this.headings.filter((heading) => this.#map.names(heading) && this.means(heading) === field);
  }

  /** The first heading that fills this field in any list; null without one. */
  headingOf(field: ColumnKey): string | null {
    return this.headings.find((heading) => this.means(heading) === field) ?? null;
  }

  /** Whether the values are jobs, such as `Senior Editor`. */
  isJob(heading: string): boolean {
    return fieldOfPeople('name', this.values(heading), { hasOtherName: false }) === 'contact_title';
  }

  /** Whether the values are text: neither addresses, pages nor numbers. */
  isText(heading: string): boolean {
    const isElse = (value: string) => holdsEmail(value) || isWebAddress(value) || !/\p{L}/u.test(value);
    return this.isFilled(heading) && !this.isMostly(heading, isElse);
  }
}

/** Such a column holds jobs or codes: it never names a medium (contract A18). */
export function saysTitleOrCode(heading: string): boolean {
  return /\b(?:titles?|codes?)\d*\b/.test(nameKey(heading)) && !vague.has(headingKey(heading));
}
