/** Files of rebates, which are imported completely or not at all. */
import { expect, test } from 'vitest'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { csvText } from '#platform/csv-text.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { findOfficeRebate, importRebates, listOfficeRebates, scheduleRebate } from './promotions.server.ts'
import { rebateFile, type RebateFileField } from './promotions.ts'

const clock = { now: () => Temporal.Instant.from('2026-11-20T15:00:00Z') }
type Typed = Partial<Record<RebateFileField, string>>
const fields = Object.keys(rebateFile.columns) as RebateFileField[]

async function openDeps() {
  const database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock }
  const rebates = async () => (await listOfficeRebates(deps, null)).rebates
  const subject = (await rebates())[0]?.subject ?? expect.unreachable('no rebate in the demo data')
  const usual: Typed = {
    name: 'Winter 60',
    amount: '60',
    units: '4',
    paidAs: 'check',
    subject,
    startsOn: '2026-12-01',
    lastPurchaseOn: '2026-12-31',
    lastClaimOn: '2027-01-31',
    mailTo: '1 Main St, Akron, OH 44308',
  }
  const fileOf = (...rows: Typed[]) =>
    csvText([
      fields.map((field) => rebateFile.columns[field]),
      ...rows.map((row) => fields.map((field) => ({ ...usual, ...row })[field] ?? '')),
    ])
  const importFile = (...rows: Typed[]) => importRebates(deps, desk, fileOf(...rows))
  return { ...database, deps, rebates, fileOf, importFile }
}

test('rows without an ID are drafted once, and others change their drafts at the version of the export', async () => {
  await using store = await openDeps()
  const { deps, rebates, importFile } = store
  const before = (await rebates()).length
  const sent = await Promise.all([importFile({}, { name: 'Fall 40' }), importFile({}, { name: 'Fall 40' })])
  expect(sent.filter(({ ok }) => ok)).toEqual([{ ok: true, value: { drafted: 2, changed: 0 } }])
  expect(sent.find(({ ok }) => !ok)).toMatchObject({
    detail: ['Line 2, Rebate: Another rebate has this name.', 'Line 3, Rebate: Another rebate has this name.'],
  })
  const made = await rebates()
  expect(made).toHaveLength(before + 2)
  const id = made.find(({ name }) => name === 'Winter 60')?.id ?? 0
  const row = { id: String(id), version: '1' }
  expect(await importFile(row)).toMatchObject({ value: { drafted: 0, changed: 0 } })
  // Only a day differs.
  expect(await importFile({ ...row, lastPurchaseOn: '2026-12-30' })).toMatchObject({ value: { changed: 1 } })
  expect(await findOfficeRebate(deps, id)).toMatchObject({
    version: 2,
    draft: true,
    endsAt: Temporal.Instant.from('2026-12-31T05:00:00Z'),
  })
  expect(await importFile({ ...row, amount: '70' })).toMatchObject({
    detail: ['Line 2, Version: This draft was changed after the export. Export the file again.'],
  })
  const taken = { id: String(id), version: '2', name: 'Fall 40' }
  expect(await importFile(taken)).toMatchObject({ detail: ['Line 2, Rebate: Another rebate has this name.'] })
  expect(await scheduleRebate(deps, desk, { id, version: 2 })).toMatchObject({ ok: true })
  expect(await importFile({ id: String(id), version: '3', amount: '70' })).toMatchObject({
    detail: ['Line 2, ID: Only drafts can be changed. Leave the ID empty to draft a new rebate.'],
  })
})

test('a file with any error imports no rows, and names each line and column', async () => {
  await using store = await openDeps()
  const { deps, rebates, importFile, fileOf } = store
  const before = await rebates()
  expect(
    await importFile(
      {},
      { name: 'Other', units: '9', lastClaimOn: 'soon' },
      { name: 'Both', formUrl: 'https://maker.example/claim' },
      {},
    ),
  ).toMatchObject({
    detail: [
      'Line 3, Tires: Enter 1 to 8 tires.',
      'Line 3, Last claim day: Enter the last claim day.',
      'Line 4, Mailing address: Enter a claim form or a mailing address, not both.',
      'Line 5, Rebate: Line 2 has the same one.',
    ],
  })
  expect(
    await importFile(
      {},
      { name: 'Nowhere', subject: 'no-such-brand' },
      { name: 'Narrow', supplier: 'NONE' },
      { id: '999999', version: '1' },
    ),
  ).toMatchObject({
    detail: [
      'Line 3, Subject: Brand or model not found in the catalog.',
      'Line 4, Supplier: Choose a supplier.',
      'Line 5, ID: No rebate has this ID. Leave it empty for a new rebate.',
    ],
  })
  expect(await rebates()).toEqual(before)
  const support = await signInStaff(deps, 'support')
  expect(await importRebates(deps, support, fileOf({}))).toMatchObject({ reason: 'not-allowed' })
})
