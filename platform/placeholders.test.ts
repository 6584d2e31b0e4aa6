import { expect, test } from 'vitest'
import { fillPlaceholders, placeholdersOf } from './placeholders.ts'

const fill = (text: string, value: string) => fillPlaceholders(text, (_, counted) => counted(value))

test.for([
  ['0', '0 days', '0 inches'],
  ['1', '1 day', '1 inch'],
  ['2', '2 days', '2 inches'],
  ['2-4', '2-4 days', '2-4 inches'],
  ['6,000', '6,000 days', '6,000 inches'],
] as const)('the noun of a placeholder agrees with %s', ([value, days, inches]) => {
  expect(fill('{{n day}}, {{n inch|inches}}, {{n}}', value)).toBe(`${days}, ${inches}, ${value}`)
})

test('names each placeholder once, without its noun', () => {
  expect(placeholdersOf('{{days day}} {{days}} {{shop}} {{#if shop}}{{/if}} {{ open }}')).toEqual(['days', 'shop'])
})
