import { personKey } from '#records/contacts/same-person.ts';
import { peopleOfRow } from '#records/normalize/contacts-of-row.ts';
import { normalizeId } from '#records/normalize/normalize-values.ts';
import { hashText } from '#text/name-keys.ts';
import type { Note } from './accounting/file-account.ts';
import type { SplitRow } from './media-cells.ts';
import type { Row } from './row.ts';

const sharedId: Note = {
  field: 'contacts',
  code: 'shared_person_id',
  message:
    'its id of a person stands for several names, so the names tell who is who; if it is the id of a medium, say `id` for its column with --columns FILE',
};

/** Finds ids of people that stand for several names in the files of an import, which would make several people one. */
export class PersonIds {
  /** By the hash of an id, that of its name. */
  readonly #names = new Map<number, number>();
  readonly #shared = new Set<number>();

  look(row: Row): void {
    const id = idIn(row);
    if (id === null || 'fault' in row) return;
    for (const name of [row.source.contact_name].flat().filter((value) => typeof value === 'string' && value !== '')) {
      const key = hashText(personKey(String(name)));
      if ((this.#names.get(id) ?? key) !== key) this.#shared.add(id);
      this.#names.set(id, key);
    }
  }

  /** The row, without an id that is of several people. */
  withoutShared(split: SplitRow): SplitRow {
    const { row } = split;
    const id = idIn(row);
    if (id === null || 'fault' in row) return split;
    const hasSeveral = Array.isArray(row.source.contact_name) || peopleOfRow(row.source).length > 1;
    if (!this.#shared.has(id) && !hasSeveral) return split;
    const { person_id: _, ...source } = row.source;
    return { ...split, row: { ...row, source }, notes: [...split.notes, sharedId] };
  }
}

function idIn(row: Row): number | null {
  const idRead = 'fault' in row ? null : normalizeId(row.source.person_id);
  return idRead !== null && 'id' in idRead && idRead.id !== null ? hashText(`person id ${idRead.id}`) : null;
}
