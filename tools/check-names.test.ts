import { expect, test } from 'vitest'
import { betterFor, identifiersIn, readAsides, textWithOne, wordsOf } from './check-names.ts'

test.for([
  ['letGoOfPayment', 'let go of payment'],
  ['cut-off-press', 'cut off press'],
  ['SVGTextOf', 'svg text of'],
  ['pays_by', 'pays by'],
  ['size2', 'size'],
] as const)('%s consists of the words %s', ([name, words]) => {
  expect(wordsOf(name).join(' ')).toBe(words)
})

const asides = new Map([
  ['let go', 'void'],
  ['tries', 'attempts'],
])

test.for([
  ['letGo', 'void'],
  ['didLetGoOf', 'void'],
  ['cardTries', 'attempts'],
  ['entries', undefined],
  ['goLet', undefined],
  ['outletGone', undefined],
] as const)('%s should be called %s', ([name, better]) => {
  expect(betterFor(name, asides)).toBe(better)
})

test.for(['letGo', 'didLetGoOf', 'LET_GO', 'let-go', 'cardTries'])('a text with %s is parsed', (name) => {
  expect(textWithOne(asides).test(`const ${name} = 1`)).toBe(true)
})

test('a text without a banned word isn’t parsed', () => {
  expect(textWithOne(asides).test('const goLet = attempts')).toBe(false)
})

test('names are declarations, uses and keys, not strings or comments', () => {
  const source = '// tries\nconst kept = { tries: 1, \'let go\': <b className="trap">tries</b> }; kept.standing'
  expect(new Set(identifiersIn('a.tsx', source))).toEqual(new Set(['kept', 'tries', 'b', 'className', 'standing']))
})

test('the list comes from the glossary’s table', () => {
  const glossary =
    '| shelf | a word |\n\n## Not in names\n\nProse.\n\n| not | but |\n|---|---|\n| let go | void |\n| world, worlds | configuration |\n'
  expect([...readAsides(glossary)]).toEqual([
    ['let go', 'void'],
    ['world', 'configuration'],
    ['worlds', 'configuration'],
  ])
})
