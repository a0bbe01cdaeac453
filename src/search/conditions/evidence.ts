import { emptyRecord } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { Condition } from './conditions.ts';
import { conditionsMetBy } from './meets-condition.ts';

/** What a reader sees of a field by which a record meets a condition. */
type Said = (record: MediaRecord) => string;

/** The fields by which records meet conditions, in the order in which they are tried. No contact is said: some are hidden. */
const fieldsTried = [
  ['language', () => 'its language'],
  ['country', () => 'its country'],
  ['region', ({ region }) => `its region ${region}`],
  ['city', ({ city }) => `its city ${city}`],
  ['categories', () => 'its categories'],
  ['coverage', () => 'its coverage'],
  ['frequency', () => 'its frequency'],
  ['name', ({ name }) => `its name "${name}"`],
  ['aliases', ({ aliases }) => `its alias "${aliases.at(-1)}"`],
  ['tags', () => 'its tags'],
  ['url', ({ url }) => `its url ${url}`],
  ['description', () => 'its description'],
  ['feed_url', ({ feed_url }) => `its feed_url ${feed_url}`],
  ['contacts', () => 'a contact'],
] as const satisfies readonly (readonly [keyof MediaRecord, Said])[];

/** What is said of a condition such as `frequency.unknown`. */
export const unsaid = 'no field says one';

/** By what a record meets a condition that it meets, each thing once: `its city Ashford`. */
export function evidenceOf(record: MediaRecord, condition: Condition): string[] {
  if (!('of' in condition)) return [evidenceOfOne(record, condition)];
  return [...new Set(condition.of.flatMap((one) => evidenceOf(record, one)))];
}

/** The first field that makes a record which has only the fields before it meet the condition. */
function evidenceOfOne(record: MediaRecord, condition: Condition): string {
  const { id, kind, type } = record;
  const meets = (one: MediaRecord) => conditionsMetBy(one)(condition);
  let partial: MediaRecord = { ...emptyRecord(id, kind, ''), type };
  if (meets(partial)) return kindOf(condition) ?? unsaid;
  for (const [key, say] of fieldsTried) {
    for (const values of key === 'aliases'
      ? record.aliases.map((_, place) => record.aliases.slice(0, place + 1))
      : [record[key]]) {
      partial = { ...partial, [key]: values };
      if (meets(partial)) return say(partial);
    }
  }
  return 'several fields';
}

/** `type.radio` → `its type` */
function kindOf(condition: Condition): string | null {
  const [, key] = (condition.is === 'concept' && /^(kind|type)\./.exec(condition.concept)) || [];
  return key === undefined ? null : `its ${key}`;
}
