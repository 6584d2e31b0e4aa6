/** Files of coupons, which are imported completely or not at all. */
import { expect, test } from 'vitest'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { csvText } from '#platform/csv-text.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { couponFile, type CouponFileField } from './coupon-file.ts'
import { findCoupon, importCoupons, listCoupons, scheduleCoupon } from './coupons.server.ts'

const clock = { now: () => Temporal.Instant.from('2026-11-20T15:00:00Z') }
const usual: Partial<Record<CouponFileField, string>> = {
  code: 'SAVE20',
  name: 'Twenty off',
  kind: 'Flat Amount',
  amount: '20',
  fundedBy: 'store',
  stacks: 'yes',
  advertised: 'no',
  usesMost: '100',
  personMost: '1',
}
const fields = Object.keys(couponFile.columns) as CouponFileField[]
const fileOf = (...rows: Partial<Record<CouponFileField, string>>[]) =>
  csvText([
    fields.map((field) => couponFile.columns[field]),
    ...rows.map((row) => fields.map((field) => ({ ...usual, ...row })[field] ?? '')),
  ])

async function openDeps() {
  const database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock }
  const drafts = async () => (await listCoupons(deps, { state: 'draft', after: null })).coupons
  return { ...database, deps, drafts }
}

test('rows without an ID are drafted, and a repeated file drafts no second coupon', async () => {
  await using store = await openDeps()
  const { deps, drafts } = store
  const before = (await drafts()).length
  const file = fileOf({}, { code: 'free-fit', kind: 'Free', amount: '1', subject: 'installation', minimum: '400' })
  const files = await Promise.all([importCoupons(deps, desk, file), importCoupons(deps, desk, file)])
  expect(files.filter(({ ok }) => ok)).toEqual([{ ok: true, value: { drafted: 2, changed: 0 } }])
  expect(files.find(({ ok }) => !ok)).toMatchObject({
    detail: [
      expect.stringMatching(/^Line 2, Code: Draft \d+ has this code\./),
      expect.stringMatching(/^Line 3, Code:/),
    ],
  })
  const made = await drafts()
  expect(made).toHaveLength(before + 2)
  expect(made.find(({ code }) => code === 'FREEFIT')).toMatchObject({ service: 'installation', minimumCents: 40_000 })
  const { acts } = await store.db
    .selectFrom('audit_entry')
    .select((eb) => eb.fn.countAll<number>().as('acts'))
    .where('act', '=', 'coupon.drafted')
    .where(
      'subject',
      'in',
      made.slice(0, 2).map(({ id }) => `coupon ${id}`),
    )
    .executeTakeFirstOrThrow()
  expect(acts).toBe(2)
})

test('a row with an ID changes its draft at the version of the export, and only a draft', async () => {
  await using store = await openDeps()
  const { deps, drafts } = store
  await importCoupons(deps, desk, fileOf({}))
  const id = String((await drafts()).find(({ code }) => code === 'SAVE20')?.id)
  const same = fileOf({ id, version: '1' })
  const changed = fileOf({ id, version: '1', amount: '25.50', season: 'winter' })
  expect(await importCoupons(deps, desk, same)).toMatchObject({ value: { drafted: 0, changed: 0 } })
  expect(await importCoupons(deps, desk, changed)).toMatchObject({ value: { drafted: 0, changed: 1 } })
  expect(await findCoupon(deps, id)).toMatchObject({ amount: 2_550, version: 2, filter: { season: 'winter' } })
  expect(await importCoupons(deps, desk, fileOf({ id, version: '1', amount: '30' }))).toMatchObject({
    detail: ['Line 2, Version: This draft was changed after the export. Export the file again.'],
  })
  const startsAt = clock.now().add({ hours: 1 })
  const times = { id: Number(id), version: 2, startsAt, endsAt: startsAt.add({ hours: 24 }) }
  expect(await scheduleCoupon(deps, desk, times)).toMatchObject({ ok: true })
  expect(await importCoupons(deps, desk, fileOf({ id, version: '2', amount: '30' }))).toMatchObject({
    detail: ['Line 2, ID: Only drafts can be changed. Leave the ID empty to draft a new coupon.'],
  })
})

test('a file with any error imports no rows, and names each line and column', async () => {
  await using store = await openDeps()
  const { deps, drafts } = store
  const before = await drafts()
  expect(
    await importCoupons(
      deps,
      desk,
      fileOf({}, { code: 'no', amount: 'much' }, { code: 'KIND', kind: 'Half', usesMost: '0' }, { name: 'Same code' }),
    ),
  ).toMatchObject({
    detail: [
      'Line 3, Code: Enter a code of 4 to 20 letters and digits.',
      'Line 4, Kind: Choose what it takes off.',
      'Line 4, Maximum uses: Enter 1 to 1,000,000 uses.',
      'Line 5, Code: Line 2 has the same one.',
    ],
  })
  expect(
    await importCoupons(
      deps,
      desk,
      fileOf(
        {},
        { code: 'OTHER', subject: 'no-such-brand' },
        { code: 'TYPES', supplier: 'NONE' },
        { id: '999999', version: '1' },
      ),
    ),
  ).toMatchObject({
    detail: [
      'Line 3, Subject: Enter a SKU, a model as brand/model, or a brand.',
      'Line 4, Supplier: Choose a supplier.',
      'Line 5, ID: No coupon has this ID. Leave it empty for a new coupon.',
    ],
  })
  expect(await drafts()).toEqual(before)
})

test('refuses files that are too long, lack columns, or come from other roles', async () => {
  await using store = await openDeps()
  const { deps } = store
  const many = fileOf(...Array.from({ length: 501 }, (_, index) => ({ code: `MANY${index}` })))
  expect(await importCoupons(deps, desk, many)).toMatchObject({ detail: ['The file has more than 500 rows.'] })
  expect(await importCoupons(deps, desk, 'Code,Name\nSAVE20,Twenty')).toMatchObject({
    detail: [expect.stringMatching(/^The first line lacks the columns Kind, Amount,/)],
  })
  const support = await signInStaff(deps, 'support')
  expect(await importCoupons(deps, support, fileOf({}))).toMatchObject({ reason: 'not-allowed' })
})
