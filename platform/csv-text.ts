/**
 * Options of csv-parse for uploaded files with or without a byte order mark, and with any line endings, including mixed
 * ones. By default the file's first line ending applies to all of it.
 */
export const uploadedCsv = { bom: true, record_delimiter: ['\r\n', '\n', '\r'] }

/**
 * Returns tables as CSV (RFC 4180) that is safe in spreadsheets. Text that would run as a formula gets a leading
 * apostrophe. Numbers aren't changed, including numeric text, because a negative amount isn't a formula.
 */
export function csvText(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  if (/^-\d{1,15}(?:\.\d{1,4})?$/.test(cell)) return cell
  // Spreadsheets skip spaces in front of a formula, and read the full-width signs of East Asian keyboards, too.
  const safe = /^[\s\0]*[=+\-@＝＋－＠]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A heading as it is compared. */
export const headOf = (text: string) => text.trim().toLowerCase()

/** A cell of an edited export, without the apostrophe before text that a spreadsheet would run as a formula. */
export const uploadedCell = (text: string) => text.trim().replace(/^'(?=[=+\-@])/, '')
