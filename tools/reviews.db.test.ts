import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'

test('a moderator lists pending reviews, publishes one and refuses another for a listed reason', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['tools/reviews.ts', ...args], {
      env: { ...process.env, DATABASE_URL: database.url },
    }).catch((failure: unknown) => failure as { code: number; stdout: string; stderr: string })
  const waiting = await database.db
    .selectFrom('review')
    .select(['id', 'summary'])
    .where('state', '=', 'waiting')
    .orderBy('written_at')
    .orderBy('id')
    .execute()
  const [first, second] = waiting
  const { stdout } = await run('list')
  expect(stdout).toContain(`${first?.id}  `)
  expect(stdout).toContain(first?.summary)
  expect(stdout).toMatch(new RegExp(`\\n${waiting.length} shown\\.\\n$`))

  expect(await run('publish', String(first?.id))).toMatchObject({ stdout: `Published ${first?.id}.\n` })
  expect(await run('publish', String(first?.id))).toMatchObject({
    code: 1,
    stderr: `Review ${first?.id} does not wait.\n`,
  })
  expect(await run('refuse', String(second?.id), 'too-negative')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Say what to do:/) as string,
  })
  expect(await run('refuse', String(second?.id), 'off-topic')).toMatchObject({
    stdout: `Refused ${second?.id}: off-topic.\n`,
  })
  const states = await database.db
    .selectFrom('review')
    .select(['state', 'refused_for'])
    .where('id', 'in', [first?.id ?? 0, second?.id ?? 0])
    .orderBy('state')
    .execute()
  expect(states).toEqual([
    { state: 'published', refused_for: null },
    { state: 'refused', refused_for: 'off-topic' },
  ])
})
