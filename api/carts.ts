/** The cart's API representation and its ETag. Changes lock the cart before comparing the ETag. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import { answer, type Answer } from '#api/operation.ts'
import { problem, type OwnCode, type Problem } from '#api/problem.ts'
import { cents } from '#api/schemas.ts'
import { cookiesFor } from '#http/visitor.ts'
import { keepForAccount } from '#domain/customers/accounts/accounts.server.ts'
import {
  articleName,
  atLatestZip,
  type Cart,
  maxQuantityPerLine,
  planOf,
  tireCountOf,
} from '#domain/payments/cart/cart.ts'
import { cartReader, findCart, lockOpenCart } from '#domain/payments/cart/cart.server.ts'
import { couponCodeOf } from '#domain/catalog/coupons/coupons.server.ts'
import { chargedPrices } from '#domain/ordering/checkout/checkout.ts'
import {
  findShownPrice,
  quoteCart,
  readChangeNotes,
  readReleaseNotes,
  readCheckout,
  readEntered,
  settleHold,
  type Checkout,
  type Entered,
} from '#domain/ordering/checkout/checkout.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { chosenVehicleSchema, encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { atOnce } from '#platform/at-once.ts'
import { inTransaction } from '#platform/db.ts'
import type { Application } from '#application'

export const axle = z
  .enum(['all', 'front', 'rear'])
  .meta({ description: 'Every wheel, or one axle of a staggered set' })
export const fulfillment = z.enum(['shop', 'mobile', 'home', 'carrier-pickup', 'warehouse-pickup'])
export const quantity = z.int().min(1).max(maxQuantityPerLine)

export const cartView = z
  .strictObject({
    version: z.int(),
    tireCount: z.int(),
    zip: z.string().nullable(),
    vehicle: z.strictObject({ key: z.string(), name: z.string() }).nullable(),
    fulfillment: fulfillment.nullable(),
    shopId: z.int().nullable(),
    carrierLocationId: z.int().nullable(),
    pickupWarehouseId: z.int().nullable(),
    dealerCode: z
      .string()
      .nullable()
      .meta({ description: 'The branded store the cart is in; null for our own', examples: ['HALSTED'] }),
    installerId: z
      .string()
      .nullable()
      .meta({ description: 'The code of that store’s shop', examples: ['SW-00001'] }),
    coveragePlan: z
      .enum(['replacement', 'road-hazard'])
      .meta({ description: 'The plan that covers its tires. Branded stores sell the road hazard plan' }),
    roadside: z.boolean(),
    coupon: z
      .string()
      .nullable()
      .meta({
        description: 'The code of its coupon; what it takes off, or why not, is in the price',
        examples: ['WELCOME10'],
      }),
    servicesAsked: z
      .boolean()
      .meta({ description: 'Whether coverage and roadside assistance were chosen or declined' }),
    service: z
      .strictObject({ service: z.string(), units: z.int() })
      .nullable()
      .meta({ description: 'The service without tires that it books at its shop. Such a cart has no lines' }),
    parts: z
      .array(
        z.strictObject({
          sku: z.string(),
          kind: z.string().meta({ examples: ['tpms-sensor'] }),
          name: z.string(),
          quantity: z.int(),
          unitCents: cents,
          isSold: z.boolean().meta({ description: 'Whether it is still for sale. Others have to be removed' }),
        }),
      )
      .meta({ description: 'Parts that are packed with its tires' }),
    lines: z.array(
      z.strictObject({
        itemId: z.int(),
        axle,
        quantity: z.int(),
        name: z.string(),
        sku: z.string(),
        coverage: z.boolean(),
        unitCents: cents.meta({
          description: 'List price of one tire, before promotions and excise tax',
        }),
        chargedUnitCents: cents.meta({
          description:
            'Price per tire before excise tax. The account’s price or the public price after promotions, whichever is lower for these tires',
        }),
        priceLabel: z
          .string()
          .nullable()
          .meta({ description: 'The label of that price; null for the public price', examples: ['Fleet price'] }),
        seenUnitCents: cents.meta({ description: 'The price when the tire was added or last accepted' }),
        fetUnitCents: cents.meta({ description: 'Federal excise tax on one tire, added on top' }),
        available: z.int(),
      }),
    ),
  })
  .meta({ id: 'Cart' })

/** A cart after a change of it. */
export const changedCart = cartView
  .extend({
    notes: z.array(z.string()).meta({
      description:
        'What the change took away, or what the price does not count and why: a discount, a service, or the held time. Discounts and services only once a price of the cart was read',
    }),
  })
  .meta({ id: 'ChangedCart' })

export const etagHeader = { ETag: 'Identifies this state of the cart; send it as `If-Match`' }
/** Errors every change of a cart may return. */
export const changeRefusals = ['NoCart', 'PreconditionFailed'] as const
export const noCart = () => problem('NoCart', 'This cart does not exist or has been ordered. Create a new one.')

type CartAnswer = Answer<z.input<typeof cartView>>
type ChangedCartAnswer = Answer<z.input<typeof changedCart>>
type CartCall = {
  readonly app: Application
  readonly caller: Caller
  readonly ifMatch: string | undefined
  /** The caller after the call, if the call changes the caller's own place. */
  readonly callerAfter?: Caller
}

/** Returns the caller's open cart, at the place the caller named last. */
export async function readOwnCart(app: Application, caller: Caller): Promise<Cart | undefined> {
  const cart = await findCart(app, caller.cartId)
  return cart && atLatestZip(cart, caller.visitor)
}

/** The same with a shop or van that takes orders, in one round trip. */
export async function readOwnCartAt(app: Application, caller: Caller, shopId: number) {
  const { cartId } = caller
  if (cartId === undefined) return { cart: undefined, installer: undefined }
  const readCart = await cartReader(app)
  const [cart, installer] = await atOnce(app.db, [
    (db) => readCart(db, cartId),
    (db) => findShop({ ...app, db }, { id: shopId }),
  ])
  return { cart: cart?.state === 'open' ? atLatestZip(cart, caller.visitor) : undefined, installer }
}

/** Reads the caller's cart with its entered details in one query. */
export async function readOwnEntered(app: Application, caller: Caller): Promise<Entered | undefined> {
  const entered = await readEntered(app, caller.cartId)
  return entered && { ...entered, cart: atLatestZip(entered.cart, caller.visitor) }
}

/** The same with the shop it is to go to, for pricing it. */
export async function readOwnCheckout(app: Application, caller: Caller): Promise<Checkout | undefined> {
  const checkout = await readCheckout(app, caller.cartId)
  return checkout && { ...checkout, cart: atLatestZip(checkout.cart, caller.visitor) }
}

export async function cartAnswer(
  app: Application,
  cart: Cart,
  headers: Readonly<Record<string, string>> = {},
): Promise<CartAnswer> {
  const view = await viewOf(app, cart)
  return answer(view, { etag: etagOf(view), ...headers })
}

/**
 * Changes the caller's cart and returns its new state. `change` receives the application in a transaction with the cart locked
 * and If-Match verified. Refusals don't write.
 */
export async function changeCart<Code extends OwnCode = never>(
  call: CartCall,
  change: (app: Application, cart: Cart) => Promise<Problem<Code | 'BadRequest'> | undefined>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ChangedCartAnswer | Problem<Code | 'BadRequest' | 'NoCart' | 'PreconditionFailed'>> {
  const changed = await writeChange(call, change, headers)
  if (!changed.ok) return changed
  const { shown, isReleased, ...answered } = changed
  // Runs after the commit because pricing can call the tax provider.
  const notes = shown ? await notesOn(call, shown) : isReleased ? await releaseNotesOn(call) : []
  return { ...answered, value: { ...answered.value, notes } }
}

type ShownPrice = NonNullable<Awaited<ReturnType<typeof findShownPrice>>>

/** What the caller's cart lost by its change; see `readChangeNotes`. */
async function notesOn({ app, caller, callerAfter = caller }: CartCall, shown: ShownPrice): Promise<string[]> {
  const checkout = await readOwnCheckout(app, callerAfter)
  if (!checkout) return []
  const { cart, contact } = checkout
  return readChangeNotes(app, cart, { shown, quote: await quoteCart(app, cart, contact, { shop: checkout.shop }) })
}

/** Why the change released the held time of a cart without a price to compare with. */
async function releaseNotesOn({ app, caller, callerAfter = caller }: CartCall): Promise<string[]> {
  const after = await readOwnCart(app, callerAfter)
  return after ? readReleaseNotes(app, after) : []
}

/** The answer, with the price that was shown before the change, and whether it released the held time. */
function writeChange<Code extends OwnCode = never>(
  { app, caller, ifMatch, callerAfter = caller }: CartCall,
  change: (app: Application, cart: Cart) => Promise<Problem<Code | 'BadRequest'> | undefined>,
  headers: Readonly<Record<string, string>>,
): Promise<
  | (CartAnswer & { shown: ShownPrice | undefined; isReleased: boolean })
  | Problem<Code | 'BadRequest' | 'NoCart' | 'PreconditionFailed'>
> {
  const { cartId } = caller
  return inTransaction(app.db, async (tx) => {
    const own = { ...app, db: tx }
    if (cartId === undefined) return noCart()
    const readCart = await cartReader(own)
    const [locked, found, shown] = await atOnce(tx, [
      (db) => lockOpenCart(db, cartId),
      (db) => readCart(db, cartId),
      (db) => findShownPrice(db, cartId),
    ])
    const before = locked && found && atLatestZip(found, caller.visitor)
    if (!before) return noCart()
    const etag = ifMatch === undefined ? '' : etagOf(await viewOf(own, before))
    if (ifMatch !== undefined && !matches(ifMatch, etag))
      return problem(
        'PreconditionFailed',
        'The cart changed since you read it. Read it again, then retry the change.',
        {
          headers: { etag },
        },
      )
    const failed = await change(own, before)
    if (failed) return failed
    const after = await readOwnCart(own, callerAfter)
    if (!after) return noCart()
    const hasOtherContents = contentsOf(after) !== contentsOf(before)
    const outcome = hasOtherContents ? await settleHold(own, { cartId, heldBy: caller.visitor.networkKey }) : null
    return { ...(await cartAnswer(own, after, headers)), shown, isReleased: outcome !== null }
  })
}

/** What a held time depends on. */
function contentsOf({ lines, vehicle }: Cart): string {
  return JSON.stringify([vehicle, lines.map(({ itemId, axle, quantity }) => [itemId, axle, quantity])])
}

/**
 * Returns the cookies for the store's own script. Empty for other callers. For a signed-in account, also saves the cart
 * there.
 */
export async function keptInBrowser(
  app: Application,
  caller: Caller,
  kept: { cartId?: string; zip?: string; vehicle?: string | null },
): Promise<Record<string, string>> {
  if (!caller.isBrowser) return {}
  const keep = cookiesFor(app.config)
  const signedIn = kept.cartId === undefined ? undefined : await caller.signedIn()
  if (signedIn && kept.cartId !== undefined) await keepForAccount(app, signedIn.accountId, { cartId: kept.cartId })
  const cookie =
    kept.cartId !== undefined
      ? keep.cart(kept.cartId)
      : kept.zip !== undefined
        ? keep.zip(kept.zip)
        : kept.vehicle !== undefined
          ? keep.vehicle(kept.vehicle)
          : null
  return cookie === null ? {} : { 'set-cookie': cookie }
}

async function viewOf(app: Application, cart: Cart): Promise<z.input<typeof cartView>> {
  const chargedOf = chargedPrices(cart.lines, null, app.businessTerms.current)
  const vehicle = chosenVehicleSchema.safeParse(cart.vehicle)
  return {
    version: cart.version,
    tireCount: tireCountOf(cart),
    zip: cart.zip,
    vehicle: vehicle.success ? { key: encodeChosenVehicle(vehicle.data), name: vehicle.data.name } : null,
    fulfillment: cart.fulfillment,
    shopId: cart.shopId,
    carrierLocationId: cart.carrierLocationId,
    pickupWarehouseId: cart.pickupWarehouseId,
    dealerCode: cart.dealer?.dealerCode ?? null,
    installerId: cart.dealer?.installerId ?? null,
    coveragePlan: planOf(cart),
    roadside: cart.roadside,
    coupon: await couponCodeOf(app, cart),
    servicesAsked: cart.servicesAsked,
    service: cart.services[0] ?? null,
    parts: cart.parts.map(({ sku, kind, name, quantity: units, unitCents, isOnSale }) => ({
      sku,
      kind,
      name,
      quantity: units,
      unitCents,
      isSold: isOnSale,
    })),
    lines: cart.lines.map((line) => {
      const charged = chargedOf(line)
      return {
        itemId: line.itemId,
        axle: line.axle,
        quantity: line.quantity,
        name: articleName(line.article),
        sku: line.article.sku,
        coverage: line.coverage,
        unitCents: line.unitCents,
        chargedUnitCents: charged.unitCents,
        priceLabel: charged.label,
        seenUnitCents: line.seenUnitCents,
        fetUnitCents: line.fetUnitCents,
        available: line.available,
      }
    }),
  }
}

/** Returns a strong ETag that also changes with prices and stock. */
function etagOf(view: z.input<typeof cartView>): string {
  return `"${view.version}-${createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 12)}"`
}

function matches(ifMatch: string, etag: string): boolean {
  return ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => tag.trim() === etag)
}
