import { expect, test } from 'vitest'
import { readBlock } from './rates-grid.ts'

test.for([
  ['12.50', [['12.50']]],
  [
    '$12.50\t1,250.00\r\n0\t\r\n',
    [
      ['12.50', '1250.00'],
      ['0', ''],
    ],
  ],
  ['1\n2\n3', [['1'], ['2'], ['3']]],
])('%j is read by rows and columns', ([text, block]) => {
  expect(readBlock(String(text))).toEqual(block)
})
