import type { Feed, Problem } from './feed.ts'

/**
 * Returns the columns of a header row by their canonical names, or all problems with it. Ignores case and surrounding
 * spaces.
 */
export function checkHeader(
  cells: readonly string[],
  feed: Pick<Feed, 'columns' | 'required' | 'either'>,
): { columns: string[] } | { problems: Problem[] } {
  const columns = withoutEmptyEnd(cells.map((cell) => cell.trim().toLowerCase()))
  const known = `the columns ${feed.columns.join(', ')}`
  const only = columns.length === 1 ? (columns[0] ?? '') : ''
  const separator = [';', '\t', '|'].find((mark) => only.includes(mark))
  if (separator !== undefined) {
    const name = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' }[separator]
    return {
      problems: [
        {
          column: '',
          value: only,
          problem: `the cells are separated by ${name}`,
          expected: 'a file with commas between the cells',
        },
      ],
    }
  }
  const problems: Problem[] = []
  for (const [index, column] of columns.entries()) {
    if (!feed.columns.includes(column))
      problems.push({ column, value: column, problem: 'is not a column of this feed', expected: known })
    else if (columns.indexOf(column) < index)
      problems.push({ column, value: column, problem: 'stands in the header twice', expected: 'each column once' })
  }
  for (const column of feed.required) {
    if (!columns.includes(column))
      problems.push({ column, value: '', problem: 'is missing in the header', expected: `a column named ${column}` })
  }
  if (feed.either) problems.push(...checkEither(columns, feed.either))
  return problems.length > 0 ? { problems } : { columns }
}

function checkEither(
  columns: readonly string[],
  { columns: [one, other], isRequired }: NonNullable<Feed['either']>,
): Problem[] {
  const count = [one, other].filter((column) => columns.includes(column)).length
  const expected = `a column named ${one} or ${other}`
  if (count === 0 && isRequired) return [{ column: one, value: '', problem: 'is missing in the header', expected }]
  return count > 1
    ? [
        {
          column: other,
          value: other,
          problem: `stands in the header beside ${one}`,
          expected: `${expected}, not both`,
        },
      ]
    : []
}

/** Spreadsheets add empty cells after the last column if someone once typed there. */
function withoutEmptyEnd(columns: string[]): string[] {
  return columns.slice(0, columns.findLastIndex((column) => column !== '') + 1)
}
