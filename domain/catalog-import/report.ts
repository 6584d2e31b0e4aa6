/** The report of a run: one line of CSV for each thing that is wrong. */
import type { Problem } from './feed.ts'

export type RowProblem = Problem & { rowNo: number }

export const reportHeader = 'row,column,value,what is wrong,what was expected\r\n'

/** One line of the report, line end included. */
export function reportLine({ rowNo, column, value, problem, expected }: RowProblem): string {
  return `${[String(rowNo), column, value, problem, expected].map(safeCell).join(',')}\r\n`
}

/**
 * Spreadsheets run what begins like a formula; the text of a stranger's file must not. A quote in front makes it text.
 */
function safeCell(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}]/gu, ' ')
  const inert = /^\s*[=+\-@|%]/.test(plain) ? `'${plain}` : plain
  return /[",']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
