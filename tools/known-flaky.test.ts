import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judgeFlaky, knownFlaky, maxKnownFlaky } from './known-flaky.ts'
import { project } from './package-program.ts'

test('only tests on the list may pass alone', () => {
  const list = [{ test: 'tests/a.test.ts › waits', cause: 'its clock', since: '2026-11-26' }]
  const failures = ['tests/a.test.ts › waits\n      Error: late', 'tests/a.test.ts › waits longer\n      Error: late']
  expect(judgeFlaky(failures, list)).toEqual({ known: [failures[0]], unknown: [failures[1]] })
  expect(judgeFlaky(failures, [])).toEqual({ known: [], unknown: failures })
})

test('the list is short, and each entry names a test of this repository and its cause', () => {
  expect(knownFlaky.length).toBeLessThanOrEqual(maxKnownFlaky)
  for (const { test: name, cause, since } of knownFlaky) {
    expect(existsSync(join(project, name.split(' › ', 1)[0] ?? '')), name).toBe(true)
    expect(cause.length, name).toBeGreaterThan(20)
    expect(since).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  }
})
