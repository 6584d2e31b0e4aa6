import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { setQuantity } from '#domain/payments/cart/cart.server.ts'
import { endGrant, grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { setCompanyPriceList, setTerms } from '#domain/customers/companies/companies.server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { asOwner, makeReadyCart, must, openTestStore } from './checkout.testing.ts'
import { lockPriceBasis, readPriceBasis } from './price-basis.sql.server.ts'

const [port = 0] = await freePorts(3)

test('the price basis changes with every write to what it rests on, and is the same locked as read', async () => {
  await using store = await openTestStore(port)
  const owner = await asOwner(store)
  const { id: cartId } = await makeReadyCart(store)
  const priced = { cartId, accountId: owner.accountId }
  const basis = () => readPriceBasis(store.db, priced)
  const seen = [await basis()]
  const isAnother = async () => {
    const now = await basis()
    expect(seen).not.toContain(now)
    expect(await basis()).toBe(now)
    expect(await store.db.transaction().execute((tx) => lockPriceBasis(tx, priced))).toBe(now)
    seen.push(now)
  }

  expect(seen[0]).toContain('company ')
  await grantType(store, { accountId: owner.accountId, type: 'Fleet', how: 'staff', until: null, by: 'staff' })
  await isAnother()
  await endGrant(store, { accountId: owner.accountId, type: 'Fleet' })
  await isAnother()
  must(await setTerms(store, { by: desk, id: owner.companyId, terms: { netDays: 15, creditLimitCents: 100_000 } }))
  await isAnother()

  must(await setCompanyPriceList(store, { by: desk, id: owner.companyId, slug: 'wholesale' }))
  await isAnother()
  expect(seen.at(-1)).toMatch(/price_list \d+/)
  await store.db.updateTable('price_list').set({ name: 'Wholesalers' }).where('slug', '=', 'wholesale').execute()
  await isAnother()

  // Other accounts' rows, and rows that belong only to the cart, are excluded.
  const other = await asOwner(store, 'rolf@beta.example')
  await grantType(store, { accountId: other.accountId, type: 'Fleet', how: 'staff', until: null, by: 'staff' })
  expect(await basis()).toBe(seen.at(-1))
  const guest = await readPriceBasis(store.db, { cartId, accountId: null })
  expect(guest).not.toContain('account ')
  expect(guest).toMatch(/item \d+ .*shop \d+ .*shop_rate/)
  const line = await store.db
    .selectFrom('cart_line')
    .select(['item_id', 'axle'])
    .where('cart_id', '=', cartId)
    .executeTakeFirstOrThrow()
  must(await setQuantity(store, cartId, { itemId: line.item_id, axle: line.axle as 'all', quantity: 0 }))
  expect(await readPriceBasis(store.db, { cartId, accountId: null })).not.toContain('item ')
})
