import { parseJson } from '#text/json.ts';
import { memoize } from '#text/memoize.ts';
import { isKnown, type PlainField, plainFields } from '../fields.ts';
import type { DerivedKey, MediaRecord, RecordKey, RecordPatch, StoredRecord } from '../media-record.ts';
import { findAnyLanguage } from '../places/languages.ts';
import { type Kind, kinds, type OutletType } from '../vocabularies.ts';
import { CellReader, type Read, type SourceRecord } from './cell-reader.ts';
import { aliasLimit, textLimits } from './clean-text.ts';
import { readContacts } from './contacts-in-json.ts';
import { readContactsOfRow } from './contacts-of-row.ts';
import type { ImportNote } from './import-note.ts';
import { type IdFault, normalizeId } from './normalize-values.ts';
import { readPlace } from './read-place.ts';
import { readTopics } from './read-topics.ts';
import * as sourceWords from './source-words.ts';

/** Why a row is rejected. The message says how to fix it and contains no part of the row. */
interface Rejection {
  field: keyof MediaRecord;
  code: 'required' | 'unknown_value' | 'unreadable' | IdFault;
  message: string;
}

type NormalizeResult =
  | { patch: RecordPatch; notes: readonly ImportNote[] }
  | { rejection: Rejection; id: string | null };

const anyLanguageOf = memoize(findAnyLanguage);
/** `bilingual (English and French)`. */
const betweenLanguages = /[,;|/&+]|\s(?:and|or|y|e|et|und)\s/i;

/**
 * Makes a row a patch, with an empty id if it has none. Only its id, kind or name can reject the row; other unreadable values
 * are skipped with a note. An empty cell clears the stored value. `implied` are fields whose value is only a guess.
 */
export function normalizeRecord(
  source: SourceRecord,
  defaultKind: Kind | null = null,
  implied: readonly RecordKey[] = [],
): NormalizeResult {
  const idResult = normalizeId(source.id);
  if ('fault' in idResult) return { rejection: idRejection(idResult.fault), id: null };
  const cells = new CellReader(source);
  const classified = classify(cells, source, defaultKind);
  if ('rejection' in classified) return { rejection: classified.rejection, id: idResult.id };
  const name = cells.text('name');
  const isNew = idResult.id === null;
  const kindless: Lacking[] = isNew && classified.kind === undefined ? ['kind'] : [];
  if (name === null) return { rejection: lacking(source, [...kindless, 'name']), id: idResult.id };
  if (name === undefined && source.name !== undefined) {
    return { rejection: { field: 'name', code: 'unreadable', message: 'name is not text' }, id: idResult.id };
  }
  const url = cells.url('url');
  const values = {
    ...classified,
    name,
    aliases: readAliases(cells),
    url,
    description: cells.text('description'),
    language: cells.word('language', anyLanguageOf, betweenLanguages),
    ...readPlace(cells, source),
    ...readPlain(cells),
    audience: cells.count('audience'),
    frequency: cells.word('frequency', sourceWords.findFrequency),
    feed_url: cells.url('feed_url', url),
    linkedin_url: cells.url('linkedin_url'),
  };
  const contacts = contactsIn(cells, source);
  if ('fault' in contacts) {
    return { rejection: { field: 'contacts', code: 'unreadable', message: contacts.fault }, id: idResult.id };
  }
  const lacks: Lacking[] = isNew && name === undefined ? [...kindless, 'name'] : kindless;
  if (lacks.length > 0) return { rejection: lacking(source, lacks), id: null };
  const topics = readTopics(cells, values);
  const isFilled = (key: (typeof guessable)[number]) =>
    isKnown(topics[key] ?? null) && source[key] === undefined && !(key === 'type' && classified.type);
  const guessed = [...guessable.filter(isFilled), ...implied];
  const patch = {
    id: idResult.id ?? '',
    ...withoutUndefined({ ...values, ...topics }),
    ...contacts,
    ...(guessed.length > 0 && { guessed }),
  };
  return { patch, notes: cells.notes };
}

/** The contacts of a row: those in JSON, where it has them, else that of its columns. */
function contactsIn(cells: CellReader, source: SourceRecord): Pick<RecordPatch, 'contacts'> | { fault: string } {
  const list = listIn(source.contacts);
  if (list === undefined) {
    const patches = readContactsOfRow(cells, source);
    return patches.length === 0 ? {} : { contacts: { patches, areAll: false } };
  }
  const result = readContacts({ ...source, contacts: list });
  if ('fault' in result) return result;
  cells.notes.push(...result.notes);
  return { contacts: result.contacts };
}

/** The value of a cell for contacts: rejects files have it in JSON. Other text is not of contacts. */
function listIn(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  return value.startsWith('[') ? (parseJson(value) ?? value) : undefined;
}

const plainKeys = plainFields.filter((field) => !field.isDerived).map(({ key }) => key) as OwnPlainField[];

type OwnPlainField = Exclude<PlainField, DerivedKey>;

function readPlain(cells: CellReader) {
  return Object.fromEntries(plainKeys.map((key) => [key, cells.text(key)])) as Record<OwnPlainField, Read<string>>;
}

/** Fields that may be filled from other columns, such as the region from the city, or the language from tags. */
const guessable = ['type', 'language', 'region', 'categories'] as const satisfies readonly RecordKey[];

/** Without undefined values, so that a patch keeps what is stored for them. */
function withoutUndefined(values: { [Key in keyof OwnValues]?: OwnValues[Key] | undefined }): Partial<OwnValues> {
  const patch: Record<string, unknown> = {};
  for (const key in values) {
    const value = values[key as keyof OwnValues];
    if (value !== undefined) patch[key] = value;
  }
  return patch as Partial<OwnValues>;
}

/** What a row says about the record itself. */
type OwnValues = Omit<StoredRecord, 'contacts'>;

function rejectEmpty(field: keyof MediaRecord, message: string): Rejection {
  return { field, code: 'required', message };
}

type Lacking = 'kind' | 'name';

/** Names all that a new record lacks. If no column has it, a column with an unknown heading may. */
function lacking(source: SourceRecord, fields: readonly Lacking[]): Rejection {
  const ways = [
    ...(fields.includes('kind') ? [`add --kind outlet, or ${kinds.slice(1).join(' or ')}`] : []),
    ...(fields.some((key) => source[key] === undefined) ? ['say which column has it with --columns auto or FILE'] : []),
  ];
  const fault = `${fields.join(' and ')} ${fields.length > 1 ? 'are' : 'is'} empty`;
  return rejectEmpty(
    fields[0] ?? 'name',
    ways.length === 0 ? fault : `${fault}; ${ways.join(fields.length > 1 ? ', and ' : ', or ')}`,
  );
}

function idRejection(code: IdFault): Rejection {
  const messages: Readonly<Record<IdFault, string>> = {
    unreadable: 'id is not text or a whole number',
    too_long: `id is longer than ${textLimits.id} characters`,
    control_characters: 'id contains invisible characters',
    address_in_id: 'id contains an email address, but ids are public; remove the column, or use another one as id',
  };
  return { field: 'id', code, message: messages[code] };
}

interface Classification {
  kind: Kind;
  type: OutletType | null;
}

const classifyKind = memoize((word): Classification | null => {
  const kind = sourceWords.findKind(word);
  const type = sourceWords.findOutletType(word);
  if (kind !== null) return { kind, type: null };
  return type === null ? null : { kind: 'outlet', type };
});

const classifyType = memoize((word): Classification | null => {
  const type = sourceWords.findOutletType(word);
  return type === null ? classifyKind(word) : { kind: 'outlet', type };
});

/** Kind and type complete each other: kind `magazine` is an outlet of that type, type `podcast` a podcast. Else the default counts. */
function classify(cells: CellReader, source: SourceRecord, defaultKind: Kind | null) {
  const byKind = cells.word('kind', classifyKind);
  if (byKind === undefined && source.kind !== undefined && defaultKind === null) {
    const message = `kind is not valid; use ${kinds.join(', ')}`;
    return { rejection: { field: 'kind', code: 'unknown_value', message } as const };
  }
  const byType = cells.word('type', classifyType);
  const kind = byKind?.kind ?? byType?.kind ?? defaultKind ?? undefined;
  if (kind === undefined && byKind === null) {
    return { rejection: lacking(source, cells.text('name') ? ['kind'] : ['kind', 'name']) };
  }
  const type = byType?.type ?? byKind?.type ?? (byType === undefined ? undefined : null);
  if (kind === undefined || kind === 'outlet') return { kind, type };
  if (type) cells.note('type', 'outlets_only');
  return { kind, type: null };
}

function readAliases(cells: CellReader): string[] | undefined {
  const items = cells.items('aliases');
  if (items === undefined) return undefined;
  const aliases = new Set<string>();
  for (const item of items) {
    const alias = cells.cleanItem('aliases', item);
    if (alias === '') continue;
    if (aliases.size === aliasLimit && !aliases.has(alias)) {
      cells.note('aliases', 'too_many');
      break;
    }
    aliases.add(alias);
  }
  return [...aliases];
}
