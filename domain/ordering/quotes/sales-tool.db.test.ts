/** Sales Tool quotes are sent once, visible only to their account, and only while it has the type. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { expect, test } from 'vitest'
import { deleteAccount, readAccountData } from '#domain/operations/personal-data/personal-data.server.ts'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  agreeTo,
  asAccount,
  enterDetails,
  must,
  openTestStore,
  payByCard,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { readOrderFates } from '#domain/ordering/orders/orders.server.ts'
import { createPriceLists, endGrant, grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  findOwnQuote,
  listOwnQuotes,
  listQuotePlaces,
  openQuote,
  priceCartAsQuote,
  quoteLink,
  readQuote,
  sendAgain,
  sendCart,
  startVersion,
  withdrawQuote,
  type SalesAccount,
} from './quotes.server.ts'
import { mostQuoteMails, type QuotePlace } from './quotes.ts'

const [port = 0] = await freePorts(3)
const config = { session: { secret: 'a secret for tests only' } }
const staff: Actor = { via: 'command line', name: 'Nora' }
const home: QuotePlace = { fulfillment: 'home', shopId: null }
const customer = { name: 'Rosa Whitfield', email: 'rosa@whitfield.example', phone: null, note: 'As we said.' }

async function openStore() {
  const store = await openTestStore(port)
  return {
    ...store,
    config,
    priceLists: createPriceLists(store.db),
    rateLimits: createRateLimits(store),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
type Store = Awaited<ReturnType<typeof openStore>>

async function makeSeller(store: Store): Promise<SalesAccount> {
  const accountId = newId()
  const at = store.clock.now()
  await store.db
    .insertInto('account')
    .values({ id: accountId, name: 'Sela', email: `${accountId}@example.com`, email_verified_at: at, created_at: at })
    .execute()
  await grantType(store, { accountId, type: 'Sales Tool', how: 'staff', until: null, by: 'Nora' })
  return { via: 'account', accountId }
}

async function fillCart(store: Store, { accountId }: SalesAccount): Promise<Cart> {
  const seller = asAccount(store, accountId)
  const lines = [{ itemId: await pickTire(store), quantity: 4, axle: 'all' as const }]
  const { cartId } = must(await addToCart(seller, { cartId: undefined, lines, zip: '60614', vehicle: null }))
  const cart = await readCart(seller, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  return cart
}

/** Everything that the form of the page posts. */
async function formOf(store: Store, by: SalesAccount, place = home) {
  const cart = await fillCart(store, by)
  const { priced } = must(await priceCartAsQuote(store, cart, place))
  return { ...customer, key: newId(), cart, place, seenCents: priced.breakdown?.totals.totalCents ?? 0 }
}

async function send(store: Store, by: SalesAccount): Promise<number> {
  return must(await sendCart(store, by, await formOf(store, by))).id
}

function tokenOf(id: number): string {
  return decodeURIComponent(quoteLink(config.session.secret, id).slice('/quote/'.length))
}

async function mailsOf({ db }: TestStore, id: number): Promise<string[]> {
  const rows = await db.selectFrom('message').select('key').where('kind', '=', 'quote').orderBy('key').execute()
  return rows.map(({ key }) => key).filter((key) => key.split(':')[1] === String(id))
}

async function countQuotes({ db }: TestStore): Promise<number> {
  return (await db.selectFrom('sales_quote').select('id').execute()).length
}

const all = { fate: null, before: null }

test('twenty presses send one quote at everyone’s prices; the account sees it opened, and ordered with state and total', async () => {
  await using store = await openStore()
  const by = await makeSeller(store)
  const form = await formOf(store, by)
  const sent = await Promise.all(Array.from({ length: 20 }, () => sendCart(store, by, form)))
  const [id = 0, ...others] = new Set(sent.map((one) => must(one).id))
  expect(others).toEqual([])
  expect(await mailsOf(store, id)).toEqual([`quote:${id}`])
  const { quote } = (await findOwnQuote(store, by.accountId, id)) ?? {}
  expect(quote).toMatchObject({ state: 'sent', label: 'Retail', accountId: null, totalCents: form.seenCents, mails: 1 })
  expect(quote?.author).toMatchObject({ kind: 'account', accountId: by.accountId, name: 'Sela' })

  const { cartId } = must(await openQuote(store, { token: tokenOf(id), accountId: null }))
  expect((await listOwnQuotes(store, { ...all, accountId: by.accountId, fate: 'opened' })).quotes).toMatchObject([
    { id },
  ])
  await enterDetails(store, cartId)
  const cart = await readCart(store, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cartId, totalCents)
  const { orderId } = must(await placeOrder(store, input))
  const { quotes } = await listOwnQuotes(store, { ...all, accountId: by.accountId, fate: 'ordered' })
  expect(quotes).toMatchObject([{ id, orderId, tires: 4 }])
  expect((await readOrderFates(store.db, [orderId])).get(orderId)?.totalCents).toBe(totalCents)
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('only the owning account can use a quote, and staff can end every quote', async () => {
  await using store = await openStore()
  const [by, other] = [await makeSeller(store), await makeSeller(store)]
  const form = await formOf(store, by)
  const { id } = must(await sendCart(store, by, form))
  expect(await findOwnQuote(store, other.accountId, id)).toBeUndefined()
  expect((await listOwnQuotes(store, { ...all, accountId: other.accountId })).quotes).toEqual([])
  expect(await withdrawQuote(store, other, { id, reason: 'Mine now.' })).toMatchObject({ reason: 'not-found' })
  expect(await sendAgain(store, other, { id, mails: 1 })).toMatchObject({ reason: 'not-found' })
  expect(await sendCart(store, other, form)).toMatchObject({ reason: 'not-allowed' })
  expect((await findOwnQuote(store, by.accountId, id))?.events.map(({ to }) => to)).toEqual(['draft', 'sent'])

  must(await withdrawQuote(store, by, { id, reason: 'Wrong tire.' }))
  expect(await readQuote(store, { token: tokenOf(id), accountId: null })).toMatchObject({ reason: 'withdrawn' })
  const next = await send(store, by)
  const { id: version } = must(await startVersion(store, staff, { id: next, key: newId() }))
  expect(await findOwnQuote(store, by.accountId, version)).toBeUndefined()
  must(await withdrawQuote(store, staff, { id: next, reason: 'Recalled.' }))
  expect((await listOwnQuotes(store, { ...all, accountId: by.accountId, fate: 'withdrawn' })).quotes).toHaveLength(2)
  for (const change of [{ created_by: 'Nora' }, { author_account_id: null }])
    expect(
      await store.db.updateTable('sales_quote').set(change).where('id', '=', id).execute().catch(violatedConstraint),
    ).toBe('quote_has_one_author')
})

test('with its type an account loses the right to send and withdraw; what it sent stays good', async () => {
  await using store = await openStore()
  const by = await makeSeller(store)
  const id = await send(store, by)
  const form = await formOf(store, by)
  const before = await countQuotes(store)
  await endGrant(store, { accountId: by.accountId, type: 'Sales Tool' })
  for (const attempt of [
    () => sendCart(store, by, form),
    () => withdrawQuote(store, by, { id, reason: 'x' }),
    () => sendAgain(store, by, { id, mails: 1 }),
  ])
    expect(await attempt()).toMatchObject({ reason: 'not-allowed' })
  expect(await countQuotes(store)).toEqual(before)
  expect(await mailsOf(store, id)).toEqual([`quote:${id}`])
  expect(await readQuote(store, { token: tokenOf(id), accountId: null })).toMatchObject({ ok: true })
})

test('rejects a changed total, a price below the minimum, and an impossible location', async () => {
  await using store = await openStore()
  const by = await makeSeller(store)
  const form = await formOf(store, by)
  const before = await countQuotes(store)
  expect(await sendCart(store, by, { ...form, seenCents: form.seenCents - 1 })).toMatchObject({
    reason: 'price-changed',
    detail: { totalCents: form.seenCents },
  })
  const nowhere = { ...form, place: { fulfillment: 'shop', shopId: 999_999_999 } as const }
  expect(await sendCart(store, by, nowhere)).toMatchObject({ reason: 'incomplete', detail: ['shop-gone'] })
  expect(await sendCart(store, by, { ...form, cart: { ...form.cart, lines: [] } })).toMatchObject({
    reason: 'no-tires',
  })
  const [line] = form.cart.lines
  await store.db
    .updateTable('item')
    .set({ cost_cents: line?.retailUnitCents ?? 0 })
    .where('id', '=', line?.itemId ?? 0)
    .execute()
  store.catalog.cache.clear()
  expect(await sendCart(store, by, form)).toMatchObject({ reason: 'below-floor' })
  expect(await countQuotes(store)).toBe(before)
})

test('a cart’s locations are shops near its ZIP, priced with installation', async () => {
  await using store = await openStore()
  const by = await makeSeller(store)
  const [shop] = await listQuotePlaces(store, await fillCart(store, by))
  const { seenCents } = await formOf(store, by)
  const installed = await formOf(store, by, { fulfillment: 'shop', shopId: shop?.shopId ?? 0 })
  expect(installed.seenCents).toBeGreaterThan(seenCents)
  const { id } = must(await sendCart(store, by, installed))
  expect((await findOwnQuote(store, by.accountId, id))?.quote).toMatchObject({
    fulfillment: 'shop',
    shopId: shop?.shopId,
    totalCents: installed.seenCents,
  })
})

test('the email is sent again once a press, four times at most, and not once the time is over', async () => {
  await using store = await openStore()
  const by = await makeSeller(store)
  const id = await send(store, by)
  for (let mails = 1; mails < mostQuoteMails; mails += 1) {
    const presses = await Promise.all([1, 2, 3].map(() => sendAgain(store, by, { id, mails })))
    expect(presses.every(({ ok }) => ok)).toBe(true)
  }
  expect(await mailsOf(store, id)).toHaveLength(mostQuoteMails)
  expect(await sendAgain(store, by, { id, mails: mostQuoteMails })).toMatchObject({ reason: 'too-often' })
  const next = await send(store, by)
  store.clock.set(store.clock.now().add({ hours: 24 * 9 }))
  expect(await sendAgain(store, by, { id: next, mails: 1 })).toMatchObject({ reason: 'not-possible' })
  // No job has run since.
  const { quotes } = await listOwnQuotes(store, { ...all, accountId: by.accountId, fate: 'expired' })
  expect(quotes.map((quote) => quote.id)).toEqual([next, id])
  expect((await listOwnQuotes(store, { ...all, accountId: by.accountId, fate: 'sent' })).quotes).toEqual([])
})

test('an account sends forty emails a day, and the next is refused before it is priced', async () => {
  await using store = await openStore()
  const by = await makeSeller(store)
  const form = await formOf(store, by)
  const id = await send(store, by)
  for (let count = 1; count < rateLimits.quote.counts.account; count += 1)
    must(await store.rateLimits.take('quote', { account: by.accountId }))
  const unpriced = { ...store, catalog: { ...store.catalog, cache: undefined } } as unknown as Store
  expect(await sendCart(unpriced, by, form)).toMatchObject({ reason: 'too-many' })
  expect(await sendAgain(store, by, { id, mails: 1 })).toMatchObject({ reason: 'too-many' })
  expect(await mailsOf(store, id)).toHaveLength(1)
})

test('the export has what an account sent; a deleted account leaves its quotes without its name', async () => {
  await using store = await openStore()
  const by = await makeSeller(store)
  const id = await send(store, by)
  expect((await readAccountData(store, by.accountId)).sentQuotes).toMatchObject([
    { number: `Q-${id}`, state: 'sent', email: customer.email, note: customer.note },
  ])
  await deleteAccount(store, by.accountId)
  const left = must(await readQuote(store, { token: tokenOf(id), accountId: null }))
  expect(left.main.author).toEqual({ kind: 'staff', name: 'A closed account' })
})
