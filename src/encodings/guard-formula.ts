/** What makes a spreadsheet run a cell (OWASP, CSV Injection), including full-width forms and after spaces. */
const formulaStart = /^\s*[=+\-@＝＋－＠]|^ *[\t\r\n]/u;
/** Only digits and separators: at worst a sum. */
const plainPhone = /^\+\d[\d ()./-]*$/;

/**
 * Makes a cell safe to open in a spreadsheet: a cell that would run as a formula gets a leading `'`, which marks text.
 * Phone numbers such as +44 20 7946 0000 stay as they are.
 */
export function guardFormula(cell: string): string {
  return formulaStart.test(cell) && !plainPhone.test(cell) ? `'${cell}` : cell;
}
