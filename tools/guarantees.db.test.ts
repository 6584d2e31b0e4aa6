import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { fixedTerms } from '#domain/kernel/settings/business-terms.testing.ts'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createCatalog } from '#domain/catalog/catalog/catalog.server.ts'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { fileGuaranteeRequest, guaranteeForm } from '#domain/aftercare/price-guarantee/price-guarantee.server.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { storeDay } from '#platform/store-zone.ts'
import { createTestDatabase } from '#tests/support/database.ts'

test('staff lists requests, looks at one, takes its file, and approves or refuses it once', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const { db } = database
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['tools/guarantees.ts', ...args], {
      env: { ...process.env, DATABASE_URL: database.url },
    }).catch((failure: unknown) => failure as { code: number; stdout: string; stderr: string })
  const config = readConfig({ DATABASE_URL: database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const deps = {
    db,
    clock: systemClock,
    config: config.value,
    businessTerms: fixedTerms(),
    catalog: createCatalog({ db, clock: systemClock }),
    rateLimits: createRateLimits({ db }),
  }
  const { year, month, day } = storeDay(systemClock.now())
  const item = String(await pickTire({ db }))
  for (const price of ['20.00', '21.00'])
    await fileGuaranteeRequest(
      deps,
      guaranteeForm.parse({
        email: 'dana@example.com',
        item,
        quantity: '4',
        competitor: 'Other\u001B[2J Tires',
        link: 'https://othertires.com/',
        price,
        shipping: '1',
        seenOn: `${month}/${day}/${year}`,
      }),
      {
        isOwn: false,
        networkKey: 'network-1',
        file: { name: 'offer.pdf', bytes: Buffer.from(`%PDF-1.7 ${price}\n%%EOF\n`) },
      },
    )
  const listed = (await run('list')).stdout
  expect(listed).toMatch(/^G-1 {6}.*before buying {2}4 × .*\nG-2 .*\n2 are open\.\n$/)
  expect(listed).not.toContain('\u001B')
  expect((await run('show', 'G-1')).stdout).toMatch(/Theirs {3}\$20\.00 each\n(.*\n)*File {5}offer\.pdf\n/)
  expect(await run('file', 'G-3')).toMatchObject({ code: 1, stderr: 'No file came with G-3.\n' })
  expect(await run('approve', 'G-1')).toMatchObject({ code: 1, stderr: expect.stringContaining('Say what') as string })
  expect(await run('approve', 'G-1', '99999')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^\$[\d,.]+ was paid for these tires\./) as string,
  })
  expect(await run('approve', 'G-1', '80.00')).toMatchObject({ stdout: 'G-1 is approved: $80.00.\n' })
  expect(await run('approve', 'g-1', '80.00')).toMatchObject({ code: 1, stderr: 'G-1 is approved already.\n' })
  expect(await run('refuse', 'G-2')).toMatchObject({ code: 1, stderr: 'Say why, in up to 500 characters.\n' })
  expect(await run('refuse', 'G-2', 'A closeout.')).toMatchObject({ stdout: 'G-2 is refused.\n' })
  expect((await run('show', 'G-2')).stdout).toMatch(/Reason {3}A closeout\.\n/)
  expect(await run('again', 'G-1')).toMatchObject({ code: 1, stderr: 'No refund of G-1 is outstanding.\n' })
  expect((await run('list')).stdout).toBe('No open requests.\n')
  expect(await run('approve', 'G-9', '1.00')).toMatchObject({ code: 1, stderr: 'There is no request G-9.\n' })
})
