import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { allItems } from '#domain/payments/cart/cart.testing.ts'
import { expect, test } from 'vitest'
import { retailBuyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { buyerAt } from '#domain/pricing/price-tiers/price-tiers.testing.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import {
  acceptPrices,
  addToCart,
  countTires,
  findCart,
  readCart,
  setPaymentMethod,
  setQuantity,
} from './cart.server.ts'
import { tireCountOf } from './cart.ts'

async function twoItems(database: Awaited<ReturnType<typeof createTestDatabase>>): Promise<[number, number]> {
  const rows = await database.db
    .selectFrom('item')
    .select('id')
    .where('active', '=', true)
    .orderBy('id')
    .limit(2)
    .execute()
  return [rows[0]?.id ?? 0, rows[1]?.id ?? 0]
}

test('adding tires makes a cart, and adding more of the same raises the quantity', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const clock = fixedClock(smallDataMadeAt)
  const deps = { db: database.db, clock, catalog: allItems, buyer: retailBuyer }
  const [first, second] = await twoItems(database)
  const added = await addToCart(deps, {
    cartId: undefined,
    lines: [{ itemId: first, quantity: 2, axle: 'all' }],
    zip: '60614',
    vehicle: null,
  })
  if (!added.ok) throw new Error(added.reason)
  const { cartId } = added.value

  clock.set(smallDataMadeAt.add({ seconds: 2 }))
  await addToCart(deps, { cartId, lines: [{ itemId: first, quantity: 2, axle: 'all' }], zip: null, vehicle: null })
  expect(tireCountOf((await findCart(deps, cartId)) ?? { lines: [] })).toBe(2)

  clock.set(smallDataMadeAt.add({ seconds: 30 }))
  await addToCart(deps, {
    cartId,
    lines: [
      { itemId: first, quantity: 2, axle: 'all' },
      { itemId: second, quantity: 1, axle: 'rear' },
    ],
    zip: null,
    vehicle: null,
  })
  const cart = await findCart(deps, cartId)
  expect(cart?.lines.map(({ itemId, quantity, axle }) => [itemId, quantity, axle])).toEqual([
    [first, 4, 'all'],
    [second, 1, 'rear'],
  ])
  expect(cart?.zip).toBe('60614')
})

test('adding an unavailable item has no effect', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt), catalog: allItems, buyer: retailBuyer }
  const [first] = await twoItems(database)
  const cartId = newId()
  const added = await addToCart(deps, {
    cartId,
    lines: [
      { itemId: first, quantity: 2, axle: 'all' },
      { itemId: 2_000_000_000, quantity: 2, axle: 'all' },
    ],
    zip: null,
    vehicle: null,
  })
  expect(added).toMatchObject({ ok: false, reason: 'not-sold' })
  expect(await findCart(deps, cartId)).toBeUndefined()
})

test('an open cart is unchanged when an article is not sold', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt), catalog: allItems, buyer: retailBuyer }
  const [first, second] = await twoItems(database)
  const added = await addToCart(deps, {
    cartId: undefined,
    lines: [{ itemId: first, quantity: 2, axle: 'all' }],
    zip: null,
    vehicle: null,
  })
  if (!added.ok) throw new Error(added.reason)
  const before = await findCart(deps, added.value.cartId)
  await database.db.updateTable('item').set({ listed: false }).where('id', '=', second).execute()
  const refused = await addToCart(deps, {
    ...added.value,
    lines: [{ itemId: second, quantity: 1, axle: 'all' }],
    zip: '60614',
    vehicle: null,
  })
  expect(refused).toMatchObject({ ok: false, reason: 'not-sold' })
  expect(await findCart(deps, added.value.cartId)).toEqual(before)
})

test('after a cart became an order, shopping continues in a new cart', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt), catalog: allItems, buyer: retailBuyer }
  const [first, second] = await twoItems(database)
  const old = await addToCart(deps, {
    cartId: undefined,
    lines: [{ itemId: first, quantity: 2, axle: 'all' }],
    zip: null,
    vehicle: null,
  })
  if (!old.ok) throw new Error(old.reason)
  await database.db.updateTable('cart').set({ state: 'ordered' }).where('id', '=', old.value.cartId).execute()
  const added = await addToCart(deps, {
    ...old.value,
    lines: [{ itemId: second, quantity: 1, axle: 'all' }],
    zip: null,
    vehicle: null,
  })
  if (!added.ok) throw new Error(added.reason)
  expect(added.value.cartId).not.toBe(old.value.cartId)
  expect((await findCart(deps, added.value.cartId))?.lines.map(({ itemId }) => itemId)).toEqual([second])
  expect((await readCart(deps, old.value.cartId))?.lines.map(({ itemId }) => itemId)).toEqual([first])
})

test('the header counts only tires in an open cart', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt), catalog: allItems, buyer: retailBuyer }
  const [first, second] = await twoItems(database)
  const lines = [first, second].map((itemId) => ({ itemId, quantity: 2, axle: 'all' as const }))
  const added = await addToCart(deps, { cartId: undefined, lines, zip: null, vehicle: null })
  if (!added.ok) throw new Error(added.reason)
  expect(await countTires(deps, added.value.cartId)).toBe(4)
  expect(await countTires(deps, newId())).toBe(0)
  await database.db.updateTable('cart').set({ state: 'ordered' }).where('id', '=', added.value.cartId).execute()
  expect(await countTires(deps, added.value.cartId)).toBe(0)
})

test('sets a quantity, removes a line at zero, and reports a line already removed', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt), catalog: allItems, buyer: retailBuyer }
  const [first] = await twoItems(database)
  const added = await addToCart(deps, {
    cartId: undefined,
    lines: [{ itemId: first, quantity: 2, axle: 'all' }],
    zip: null,
    vehicle: null,
  })
  if (!added.ok) throw new Error(added.reason)
  const line = { itemId: first, axle: 'all' as const }
  expect((await setQuantity(deps, added.value.cartId, { ...line, quantity: 5 })).ok).toBe(true)
  expect((await findCart(deps, added.value.cartId))?.lines[0]?.quantity).toBe(5)
  expect((await setQuantity(deps, added.value.cartId, { ...line, quantity: 0 })).ok).toBe(true)
  expect(await setQuantity(deps, added.value.cartId, { ...line, quantity: 1 })).toMatchObject({
    ok: false,
    reason: 'line-not-found',
  })
  expect(await setQuantity(deps, newId(), { ...line, quantity: 1 })).toMatchObject({ ok: false })
})

test('another payment method changes the cart for an order in progress; the same one does not', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt), catalog: allItems, buyer: retailBuyer }
  const [first] = await twoItems(database)
  const added = await addToCart(deps, {
    cartId: undefined,
    lines: [{ itemId: first, quantity: 4, axle: 'all' }],
    zip: null,
    vehicle: null,
  })
  if (!added.ok) throw new Error(added.reason)
  const { cartId } = added.value
  const pays = async () => {
    const cart = await findCart(deps, cartId)
    return [cart?.paymentMethod, cart?.version]
  }
  const [, version] = await pays()
  for (const [paymentMethod, changes] of [
    ['card', 0],
    ['net-terms', 1],
    ['net-terms', 1],
    ['card', 2],
  ] as const) {
    await setPaymentMethod(deps, cartId, paymentMethod)
    expect(await pays()).toEqual([paymentMethod, Number(version) + changes])
  }
})

test('a changed price is reported until the shopper has seen it', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt), catalog: allItems, buyer: retailBuyer }
  const [first] = await twoItems(database)
  const added = await addToCart(deps, {
    cartId: undefined,
    lines: [{ itemId: first, quantity: 4, axle: 'all' }],
    zip: null,
    vehicle: null,
  })
  if (!added.ok) throw new Error(added.reason)
  await database.db
    .updateTable('item')
    .set((eb) => ({ retail_cents: eb('retail_cents', '+', 500) }))
    .where('id', '=', first)
    .execute()
  const [moved] = (await findCart(deps, added.value.cartId))?.lines ?? []
  expect(moved && moved.unitCents - moved.seenUnitCents).toBe(500)
  await acceptPrices(deps, added.value.cartId)
  const [seen] = (await findCart(deps, added.value.cartId))?.lines ?? []
  expect(seen && seen.unitCents - seen.seenUnitCents).toBe(0)
})

test('a cart has the prices of its reader, and the prices the shopper saw last', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const [first] = await twoItems(database)
  const { retail_cents: retailCents } = await database.db
    .selectFrom('item')
    .select('retail_cents')
    .where('id', '=', first)
    .executeTakeFirstOrThrow()
  const guest = { db: database.db, clock: fixedClock(smallDataMadeAt), catalog: allItems, buyer: retailBuyer }
  const fleet = { ...guest, buyer: buyerAt('Fleet', 5_000) }
  const added = await addToCart(fleet, {
    cartId: undefined,
    lines: [{ itemId: first, quantity: 4, axle: 'all' }],
    zip: null,
    vehicle: null,
  })
  if (!added.ok) throw new Error(added.reason)
  const { cartId } = added.value
  const line = async (deps: typeof guest) => (await findCart(deps, cartId))?.lines[0]
  expect(await line(fleet)).toMatchObject({
    seenUnitCents: 5_000,
    unitCents: 5_000,
    retailUnitCents: retailCents,
    account: { type: 'Fleet', unitCents: 5_000 },
  })
  const seenByGuest = await line(guest)
  expect(seenByGuest).toMatchObject({ seenUnitCents: 5_000, unitCents: retailCents })
  expect(seenByGuest).not.toHaveProperty('account')
  await acceptPrices(guest, cartId)
  expect(await line(fleet)).toMatchObject({ seenUnitCents: retailCents, unitCents: 5_000 })
  await acceptPrices(fleet, cartId)
  expect(await line(fleet)).toMatchObject({ seenUnitCents: 5_000 })
  expect(JSON.stringify(await findCart(fleet, cartId))).not.toMatch(/cost/i)
})

test('an unknown key makes no cart of that key, and too many carts are refused before one is made', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: fixedClock(smallDataMadeAt), catalog: allItems, buyer: retailBuyer }
  const [first] = await twoItems(database)
  const limits = createRateLimits(database)
  const add = (cartId: string | undefined) =>
    addToCart(deps, {
      cartId,
      lines: [{ itemId: first, quantity: 4, axle: 'all' }],
      zip: null,
      vehicle: null,
      admit: () => limits.take('cart', { network: 'network' }),
    })
  const invented = newId()
  const made = await add(invented)
  if (!made.ok) throw new Error(made.reason)
  expect(made.value.cartId).not.toBe(invented)
  expect(await readCart(deps, invented)).toBeUndefined()
  for (let count = 1; count < rateLimits.cart.counts.network; count += 1) expect((await add(undefined)).ok).toBe(true)
  for (const key of [undefined, newId()]) expect(await add(key)).toMatchObject({ reason: 'too-many' })
  // An existing cart can still be added to.
  expect(await add(made.value.cartId)).toMatchObject({ ok: true })
})
