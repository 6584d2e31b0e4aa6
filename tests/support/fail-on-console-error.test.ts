import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { packageProgram, project, runNode } from '../../tools/package-program.ts'

test('a test that writes to console.error fails, and only that test', async () => {
  await using folder = await createTemporaryFolder({
    'vitest.config.js': `export default { test: { setupFiles: [${JSON.stringify(join(project, 'tests/support/fail-on-console-error.ts'))}] } }`,
    'some.test.js': `import { test } from 'vitest'
      test('quiet', () => {})
      test('loud', () => console.error('Each child in a list should have a key'))
      test('quiet again', () => {})`,
  })
  await symlink(join(project, 'node_modules'), join(folder.path, 'node_modules'))

  const { code } = await runNode(packageProgram('vitest', ['run', '--reporter=json', '--outputFile=report.json']), {
    cwd: folder.path,
    env: { ...process.env, VITEST: undefined },
  })

  const report = JSON.parse(await readFile(join(folder.path, 'report.json'), 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
  }
  const results = report.testResults.flatMap((file) => file.assertionResults)
  expect(results.map(({ title, status }) => [title, status])).toEqual([
    ['quiet', 'passed'],
    ['loud', 'failed'],
    ['quiet again', 'passed'],
  ])
  expect(results[1]?.failureMessages[0]).toContain('console.error was called: Each child in a list should have a key')
  expect(code).toBe(1)
})
