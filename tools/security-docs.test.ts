/** docs/security.md has every requirement once met, or why not, and each threat of docs/threat-model.md has its test. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from './package-program.ts'
import { listRequirements } from './security-requirements.testing.ts'

const read = (path: string) => readFile(join(project, path), 'utf8')
const [security, threats] = [await read('docs/security.md'), await read('docs/threat-model.md')]
const all = listRequirements(3)

/** The ids at the start of a cell or a line, ranges unfolded. */
function idsIn(text: string): string[] {
  return [...text.matchAll(/(\d+\.\d+\.\d+)(?: – (\d+\.\d+\.\d+))?/g)].flatMap(([, from = '', to]) =>
    to === undefined ? [from] : all.slice(all.indexOf(from), all.indexOf(to) + 1),
  )
}

/** Returns the cells of each row in a table's body. */
function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\|(?!-)/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.replace(/^\||\|$/g, '').trim()),
    )
}

const requirementRows = rowsOf(security).filter(([first = '']) => /^\d+\.\d+\.\d+/.test(first))
const reasons = [...security.matchAll(/^- \*\*(\d[\d., –]*)\*\*:? (.+)$/gm)].map(([, ids = '', why = '']) => [ids, why])
const tests = (cell: string) => [...cell.matchAll(/`([^`]+\.test\.tsx?)`/g)].map(([, path = '']) => path)

test('every requirement of levels 1 and 2 is met, or has its reason', () => {
  expect(all).toHaveLength(345)
  expect(listRequirements(2)).toHaveLength(253)
  const named = [...requirementRows, ...reasons].flatMap(([ids = '']) => idsIn(ids))
  expect(listRequirements(2).filter((id) => !named.includes(id))).toEqual([])
  expect(named.filter((id) => !all.includes(id))).toEqual([])
})

test('a met requirement names an existing test, and others give a reason', () => {
  const met = requirementRows.filter((row) => row.length === 3)
  expect(met.length).toBeGreaterThan(60)
  const without = met.filter(
    ([, , cell = '']) =>
      cell !== 'see there' && !(tests(cell).length > 0 && tests(cell).every((path) => existsSync(join(project, path)))),
  )
  expect(without).toEqual([])
  const unmet = [...requirementRows.filter((row) => row.length !== 3), ...reasons]
  expect(unmet.length).toBeGreaterThan(20)
  expect(unmet.filter((row) => row.length !== 2 || (row[1]?.length ?? 0) < 6)).toEqual([])
})

test('every threat names its mitigation and an existing test', () => {
  const rows = rowsOf(threats).filter(([letter = '']) => /^[STRIDE](?:, [STRIDE])*$/.test(letter))
  expect(rows.length).toBeGreaterThan(40)
  const without = rows.filter(
    ([, threat = '', against = '', cell = '']) =>
      threat === '' ||
      against === '' ||
      tests(cell).length === 0 ||
      !tests(cell).every((path) => existsSync(join(project, path))),
  )
  expect(without).toEqual([])
})
