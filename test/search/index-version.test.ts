import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { contactDocuments, contactsMapping } from '#backends/elasticsearch/contact-document.ts';
import { indexDocument, recordsMapping } from '#backends/elasticsearch/index-document.ts';
import { formsOfAll } from '#backends/embedded/index/record-forms.ts';
import { tables } from '#backends/embedded/store/upgrade-store.ts';
import { readDocument } from '#backends/mongo/read-document.ts';
import { emptyRecord } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { rereadRecord } from '#records/normalize/reread-record.ts';
import { suppressionKeys } from '#records/suppression.ts';
import { indexVersion } from '#search/indexed/index-maintenance.ts';
import { makeProbeRecords, probeDocuments, probeTexts } from './probe-records.ts';

const indexTable = /(?:documents|document_blocks|search_text|search_tokens|search_terms)\b/;

function documentsOf(record: MediaRecord) {
  const document = indexDocument(record);
  return [document, ...contactDocuments(record, document)];
}

function digest(value: unknown): string {
  return hash('sha1', JSON.stringify(value), 'base64url');
}

it('indexVersion is raised with every change of what becomes of records in an index', () => {
  const records = makeProbeRecords();
  const reread = probeTexts.map((text) =>
    rereadRecord({ ...emptyRecord('probe', 'outlet', 'Probe'), description: text }),
  );
  const made = {
    'embedded tables': digest(tables.split(';').filter((statement) => indexTable.test(statement))),
    'embedded rows': digest(formsOfAll(records)),
    'Elasticsearch mapping': digest([recordsMapping, contactsMapping]),
    'Elasticsearch documents': digest(records.map(documentsOf)),
    'suppression keys': digest(records.map(suppressionKeys)),
    'texts without addresses': digest(reread),
    'documents of other tools, as read': digest(probeDocuments.map(readDocument)),
  };
  const advice = `What an index holds of records changed. Raise indexVersion in src/search/indexed/index-maintenance.ts from ${indexVersion} to ${indexVersion + 1}, then accept it: npx vitest run test/search/index-version.test.ts -u`;
  expect(made, advice).toMatchSnapshot(`${indexVersion}`);
});
