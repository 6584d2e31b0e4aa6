/**
 * Options of csv-parse for files that people upload: with or without a byte order mark, and with any line ends, also
 * mixed ones, as where two systems wrote to one file. By default the file's first line end counts for all of it.
 */
export const uploadedCsv = { bom: true, record_delimiter: ['\r\n', '\n', '\r'] }

/**
 * Tables as CSV (RFC 4180) that spreadsheets can open: a text that a spreadsheet would run as a formula gets an
 * apostrophe in front. Numbers are written as they are, also as text: a
 * negative amount is not a formula.
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
