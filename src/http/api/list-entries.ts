import { z } from 'zod';
import {
  headOf,
  type ListHead,
  type ListSubject,
  listStatuses,
  maxNote,
  type RemovedSubject,
} from '#accounts/media-list.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { writeList } from '#search/lists/lists.ts';
import type { FieldError } from '#src/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import { type FaultDetails, quote, toProblem } from '../parse/faults.ts';
import { readTime } from '../parse/parameter-kinds.ts';
import { choice, textOf } from '../parse/read-body.ts';

const maxWritten = 1_000;

const idText = z.string('The id of a record must be a string.').trim().min(1, 'The id of a record must not be empty.');
const tooMany = `At most ${maxWritten} at once: send more in another request.`;

const contactText = z
  .string('The id of a contact must be a string.')
  .trim()
  .transform((text) => (text === '' ? null : text))
  .nullable();

const entryBody = z.strictObject(
  {
    id: idText,
    contact_id: contactText.optional().describe('A contact of the record. Absent or null: the medium itself.'),
    note: textOf(maxNote, `A note must be a string of at most ${maxNote} characters.`)
      .transform((note) => (note === '' ? null : note))
      .nullish()
      .describe('Null or empty clears it.'),
    status: choice(listStatuses).optional().describe('At first none.'),
    contacted_at: z
      .string('The date must be a string.')
      .trim()
      .transform((text, context) => (text === '' ? null : readTime(text, context)))
      .nullish()
      .describe('When somebody wrote to them; null or empty clears it. A status that becomes contacted sets it.'),
  },
  'Each of add must be an object, such as {"id":"…","note":"…","status":"to_contact"}.',
);

const removedEntry = z
  .strictObject(
    { id: idText, contact_id: contactText },
    'Each of remove must be the id of a record, or an object, such as {"id":"…","contact_id":"…"}.',
  )
  .transform(({ id, contact_id }): RemovedSubject => subjectOf({ id, contact_id }));

/** The document names only the type that all had before: generators of clients cannot read a choice of two. */
const removedBody = z
  .unknown()
  .transform((entry, context): RemovedSubject => {
    const wholeRecord = idText.transform((id): RemovedSubject => ({ id, isWhole: true }));
    const parsed = (typeof entry === 'string' ? wholeRecord : removedEntry).safeParse(entry);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const isUnknown = issue.code === 'unrecognized_keys';
      const message = isUnknown ? 'These have only the fields id and contact_id.' : issue.message;
      const params: FaultDetails = { code: isUnknown ? 'unknown_field' : 'invalid' };
      context.addIssue({ code: 'custom', path: issue.path, message, params });
    }
    return z.NEVER;
  })
  .meta({
    type: 'string',
    minLength: 1,
    description:
      'The id of a record, for all entries of it; or an object `{"id","contact_id"}` for one, where null is that of the medium itself.',
  });

function subjectOf({ id, contact_id }: { id: string; contact_id?: string | null | undefined }): ListSubject {
  return { id, ...(contact_id && { contactId: contact_id }) };
}

export const addedEntries = z
  .array(entryBody, 'add must be a list.')
  .max(maxWritten, tooMany)
  .describe('Media and contacts to add, or to change if the list has them. What is absent stays.');

export const listRecordsBody = z
  .strictObject(
    {
      add: addedEntries.nullish(),
      remove: z.array(removedBody, 'remove must be a list.').max(maxWritten, tooMany).nullish(),
    },
    'The body must be a JSON object, such as {"add":[{"id":"…","status":"to_contact"}],"remove":["…"]}.',
  )
  .refine(({ add, remove }) => add != null || remove != null, {
    path: ['add'],
    message: 'Nothing is to be done. Give add, remove or both.',
  });

/** Adds and removes entries of a list, for MCP too. Throws Problem `invalid_request` for what it cannot take. */
export async function writeEntries(
  deps: Pick<AppDeps, 'lists' | 'mergedIds' | 'index' | 'now'>,
  target: { id: string; version: number | null },
  { add, remove }: Partial<z.output<typeof listRecordsBody>>,
  key: StoredKey,
): Promise<ListHead> {
  const entries = add?.map(({ note, status, contacted_at: contactedAt, ...named }) => ({
    ...subjectOf(named),
    ...{ note, status, contactedAt },
  }));
  const change = { ...(entries && { add: entries }), ...(remove && { remove }) };
  const done = await writeList(deps, { ...target, change }, key, deps.now());
  if ('list' in done) return headOf(done.list);
  throw toProblem(done.unknown.map(({ place, isContact }) => toUnknown(place, isContact, add?.[place])));
}

function toUnknown(index: number, isContact: boolean, entry: z.output<typeof entryBody> | undefined): FieldError {
  const { id = '', contact_id } = entry ?? {};
  const message = isContact
    ? `This record has no contact ${quote(contact_id ?? '')}. GET /api/v1/records/{id} shows those that it has.`
    : `No record has the id ${quote(id)}.`;
  const name = `add.${index}.${isContact ? 'contact_id' : 'id'}`;
  return { in: 'body', name, code: 'unknown_value', message: `${message} Leave it out: nothing was added.` };
}
