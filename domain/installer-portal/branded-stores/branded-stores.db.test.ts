/** A branded store, from creation to a coverage claim on a sale. */
import { createRateLimits } from '#adapters/limits/rate-limits.ts'
import { expect, test } from 'vitest'
import { createDnsHostProof } from '#adapters/dns/host-proof.ts'
import { readCart, setDealer } from '#domain/payments/cart/cart.server.ts'
import { listShopChoices, placeOrder, quoteCart, readDetails } from '#domain/ordering/checkout/checkout.server.ts'
import {
  agreeTo,
  makePaidCart,
  makePlacedOrder,
  makeReadyCart,
  must,
  payByCard,
} from '#domain/ordering/checkout/checkout.testing.ts'
import {
  approveClaim,
  claimForm,
  fileClaim,
  findClaim,
} from '#domain/aftercare/coverage-claims/coverage-claims.server.ts'
import { readOrder, selectDealerOrders } from '#domain/ordering/orders/orders.server.ts'
import { makeDeliveredOrder, openReturnsStore, photo } from '#domain/ordering/returns/returns.testing.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { isResendable, messageKinds } from '#domain/messaging/messages/messages.ts'
import { startDnsServer } from '#tests/support/dns-server.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { verify } from '#tests/support/invariants.ts'
import {
  findBrandedStore,
  hostRecordOf,
  mailBrandOf,
  proveHost,
  readOwnStore,
  saveStore,
  storeStateOf,
  switchStore,
} from './branded-stores.server.ts'
import { brandedStoreForm } from './branded-stores.ts'
import { brandedShop, memberOf, openBrandedStore, saveTyped, typedStore } from './branded-stores.testing.ts'

const [port = 0] = await freePorts(3)
const visited = (store: Awaited<ReturnType<typeof openReturnsStore>>) =>
  findBrandedStore(store.db, { dealerCode: 'HALSTED' })

test('an owner creates a store, the office approves it, and a name change needs a new approval', async () => {
  await using store = await openReturnsStore(port)
  const owner = await memberOf(store)
  const saved = await Promise.all(Array.from({ length: 10 }, () => saveTyped(store, owner)))
  expect(saved.filter(({ ok }) => ok)).toHaveLength(1)
  for (const outcome of saved) if (!outcome.ok) expect(outcome.reason).toBe('stale')
  expect(await visited(store)).toBeUndefined()
  const turn = (seen: number, offReason: string | null = null) =>
    switchStore(store, { shopCode: brandedShop, seen, offReason, by: desk })
  expect(await turn(2)).toMatchObject({ reason: 'changed-meanwhile' })
  expect(await turn(1, ' ')).toMatchObject({ reason: 'no-reason' })
  must(await turn(1))
  must(await turn(1))
  expect(await visited(store)).toMatchObject({ installerId: brandedShop, name: 'Halsted Tire', logo: null })
  expect(await findBrandedStore(store.db, { installerId: brandedShop })).toMatchObject({ dealerCode: 'HALSTED' })
  expect(await findBrandedStore(store.db, { dealerCode: 'NOBODY' })).toBeUndefined()
  // Colors are the shop's to change, its name and logo are looked at.
  expect(must(await saveTyped(store, owner, { seen: '1', brandColor: '#1e5b3a' }))).toEqual({ waits: false })
  expect(await visited(store)).toMatchObject({ brandColor: '#1e5b3a' })
  const input = brandedStoreForm.parse({ ...typedStore, brandColor: '#1e5b3a', seen: '2' })
  expect(must(await saveStore(store, owner, { input, file: await photo('logo.png') }))).toEqual({ waits: true })
  expect(await visited(store)).toBeUndefined()
  must(await turn(3, 'This is the logo of another company.'))
  const own = await readOwnStore(store, owner.shopId)
  expect(own && storeStateOf(own)).toBe('off')
  expect(own?.offReason).toMatch(/another company/)
  expect(own?.logo).toMatch(/^[0-9a-f]{32}$/)
  const acts = await store.db
    .selectFrom('audit_entry')
    .select('act')
    .where('subject', '=', brandedShop)
    .where('act', 'like', 'branded-store.%')
    .orderBy('id')
    .execute()
  expect(acts.map(({ act }) => act)).toEqual(['branded-store.switched-on', 'branded-store.switched-off'])
})

test('a technician makes no store, a code is one shop’s, and a file that is no picture is refused', async () => {
  await using store = await openReturnsStore(port)
  expect(await saveTyped(store, await memberOf(store, 'technician'))).toMatchObject({ reason: 'not-allowed' })
  await openBrandedStore(store)
  const elsewhere = await memberOf(store, 'shop-owner', 'SW-99001')
  expect(await saveTyped(store, elsewhere)).toMatchObject({ reason: 'code-taken' })
  const input = brandedStoreForm.parse({ ...typedStore, dealerCode: 'FULLER' })
  const file = { name: 'logo.svg', bytes: new TextEncoder().encode('<svg onload="alert(1)"/>') }
  expect(await saveStore(store, elsewhere, { input, file })).toMatchObject({ reason: 'not-a-picture' })
  must(await saveTyped(store, elsewhere, { dealerCode: 'FULLER' }))
  // A shop that is not open to shoppers has no visits.
  expect(await switchStore(store, { shopCode: 'SW-99001', seen: 1, offReason: null, by: desk })).toMatchObject({
    reason: 'shop-not-offered',
  })
})

test('a branded store’s cart preselects its shop and plan, and the order stores them', async () => {
  await using store = await openReturnsStore(port)
  const dealer = await openBrandedStore(store)
  const cart = await makeReadyCart(store, { dealerShopId: dealer.shopId, hasCoverage: true })
  expect(cart).toMatchObject({ fulfillment: 'shop', shopId: dealer.shopId, dealer: { dealerCode: 'HALSTED' } })
  const choices = must(await listShopChoices({ ...store }, cart, { zip: '90001', kind: 'shop' }))
  expect(choices.map(({ shop }) => shop.id)).toEqual([dealer.shopId])
  const { breakdown } = await quoteCart(store, cart, (await readDetails(store, cart.id)).contact)
  expect(breakdown?.explain.find(({ key }) => key === 'road-hazard')).toMatchObject({ label: 'Road hazard plan' })
  expect(breakdown?.explain.some(({ key }) => key === 'coverage')).toBe(false)
  const { totalCents, ...input } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  const { orderId } = must(await placeOrder(store, input))
  const order = await readOrder(store.db, orderId)
  expect(order?.dealer).toMatchObject({ shopId: dealer.shopId, dealerCode: 'HALSTED', installerId: brandedShop })
  expect(order?.lines.find(({ kind }) => kind === 'coverage')).toMatchObject({
    coveragePlan: 'road-hazard',
    description: 'Road hazard plan',
    quantity: 4,
  })
  const since = store.clock.now().subtract({ hours: 1 })
  const sold = await selectDealerOrders(store.db, { shopId: dealer.shopId, since, limit: 10 })
  expect(sold.figures).toEqual({ orders: 1, tires: 4, plans: 1, jobsDone: 0 })
  expect(sold.orders).toMatchObject([{ orderId, lastInitial: 'R', hasPlan: true, job: { state: 'confirmed' } }])
  expect(Object.keys(sold.orders[0] ?? {})).not.toContain('email')
  expect((await verify(store.db, store.clock.now())).filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a branded store that is switched off during payment sells no plan', async () => {
  await using store = await openReturnsStore(port)
  const dealer = await openBrandedStore(store)
  const { totalCents: _, ...input } = await makePaidCart(store, { dealerShopId: dealer.shopId, hasCoverage: true })
  must(await switchStore(store, { shopCode: brandedShop, seen: 1, offReason: 'Closed for now.', by: desk }))
  expect(await placeOrder(store, input)).toMatchObject({ reason: 'price-changed' })
  expect((await readCart(store, input.cartId))?.dealer).toBeNull()
  // When the shopper leaves the branded store, the cart becomes ours, with our coverage at the same price.
  await setDealer(store.db, { id: input.cartId, accountId: null }, null, store.clock.now())
  const cart = await readCart(store, input.cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { totalCents, ...again } = await agreeTo(store, cart)
  await payByCard(store, cart.id, totalCents)
  const { orderId } = must(await placeOrder(store, again))
  const order = await readOrder(store.db, orderId)
  expect(order?.dealer).toBeNull()
  expect(order?.lines.find(({ kind }) => kind === 'coverage')?.coveragePlan).toBe('replacement')
})

test('a road hazard claim pays the full tire, then half of it, without labor', async () => {
  await using store = await openReturnsStore(port)
  const dealer = await openBrandedStore(store)
  const { orderId } = await makeDeliveredOrder(store, 'shop', { hasCoverage: true, dealerShopId: dealer.shopId })
  const delivered = store.clock.now().toZonedDateTimeISO('America/Chicago').toPlainDate()
  const usDay = ({ month, day, year }: Temporal.PlainDate) => `${month}/${day}/${year}`
  const claims = { ...store, rateLimits: createRateLimits(store) }
  const file = async (happened: Temporal.PlainDate, change: Record<string, string> = {}) =>
    fileClaim(
      claims,
      claimForm.parse({
        orderNumber: `S-${orderId}`,
        tires: '1',
        kind: 'replacement',
        cause: 'pothole',
        happenedOn: usDay(happened),
        ...change,
      }),
      { isOwn: true, networkKey: 'network-1', file: await photo('damage.png') },
    )
  const tire = (await readOrder(store.db, orderId))?.lines.find(({ kind }) => kind === 'tire')
  const each = Math.floor((tire?.netCents ?? 0) / 4)
  // Disabled since, but sold plans remain valid.
  must(await switchStore(store, { shopCode: brandedShop, seen: 1, offReason: 'Closed for now.', by: desk }))
  store.clock.set(store.clock.now().add({ hours: 24 * 7 }))
  const first = must(await file(delivered.add({ days: 3 }))).id
  expect(await findClaim(store, first)).toMatchObject({ plan: 'road-hazard', mostCents: each })
  expect(await approveClaim(store, { id: first, givenCents: each + 1, by: desk })).toMatchObject({
    reason: 'more-than-plan',
  })
  must(await approveClaim(store, { id: first, givenCents: each, by: desk }))
  expect(await file(delivered.add({ days: 3 }), { kind: 'repair', paid: '20.00' })).toMatchObject({
    reason: 'not-covered',
    detail: [{ field: 'kind' }],
  })
  store.clock.set(store.clock.now().add({ hours: 24 * 730 }))
  const second = must(await file(delivered.add({ years: 1 }))).id
  expect(await findClaim(store, second)).toMatchObject({ mostCents: Math.ceil(each / 2) })
  expect(await file(delivered.add({ months: 24 }))).toMatchObject({
    reason: 'not-covered',
    detail: [{ field: 'happenedOn' }],
  })
})

test('orders from our own store have no dealer and no shop list', async () => {
  await using store = await openReturnsStore(port)
  const dealer = await openBrandedStore(store)
  const { orderId } = await makePlacedOrder(store, { hasCoverage: true })
  expect((await readOrder(store.db, orderId))?.dealer).toBeNull()
  const since = store.clock.now().subtract({ hours: 1 })
  expect((await selectDealerOrders(store.db, { shopId: dealer.shopId, since, limit: 10 })).orders).toEqual([])
})

test('emails to the shopper have the name of the branded store, and emails to shops do not', async () => {
  await using store = await openReturnsStore(port)
  const dealer = await openBrandedStore(store)
  const { orderId } = await makePlacedOrder(store, { dealerShopId: dealer.shopId })
  const brands = messageKinds
    .filter(isResendable)
    .map(async (kind) => ({ kind, name: (await mailBrandOf(store, { kind, orderId }))?.name }))
  expect((await Promise.all(brands)).filter(({ name }) => name !== 'Halsted Tire')).toEqual([])
  for (const kind of ['shop-problem', 'shop-booking-news', 'support-request'] as const)
    expect(await mailBrandOf(store, { kind, orderId })).toBeNull()
})

test('a host name requires domain verification and belongs to one shop', async () => {
  await using store = await openReturnsStore(port)
  const records = new Map<string, string[]>()
  await using server = await startDnsServer(records)
  const deps = { ...store, hostProof: createDnsHostProof({ servers: [server.address] }) }
  const { owner } = await openBrandedStore(store)
  const hostName = 'tires.halsted.example'
  const found = () => findBrandedStore(store.db, { hostName })
  expect(await proveHost(deps, owner)).toMatchObject({ reason: 'no-host' })
  must(await saveTyped(store, owner, { seen: '1', hostName }))
  expect(await proveHost(deps, owner)).toMatchObject({ reason: 'no-record' })
  const recordOf = async (shopId: number) => {
    const own = await readOwnStore(store, shopId)
    return (own && hostRecordOf(own)) ?? { name: '', text: '' }
  }
  const record = await recordOf(owner.shopId)
  records.set(record.name, ['sidewall-store=guessed', record.text])
  expect(await found()).toBeUndefined()
  must(await proveHost(deps, owner))
  expect(await found()).toMatchObject({ dealerCode: 'HALSTED' })
  // Another shop that has the domain by now proves it, too, but the name is taken until it is given up.
  const other = await memberOf(store, 'shop-owner', 'SW-99001')
  must(await saveTyped(store, other, { dealerCode: 'FULLER', hostName }))
  expect(await proveHost(deps, other)).toMatchObject({ reason: 'no-record' })
  records.get(record.name)?.push((await recordOf(other.shopId)).text)
  expect(await proveHost(deps, other)).toMatchObject({ reason: 'host-taken' })
  must(await saveTyped(store, owner, { seen: '2', hostName: 'www.halsted.example' }))
  expect(await found()).toBeUndefined()
  must(await proveHost(deps, other))
  // Its shop is not open to shoppers.
  expect(await found()).toBeUndefined()
})
