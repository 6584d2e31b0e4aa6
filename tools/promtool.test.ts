/**
 * Tests deploy/watch with Prometheus' own program, if available: PROMTOOL names it, and `npm run test:long` builds it
 * with Go.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from './package-program.ts'

function promtool(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.env.PROMTOOL ?? '', args, {
    cwd: join(project, 'deploy/watch'),
    encoding: 'utf8',
  })
  return status === 0 ? '' : stdout + stderr
}

test('the rules are valid', () => {
  expect(promtool('check', 'rules', 'store.rules.yaml')).toBe('')
})

test('they alert when they should, and only then', () => {
  expect(promtool('test', 'rules', 'store.test.yaml')).toBe('')
})
