import type { ExportFormat } from '#outbound/export-records.ts';
import type { OutboundTool } from '#outbound/outbound-lead.ts';
import { formatNumber } from '#text/printed.ts';
import { leadColumns, recordColumns, writeCsv } from './columns.ts';
import { writeNdjson } from './write-ndjson.ts';
import { maxSheetRows, writeXlsx } from './write-xlsx.ts';

const csvFile = { contentType: 'text/csv; charset=utf-8', extension: 'csv', isCompressed: false };

/** The formats that are not made for a tool. Exports, the API reference and the explorer are derived from this list. */
export const fileFormats: readonly ExportFormat[] = [
  {
    ...csvFile,
    name: 'csv',
    title: 'CSV',
    doc: 'every field',
    right: 'export_outlets',
    needsAddress: false,
    choices: ['fields', 'bom'],
    write: (batches, choices) => writeCsv(batches, recordColumns(choices), choices),
  },
  {
    name: 'ndjson',
    title: 'NDJSON',
    doc: 'every field, a line of JSON for each record, as in answers of the API',
    contentType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    right: 'export_all',
    needsAddress: false,
    isCompressed: false,
    choices: ['fields'],
    holdsContacts: true,
    write: writeNdjson,
  },
  {
    name: 'xlsx',
    title: 'Excel',
    doc: `the fields of csv, as a workbook of at most ${formatNumber(maxSheetRows)} rows`,
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    extension: 'xlsx',
    right: 'export_all',
    needsAddress: false,
    isCompressed: true,
    maxRecords: maxSheetRows,
    choices: ['fields'],
    write: writeXlsx,
  },
];

/** All export formats: those above, of which the first is the default, and one for each outbound tool. */
export function listFormats(tools: readonly OutboundTool[]): ExportFormat[] {
  return [...fileFormats, ...tools.map(toolFormat)];
}

function toolFormat({ name, title, columns }: OutboundTool): ExportFormat {
  return {
    ...csvFile,
    name,
    title,
    doc: 'the import format of that tool',
    right: 'export_all',
    needsAddress: true,
    choices: [],
    write: (batches) => writeCsv(batches, leadColumns(columns)),
  };
}
