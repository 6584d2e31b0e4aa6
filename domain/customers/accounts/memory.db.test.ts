import { allItems } from '#domain/payments/cart/cart.testing.ts'
import { expect, test } from 'vitest'
import { accountDeps, crv, dana, signInAs } from './accounts.testing.ts'
import { bringGuest, forgetSearches, keepForAccount, signOut, type BrowserMemory } from './accounts.server.ts'
import { addToCart, findCart, readCart } from '#domain/payments/cart/cart.server.ts'
import type { Database } from '#platform/db.ts'
import { createTestDatabase } from '#tests/support/database.ts'

type Deps = ReturnType<typeof accountDeps>

const nothing: BrowserMemory = { zip: null, compared: [], searches: [], vehicle: null, cartId: null }

async function items(db: Database): Promise<number[]> {
  return (await db.selectFrom('item').select('id').where('active', '=', true).orderBy('id').limit(3).execute()).map(
    ({ id }) => id,
  )
}

async function cartOf(deps: Deps, ...lines: [number, number][]): Promise<string> {
  const added = await addToCart(
    { ...deps, catalog: allItems },
    {
      cartId: undefined,
      lines: lines.map(([itemId, quantity]) => ({ itemId, quantity, axle: 'all' as const })),
      zip: '60614',
      vehicle: null,
    },
  )
  if (!added.ok) throw new Error(added.reason)
  return added.value.cartId
}

/** The same for the account's owner. */
const ownedBy = (deps: Deps, accountId: string): Deps => ({
  ...deps,
  buyer: { ...deps.buyer, accountId: async () => accountId },
})

const linesOf = async (deps: Deps, cartId: string) =>
  (await findCart(deps, cartId))?.lines.map(({ itemId, quantity }) => [itemId, quantity])

test("a guest's data joins the account, and from there another browser", async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const [first = 0] = await items(database.db)
  const { accountId } = await signInAs(deps)
  const cartId = await cartOf(deps, [first, 4])
  const guest: BrowserMemory = {
    zip: '60614',
    compared: [String(first)],
    searches: [{ label: '235/65R17', path: '/tire-sizes/235-65r17' }],
    vehicle: crv,
    cartId,
  }
  const joined = await bringGuest(deps, accountId, guest)
  expect(joined).toEqual({ ...guest, cartId: expect.any(String) as string })
  expect(await bringGuest(deps, accountId, nothing)).toEqual(joined)
})

test('sign-in gives the cart a new key and invalidates the previous key', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const [first = 0] = await items(database.db)
  const { accountId } = await signInAs(deps)
  const known = await cartOf(deps, [first, 4])
  const { cartId } = await bringGuest(deps, accountId, { ...nothing, cartId: known })
  expect(cartId).not.toBe(known)
  expect(await linesOf(deps, known)).toBeUndefined()
  expect(await linesOf(ownedBy(deps, accountId), cartId ?? '')).toEqual([[first, 4]])
  // The account's own cart has the same key as before, which the account's other browsers use.
  expect(await bringGuest(deps, accountId, { ...nothing, cartId })).toMatchObject({ cartId })
})

test("two carts become one: the browser's, with the other's missing tires", async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const [first = 0, second = 0, third = 0] = await items(database.db)
  const { accountId } = await signInAs(deps)
  const old = await cartOf(deps, [first, 2], [second, 2])
  const { cartId: before } = await bringGuest(deps, accountId, { ...nothing, cartId: old })
  const fresh = await cartOf(deps, [second, 4], [third, 4])
  const { cartId } = await bringGuest(deps, accountId, { ...nothing, cartId: fresh })
  expect(await linesOf(ownedBy(deps, accountId), cartId ?? '')).toEqual([
    [first, 2],
    [second, 4],
    [third, 4],
  ])
  expect(await linesOf(deps, before ?? '')).toEqual([])
  expect(await bringGuest(deps, accountId, nothing)).toMatchObject({ cartId })
})

test('does not take over a cart another account left in this browser', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const [first = 0] = await items(database.db)
  const guestCart = await cartOf(deps, [first, 4])
  const { cartId } = await bringGuest(deps, (await signInAs(deps)).accountId, { ...nothing, cartId: guestCart })
  deps.identity.person = { ...dana, subject: 'lee', email: 'lee@example.com' }
  const lee = await signInAs(deps)
  expect(await bringGuest(deps, lee.accountId, { ...nothing, cartId })).toMatchObject({ cartId: null })
})

test('signing out leaves the cart with the browser, and the next sign-in there takes it along', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const [first = 0] = await items(database.db)
  const owner = await signInAs(deps)
  const joined = await bringGuest(deps, owner.accountId, { ...nothing, cartId: await cartOf(deps, [first, 4]) })
  const cartId = joined.cartId ?? ''
  await signOut(deps, { cookie: owner.cookie, cartId, returnUrl: 'https://store.example/' })
  expect(await bringGuest(deps, owner.accountId, nothing)).toMatchObject({ cartId: null })
  expect(await linesOf(deps, cartId)).toEqual([[first, 4]])
})

test('an ordered cart is not joined', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const [first = 0] = await items(database.db)
  const { accountId } = await signInAs(deps)
  const cartId = await cartOf(deps, [first, 4])
  await database.db.updateTable('cart').set({ state: 'ordered' }).where('id', '=', cartId).execute()
  expect(await bringGuest(deps, accountId, { ...nothing, cartId })).toMatchObject({ cartId: null })
})

test('concurrent joins from two browsers don’t lose tires', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const [first = 0, second = 0] = await items(database.db)
  const { accountId } = await signInAs(deps)
  const carts = [await cartOf(deps, [first, 4]), await cartOf(deps, [second, 4])]
  await Promise.all(carts.map((cartId) => bringGuest(deps, accountId, { ...nothing, cartId })))
  const { cartId } = await bringGuest(deps, accountId, nothing)
  expect(new Set((await linesOf(ownedBy(deps, accountId), cartId ?? ''))?.map(([itemId]) => itemId))).toEqual(
    new Set([first, second]),
  )
})

test("a signed-in account retains the browser's ZIP, newest search, vehicle and compared tires", async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const { accountId } = await signInAs(deps)
  await keepForAccount(deps, accountId, {
    zip: '60614',
    compared: ['1', '2'],
    searches: [{ label: 'a', path: '/a' }],
    vehicle: crv,
  })
  await keepForAccount(deps, accountId, { zip: '00000' })
  await keepForAccount(deps, accountId, { compared: [], vehicle: { ...crv, confirmed: true } })
  expect(await bringGuest(deps, accountId, nothing)).toEqual({
    zip: '60614',
    compared: [],
    searches: [{ label: 'a', path: '/a' }],
    vehicle: { ...crv, confirmed: true },
    cartId: null,
  })
  await forgetSearches(deps, accountId)
  expect(await bringGuest(deps, accountId, nothing)).toMatchObject({ searches: [] })
})

test('an account retains the newest twenty searches and vehicles', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const { accountId } = await signInAs(deps)
  for (let count = 0; count < 25; count += 1) {
    deps.clock.set(deps.clock.now().add({ seconds: 1 }))
    await keepForAccount(deps, accountId, {
      searches: [{ label: `s${count}`, path: `/s${count}` }],
      vehicle: { ...crv, year: 2000 + count },
    })
  }
  const { searches, vehicle: last } = await bringGuest(deps, accountId, nothing)
  expect(searches).toHaveLength(20)
  expect(searches[0]?.label).toBe('s24')
  expect(last?.year).toBe(2019)
  expect(
    await database.db.selectFrom('account_vehicle').select('id').where('account_id', '=', accountId).execute(),
  ).toHaveLength(20)
})

test('a change of owner does not change the version of a cart', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = accountDeps(database.db)
  const [first = 0] = await items(database.db)
  const { accountId } = await signInAs(deps)
  const cartId = await cartOf(deps, [first, 4])
  const before = await readCart(deps, cartId)
  await keepForAccount(deps, accountId, { cartId })
  expect(before).toBeDefined()
  expect((await readCart(ownedBy(deps, accountId), cartId))?.version).toBe(before?.version)
})
