import { nameKey, trimEnd } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';
import type { MediaRecord } from '../media-record.ts';
import { findLanguage } from '../places/languages.ts';
import { isRegion, longRegion } from '../places/regions.ts';
import type { Category, Kind } from '../vocabularies.ts';
import type { CellReader, Read } from './cell-reader.ts';
import { isLikelyPlaceholder, joinTags, tagLimit, textLimits, topicLimit } from './clean-text.ts';
import * as sourceWords from './source-words.ts';

/** Names of owners may have a comma: `Sinclair Broadcast Group, Inc.` */
const betweenTags = /[;,](?!\s*(?:inc|llc|l\.l\.c|ltd|plc|co|corp|lp|l\.p|gmbh)\b)/i;
const betweenTopics = /[,;/]/;
/** As Python and Mailchimp write a list: `['Business', 'News']`, `"press","tech"`. */
const quoted = /^\[?\s*(["']).*\1\s*\]?$/s;
/** Shorter words are codes, which mean something else among topics: `IT`, `AM`. */
const minNameLength = 4;

const languageOf = memoize(findLanguage);

/** What else a row says. Words among its topics and tags fill what it lacks. */
type Row = { kind: Kind | undefined } & {
  [Key in 'type' | 'language' | 'country' | 'region']: Read<MediaRecord[Key]>;
};

/** Sources mix topics and tags: words for a topic, type, language or region fill what the row lacks, others become tags. */
export function readTopics(cells: CellReader, given: Row) {
  const row = { ...given };
  const topics = readItems(cells, 'categories', betweenTopics);
  const tags = readItems(cells, 'tags', betweenTags);
  const ofTopics = sortTopics(topics ?? [], row);
  const ofTags = sortTags(tags ?? [], row, ofTopics.categories);
  const { categories } = ofTags;
  const allTags = [...ofTopics.tags, ...ofTags.tags].map((tag) => cells.cleanItem('tags', tag));
  const named = allTags.filter((tag) => tag !== '');
  const joinedTags = joinTags(named);
  if (allTags.length > tagLimit && joinedTags.length === tagLimit) cells.note('tags', 'too_many');
  return {
    type: row.type,
    language: row.language,
    region: row.region,
    categories: topics !== undefined || categories.size > 0 ? [...categories] : undefined,
    tags: tags !== undefined || joinedTags.length > 0 ? joinedTags : undefined,
  };
}

/** What the topics of a source are: a topic, what the row lacks, or a tag. */
function sortTopics(words: readonly string[], row: Row) {
  const categories = new Set<Category>();
  const tags: string[] = [];
  for (const word of words) {
    const category = sourceWords.findCategory(word);
    if (category !== null) categories.add(category);
    else if (!fillType(row, word) && !fillLanguageOrRegion(row, word)) tags.push(word);
  }
  return { categories, tags };
}

/** What the tags of a source are. Those for topics are the topics of a row that names none. */
function sortTags(words: readonly string[], row: Row, ofRow: ReadonlySet<Category>) {
  const categories = new Set(ofRow);
  const tags: string[] = [];
  for (const word of words) {
    const isLabel = sourceWords.isLabelOfPress(word);
    const category = isLabel ? null : sourceWords.findCategory(word);
    if (category === 'other' || (category === null && !isLabel && fillType(row, word))) continue;
    if (category !== null && ofRow.size === 0) categories.add(category);
    // A community says more than its topic or language: Jewish, Polish.
    if (category === null || !categories.has(category) || nameKey(category) !== nameKey(word)) tags.push(word);
  }
  return { categories, tags };
}

/** Whether the word is nothing but a form of medium. The first form fills the type that the row lacks. */
function fillType(row: Row, word: string): boolean {
  const form = sourceWords.findOutletType(word);
  if (form === null && !sourceWords.isFormWord(word)) return false;
  if (row.kind === 'outlet' && form !== 'other') row.type ??= form;
  return !sourceWords.saysMoreThanForm(word);
}

/** Whether the word is the language or the region of the row. The first one fills what the row lacks. */
function fillLanguageOrRegion(row: Row, word: string): boolean {
  if (word.length < minNameLength || word.includes('-')) return false;
  const language = languageOf(word);
  // Among topics, Latin is music.
  if (language !== null && language !== 'la') {
    row.language ??= language;
    return row.language === language;
  }
  const { country } = row;
  if (!country || !isRegion(word, country)) return false;
  const region = longRegion(word, country);
  row.region ??= region;
  return nameKey(row.region) === nameKey(region);
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
