/** Characters that begin a formula in spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/

/** Returns a line as RFC 4180; null is an empty cell. A cell that would be a formula gets a leading apostrophe. */
export const csvLine = (cells: readonly (string | null)[]): string => cells.map(csvCell).join(',') + '\r\n'

function csvCell(value: string | null): string {
  if (value === null) return ''
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
