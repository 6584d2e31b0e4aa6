import { expect, test } from 'vitest'
import { indexNames } from './search-names.ts'

const models = ['escape', 'escalade', 'explorer', 'expedition', 'f-150', 'f-250', 'sentra', 'outback', 'soul', 'camry']
const names = indexNames(models.map((name) => ({ entry: name, name })))
const closest = (term: string) =>
  names
    .meeting(term)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry, score }) => ({ entry, score }))[0]

test.for([
  ['escpae', 'escape'],
  ['ecsape', 'escape'],
  ['escapee', 'escape'],
  ['centra', 'sentra'],
  ['outbak', 'outback'],
  ['exploerr', 'explorer'],
  ['expidation', 'expedition'],
  ['cmary', 'camry'],
] as const)('%s is almost %s', ([typed, name]) => {
  const { entry, score } = closest(typed) ?? expect.fail('Nothing found.')
  expect(entry).toBe(name)
  expect(score).toBeGreaterThan(0.6)
  expect(score).toBeLessThan(0.95)
})

test('a typed number is never another one, and a short word no other word', () => {
  expect(closest('f250')).toEqual({ entry: 'f-250', score: 1 })
  const sure = (term: string) => names.meeting(term).filter(({ score }) => score > 0.6)
  expect(sure('f350')).toEqual([])
  expect(sure('seul')).toEqual([])
  expect(sure('escrow')).toEqual([])
})
