/** Tests that sold units and call counts in one web process soon reach another. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paths } from '#content/paths.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { activeItems } from '#tests/support/items.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

const callsPerMinute = 200

let store: RunningStore
beforeAll(async () => {
  store = await startStore({ env: { API_CALLS_PER_MINUTE: String(callsPerMinute), PROXY_HOPS: '1' } })
  await store.revive('second')
})
afterAll(() => store[Symbol.asyncDispose]())

test('a page kept by another process shows what the office corrected, and what a guest can still buy', async () => {
  const { db } = store.database
  const tire = await activeItems(db)
    // Only suppliers correct their own stock.
    .where(
      sql<boolean>`(select bool_and(warehouse.supplier_id is null) and max(on_hand) > 10
        from stock join warehouse on warehouse.id = warehouse_id where item_id = item.id and on_hand > 0)`,
    )
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  const places = await db
    .selectFrom('stock')
    .select(['warehouse_id as warehouse', 'on_hand as units'])
    .where('item_id', '=', tire.id)
    .where('on_hand', '>', 0)
    .orderBy('on_hand', 'desc')
    .execute()
  const address = store.secondOrigin + paths.item(tire.brand, tire.line, tire.id)
  const pageOfSecond = async () => (await (await fetch(address)).text()).replaceAll('<!-- -->', '')
  const before = await pageOfSecond()
  expect(before.includes(`/p/${tire.id}`)).toBe(true)
  expect(before.includes('Only 3 left.')).toBe(false)

  const staff = createVisitor()
  await signInToOffice(store.origin, staff, { email: 'warehouse@example.com' })
  for (const [index, { warehouse, units }] of places.entries()) {
    const lost = index === 0 ? units - 3 : units
    const answer = await staff.ask(`${store.origin}/office/stock/${tire.id}`, {
      form: {
        intent: 'adjust',
        key: newId(),
        warehouse: String(warehouse),
        reason: 'lost',
        units: String(lost),
        note: '',
      },
    })
    expect(answer.status).toBe(303)
  }
  // Kept, it would say what it said for a minute.
  await eventually('three left', async () => (await pageOfSecond()).includes('Only 3 left.'), 25)
})

test('calls to both processes count together', async () => {
  const ask = (origin: string) =>
    fetch(`${origin}/api/places/60614`, { headers: { 'x-forwarded-for': '203.0.113.77' } })
  for (let call = 0; call < callsPerMinute; call += 1) expect((await ask(store.origin)).status).toBe(200)
  // The second process receives the counts when it sends its own, after a twentieth of the limit.
  await eventually('refusal', async () => {
    const answer = await ask(store.secondOrigin)
    await answer.text()
    return answer.status === 429
  })
})
