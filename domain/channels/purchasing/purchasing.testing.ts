/** A company with a purchasing system, and orders as it sends them. */
import {
  asOwner,
  makeReadyCart,
  must,
  openTestStore,
  pickTire,
  type TestStore,
} from '#domain/ordering/checkout/checkout.testing.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import { createPriceLists, type PriceLists } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { createCalendars } from '#domain/scheduling/booking/booking.server.ts'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import { chooseFulfillment, quoteCart } from '#domain/ordering/checkout/checkout.server.ts'
import type { PurchasingChannel } from './purchasing.ts'
import { asCompany } from './place-purchase.server.ts'
import { keepTakenCart, openPunchout, readPunchoutCart, startPunchout } from './punchout.server.ts'
import { purchaseItems, type PurchaseItem } from './purchase-items.ts'
import type { PurchaseRequest, RequestedLine } from './purchase-request.ts'
import { findPurchasingSystem, issuePurchasingSecret, setPurchasingSystem } from './systems.server.ts'
import type { PurchasingSystem } from './systems.sql.server.ts'

export const testConfig = { config: { session: { secret: 'a-secret-for-tests-that-is-long-enough' } } }

export type PurchasingStore = TestStore & { priceLists: PriceLists } & typeof testConfig

/** Opens a store; see `openTestStore` for its ports. */
export async function openPurchasingStore(
  port: number,
  options?: Parameters<typeof openTestStore>[1],
): Promise<PurchasingStore> {
  const store = await openTestStore(port, options)
  return Object.assign(store, {
    priceLists: createPriceLists(store.db),
    calendars: createCalendars(store.db),
    ...testConfig,
  })
}

export const acmeTerms = {
  channel: 'procurement' as PurchasingChannel,
  domain: 'DUNS',
  identity: '080000001',
  url: null as string | null,
  secret: null as string | null,
  billName: 'Acme Plumbing AP',
  billStreet: '20 Ledger Lane',
  billCity: 'Chicago',
  billState: 'IL',
  billZip: '60614',
  phone: '3125550142',
  email: 'ap@acme.example',
}

/** Creates a company with net terms and a purchasing system; returns it with the secret for its documents. */
export async function givePurchasing(
  store: PurchasingStore,
  terms: Partial<typeof acmeTerms> = {},
  email?: string,
): Promise<{ system: PurchasingSystem; secret: string; companyId: string }> {
  const { companyId } = await asOwner(store, email)
  must(await setTerms(store, { by: desk, id: companyId, terms: { netDays: 30, creditLimitCents: 1_000_000 } }))
  must(await setPurchasingSystem(store, { companyId, terms: { ...acmeTerms, ...terms }, by: desk }))
  const { secret } = must(await issuePurchasingSecret(store, { companyId, endsOthers: false, by: desk }))
  const found = await findPurchasingSystem(store, companyId)
  if (!found) throw new Error('The purchasing system of a test is not there.')
  return { system: found.system, secret, companyId }
}

/**
 * A visit with a cart of four tires and a reservation that is transferred, and its order as sent by the purchasing
 * system.
 */
export async function installOrderOf(
  store: PurchasingStore,
  system: PurchasingSystem,
): Promise<{ request: PurchaseRequest; cartId: string }> {
  const deps = await asCompany(store, system)
  const setup = { buyerCookie: 'c', returnUrl: 'https://buyer.example/return', zip: '60614', customerId: null }
  const { token } = must(await startPunchout(store, system, { ...setup, operation: 'create', lines: [] }))
  const visit = await openPunchout(store, token)
  const { id: cartId } = await makeReadyCart(deps)
  await keepTakenCart(store, visit?.id ?? '', cartId)
  const taken = await readPunchoutCart(deps, cartId)
  if (!visit || !taken?.installation) throw new Error('The cart of a test is not installed.')
  const { items, totalCents, taxCents, installation } = taken
  const request = await orderOf(store, system, {
    totalCents,
    taxCents,
    origin: visit.id,
    installAt: installation.shopCode,
    appointmentAt: installation.at,
    lines: linesOf(items),
  })
  return { request, cartId }
}

/** An order of four tires to an address in Chicago, at the price that the company has now. */
export async function orderOf(
  store: PurchasingStore,
  system: PurchasingSystem,
  asked: Partial<PurchaseRequest> = {},
  itemId?: number,
): Promise<PurchaseRequest> {
  const deps = await asCompany(store, system)
  const { cartId } = must(
    await addToCart(deps, {
      cartId: undefined,
      lines: [{ itemId: itemId ?? (await pickTire(store)), quantity: 4, axle: 'all' }],
      zip: '60614',
      vehicle: null,
    }),
  )
  const cart = await readCart(deps, cartId)
  if (!cart) throw new Error('The cart of a test is gone.')
  must(await chooseFulfillment(deps, cart, { fulfillment: 'home' }))
  const now = await readCart(deps, cartId)
  const { breakdown } = await quoteCart(deps, now ?? cart, null)
  if (!breakdown) throw new Error('The cart of a test has no price.')
  const items = purchaseItems(breakdown, () => cart.lines[0]?.article.sku ?? '')
  return {
    payloadId: 'order-1@acme.example',
    isTest: false,
    orderId: 'PO-1001',
    orderDate: '2026-11-20T12:00:00Z',
    totalCents: items.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0),
    taxCents: breakdown.totals.taxCents,
    shipTo: {
      name: 'Acme Plumbing',
      deliverTo: ['Dana Reyes', 'Dock 4'],
      street: ['1430 N Halsted St'],
      city: 'Chicago',
      state: 'IL',
      zip: '60614',
      country: 'US',
    },
    billToName: 'Acme Plumbing AP',
    costCenter: 'CC-77',
    customerId: null,
    vehicle: null,
    origin: null,
    installAt: null,
    appointmentAt: null,
    lines: linesOf(items),
    ...asked,
  }
}

function linesOf(items: readonly PurchaseItem[]): RequestedLine[] {
  return items.map(({ partId, quantity, unitCents }, index) => ({
    lineNumber: (index + 1) * 10,
    partId,
    quantity,
    unit: 'EA',
    unitCents,
  }))
}
