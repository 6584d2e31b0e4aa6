/** Tests the import of a file of taxes and fees by state. */
import { expect, test } from 'vitest'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { csvText } from '#platform/csv-text.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { findStateTax, importStateTaxes, listStateTaxes } from './sales-tax.server.ts'
import { stateTaxColumns, taxableKinds, tireFeeText } from './sales-tax.ts'

const clock = fixedClock('2026-11-20T18:00:00Z')

/** The list's export, with these cells of states changed. */
async function exported(
  deps: { db: Awaited<ReturnType<typeof createTestDatabase>>['db'] },
  changes: Partial<Record<string, Partial<Record<string, string>>>>,
): Promise<string> {
  const rows = (await listStateTaxes({ ...deps, clock })).map((tax) => {
    const cells: Record<string, string> = {
      Code: tax.state,
      'State rate': `${tax.ratePpm / 10_000}%`,
      'Tire fee': tireFeeText(tax.tireFee),
      'Fee name on receipts': tax.tireFeeName ?? '',
      Taxed: tax.taxed.map((kind) => taxableKinds[kind]).join(', '),
      Checked: tax.checkedOn ?? '',
      Verified: tax.isVerified ? 'yes' : 'no',
      Source: tax.source,
      Starts: '',
      'Last change': String(tax.seen),
      ...changes[tax.state],
    }
    return [...stateTaxColumns, 'Starts', 'Last change'].map((column) => cells[column] ?? '')
  })
  return csvText([[...stateTaxColumns, 'Starts', 'Last change'], ...rows])
}

test('the export of the list is imported again, and only changed rows are changes', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock }
  expect(await importStateTaxes(deps, desk, await exported(deps, {}))).toMatchObject({ value: { changed: 0 } })
  const file = await exported(deps, {
    IL: { 'Tire fee': '$3.10', Checked: '2026-11-01', Verified: 'yes' },
    TX: { 'State rate': '6.5', Starts: '2027-01-01' },
  })
  expect(await importStateTaxes(deps, desk, file)).toMatchObject({ value: { changed: 2 } })
  const [illinois, texas] = [await findStateTax(deps, 'IL'), await findStateTax(deps, 'TX')]
  expect(illinois?.view).toMatchObject({ tireFee: [{ belowRimInches: null, cents: 310 }], isVerified: true })
  expect(texas?.view.ratePpm).toBe(62_500)
  expect(texas?.changes[0]).toMatchObject({ ratePpm: 65_000, startsOn: '2027-01-01' })
  const acts = await database.db
    .selectFrom('audit_entry')
    .select('subject')
    .where('act', '=', 'state-tax.changed')
    .execute()
  expect(acts.map(({ subject }) => subject).toSorted()).toEqual(['IL', 'TX'])
})

test('a row for a state that was changed after the export refuses the whole file', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock }
  const stale = await exported(deps, { IL: { 'Tire fee': '$4.00' }, OH: { 'Tire fee': '$4.00' } })
  await importStateTaxes(deps, desk, await exported(deps, { IL: { 'Tire fee': '$3.10' } }))
  const refused = await importStateTaxes(deps, desk, stale)
  expect(refused).toMatchObject({
    detail: [expect.stringMatching(/^Line \d+: IL was changed after the export\. Export the file again\.$/)],
  })
  expect((await findStateTax(deps, 'OH'))?.changes).toEqual([])
})

test('unknown states, past days and checks to come are refused by line', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock }
  const head = [...stateTaxColumns, 'Starts']
  const row = (code: string, checked: string, starts: string) => [
    code,
    '5',
    'None',
    '',
    'Tires',
    checked,
    'no',
    'Law',
    starts,
  ]
  const text = csvText([
    head,
    row('ZZ', '', ''),
    row('IL', '', '2026-11-01'),
    row('TX', '2026-12-01', ''),
    row('OH', '', '2029-01-01'),
  ])
  expect(await importStateTaxes(deps, desk, text)).toMatchObject({
    detail: [
      'Line 2: we don’t ship to a state ZZ.',
      'Line 3: Starts must be from today to two years ahead.',
      'Line 4: Checked is a day to come.',
      'Line 5: Starts must be from today to two years ahead.',
    ],
  })
  const support = await signInStaff(deps, 'support')
  expect(await importStateTaxes(deps, support, text)).toMatchObject({ reason: 'not-allowed' })
})
