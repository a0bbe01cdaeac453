import { hash } from 'node:crypto';
import { makeProbeRecords } from '#records/probe-records.ts';
import { memoize } from '#text/memoize.ts';
import mapping from '../../../mappings/records.json' with { type: 'json' };
import { type IndexDocument, indexDocument } from './index-document.ts';

/** The mapping of each field of a document; an object maps its own fields, unless it is only stored. */
type MappingOf<Document> = {
  [Field in keyof Document]-?: Field extends 'record'
    ? { type: 'object' | string; enabled: boolean }
    : NonNullable<Document[Field]> extends string | number | readonly unknown[]
      ? { type: string }
      : { dynamic: string; properties: MappingOf<NonNullable<Document[Field]>> };
};

/** The settings and mapping of an index. If a document field is missing here, the code does not compile. */
export const recordsMapping = mapping satisfies {
  settings: object;
  mappings: { dynamic: string; _source: object; properties: MappingOf<IndexDocument> };
};

/**
 * The form of an index as this version makes it: another for each change of its settings, its mapping, or of the documents
 * that become of records. An index of another form has to be built again.
 *
 * @param readingForm of what the records are read from
 */
export const indexForm = memoize((readingForm: string): string => {
  const documents = makeProbeRecords().map(indexDocument);
  return hash('sha1', JSON.stringify([recordsMapping, readingForm, documents]), 'base64url');
});
