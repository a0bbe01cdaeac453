import type { FieldDefinition } from '../field-definition.ts';
import { fields } from '../fields.ts';
import type { MediaRecord } from '../media-record.ts';
import { aliasLimit, emailLimit, tagLimit, textLimits, topicLimit, urlLimit } from './clean-text.ts';

type Field = keyof MediaRecord;
export type NoteCode = keyof typeof messages;

/** What happened to a value, or why its record was rejected. The message contains no part of the value. */
export interface ImportNote {
  field: Field;
  code: NoteCode;
  message: string;
}

const definitions = new Map<string, FieldDefinition>(fields.map((field) => [field.key, field]));
const limits: Readonly<Partial<Record<string, number>>> = { ...textLimits, email: emailLimit };

const listLimits: Readonly<Partial<Record<string, number>>> = { aliases: aliasLimit, tags: tagLimit };

const valueIsKept = 'the stored value is kept';

const forms: Readonly<Partial<Record<string, string>>> = {
  country: 'the code or name of a country',
  language: 'the code or name of a language',
  phone: 'a telephone number',
};
const formsByType: Readonly<Partial<Record<FieldDefinition['type'], string>>> = {
  email: 'one plain address, such as desk@host',
  integer: 'a whole number, such as 12,500 or 1.2M',
  date: 'a date, such as 2026-11-21',
  url: 'a web address',
};

function describeForm(key: Field): string {
  const { type = 'text', vocabulary } = definitions.get(key) ?? {};
  if (vocabulary) return `one of ${vocabulary.join(', ')}`;
  return forms[key] ?? formsByType[type] ?? 'readable text';
}

const messages = {
  required: (field: Field) => `${field} is empty`,
  unreadable: (field: Field) => `${field} is not ${describeForm(field)}; ${valueIsKept}`,
  unknown_value: (field: Field) => `${field} is not ${describeForm(field)}; ${valueIsKept}`,
  several_values: (field: Field) => `${field} has several values; the first readable one is used`,
  too_many: (field: Field) => `only the first ${listLimits[field] ?? topicLimit} of ${field} are read`,
  too_long: (field: Field) => `${field} is longer than ${limits[field] ?? urlLimit} characters; ${valueIsKept}`,
  cut: (field: Field) => `${field} is cut at ${limits[field]} characters`,
  control_characters: (field: Field) => `control characters are removed from ${field}`,
  repaired: (field: Field) => `${field} was UTF-8 read as Latin-1 and has been repaired`,
  address_removed: (field: Field) => `an email address is removed from ${field}`,
  password_removed: (field: Field) => `a user name or password is removed from ${field}`,
  not_a_web_address: (field: Field) => `${field} is not an http or https URL; ${valueIsKept}`,
  not_public: (field: Field) => `${field} does not name a public host; ${valueIsKept}`,
  obfuscated: (field: Field) => `${field} is a spelled-out address; ${valueIsKept}`,
  masked: (field: Field) => `${field} is a masked address; ${valueIsKept}`,
  of_nobody: () =>
    'the row has several people, and an address or phone that no heading gives to one of them: it is a contact without a name',
  outlets_only: () => 'type applies to outlets only and is skipped',
} as const;

const notes = new Map<string, ImportNote>();

/** The note with that code for that field. Notes are shared: there are only as many as fields times codes. */
export function importNote(field: Field, code: NoteCode): ImportNote {
  const key = `${field} ${code}`;
  let note = notes.get(key);
  if (note === undefined) {
    note = Object.freeze({ field, code, message: messages[code](field) });
    notes.set(key, note);
  }
  return note;
}
