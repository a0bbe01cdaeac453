/**
 * The start of a cell that a spreadsheet would run as a formula (OWASP, CSV Injection), also in full-width forms and after
 * spaces. A cell that has a `'` in front already gets another one, so that an import can remove exactly one.
 */
const formulaStart = /^'*\s*[=+\-@＝＋－＠]|^ *[\t\r\n]/u;
/** A phone number such as +44 20 7946 0000. As a formula, it could only be a sum. */
const plainPhone = /^\+\d[\d ()./-]*$/;

/** Puts a `'`, which marks text, in front of a cell that would run as a formula. Phone numbers stay as they are. */
export function guardFormula(cell: string): string {
  return formulaStart.test(cell) && !plainPhone.test(cell) ? `'${cell}` : cell;
}

const guarded = /^'+\s*[=+\-@＝＋－＠]/u;

/** Removes the `'` that guardFormula puts in front of a formula. */
export function unguardFormula(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}
