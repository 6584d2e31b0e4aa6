import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'

test('the first owner is invited by a command, which reports its errors', async () => {
  await using database = await createTestDatabase()
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['tools/staff.ts', ...args], {
      env: { ...process.env, DATABASE_URL: database.url },
    }).catch((failure: unknown) => failure as { code: number; stdout: string; stderr: string })
  const refusal = (words: string) => ({ code: 1, stderr: expect.stringContaining(words) as string })
  expect(await run()).toMatchObject(refusal('Say what to do:'))
  expect(await run('list')).toMatchObject({ stdout: 'No one has a role in the back office.\n' })
  expect(await run('invite', 'Oona@Example.com', 'emperor')).toMatchObject(refusal('There is no role emperor.'))
  expect(await run('invite', 'oona', 'owner')).toMatchObject(refusal('Please enter a valid email'))
  expect(await run('invite', 'oona@example.com', 'owner', '2099-01-01')).toMatchObject(
    refusal('Owner roles don’t expire.'),
  )
  expect((await run('invite', 'Oona@Example.com', 'owner')).stdout).toContain('Invited. oona@example.com')
  expect(await run('invite', 'oona@example.com', 'owner')).toMatchObject(refusal('has that role already'))
  expect((await run('invite', 'tim@example.com', 'support', '2099-12-31')).stdout).toContain('Invited.')
  expect((await run('list')).stdout).toBe(
    'owner      oona@example.com, has not signed in yet\nsupport    tim@example.com, has not signed in yet, until Dec 31, 2099\n',
  )
  expect(await run('revoke', 'oona@example.com', 'owner', 'a test')).toMatchObject(refusal('last owner'))
  expect(await run('revoke', 'tim@example.com', 'support')).toMatchObject(refusal('Enter a reason'))
  expect((await run('revoke', 'tim@example.com', 'support', 'done here')).stdout).toBe('Revoked.\n')
  expect(await run('revoke', 'tim@example.com', 'support', 'again')).toMatchObject(refusal('doesn’t have this role'))
})
