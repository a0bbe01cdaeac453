import { foldedWords } from '#text/fold.ts';
import {
  type FacetDefinition,
  type FilterDefinition,
  openFacet,
  openFilter,
  vocabularyFilter,
} from '../field-definition.ts';
import { contactKinds } from './contact.ts';

/**
 * What contacts are filtered by besides the keys that a record shows of its first contact (contract A18). A record has what any of
 * its contacts has.
 */
export const contactFields = [
  {
    key: 'beats',
    doc: 'What a contact covers, as its source says.',
    filter: openFilter('beat'),
    facet: openFacet('beats', 12),
  },
  {
    key: 'title',
    doc: 'Words that the job title of a contact has.',
    filter: { parameter: 'title', canonical: (value: string) => foldedWords(value).join(' ') || null },
  },
  {
    key: 'contact_kind',
    doc: 'Kind of contact.',
    vocabulary: contactKinds,
    filter: vocabularyFilter('contact_kind', contactKinds),
  },
] as const satisfies readonly {
  key: string;
  doc: string;
  vocabulary?: readonly string[];
  filter: FilterDefinition;
  facet?: FacetDefinition;
}[];

export type ContactField = (typeof contactFields)[number]['key'];

/** Whether a filter by this field is about contacts alone. */
export function isContactField(key: string): key is ContactField {
  return contactFields.some((field) => field.key === key);
}
