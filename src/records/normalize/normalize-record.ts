import { nameKey, trimEnd } from '#text/fold.ts';
import { parseJson } from '#text/json.ts';
import { memoize } from '#text/memoize.ts';
import { isKnown, type PlainField, plainFields } from '../fields.ts';
import type { DerivedKey, MediaRecord, RecordKey, RecordPatch, StoredRecord } from '../media-record.ts';
import { findAnyLanguage, findLanguage } from '../places/languages.ts';
import { isRegion, longRegion } from '../places/regions.ts';
import { type Category, type Kind, kinds, type OutletType } from '../vocabularies.ts';
import { CellReader, type Read, type SourceRecord } from './cell-reader.ts';
import { aliasLimit, isLikelyPlaceholder, joinTags, tagLimit, textLimits, topicLimit } from './clean-text.ts';
import type { ImportNote } from './import-note.ts';
import { readContacts, readContactsOfRow } from './normalize-contact.ts';
import { type IdFault, normalizeId } from './normalize-values.ts';
import { readPlace } from './read-place.ts';
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

const languageOf = memoize(findLanguage);
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
  const words = readWords(cells, values);
  const isFilled = (key: (typeof guessable)[number]) =>
    isKnown(words[key] ?? null) && source[key] === undefined && !(key === 'type' && classified.type);
  const guessed = [...guessable.filter(isFilled), ...implied];
  const patch = {
    id: idResult.id ?? '',
    ...withoutUndefined({ ...values, ...words }),
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

/** Names of owners may have a comma: `Sinclair Broadcast Group, Inc.` */
const betweenTags = /[;,](?!\s*(?:inc|llc|l\.l\.c|ltd|plc|co|corp|lp|l\.p|gmbh)\b)/i;
const betweenTopics = /[,;/]/;
/** As Python and Mailchimp write a list: `['Business', 'News']`, `"press","tech"`. */
const quoted = /^\[?\s*(["']).*\1\s*\]?$/s;
/** Shorter words are codes, which mean something else among topics: `IT`, `AM`. */
const minNameLength = 4;

type Row = { kind: Kind | undefined } & {
  [Key in 'type' | 'language' | 'country' | 'region']: Read<MediaRecord[Key]>;
};

/** Sources mix topics and tags: words for a topic, type, language or region fill what the row lacks, others become tags. */
function readWords(cells: CellReader, row: Row) {
  const { kind, country } = row;
  let { type, language, region } = row;
  const categories = new Set<Category>();
  const tags: string[] = [];
  /** Whether the word is a form of medium. The first one fills the type that the row lacks. */
  const readForm = (word: string): boolean => {
    const form = sourceWords.findOutletType(word);
    if (form === null && !sourceWords.isFormWord(word)) return false;
    if (kind === 'outlet' && form !== 'other') type ??= form;
    return true;
  };
  /** Whether the word is the language or the region of the row. */
  const isNamed = (word: string): boolean => {
    if (word.length < minNameLength || word.includes('-')) return false;
    const named = languageOf(word);
    // Among topics, Latin is music.
    if (named !== null && named !== 'la') {
      language ??= named;
      return language === named;
    }
    if (!country || !isRegion(word, country)) return false;
    region ??= longRegion(word, country);
    return nameKey(region) === nameKey(longRegion(word, country));
  };
  const topics = readItems(cells, 'categories', betweenTopics);
  for (const word of topics ?? []) {
    const category = sourceWords.findCategory(word);
    if (category !== null) categories.add(category);
    else if (!readForm(word) && !isNamed(word)) tags.push(word);
  }
  const furtherTags = readItems(cells, 'tags', betweenTags);
  const hasTopics = categories.size > 0;
  for (const word of furtherTags ?? []) {
    const isLabel = sourceWords.isLabelOfPress(word);
    const category = isLabel ? null : sourceWords.findCategory(word);
    if (category === 'other' || (category === null && !isLabel && readForm(word))) continue;
    if (category !== null && !hasTopics) categories.add(category);
    // A community says more than its topic or language: Jewish, Polish.
    if (category === null || !categories.has(category) || nameKey(category) !== nameKey(word)) tags.push(word);
  }
  const joinedTags = joinTags(tags.map((tag) => cells.cleanItem('tags', tag)).filter((tag) => tag !== ''));
  if (tags.length > tagLimit && joinedTags.length === tagLimit) cells.note('tags', 'too_many');
  return {
    type,
    language,
    region,
    categories: topics !== undefined || categories.size > 0 ? [...categories] : undefined,
    tags: furtherTags !== undefined || joinedTags.length > 0 ? joinedTags : undefined,
  };
}

/** Without any quotes around it: a second import must find nothing more to remove of `''top 40''`. */
function unquote(word: string): string {
  return quoted.test(word) ? trimEnd(word.replace(/^[\s["']+/, ''), ` \t\r\n]"'`) : word;
}

/** The words of a list: `News` is one, and so is `arts, culture, entertainment and media`; `news, sports` are two. */
function readItems(cells: CellReader, field: 'categories' | 'tags', between: RegExp): string[] | undefined {
  const items = cells.items(field);
  if (items === undefined) return undefined;
  const words = [...new Set(items)];
  if (words.length > topicLimit) cells.note(field, 'too_many');
  return words
    .slice(0, topicLimit)
    .flatMap((dirty) => {
      const item = cells.cleanItem('tags', dirty, textLimits.description);
      return sourceWords.findCategory(item) !== null
        ? [item]
        : item.split(between).flatMap((word) => sourceWords.partTopics(unquote(word.trim())));
    })
    .filter((word) => word !== '' && !isLikelyPlaceholder(word));
}
