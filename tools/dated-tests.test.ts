import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { datedTests } from './dated-tests.ts'

test('a test is dated by its own text, or by a file that it imports', async () => {
  const files = {
    'domain/a/by-itself.test.ts': "const at = Temporal.Instant.from('2026-11-20T15:00:00Z')",
    'domain/a/beside.test.ts': "import { hours } from './hours.ts'",
    'domain/a/elsewhere.test.ts': "import { clock } from '#platform/clock.ts'",
    'domain/a/never.test.ts': "import { round } from './round.ts'\nconst update = 1",
    'domain/a/hours.ts': "new Intl.DateTimeFormat('en-US')",
    'domain/a/round.ts': 'export const round = Math.round',
    'platform/clock.ts': 'export const clock = () => new Date(0)',
  }
  await using folder = await createTemporaryFolder(files)
  const tests = Object.keys(files).filter((file) => file.endsWith('.test.ts'))

  expect(await datedTests(folder.path, tests)).toEqual(tests.slice(0, 3))
})
