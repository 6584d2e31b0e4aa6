/** Certifying shops, revoking it, and who is shown as certified. */
import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { certificationForm, isCertified } from './installers.ts'
import {
  certifyShop,
  findShop,
  listCertifications,
  listCertifiedShops,
  revokeCertification,
} from './installers.server.ts'

const form = (shop: string, change: Record<string, string> = {}) =>
  certificationForm.parse({
    shop,
    technicians: '1',
    estimates: '1',
    prices: '1',
    complaints: '1',
    warrantyMonths: '24',
    warrantyMiles: '24000',
    evidence: 'Certificates of two technicians, prices compared.',
    ...change,
  })

test('a shop is certified for a year, once at a time, and shown so until its last day', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock('2026-11-20T18:00:00Z')
  const deps = { db: database.db, clock }
  const { code } = await database.db
    .selectFrom('shop')
    .select('code')
    .where('active', '=', true)
    .where('id', 'not in', database.db.selectFrom('shop_certification').select('shop_id'))
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => certifyShop(deps, form(code), desk)))
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1)
  for (const outcome of outcomes) if (!outcome.ok) expect(outcome.reason).toBe('certified-already')
  const shop = await findShop(deps, { code })
  expect(shop?.certifiedUntil).toBe('2027-11-19')
  const on = (day: string) => isCertified(shop ?? { certifiedUntil: null }, Temporal.PlainDate.from(day))
  expect(on('2027-11-19')).toBe(true)
  expect(on('2027-11-20')).toBe(false)
  const listed = async () => (await listCertifiedShops(deps)).some((each) => each.code === code)
  expect(await listed()).toBe(true)
  clock.set(Temporal.Instant.from('2027-11-20T18:00:00Z'))
  expect(await listed()).toBe(false)
  // The next year starts on the day after the last.
  must(await certifyShop(deps, form(code), desk))
  expect((await findShop(deps, { code }))?.certifiedUntil).toBe('2028-11-19')
})

test('a revoked certification ends immediately and can be revoked once', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: fixedClock('2026-11-20T18:00:00Z') }
  const [first] = (await listCertifications(deps, null)).certifications
  if (!first) throw new Error('The demo has certified shops.')
  expect((await findShop(deps, { code: first.shopCode }))?.certifiedUntil).toBe(first.until)
  const revoked = await Promise.all(
    Array.from({ length: 5 }, () => revokeCertification(deps, { id: first.id, reason: 'Complaints.', by: desk })),
  )
  expect(revoked.filter(({ ok }) => ok)).toHaveLength(1)
  expect((await findShop(deps, { code: first.shopCode }))?.certifiedUntil).toBe(null)
  expect(
    (await listCertifications(deps, null)).certifications.find(({ id }) => id === first.id)?.revoked,
  ).toMatchObject({
    for: 'Complaints.',
  })
  expect(await certifyShop(deps, form('SW-99001'), desk)).toMatchObject({ reason: 'shop-not-found' })
  expect(await certifyShop(deps, form('SW-77777'), desk)).toMatchObject({ reason: 'shop-not-found' })
  must(await certifyShop(deps, form(first.shopCode), desk))
})

test('each requirement has to be seen, and the warranty has its least', () => {
  const faults = (change: Record<string, string>) => {
    const typed = { ...form('SW-00001'), technicians: '1', estimates: '1', prices: '1', complaints: '1' }
    const checked = certificationForm.safeParse({ ...typed, warrantyMonths: '12', warrantyMiles: '12000', ...change })
    return checked.error?.issues.map(({ path }) => path[0]) ?? []
  }
  expect(faults({})).toEqual([])
  for (const name of ['technicians', 'estimates', 'prices', 'complaints'])
    expect(faults({ [name]: '' })).toEqual([name])
  expect(faults({ warrantyMonths: '11' })).toEqual(['warrantyMonths'])
  expect(faults({ warrantyMiles: '1e9' })).toEqual(['warrantyMiles'])
  expect(faults({ shop: 'SW-1' })).toEqual(['shop'])
  expect(faults({ evidence: 'Fine.' })).toEqual(['evidence'])
})
