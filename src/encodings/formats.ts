import type { OutboundTool } from '#domain/outbound/outbound-tool.ts';
import type { ExportFormat } from '#ports/export-format.ts';
import { leadColumns, recordColumns } from './columns.ts';
import { writeCsv } from './write-csv.ts';

const csvFile = { contentType: 'text/csv; charset=utf-8', extension: 'csv' };

/** THE FORMATS that are not those of a tool. The export, the API reference and the explorer are read from here. */
export const fileFormats: readonly ExportFormat[] = [
  {
    ...csvFile,
    name: 'csv',
    title: 'CSV',
    doc: 'every field',
    right: 'export_outlets',
    needsAddress: false,
    write: (batches) => writeCsv(batches, recordColumns),
  },
];

/** All export formats: first the ones above, starting with the default, then one per outbound tool. */
export function listFormats(tools: readonly OutboundTool[], files = fileFormats): ExportFormat[] {
  return [...files, ...tools.map(toolFormat)];
}

function toolFormat({ name, title, columns }: OutboundTool): ExportFormat {
  return {
    ...csvFile,
    name,
    title,
    doc: 'the import format of that tool',
    right: 'export_all',
    needsAddress: true,
    write: (batches) => writeCsv(batches, leadColumns(columns)),
  };
}
