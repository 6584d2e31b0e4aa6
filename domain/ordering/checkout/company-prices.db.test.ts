/** Companies with custom price lists, including price changes between checkout and the order. */
import { expect, test } from 'vitest'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import {
  decideCompany,
  findCompanyPriceList,
  setCompanyPriceList,
} from '#domain/customers/companies/companies.server.ts'
import { readPriceTier } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { placeOrder } from './checkout.server.ts'
import { agreeTo, asOwner, makeReadyCart, must, openTestStore, payByCard } from './checkout.testing.ts'

const [port = 0] = await freePorts(3)

test('a company price list overrides its type’s list, only for members of an approved company', async () => {
  await using store = await openTestStore(port)
  const [one, other] = [await asOwner(store), await asOwner(store, 'rolf@beta.example')]
  const listOf = async ({ accountId }: { accountId: string }) => {
    const { priceListId, accountType } = await readPriceTier(store.db, accountId, store.clock.now())
    return [accountType, priceListId]
  }
  const set = (slug: string | null, id = one.companyId, by = desk) => setCompanyPriceList(store, { id, slug, by })
  const lists = await store.db.selectFrom('price_list').select(['id', 'slug']).execute()
  const idOf = (slug: string) => lists.find((list) => list.slug === slug)?.id
  expect(await listOf(one)).toEqual(['Fleet', idOf('fleets')])
  expect(await listOf(other)).toEqual(['Fleet', idOf('fleets')])

  must(await set('wholesale'))
  must(await set('wholesale'))
  expect(await listOf(one)).toEqual(['Fleet', idOf('wholesale')])
  expect(await listOf(other)).toEqual(['Fleet', idOf('fleets')])
  expect(await findCompanyPriceList(store, one.companyId)).toBe('wholesale')
  expect(await set('no-such-list')).toMatchObject({ reason: 'no-such-list' })
  expect(await set('fleets', newId())).toMatchObject({ reason: 'company-not-found' })
  const stranger = { via: 'office', name: 'support@example.com', sessionId: newId(), networkKey: 'n' } as const
  expect(await setCompanyPriceList(store, { id: one.companyId, slug: null, by: stranger })).toMatchObject({
    reason: 'not-allowed',
  })
  const acts = await store.db
    .selectFrom('audit_entry')
    .select(['before', 'after'])
    .where('act', '=', 'company.price-list-set')
    .execute()
  expect(acts).toEqual([{ before: { list: null }, after: { list: 'wholesale' } }])

  must(await decideCompany(store, { id: one.companyId, decision: 'close', by: desk }))
  expect(await listOf(one)).toEqual(['Retail', null])
  expect(await set('fleets')).toMatchObject({ reason: 'has-no-list' })
})

test('a price list assigned after review is a price change and blocks the order', async () => {
  await using opened = await openTestStore(port)
  const store = await asOwner(opened)
  const cart = await makeReadyCart(store)
  const agreed = await agreeTo(store, cart)
  await payByCard(store, cart.id, agreed.totalCents)
  must(await setCompanyPriceList(store, { id: store.companyId, slug: 'wholesale', by: desk }))
  const again = { ...store, buyer: store.buyer.afresh() }
  expect(await placeOrder(again, agreed)).toMatchObject({ ok: false, reason: 'price-changed' })
  expect(await store.db.selectFrom('sales_order').select('id').where('cart_id', '=', cart.id).execute()).toEqual([])
  const priced = await readCart(again, cart.id)
  if (!priced) expect.unreachable('The cart is gone.')
  const now = await agreeTo(again, priced)
  expect(now.totalCents).toBeLessThan(agreed.totalCents)
  await payByCard(again, cart.id, now.totalCents)
  must(await placeOrder(again, now))
})
