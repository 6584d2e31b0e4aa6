/** Orders that staff place from a quote on net terms, as the account, at the agreed total, and once. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { asOwner, must, openTestStore, pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import { findSellerOf, readOrder } from '#domain/ordering/orders/orders.server.ts'
import { createPriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { findQuote, saveQuote, sendQuote, startQuote } from '#domain/ordering/quotes/quotes.server.ts'
import { listGrants, revokeGrant } from '#domain/kernel/staff/staff.server.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import { placeOnTerms, readTermsOf } from './phone-orders.server.ts'

const [port = 0] = await freePorts(3)
const email = 'olga@acme.example'
const contact = contactForm.parse({
  firstName: 'Olga',
  lastName: 'Grant',
  company: '',
  address1: '2450 N Halsted St',
  address2: '',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  instructions: '',
  email,
  phone: '3125550146',
  phoneType: 'mobile',
  vehicleNote: '',
})

/** A company with net terms, and a quote that staff sent its owner. */
async function openStore({
  limitCents = 1_000_000,
  fulfillment = 'home',
}: { limitCents?: number; fulfillment?: 'home' | 'shop' } = {}) {
  const opened = await openTestStore(port)
  const store = {
    ...opened,
    priceLists: createPriceLists(opened.db),
    config: { session: { secret: 'for tests only' } },
  }
  const { accountId, companyId } = await asOwner(store, email)
  must(await setTerms(store, { by: desk, id: companyId, terms: { netDays: 30, creditLimitCents: limitCents } }))
  const by = await signInStaff(store, 'sales')
  const customer = { name: 'Olga Grant', email, phone: '3125550146', accountId }
  const { id } = must(await startQuote(store, by, { key: newId(), ...customer }))
  const draft = await findQuote(store, id)
  if (!draft) throw new Error('The draft of a test is gone.')
  const { quote } = draft
  const shop = await store.db.selectFrom('shop').select('id').where('zip', '=', '60614').limit(1).executeTakeFirst()
  const { revision } = must(
    await saveQuote(store, by, id, {
      ...customer,
      revision: quote.revision,
      label: 'Retail',
      vehicle: null,
      fulfillment,
      zip: '60614',
      address: null,
      shopId: fulfillment === 'shop' ? (shop?.id ?? null) : null,
      roadside: false,
      goodThrough: quote.goodThrough,
      note: null,
      lines: [{ itemId: await pickTire(store), axle: 'all', quantity: 4, unitCents: 10_000, coverage: false }],
    }),
  )
  must(await sendQuote(store, by, { id, revision }))
  const sent = await findQuote(store, id)
  const totalCents = sent?.quote.totalCents ?? 0
  const place = (change: { totalCents?: number } = {}) =>
    placeOnTerms(store, by, { quoteId: id, contact, poNumber: 'PO-77', totalCents, ...change })
  return {
    store,
    by,
    id,
    accountId,
    companyId,
    totalCents,
    place,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

test('pressed five times, one order is placed for the account on its terms, and names who sold it', async () => {
  await using opened = await openStore()
  const { store, by, id, accountId, companyId, totalCents, place } = opened
  expect(await readTermsOf(store, { accountId })).toEqual({ leftCents: 1_000_000 })
  const placed = await Promise.all(Array.from({ length: 5 }, () => place()))
  const orders = new Set(placed.flatMap((one) => (one.ok ? [one.value.orderId] : [])))
  expect(orders.size).toBe(1)
  const [orderId = 0] = orders
  expect(await place()).toMatchObject({ ok: false, reason: 'ordered' })
  const order = await readOrder(store.db, orderId)
  expect(order).toMatchObject({ totalCents, address: { line1: '2450 N Halsted St' } })
  const { rows } = await sql<{ buyer: string; company: string; invoiced: number; po: string; acts: number }>`
    select o.buyer_id as buyer, o.company_id as company, o.billing ->> 'poNumber' as po,
      (select sum(amount_cents)::int from invoice where order_id = o.id) as invoiced,
      (select count(*)::int from audit_entry where act = 'order.placed') as acts
    from sales_order o where o.id = ${orderId}`.execute(store.db)
  expect(rows).toEqual([{ buyer: accountId, company: companyId, invoiced: totalCents, po: 'PO-77', acts: 1 }])
  expect(await findSellerOf(store.db, orderId)).toBe(by.name)
  expect((await findQuote(store, id))?.quote).toMatchObject({ state: 'ordered', orderId })
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('another total, too little credit or a lost role prevents the order', async () => {
  await using little = await openStore({ limitCents: 10_000 })
  expect(await little.place({ totalCents: little.totalCents - 1 })).toMatchObject({
    reason: 'total-changed',
    detail: { totalCents: little.totalCents },
  })
  expect(await little.place()).toMatchObject({ reason: 'net-terms-refused', detail: { why: 'over-limit' } })
  const grant = (await listGrants(little.store)).find(({ email: to }) => to === little.by.name)
  must(await revokeGrant(little.store, desk, { grantId: grant?.id ?? '', reason: 'Left.' }))
  expect(await little.place()).toMatchObject({ reason: 'not-allowed' })
})

test('an installation at a shop is the customer’s to order', async () => {
  await using atShop = await openStore({ fulfillment: 'shop' })
  expect(await atShop.place()).toMatchObject({ reason: 'not-delivered' })
})
