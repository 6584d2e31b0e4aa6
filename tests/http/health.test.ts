/**
 * Tests the store's health page for staff, and the demo's synthetic buyer: its purchase, and that it leaves no traces.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#platform/config.ts'
import { enqueue } from '#platform/jobs.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

let store: RunningStore
let metricsPort: number
const owner = createVisitor()
beforeAll(async () => {
  ;[metricsPort = 0] = await freePorts(2)
  store = await startStore({ env: { SYNTHETIC_BUYER: '1', METRICS_PORT: String(metricsPort) } })
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

/** Reads the stock, booked bays, ledger amounts, and reports that a purchase must not change. */
async function readTraces() {
  const { rows } = await sql`
    select (select sum(on_hand)::text from stock) as stock,
      (select count(*)::int from booking where state in ('held', 'confirmed')) as bookings,
      (select json_object_agg(account, cents) from (
        select account, sum(amount_cents) as cents from ledger_entry group by account having sum(amount_cents) <> 0 order by account) sums) as books,
      (select count(*)::int from sales_order where state <> 'canceled') as orders`.execute(store.database.db)
  return rows[0]
}

const readPage = async () => {
  const answer = await owner.ask(`${store.origin}/office/health`)
  return (await answer.text()).replaceAll('<!-- -->', '')
}

test('the synthetic buyer orders over the API, cancels, and leaves only a canceled order', async () => {
  const { db } = store.database
  const before = await readTraces()
  await enqueue(db, 'buy-synthetically', {}, { key: 'buy-synthetically' })
  const purchase = await eventually('purchase', () =>
    db.selectFrom('synthetic_purchase').selectAll().executeTakeFirst(),
  )
  expect(purchase.failed_step).toBeNull()
  expect(store.output('worker')).not.toContain('could not buy')
  const order = await db
    .selectFrom('sales_order')
    .innerJoin('payment', 'payment.order_id', 'sales_order.id')
    .select(['sales_order.state', 'sales_order.email', 'payment.captured_cents as captured'])
    .where('sales_order.id', '=', purchase.order_id ?? 0)
    .executeTakeFirst()
  expect(order).toMatchObject({ state: 'canceled', email: 'synthetic-buyer@sidewall.example', captured: 0 })
  expect(await readTraces()).toEqual(before)
})

test('what it took is measured by step', async () => {
  const metrics = await eventually('mails in metrics', async () => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort + 1}/metrics`)).text()
    return /^objective_events_total\{objective="mails",outcome="good"\} [1-9]/m.test(text) ? text : undefined
  })
  const steps = [...metrics.matchAll(/^synthetic_purchase_step_duration_ms_count\{step="(\w+)",outcome="done"\} \d+/gm)]
  expect(steps.map(([, step]) => step)).toEqual(['find', 'cart', 'time', 'details', 'pay', 'place', 'cancel'])
  expect(metrics).toMatch(/^objective_events_total\{objective="purchases",outcome="good"\} [1-9]/m)
  expect(metrics).toMatch(/^processes_seen\{kind="worker"\} 1/m)
})

test('the page shows objectives, remaining budgets, and running processes', async () => {
  const page = await readPage()
  for (const text of [
    'Orders are taken',
    'Times are offered',
    'Mails are sent',
    'Shops are paid on time',
    'A stranger can buy',
  ])
    expect(page).toContain(text)
  expect(page).toContain('Bought and canceled')
  expect(page).toMatch(/1 and 1/)
})

test('orders are counted by all web processes together, and a late mail is seen', async () => {
  await sql`update message set created_at = created_at - interval '1 hour', state = 'queued', sent_at = null
    where id = (select id from message where state = 'sent' order by created_at desc limit 1)`.execute(
    store.database.db,
  )
  expect(await readPage()).toMatch(/Oldest unsent mail<\/dt><dd>1\s?h/)
  await store.stop('web')
  const counted = await store.database.db
    .selectFrom('objective_hour')
    .selectAll()
    .where('objective', '=', 'orders')
    .execute()
  expect(counted.reduce((sum, { good }) => sum + good, 0)).toBeGreaterThan(0)
  expect(await store.database.db.selectFrom('process_sign').select('kind').execute()).toEqual([{ kind: 'worker' }])
  await store.revive('web')
})

test('only a demo of this machine has a synthetic buyer', () => {
  const given = { DATABASE_URL: 'postgres://localhost/none', SYNTHETIC_BUYER: '1' }
  const faults = (more: Record<string, string>) => {
    const read = readConfig({ ...given, ...more })
    return read.ok ? [] : read.faults.map(({ name }) => name).filter((name) => name === 'SYNTHETIC_BUYER')
  }
  expect(faults({})).toEqual([])
  expect(faults({ DEMO: '0' })).toEqual(['SYNTHETIC_BUYER'])
  expect(faults({ PAYMENTS: 'stripe' })).toEqual(['SYNTHETIC_BUYER'])
  expect(faults({ PUBLIC_ORIGIN: 'https://store.example' })).toEqual(['SYNTHETIC_BUYER'])
})
