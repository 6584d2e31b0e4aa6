/**
 * A store on the small demo data with the sandbox for payments and parcels, and carts ready to be submitted. Over 400
 * lines: the steps of one checkout.
 */
import { sql } from 'kysely'
import { createEasyPost } from '#adapters/carriers/easypost.ts'
import { createFedExPlaces } from '#adapters/places/fedex.ts'
import { createFinancing } from '#adapters/payments/financing.ts'
import { createLenderPayments } from '#adapters/payments/lender.ts'
import { routePayments } from '#adapters/payments/payment-router.ts'
import { createStripeCards } from '#adapters/payments/stripe-cards.ts'
import { createStripePayments } from '#adapters/payments/stripe.ts'
import { holdSlot, createCalendars, type Calendars } from '#domain/scheduling/booking/booking.server.ts'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { createCatalog } from '#domain/catalog/catalog/catalog.server.ts'
import type { Carrier } from '#domain/ordering/orders/carrier.port.ts'
import type { Fulfillment } from '#domain/supply/delivery/delivery.ts'
import { findPickupWarehouses } from '#domain/supply/delivery/delivery.server.ts'
import { findPlacesNear, type PickupPlaces } from '#domain/supply/pickup-places/pickup-places.server.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import { openCharge, refreshPayment, type Financing } from '#domain/payments/payments/payments.server.ts'
import { ruleOf, type ChargedMethod } from '#domain/payments/payments/payments.ts'
import type { CardVault } from '#domain/payments/saved-cards/card-vault.port.ts'
import { agreementKey, readAgreedTime } from './agreement.server.ts'
import { termsOf } from '#domain/kernel/settings/business-terms.testing.ts'
import { changeTerms } from '#domain/kernel/settings/settings.server.ts'
import { businessTerms, type TermName } from '#domain/kernel/settings/settings.ts'
import { selectState } from '#domain/kernel/settings/store-state.sql.server.ts'
import { createBuyer, createPriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { retailBuyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import type { SandboxOptions } from '#sandbox/options.ts'
import { payWithFields, startTestSandbox, easyPostTest, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { giveCompany } from '#tests/support/company.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { usualTire } from '#tests/support/items.ts'
import {
  chooseFulfillment,
  chooseServices,
  installationFor,
  listShopChoices,
  payOnTerms,
  placeOrder,
  quoteCart,
  readDetails,
  saveBilling,
  saveContact,
  type PlaceOrderInput,
} from './checkout.server.ts'
import { addressFingerprint } from './check-address.server.ts'
import { contactForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { openPageToPay, press } from './pages-to-pay.testing.ts'
import type { PlaceOrderDeps } from './place-order.server.ts'

export type TestStore = PlaceOrderDeps & {
  databaseUrl: string
  calendars: Calendars
  clock: ReturnType<typeof fixedClock>
  sandbox: TestSandbox
  carrier: Carrier
  pickupPlaces: PickupPlaces
  financing: Financing
  cardVault: CardVault
  maxReleaseSeconds: number
} & AsyncDisposable

/** Opens the store with a sandbox at `port` and the port after it; expects a receiver of its messages at the third. */
export async function openTestStore(port: number, sandboxOptions: Partial<SandboxOptions> = {}): Promise<TestStore> {
  const clock = fixedClock(smallDataMadeAt)
  const database = await createTestDatabase({ from: 'small-open' })
  const sandbox = await startTestSandbox(port, { clock, ...sandboxOptions })
  const stripe = createStripePayments({
    apiOrigin: sandbox.origin,
    secretKey: testSecrets.stripeSecretKey,
    webhookSecret: testSecrets.webhookSecret,
    clock,
  })
  const financing = createFinancing({
    apiOrigin: sandbox.origin,
    clientId: testSecrets.financingClientId,
    clientSecret: testSecrets.financingClientSecret,
    webhookSecret: testSecrets.financingWebhookSecret,
    clock,
  })
  const lender = createLenderPayments(financing)
  const liveTerms = termsOf({ db: database.db, clock })
  return {
    db: database.db,
    databaseUrl: database.url,
    clock,
    sandbox,
    catalog: createCatalog({ db: database.db, clock, businessTerms: liveTerms }),
    buyer: retailBuyer,
    calendars: createCalendars(database.db),
    payments: routePayments(stripe, { lender }, (method) => ruleOf(method)?.provider ?? 'stripe'),
    cardVault: createStripeCards({ apiOrigin: sandbox.origin, secretKey: testSecrets.stripeSecretKey }),
    financing,
    carrier: createEasyPost({ ...easyPostTest, apiOrigin: sandbox.origin }),
    pickupPlaces: createFedExPlaces({
      apiOrigin: sandbox.origin,
      apiKey: testSecrets.fedExKey,
      secretKey: testSecrets.fedExSecret,
      now: () => clock.now(),
    }),
    releaseAfterSeconds: 1_800,
    maxReleaseSeconds: 1_800,
    businessTerms: liveTerms,
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** The store as the account's next request sees it. */
export function asAccount<Store extends { db: Database; clock: Clock }>(
  store: Store,
  accountId: string,
): Store & Pick<TestStore, 'buyer'> {
  return { ...store, buyer: createBuyer({ ...store, priceLists: createPriceLists(store.db) }, async () => accountId) }
}

/** Returns the store as seen by the cart's owner. */
export async function asOwnerOf(store: TestStore, cartId: string): Promise<TestStore> {
  const { account_id: owner } = await store.db
    .selectFrom('cart')
    .select('account_id')
    .where('id', '=', cartId)
    .executeTakeFirstOrThrow()
  return owner === null ? store : asAccount(store, owner)
}

/** The store as seen by a new account that owns a company. */
export async function asOwner<Store extends { db: Database; clock: Clock }>(
  store: Store,
  email = 'olga@acme.example',
): Promise<Store & Pick<TestStore, 'buyer'> & { accountId: string; companyId: string }> {
  const accountId = newId()
  await store.db
    .insertInto('account')
    .values({ id: accountId, email, email_verified_at: store.clock.now(), name: 'Olga', created_at: store.clock.now() })
    .execute()
  const companyId = await giveCompany(store.db, email, { clock: store.clock })
  return { ...asAccount(store, accountId), accountId, companyId }
}

/** The ID of the tire that tests order. */
export async function pickTire({ db }: Pick<TestStore, 'db'>): Promise<number> {
  return (await usualTire(db)).id
}

type ContactPlace = { city: string; state: string; zip: string }
const chicago: ContactPlace = { city: 'Chicago', state: 'IL', zip: '60614' }

/** A cart of `quantity` tires with everything entered but payment. `openingAt` picks the shop's n-th free time. */
export async function makeReadyCart(
  store: TestStore,
  {
    itemId,
    quantity = 4,
    fulfillment = 'shop',
    openingAt = 0,
    vehicle = null,
    street = '1430 N Halsted St',
    place = chicago,
    email,
    phone,
    hasCoverage = false,
    dealerShopId = null,
  }: {
    itemId?: number
    quantity?: number
    fulfillment?: 'shop' | 'home' | 'carrier-pickup' | 'warehouse-pickup'
    openingAt?: number
    vehicle?: ChosenVehicle | null
    street?: string
    place?: ContactPlace
    email?: string
    phone?: string
    hasCoverage?: boolean
    dealerShopId?: number | null
  } = {},
): Promise<Cart> {
  const added = await addToCart(store, {
    cartId: undefined,
    lines: [{ itemId: itemId ?? (await pickTire(store)), quantity, axle: 'all' }],
    zip: place.zip,
    vehicle,
    dealerShopId,
  })
  const { cartId } = must(added)
  await chooseWay(store, await cartOf(store, cartId), { fulfillment, openingAt })
  await enterDetails(store, cartId, street, email, phone, place)
  if (hasCoverage) await chooseServices(store, await cartOf(store, cartId), { coverage: true, roadside: false })
  return cartOf(store, cartId)
}

async function chooseWay(
  store: TestStore,
  cart: Cart,
  { fulfillment, openingAt }: { fulfillment: Fulfillment; openingAt: number },
): Promise<void> {
  const cartId = cart.id
  if (fulfillment === 'shop') {
    const choice = must(await listShopChoices(store, cart, { zip: '60614', kind: 'shop' })).find(
      ({ openings }) => openings.length > openingAt,
    )
    const opening = choice?.openings[openingAt]
    if (!choice || !opening) throw new Error('No shop has a time for a test.')
    const target = must(await installationFor(store, cart, choice.shop.id))
    must(await holdSlot(store, { cartId, shopId: choice.shop.id, choice: { start: opening.start }, ...target }))
    must(await chooseFulfillment(store, cart, { fulfillment, shopId: choice.shop.id }))
  } else if (fulfillment === 'carrier-pickup') {
    const [place] = must(await findPlacesNear(store, { zip: '60614' })).places
    must(await chooseFulfillment(store, cart, { fulfillment, carrierLocationId: place?.id ?? 0 }))
  } else if (fulfillment === 'warehouse-pickup') {
    const [warehouse] = await findPickupWarehouses(store, { zip: '60614', lines: cart.lines })
    must(await chooseFulfillment(store, cart, { fulfillment, pickupWarehouseId: warehouse?.id ?? 0 }))
  } else {
    must(await chooseFulfillment(store, cart, { fulfillment }))
  }
}

/** Enters who receives and pays for the order of a cart. */
export async function enterDetails(
  store: TestStore,
  cartId: string,
  street = '1430 N Halsted St',
  email = `${cartId}@example.com`,
  phone = '312 555 0188',
  place = chicago,
): Promise<void> {
  const contact = contactForm.parse({
    firstName: 'Dana',
    lastName: 'Reyes',
    address1: street,
    ...place,
    email,
    phone,
    phoneType: 'mobile',
    vehicleNote: '2021 RAV4',
  })
  // Some tests are about addresses that a shopper kept after being asked.
  const kept = { address: addressFingerprint(contact) }
  must(await saveContact(store, await cartOf(store, cartId), contact, kept))
  await saveBilling(
    store,
    cartId,
    { sameAsShipping: '1', poNumber: 'PO-7' },
    { ...contact, phone: { digits: contact.phone.digits, extension: null } },
  )
}

/** What the shopper sees at the order review and agrees to. */
export async function agreeTo(store: TestStore, cart: Cart): Promise<PlaceOrderInput & { totalCents: number }> {
  const { contact } = await readDetails(store, cart.id)
  const { breakdown } = await quoteCart(store, cart, contact, { method: cart.paymentMethod })
  if (!breakdown) throw new Error('The cart of a test has no price.')
  return {
    cartId: cart.id,
    agreedPrice: agreementKey({ cart, contact, breakdown, time: await readAgreedTime(store, cart) }),
    termsAccepted: true,
    conditionsAccepted: true,
    totalCents: breakdown.totals.totalCents,
  }
}

/** Enters a card into the provider's fields, a valid one if omitted. */
export async function payByCard(
  store: TestStore,
  cartId: string,
  amountCents: number,
  card = '4242424242424242',
): Promise<void> {
  const { clientSecret } = must(await openCharge(store, { cartId, amountCents, email: null }))
  const answer = await payWithFields(store.sandbox, clientSecret, card)
  if (answer.status !== 'authorized') throw new Error(answer.error)
}

/** Opens an application at the lender for a cart; returns its page. */
export async function openApplication(store: TestStore, cart: Cart, method: ChargedMethod): Promise<string> {
  return must(await openPageToPay(store, cart, method)).url
}

/** Presses a button of the lender's page. */
export function pressAtLender(store: TestStore, page: string, fields: Record<string, string>): Promise<void> {
  return press(store.sandbox, page, fields)
}

/** Creates a cart that is ready to submit after its shopper completed the lender's application. */
export async function makeFinancedCart(
  store: TestStore,
  { method = 'loan', ...options }: Parameters<typeof makeReadyCart>[1] & { method?: ChargedMethod } = {},
): Promise<PlaceOrderInput & { totalCents: number; page: string }> {
  const cart = await makeReadyCart(store, options)
  const agreed = await agreeTo(store, cart)
  const page = await openApplication(store, cart, method)
  await pressAtLender(store, page, { act: 'apply', person: 'approve' })
  await pressAtLender(store, page, { act: 'sign' })
  must(await refreshPayment(store, { cartId: cart.id }))
  return { ...agreed, page }
}

/** A placed order that a lender pays for on delivery. */
export async function makeFinancedOrder(
  store: TestStore,
  options: Parameters<typeof makeFinancedCart>[1] = {},
): Promise<{ orderId: number; totalCents: number; page: string }> {
  const { totalCents, page, ...input } = await makeFinancedCart(store, options)
  return { orderId: must(await placeOrder(store, input)).orderId, totalCents, page }
}

/** A cart ready for submission. */
export async function makePaidCart(
  store: TestStore,
  options: Parameters<typeof makeReadyCart>[1] = {},
): Promise<PlaceOrderInput & { totalCents: number }> {
  const cart = await makeReadyCart(store, options)
  const agreed = await agreeTo(store, cart)
  await payByCard(store, cart.id, agreed.totalCents)
  return agreed
}

/** A placed order. */
export async function makePlacedOrder(
  store: TestStore,
  options: Parameters<typeof makeReadyCart>[1] = {},
): Promise<{ orderId: number; cartId: string; totalCents: number }> {
  const { totalCents, ...input } = await makePaidCart(store, options)
  return { orderId: must(await placeOrder(store, input)).orderId, cartId: input.cartId, totalCents }
}

/** Places a company owner's order on 30-day terms, and returns it with the owner. */
export async function makeInvoicedOrder(
  store: TestStore,
  options: Parameters<typeof makeReadyCart>[1] = {},
): Promise<{ owner: Awaited<ReturnType<typeof asOwner<TestStore>>>; orderId: number; totalCents: number }> {
  const owner = await asOwner(store)
  const terms = { netDays: 30, creditLimitCents: 1_000_000 }
  must(await setTerms(store, { by: { via: 'command line', name: 'tester' }, id: owner.companyId, terms }))
  const cart = await makeReadyCart(owner, options)
  const { totalCents, ...input } = await agreeTo(owner, cart)
  must(await payOnTerms(owner, { id: cart.id }, totalCents))
  return { owner, orderId: must(await placeOrder(owner, input)).orderId, totalCents }
}

/** Returns the units on hand across all warehouses. */
export async function stockOf({ db }: Pick<TestStore, 'db'>, itemId: number): Promise<number> {
  const { units } = await db
    .selectFrom('stock')
    .select((eb) => eb.fn.sum<number>('on_hand').as('units'))
    .where('item_id', '=', itemId)
    .executeTakeFirstOrThrow()
  return units
}

/** Resolves once this many queries in the database are blocked on a lock. */
export async function untilWaiting(db: Database, count: number): Promise<void> {
  for (;;) {
    const result = await sql<{
      waiting: number
    }>`select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    )
    if ((result.rows[0]?.waiting ?? 0) >= count) return
  }
}

/** Returns an order's ledger balances in cents by account, without zero balances. */
export async function booksOf(db: Database, orderId: number): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: string; cents: number }>`
    select account, sum(amount_cents)::int as cents from ledger_entry where order_id = ${orderId}::bigint group by account having sum(amount_cents) <> 0`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]))
}

/** Returns the value of an outcome; throws if it is a refusal. */
export function must<Value>(
  outcome: { ok: true; value: Value } | { ok: false; reason: string; detail: unknown },
): Value {
  if (outcome.ok) return outcome.value
  throw new Error(`${outcome.reason} ${JSON.stringify(outcome.detail)}`)
}

/** The cart as it is now. */
export async function cartOf(store: TestStore, cartId: string): Promise<Cart> {
  const cart = await readCart(store, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  return cart
}

/** Changes a business term now, a second after everything before, in every process. */
export async function changeTerm(store: TestStore, name: TermName, value: number): Promise<void> {
  const { termsVersion: seen } = await selectState(store.db)
  const { group } = businessTerms[name]
  store.clock.set(store.clock.now().add({ seconds: 1 }))
  const owner = { via: 'command line', name: 'owner' } as const
  must(await changeTerms(store, owner, { group, input: { values: { [name]: value }, startsAt: null, seen } }))
  await store.businessTerms.read()
}
