import type { MediaRecord } from '#domain/media-record.ts';
import { foldedWords } from '#domain/search/fold.ts';
import { searchableText } from '#domain/search/searchable-text.ts';

/** The columns of `search_text`, in order: what finds a record. */
export interface IndexText {
  /** One token for each complete name and alias. */
  exact: string;
  names: string;
  aliases: string;
  /** Hosts with their parent domains, and the label people remember. */
  hosts: string;
  concepts: string;
  place: string;
  description: string;
}

/** Separates two values of a column, so no phrase spans both. */
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

/** The token of a complete name, from its nameKey; names made only of punctuation have one too. */
export function exactToken(key: string): string {
  return foldedWords(key).length > 0 ? key.replaceAll(' ', '_') : `.${Buffer.from(key).toString('hex')}`;
}
