import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvText } from './csv-text.ts'

test.for(['=1+1', '+1', '-1+A1', '-1-2', '@SUM(A1)', '\t=1', '\r=1', '  =1', '＝1'])(
  '%j is text in a spreadsheet',
  (cell) => {
    expect(parse(csvText([[cell, 1]]))).toEqual([[`'${cell}`, '1']])
  },
)

test.for(['Dana', 'a, b', 'say "hi"', 'two\r\nlines', 'two\nlines', 'Zoë', '3-ply', ''])(
  '%j comes back as it is',
  (cell) => {
    expect(parse(csvText([[cell, 'x']]))).toEqual([[cell, 'x']])
  },
)

test('numbers remain numbers, and empty cells remain empty', () => {
  expect(
    csvText([
      ['a', -12.5, null],
      ['b', 0, 1],
      ['c', '-1', '-12.50'],
    ]),
  ).toBe('a,-12.5,\r\nb,0,1\r\nc,-1,-12.50\r\n')
})
