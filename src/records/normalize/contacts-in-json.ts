import { z } from 'zod';
import {
  beatLimit,
  type ContactPatch,
  type ContactsPatch,
  contactLimit,
  type KeptContact,
  linkLimit,
} from '../contacts/contact.ts';
import { CellReader, type SourceRecord } from './cell-reader.ts';
import type { ImportNote } from './import-note.ts';
import { contactIdForm, contactKeyOf, readContact, readLinks, readTexts } from './normalize-contact.ts';

const text = z.string().nullish();
/** A contact in JSON, as answers and MongoDB have it. Its kind follows from the rest, so it is not read. */
const contactInJson = z.object({
  id: z.string().regex(contactIdForm).nullish(),
  name: text,
  title: text,
  beats: z.array(z.string()).nullish(),
  email: text,
  email_status: text,
  email_source: text,
  last_verified_at: text,
  phone: text,
  links: z.array(z.string()).nullish(),
});
const contactsInJson = z.array(contactInJson).max(contactLimit);
/** What only stores keep of a contact. */
const keptWithContact = z.array(
  z.object({
    sources: z.record(z.string(), z.string().nullable()).optional(),
    isPreferred: z.literal(true).optional(),
  }),
);

/** The contacts of a row in JSON; or why they cannot be read, without quoting them. */
export function readContacts(
  source: SourceRecord,
): { contacts: ContactsPatch; notes: readonly ImportNote[] } | { fault: string } {
  const parsed = contactsInJson.safeParse(source.contacts);
  if (!parsed.success) return { fault: faultOfContacts(parsed.error) };
  const count = Number(source.contact_count ?? 0);
  if (count > parsed.data.length) {
    return {
      fault: `contacts has ${parsed.data.length} contacts, and contact_count says ${count}; use a row with all of them, such as GET /records/{id} gives it, or leave contact_count out with --ignore if it counts something else`,
    };
  }
  const notes = new Set<ImportNote>();
  const patches = parsed.data.map((contact): ContactPatch => {
    const { id, beats, links } = contact;
    const cells = new CellReader(flatSourceOf(contact));
    const patch = readContact(cells, flatSourceOf(contact)) ?? {};
    for (const note of cells.notes) notes.add(note);
    return {
      ...patch,
      ...(id && { id }),
      beats: readTexts(cells, beats ?? []).slice(0, beatLimit),
      links: readLinks(links ?? []).slice(0, linkLimit),
    };
  });
  return { contacts: { patches, areAll: true }, notes: [...notes] };
}

function flatSourceOf(contact: z.output<typeof contactInJson>): SourceRecord {
  const source: Record<string, unknown> = {};
  for (const [flat, key] of Object.entries(contactKeyOf)) source[flat] = contact[key] ?? null;
  return source;
}

/** Where the fault is and what is right, without a value. */
function faultOfContacts({ issues: [issue] }: z.ZodError): string {
  const [index, key] = issue?.path ?? [];
  if (typeof index !== 'number') return `contacts is not a list of at most ${contactLimit} contacts`;
  const right = `use {"name","title","email",…} as answers have it`;
  return typeof key === 'string' && key in contactInJson.shape
    ? `${key} of contact ${index + 1} is not valid; ${right}`
    : `contact ${index + 1} is not an object; ${right}`;
}

/** What a store keeps of contacts that it wrote itself, in the same order: also what no import may say. */
export function withKeptValues(contacts: readonly KeptContact[], stored: unknown): KeptContact[] {
  const parsed = keptWithContact.safeParse(stored);
  if (!parsed.success) return [...contacts];
  return contacts.map((contact, index) => {
    const { sources, isPreferred } = parsed.data[index] ?? {};
    return { ...contact, ...(sources && { sources }), ...(isPreferred && { isPreferred }) };
  });
}
