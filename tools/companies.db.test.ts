import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { applyForCompany, findMembership } from '#domain/customers/companies/companies.server.ts'
import { application, companyDeps, signUp } from '#domain/customers/companies/companies.testing.ts'
import { readPriceTier } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { systemClock } from '#platform/clock.ts'
import { createTestDatabase } from '#tests/support/database.ts'

test('staff approve a company, and set its payment terms, who may join and which brands it can buy', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['tools/companies.ts', ...args], {
      env: { ...process.env, DATABASE_URL: database.url },
    }).catch((failure: unknown) => failure as { code: number; stdout: string; stderr: string })
  const deps = companyDeps(database.db)
  const { accountId } = await signUp(deps, 'olga@acme.example')
  await applyForCompany(deps, accountId, application)
  expect((await run('list')).stdout).toMatch(
    /^[\da-f-]{36} {2}Acme Plumbing \(Fleet, 40 vehicles\), olga@acme\.example, 3125550142\n$/,
  )
  expect(await run('terms', 'acme plumbing', '30', '5000')).toMatchObject({
    code: 1,
    stderr: 'Acme Plumbing is not approved: it pays when it orders.\n',
  })
  expect(await run('approve', 'Acme Plumbing')).toMatchObject({ stdout: 'Acme Plumbing: done.\n' })
  expect(await run('approve', 'Acme Plumbing')).toMatchObject({
    code: 1,
    stderr: 'Acme Plumbing is approved: that cannot be done now.\n',
  })
  expect(await run('terms', 'Acme Plumbing', '30', '5000')).toMatchObject({
    stdout: 'Acme Plumbing pays within 30 days.\n',
  })
  expect(await run('owed', 'Acme Plumbing')).toMatchObject({ stdout: '$0.00 of $5,000.00 owed, $0.00 overdue.\n' })
  expect(await run('paid', 'S-999999', 'ACH-1')).toMatchObject({
    code: 1,
    stderr: 'No invoice of order S-999999 is open.\n',
  })
  expect(await run('paid', 'S-999999')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Say what to do') as string,
  })
  expect(await run('domain', 'Acme Plumbing', 'gmail.com')).toMatchObject({
    code: 1,
    stderr: 'Anyone can get a mailbox there.\n',
  })
  expect(await run('brands', 'Acme Plumbing', 'tarn,nobody')).toMatchObject({
    code: 1,
    stderr: 'There is no brand nobody.\n',
  })
  expect(await run('brands', 'Acme Plumbing', 'tarn')).toMatchObject({
    stdout: 'Acme Plumbing is shown and sold tarn only.\n',
  })
  expect(await run('close', 'No Such')).toMatchObject({ code: 1 })
  expect((await run('list')).stdout).toBe('Nothing waits.\n')
  expect((await findMembership(deps, accountId))?.company.terms).toEqual({ netDays: 30, creditLimitCents: 500_000 })
  const terms = await readPriceTier(database.db, accountId, systemClock.now())
  expect(terms.accountType).toBe('Fleet')
  expect(terms.brandIds).toHaveLength(1)
})
