import type { SourceRecord } from '#records/normalize/cell-reader.ts';
import { nameKey } from '#text/fold.ts';
import { smallWords } from '#text/name-keys.ts';
import type { Row } from './row.ts';

/* Cells beside a person that name no medium, or one among words for none (contract A18). */

const between = /[,;|\n\r]|\s(?:[/&+]|and|und|et|y|e|och|og|en)\s/i;

/** What lists of people write where somebody works at no medium. */
const noMedium: ReadonlySet<string> = new Set(
  'freelance,freelancer,freelancers,freelance journalist,freelance writer,freelance reporter,independent,independent journalist,independent writer,self employed,tbc,tbd,tba,n a,na,none,unknown,various,various outlets,multiple,multiple outlets,unaffiliated,no outlet,not applicable,retired'.split(
    ',',
  ),
);

/** `Journal and Independent` is a newspaper. */
const paperAndIndependent = /\p{L}\s+(?:and|&)\s+independent$/iu;

export const withoutMedium = {
  code: 'no_medium',
  reason:
    'the row names a person without a medium, such as a freelancer, and a contact needs one; give a medium for which the person works',
};

/** A row without words that stand for no medium, beside a real one; a fault if a person has no other. Rows with ids mean their record. */
export function withRealMedium(row: Row): Row {
  const name = 'fault' in row ? null : nameBesidePerson(row.source);
  if (name === null || 'fault' in row) return row;
  const parts = partsOfMedium(name);
  const real = parts.filter((part) => !noMedium.has(nameKey(part)));
  const namesNobody = row.source.contact_name === '' && parts.length === 0;
  if (namesNobody || (real.length === parts.length && real.length > 0) || paperAndIndependent.test(name)) return row;
  if (real.length === 0) return { line: row.line, cells: row.cells, fault: withoutMedium };
  // `Independent, The`
  if (real.every((part) => smallWords.has(nameKey(part)))) return row;
  return { ...row, source: { ...row.source, name: real.join(', ') } };
}

/** Whether a row was found to name a person without a medium. */
export function isWithoutMedium(row: Row): boolean {
  return 'fault' in row && row.fault === withoutMedium;
}

/** The name of the medium of a row that is found by it and says who works there; JSON leaves out a name that is not there. */
export function nameBesidePerson({ id, name, url, contact_name: person }: SourceRecord): string | null {
  if (id || person === undefined) return null;
  const medium = name ?? (url ? null : '');
  return typeof medium === 'string' ? medium : null;
}

/** The parts of a cell that may name several media. */
export function partsOfMedium(name: string): string[] {
  return name.split(between).flatMap((part) => part.trim() || []);
}
