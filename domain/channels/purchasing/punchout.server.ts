/**
 * PunchOut. A purchasing system's user shops here at the company's prices, sees only its brands, and transfers the cart
 * back as order lines for approval. The visit's link can be used once.
 */
import { createHash, randomBytes } from 'node:crypto'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import { findCatalogIds } from '#domain/catalog/catalog/catalog.server.ts'
import { chooseFulfillment, quoteCart, type QuoteProblem } from '#domain/ordering/checkout/checkout.server.ts'
import type { PlaceOrderDeps } from '#domain/ordering/checkout/checkout.server.ts'
import { salesTaxNames, salesTaxText } from '#domain/pricing/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { asCompany, type PurchaseDeps } from './place-purchase.server.ts'
import { purchaseItems, serviceParts, type PurchaseItem } from './purchase-items.ts'
import { punchoutHours, punchoutLinkMinutes } from './purchasing.ts'
import { selectSystem, type PurchasingSystem } from './systems.sql.server.ts'

type Deps = { db: Database; clock: Clock }

export const punchoutOperations = ['create', 'edit', 'inspect'] as const
export type PunchoutOperation = (typeof punchoutOperations)[number]

export type PunchoutSetup = {
  operation: PunchoutOperation
  buyerCookie: string
  /** Where the browser posts the cart to. */
  returnUrl: string
  zip: string | null
  /** The exchange's customer. */
  customerId: string | null
  /** An order's tires to inspect or edit. */
  lines: readonly { partId: string; quantity: number }[]
}

/** Prepares a visit, and returns what its link holds. */
export async function startPunchout(
  shop: PurchaseDeps,
  system: PurchasingSystem,
  setup: PunchoutSetup,
): Promise<Outcome<{ token: string }, Refused<'invalid', { words: string }>>> {
  const cart = setup.operation === 'create' ? ok(null) : await cartOf(shop, system, setup)
  if (!cart.ok) return cart
  const token = randomBytes(32).toString('base64url')
  const at = shop.clock.now()
  await shop.db
    .insertInto('punchout_session')
    .values({
      id: newId(),
      company_id: system.companyId,
      operation: setup.operation,
      buyer_cookie: setup.buyerCookie,
      return_url: setup.returnUrl,
      link_hash: hashOf(token),
      cart_id: cart.value,
      zip: setup.zip,
      customer_id: setup.customerId,
      created_at: at,
      ends_at: at.add({ minutes: punchoutLinkMinutes }),
    })
    .execute()
  return ok({ token })
}

/** Returns a cart with the tires from an inspected or edited order. */
async function cartOf(
  shop: PurchaseDeps,
  system: PurchasingSystem,
  { lines, zip }: PunchoutSetup,
): Promise<Outcome<string | null, Refused<'invalid', { words: string }>>> {
  const services = new Set<string>(Object.values(serviceParts))
  const tires = lines.filter(({ partId }) => !services.has(partId))
  if (tires.length === 0) return ok(null)
  const deps: PurchaseDeps & PlaceOrderDeps = await asCompany(shop, system)
  const ids = await findCatalogIds(deps.db, { brand: [], line: [], size: [], item: tires.map(({ partId }) => partId) })
  const known = tires.flatMap(({ partId, quantity }) => {
    const itemId = ids.item.get(partId.toLowerCase())
    return itemId === undefined ? [] : { itemId, quantity, axle: 'all' as const }
  })
  if (known.length < tires.length) return refused('invalid', { words: 'A part of the order is not sold here.' })
  const added = await addToCart(deps, { cartId: undefined, lines: known, zip, vehicle: null })
  return added.ok ? ok(added.value.cartId) : refused('invalid', { words: 'A part of the order is not sold to you.' })
}

/** A visit, as continued by the browser that opened it. */
export type PunchoutVisit = {
  id: string
  operation: PunchoutOperation
  buyerCookie: string
  returnUrl: string
  cartId: string | null
  zip: string | null
  customerId: string | null
  system: PurchasingSystem
}

/** Opens a visit by its link, once; undefined if the link is unknown, used or over. */
export async function openPunchout({ db, clock }: Deps, token: string): Promise<PunchoutVisit | undefined> {
  const now = clock.now()
  const opened = await db
    .updateTable('punchout_session')
    .set({ opened_at: now, ends_at: now.add({ hours: punchoutHours }) })
    .where('link_hash', '=', hashOf(token.slice(0, 100)))
    .where('opened_at', 'is', null)
    .where('ends_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return opened && findPunchout({ db, clock }, opened.id)
}

/** Returns an open visit by a still approved company. */
export async function findPunchout({ db, clock }: Deps, id: string): Promise<PunchoutVisit | undefined> {
  if (!isId(id)) return undefined
  const row = await db
    .selectFrom('punchout_session')
    .select(['id', 'company_id', 'operation', 'buyer_cookie', 'return_url', 'cart_id', 'zip', 'customer_id'])
    .where('id', '=', id)
    .where('opened_at', 'is not', null)
    .where('ends_at', '>', clock.now())
    .executeTakeFirst()
  const system = row && (await selectSystem(db, row.company_id))
  if (!row || !system?.isActive) return undefined
  return {
    id: row.id,
    operation: row.operation as PunchoutOperation,
    buyerCookie: row.buyer_cookie,
    returnUrl: row.return_url,
    cartId: row.cart_id,
    zip: row.zip,
    customerId: row.customer_id,
    system,
  }
}

/** Stores the cart a visit transferred, so that its order can release the cart's reservation. */
export async function keepTakenCart({ db }: Pick<Deps, 'db'>, id: string, cartId: string): Promise<void> {
  await db
    .updateTable('punchout_session')
    .set({ cart_id: cartId })
    .where('id', '=', id)
    .where('cart_id', 'is distinct from', cartId)
    .execute()
}

/** Ends a visit, so that the browser no longer shows the company's data. */
export async function endPunchout({ db, clock }: Deps, id: string): Promise<void> {
  const at = clock.now()
  await db
    .updateTable('punchout_session')
    .set((eb) => ({ ends_at: eb.fn('greatest', [eb.ref('created_at'), eb.val(at)]) }))
    .where('id', '=', id)
    .where('ends_at', '>', at)
    .execute()
}

export type PunchoutCart = {
  items: PurchaseItem[]
  /** Without sales tax. */
  totalCents: number
  taxCents: number
  /** The label and the footnote of the tax. */
  taxText: string
  shippingZip: string | null
  /** The shop that installs, and when. */
  installation: { shopCode: string; shopName: string; at: Temporal.Instant; timeZone: string } | null
  problems: QuoteProblem[]
}

/**
 * Returns a visit's cart as lines for the purchasing system; undefined without a cart. A cart without a fulfillment
 * choice is priced for shipping.
 */
export async function readPunchoutCart(
  deps: PlaceOrderDeps,
  cartId: string | undefined,
): Promise<PunchoutCart | undefined> {
  const found = cartId === undefined ? undefined : await readCart(deps, cartId)
  const cart = found?.state === 'open' && found.lines.length > 0 ? await withDestination(deps, found) : undefined
  if (!cart) return undefined
  const [quote, time] = await Promise.all([quoteCart(deps, cart, null), findChosenTime(deps, cart.id)])
  const skus = new Map(cart.lines.map(({ itemId, article }) => [itemId, article.sku]))
  const items = quote.breakdown ? purchaseItems(quote.breakdown, (itemId) => skus.get(itemId) ?? '') : []
  const { shop } = quote
  return {
    items,
    totalCents: items.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0),
    taxCents: quote.breakdown?.totals.taxCents ?? 0,
    taxText: quote.breakdown ? salesTaxText(quote.breakdown.tax) : salesTaxNames.charged,
    shippingZip: quote.shipToZip,
    installation:
      cart.fulfillment === 'shop' && shop && time
        ? { shopCode: shop.code, shopName: shop.name, at: time.booking.start, timeZone: shop.timeZone }
        : null,
    problems: quote.problems,
  }
}

async function withDestination(deps: PlaceOrderDeps, cart: Cart): Promise<Cart | undefined> {
  if (cart.fulfillment !== null) return cart
  await chooseFulfillment(deps, cart, { fulfillment: 'home' })
  return readCart(deps, cart.id)
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
