import mapping from '../../../mappings/records.json' with { type: 'json' };
import type { IndexDocument } from './index-document.ts';

/** For each field of a document its mapping; an object in it maps its own fields, unless it is only kept. */
type MappingOf<Document> = {
  [Field in keyof Document]-?: Field extends 'record'
    ? { type: 'object' | string; enabled: boolean }
    : NonNullable<Document[Field]> extends string | number | readonly unknown[]
      ? { type: string }
      : { dynamic: string; properties: MappingOf<NonNullable<Document[Field]>> };
};

/** The settings and mapping of an index of records; a field of the document that it lacks does not compile. */
export const recordsMapping = mapping satisfies {
  settings: object;
  mappings: { dynamic: string; _source: object; properties: MappingOf<IndexDocument> };
};
