/** A run's report, with one CSV line per problem. */
import type { Problem } from './feed.ts'

export type RowProblem = Problem & { rowNo: number }

export const reportHeader = 'row,column,value,what is wrong,what was expected\r\n'

/** One line of the report, including the line break. */
export function reportLine({ rowNo, column, value, problem, expected }: RowProblem): string {
  return `${[String(rowNo), column, value, problem, expected].map(safeCell).join(',')}\r\n`
}

/**
 * Spreadsheets execute cells that look like formulas, which must not happen with text from a supplier's file. A leading
 * quote makes it text.
 */
function safeCell(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}]/gu, ' ')
  const inert = /^\s*[=+\-@|%]/.test(plain) ? `'${plain}` : plain
  return /[",']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
