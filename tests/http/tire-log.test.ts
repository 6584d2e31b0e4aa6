/** Tests the rotation log's own tires, field errors, and garage link without JavaScript. */
import { expect, test } from 'vitest'
import {
  bringToToday,
  receiveTires,
  technicianOf,
  wholeInput,
} from '#domain/installer-portal/work-orders/work-orders.testing.ts'
import { finishJob, moveJob, readJob } from '#domain/installer-portal/work-orders/work-orders.server.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { readConfig } from '#platform/config.ts'
import { systemClock } from '#platform/clock.ts'
import { storeDay } from '#platform/store-zone.ts'
import { startStore } from '#tests/support/store.ts'
import { createVisitor, registerAt } from '#tests/support/visitor.ts'

test('an owner logs rotations and prints the warranty, and others get 404', async () => {
  await using store = await startStore()
  const { db } = store.database
  const {
    id: bookingId,
    orderId,
    shopId,
  } = await db
    .selectFrom('booking')
    .select(['id', 'order_id as orderId', 'shop_id as shopId'])
    .where('state', '=', 'confirmed')
    .orderBy('during', 'desc')
    .executeTakeFirstOrThrow()
  const config = readConfig({ DATABASE_URL: store.database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const deps = { db, clock: systemClock, config: config.value }
  await bringToToday(deps, bookingId, Temporal.Now.instant())
  const by = await technicianOf(deps, shopId)
  await receiveTires(deps, by, bookingId)
  must(await moveJob(deps, by, { bookingId, to: 'arrived' }))
  const job = await readJob(deps, { shopId, bookingId })
  if (!job) throw new Error('There is no job.')
  must(await finishJob(deps, by, { bookingId, input: wholeInput(job) }))

  const [owner, other] = [createVisitor(), createVisitor()]
  await registerAt(store.origin, owner, 'Ida')
  await registerAt(store.origin, other, 'Jon')
  await db
    .updateTable('cart')
    .set({ account_id: db.selectFrom('account').select('id').where('email', '=', 'ida@example.com') })
    .where('id', '=', db.selectFrom('sales_order').select('cart_id').where('id', '=', orderId))
    .execute()
  const path = `/account/my-garage/tires/${orderId}`
  const at = (to: string) => `${store.origin}${to}`
  const read = async (answer: Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
  expect(await read(owner.ask(at('/account/my-garage')))).toContain(`href="${path}"`)
  expect(await read(other.ask(at('/account/my-garage')))).not.toContain('Installed tires')
  for (const wrong of [path, '/account/my-garage/tires/x', '/account/my-garage/tires/999999999999'])
    expect((await other.ask(at(wrong))).status, wrong).toBe(404)
  expect((await other.ask(at(path), { form: { intent: 'log' } })).status).toBe(404)
  expect((await createVisitor().ask(at(path))).headers.get('location')).toContain('/sign-in')

  const page = await read(owner.ask(at(path)))
  for (const words of [
    '41,836 miles',
    'TIN 7B3 KXYZ92 0126',
    'Next rotation by',
    'Mileage warranty, an estimate',
    'No rotations logged yet.',
  ])
    expect(page).toContain(words)
  expect(page).not.toContain('<script')
  const log = (form: Record<string, string>) => owner.ask(at(path), { form: { intent: 'log', ...form } })
  const wrong = await log({ on: '13/45/2026', odometer: '41,000', place: '' })
  const said = await read(Promise.resolve(wrong))
  for (const words of [
    'Enter the day like',
    'The odometer stood at 41,836',
    'Say where',
    'value="41,000"',
    'Fix 3 fields',
  ])
    expect(said).toContain(words)
  const today = storeDay(Temporal.Now.instant())
  const on = `${today.month}/${today.day}/${today.year}`
  const sent = await Promise.all([1, 2].map(() => log({ on, odometer: '47,000', place: 'At <b>home</b>' })))
  expect(sent.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
    [303, `${path}?done=logged`],
    [303, `${path}?done=logged`],
  ])
  expect((await log({ on, odometer: '48,000', place: 'Home' })).status).toBe(422)
  const logged = await read(owner.ask(at(path)))
  for (const words of ['47,000 miles, 5,164 since the last', 'At &lt;b&gt;home']) expect(logged).toContain(words)
  for (const value of ["';--", '\0', 'x'.repeat(5_000), '-1', '٣'])
    expect((await log({ on: value, odometer: value, place: value })).status).toBe(422)
  expect((await owner.ask(at(path), { form: { intent: 'remove', nth: 'x' } })).status).toBe(400)
  expect((await owner.ask(at(path), { form: { intent: 'remove', nth: '1' } })).status).toBe(303)
  expect(await read(owner.ask(at(path)))).toContain('No rotations logged yet.')
})
