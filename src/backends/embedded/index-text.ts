import type { MediaRecord } from '#domain/media-record.ts';
import { foldedWords } from '#domain/search/fold.ts';
import { searchableText } from '#domain/search/searchable-text.ts';

/** The columns of `search_text`, in order: what a record is found by. */
export interface IndexText {
  /** One token for each name and alias as a whole. */
  exact: string;
  names: string;
  aliases: string;
  /** Hosts with their parents, and the label that people remember. */
  hosts: string;
  concepts: string;
  place: string;
  description: string;
}

/** Stands between two values of a column, so that no phrase reaches from one into the next. */
const gap = ' _ ';

/** The full text of a record. */
export function indexText(record: MediaRecord): IndexText {
  const { wholeNames, names, aliases, hosts, hostLabels, concepts, place, description } = searchableText(record);
  return {
    exact: wholeNames.map(exactToken).join(' '),
    names: names.join(gap),
    aliases: aliases.join(gap),
    hosts: [...new Set([...hosts, ...hostLabels])].join(' '),
    concepts: concepts.join(' '),
    place,
    description,
  };
}

/** The one token that stands for a whole name by its nameKey; a name of mere punctuation gets one too. */
export function exactToken(key: string): string {
  return foldedWords(key).length > 0 ? key.replaceAll(' ', '_') : `.${Buffer.from(key).toString('hex')}`;
}
