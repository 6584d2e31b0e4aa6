/** Tests the schedule, recipients, and figures of report emails. */
import { expect, test } from 'vitest'
import { makePlacedOrder, must, openTestStore } from '#domain/ordering/checkout/checkout.testing.ts'
import { listGrants, revokeGrant } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { formatCents } from '#platform/money.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { readConfig } from '#platform/config.ts'
import {
  countReports,
  emailDueReports,
  listSubscriptions,
  reportMessageValues,
  subscribeToReport,
  unsubscribeFromReport,
} from './reports.server.ts'

const [port = 0] = await freePorts(3)
const person = { issuer: 'https://id.example', subject: 'finance' }
const read = readConfig({ DATABASE_URL: 'postgres://localhost/none' })
if (!read.ok) throw new Error('The configuration of tests is wrong.')
const { web } = read.value

test('a weekly report is emailed once, with the week’s totals, while its reader may read reports', async () => {
  await using opened = await openTestStore(port)
  const store = { ...opened, config: { web } }
  const { db, clock } = store
  const mails = () =>
    db.selectFrom('message').select(['key', 'to_address', 'state']).where('kind', '=', 'report').execute()
  // Wednesday, so the order is in the week emailed on Monday, November 30.
  clock.set(Temporal.Instant.from('2026-11-25T17:00:00Z'))
  const by = await signInStaff(store, 'finance')
  const { totalCents } = await makePlacedOrder(store)
  must(await subscribeToReport(store, by, { ...person, report: 'sales', every: 'week', hour: 7 }))
  expect(await emailDueReports(store)).toBe(0)

  clock.set(Temporal.Instant.from('2026-11-30T11:59:00Z'))
  expect(await emailDueReports(store)).toBe(0)
  clock.set(Temporal.Instant.from('2026-11-30T12:00:00Z'))
  await countReports(store)
  expect(await emailDueReports(store)).toBe(1)
  clock.set(Temporal.Instant.from('2026-11-30T12:10:00Z'))
  await emailDueReports(store)
  const [mail, ...others] = await mails()
  expect(others).toEqual([])
  expect(mail?.to_address).toBe('finance@store.example')
  const message = { key: mail?.key ?? '' }
  expect(message.key).toMatch(/:2026-11-22:2026-11-28$/)

  const values = await reportMessageValues(store, message)
  const { net } = await db
    .selectFrom('order_line')
    .select(({ fn }) => fn.sum<number>('net_cents').as('net'))
    .where('order_id', 'in', db.selectFrom('sales_order').select('id').where('total_cents', '=', totalCents))
    .executeTakeFirstOrThrow()
  expect(values).toMatchObject({ reportName: 'Sales', reportDays: 'Nov 22, 2026 to Nov 28, 2026' })
  expect(values?.figures).toContainEqual({ left: 'Orders', right: '1' })
  expect(values?.figures).toContainEqual({ left: 'Sales', right: formatCents(net) })
  expect(values?.reportUrl).toContain('/office/reports/sales?from=2026-11-22&to=2026-11-28')

  // A week later the role has ended, so new reports aren't queued, and queued ones aren't sent.
  const grant = (await listGrants(store)).find(({ email }) => email === 'finance@store.example')
  must(await revokeGrant(store, desk, { grantId: grant?.id ?? '', reason: 'Left.' }))
  expect(await reportMessageValues(store, message)).toBeNull()
  clock.set(Temporal.Instant.from('2026-12-07T12:00:00Z'))
  expect(await emailDueReports(store)).toBe(0)
  expect(await mails()).toHaveLength(1)
})

test('a person has one subscription to a report per frequency, and ends only their own', async () => {
  await using store = await openTestStore(port)
  const by = await signInStaff(store, 'finance')
  const subscribe = (hour: number) => subscribeToReport(store, by, { ...person, report: 'tax', every: 'month', hour })
  must(await subscribe(7))
  must(await subscribe(9))
  const [mine, ...others] = await listSubscriptions(store, person, 'tax')
  expect(others).toEqual([])
  expect(mine).toMatchObject({ every: 'month', hour: 9 })
  const id = mine?.id ?? ''
  const other = { issuer: person.issuer, subject: 'manager' }
  const manager = await signInStaff(store, 'manager')
  expect(await unsubscribeFromReport(store, manager, { ...other, id })).toMatchObject({ reason: 'gone' })
  const support = await signInStaff(store, 'support')
  expect(await unsubscribeFromReport(store, support, { ...person, id })).toMatchObject({ reason: 'not-allowed' })
  must(await unsubscribeFromReport(store, by, { ...person, id }))
  expect(await listSubscriptions(store, person, 'tax')).toEqual([])
})
