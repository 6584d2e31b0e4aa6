import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultsOfList, judgeFlaky, knownFlaky } from './known-flaky.ts'
import { project } from './package-program.ts'

test('only listed tests may pass on retry', () => {
  const list = [{ test: 'tests/a.test.ts › waits', cause: 'its clock', since: '2026-11-26' }]
  const failures = ['tests/a.test.ts › waits\n      Error: late', 'tests/a.test.ts › waits longer\n      Error: late']
  expect(judgeFlaky(failures, list)).toEqual({ known: [failures[0]], unknown: [failures[1]] })
  expect(judgeFlaky(failures, [])).toEqual({ known: [], unknown: failures })
})

test('a list is short, and each entry has its cause', () => {
  const entry = { test: 'tests/a.test.ts › waits', cause: 'reads the clock of the machine', since: '2026-11-26' }
  expect(faultsOfList(Array.from({ length: 5 }, () => entry))).toEqual([])
  expect(faultsOfList(Array.from({ length: 6 }, () => entry))).toHaveLength(1)
  expect(faultsOfList([{ ...entry, cause: 'slow' }])).toHaveLength(1)
})

test('the list itself names tests of this repository', () => {
  expect(faultsOfList()).toEqual([])
  for (const { test: name } of knownFlaky)
    expect(existsSync(join(project, name.split(' › ', 1)[0] ?? '')), name).toBe(true)
})
