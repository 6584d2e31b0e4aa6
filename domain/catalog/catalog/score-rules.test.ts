/** The documented rule has the code's numbers. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { attributes } from './items.ts'
import { bandOf, reviewsForScore, scoreExample, scoreRules, type ScoreRules } from './score.ts'

const rules: ScoreRules = scoreRules
const written = await readFile(new URL('../../../docs/rules/score.md', import.meta.url), 'utf8')
const rows = new Set(
  written
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.replaceAll(/\s+/g, ' ')),
)
const listed = (values: Readonly<Record<string, number>>) =>
  `${Object.keys(values).join(', ')} is ${Object.values(values).join(', ')}`

test.each(Object.entries(rules.kinds))('documents %s', (kind, { weights, fullWarrantyMiles, fullTreadwear }) => {
  const cells = [
    kind,
    ...attributes.map((name) => weights[name] ?? 0),
    fullWarrantyMiles?.toLocaleString('en-US') ?? '-',
    fullTreadwear ?? '-',
  ]
  expect(rows).toContain(`| ${cells.join(' | ')} |`)
})

test.each(Object.entries(rules.weights))('documents the weight of %s as %i', (part, weight) => {
  expect([...rows].some((row) => row.startsWith(`| ${part} | ${weight} |`))).toBe(true)
})

test('documents the bands and the numbers in its text', () => {
  for (const [index, [band, from]] of rules.bands.entries())
    expect(rows).toContain(`| ${band} | ${from / 10} | ${(rules.bands[index - 1]?.[1] ?? 100) / 10} |`)
  expect(bandOf(Math.min(...rules.bands.map(([, from]) => from)) - 1)).toBe('Fair')
  expect(reviewsForScore).toBe(3)
  const { imagined, pointsWithoutWarranty, gradeShares, traction, temperature } = rules
  for (const sentence of [
    'at least three published reviews',
    `${imagined.count} imagined reviews of ${imagined.stars} stars`,
    `${pointsWithoutWarranty} without one`,
    `treadwear ${gradeShares.treadwear}%, traction ${gradeShares.traction}%, temperature ${gradeShares.temperature}%`,
    `Traction ${listed(traction)} points`,
    `temperature ${listed(temperature)}.`,
  ])
    expect(written).toContain(sentence)
})

test('shares add up to 100%', () => {
  for (const shares of [rules.weights, rules.gradeShares])
    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBe(100)
})

test('the example on the page has all three parts', () => {
  const { score, meanStars, temperedStars } = scoreExample()
  expect(score.parts.map(({ name }) => name)).toEqual(['reviews', 'warranty', 'grades'])
  expect(score).toMatchObject({ tenths: 86, band: 'Great' })
  expect(temperedStars).toBeLessThan(meanStars)
})
