import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'

const header = 'scope,target,kind,percent,amount,starts,ends'

test('staff grant and revoke a type, and load a price list from a file', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  await using folder = await createTemporaryFolder({})
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['tools/accounts.ts', ...args], {
      env: { ...process.env, DATABASE_URL: database.url },
    }).catch((failure: unknown) => failure as { code: number; stdout: string; stderr: string })
  const noa = 'noa@example.com'
  expect((await run('type', noa, 'WholeSale', '--until', '2099-12-31')).stdout).toMatch(
    /^noa@example\.com is WholeSale since [\d-]{10}, through 2099-12-31, by staff \(.+\)\.\n$/,
  )
  expect(await run('type', noa, 'Retail')).toMatchObject({ stdout: `${noa} buys at retail.\n` })
  expect(await run('show', noa)).toMatchObject({ stdout: `${noa} buys at retail.\n` })
  expect(await run('type', noa, 'EPP', '--until', '2025-01-01')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--until takes a day to come') as string,
  })
  expect(await run('show', 'nobody@example.com')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No account has the verified email') as string,
  })
  expect(await run('type', noa, 'Emperor')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Say what to do:/) as string,
  })

  const file = join(folder.path, 'list.csv')
  await writeFile(file, `${header}\nevery-tire,,percent-off,5,,2027-01-01,\nbrand,nobody,fixed,,90.00,2027-01-01,\n`)
  expect(await run('price-list', 'acme', file)).toMatchObject({
    code: 1,
    stderr: 'No changes were made.\nLine 3: there is no brand nobody.\n',
  })
  await writeFile(file, `${header}\nevery-tire,,percent-off,5,,2027-01-01,\n`)
  expect(await run('price-list', 'acme', file, '--type', 'Retail')).toMatchObject({
    code: 1,
    stderr: 'Accounts of the type Retail don’t have custom prices.\n',
  })
  expect(await run('price-list', 'acme', file, '--type', 'WholeSale')).toMatchObject({
    stdout: 'The list acme has 1 rule.\n',
  })
  await writeFile(file, `${header}\n`)
  expect(await run('price-list', 'acme', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has no rules') as string,
  })
  const lists = await database.db
    .selectFrom('price_list')
    .select(['slug', 'account_type'])
    .where('account_type', '=', 'WholeSale')
    .execute()
  expect(lists).toEqual([{ slug: 'acme', account_type: 'WholeSale' }])
})
