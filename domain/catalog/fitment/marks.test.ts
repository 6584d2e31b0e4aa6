import { expect, test } from 'vitest'
import { describeMark, markFamily } from './marks.ts'

test.each([
  ['N0', 'N', "Made to Porsche's order"],
  ['N6', 'N', "Made to Porsche's order"],
  ['MO', 'MO', "Made to Mercedes-Benz's order"],
  ['MOE', 'MO', "Made to Mercedes-Benz's order"],
  ['AO1', 'AO', "Made to Audi's order"],
  ['*', '*', "Made to BMW's order"],
  ['T0', 'T', "Made to Tesla's order"],
])('%s belongs to family %s', (mark, family, words) => {
  expect(markFamily(mark)).toBe(family)
  expect(describeMark(mark)).toBe(words)
})

test('an unknown mark is its own family', () => {
  expect(markFamily('XYZ')).toBe('XYZ')
  expect(describeMark('XYZ')).toBe("Made to a carmaker's order")
})
