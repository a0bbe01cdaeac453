/** What makes a spreadsheet run a cell (OWASP, CSV Injection), also in full width and behind spaces. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^ *[\t\r\n]/u;
/** Only digits and their separators: at worst a sum. */
const plainPhone = /^\+\d[\d ()./-]*$/;

/**
 * The cell as it may be opened in a spreadsheet: one that would be run gets a leading `'`, which spreadsheets take for
 * "this is text". Telephone numbers such as +44 20 7946 0000 stay as they are.
 */
export function guardFormula(cell: string): string {
  return formulaStart.test(cell) && !plainPhone.test(cell) ? `'${cell}` : cell;
}
