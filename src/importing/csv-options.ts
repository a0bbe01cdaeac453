/** How csv-parse reads every file: any line end, space around quotes ignored, the number of cells checked by us. */
export function csvOptions(delimiter: string) {
  return {
    delimiter,
    ltrim: true,
    rtrim: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  };
}
