/** A shopper ready to submit the order, prepared through the use cases that the pages call. */
import { addressFingerprint } from '#domain/ordering/checkout/check-address.server.ts'
import { holdSlot } from '#domain/scheduling/booking/booking.server.ts'
import type { Choice } from '#domain/scheduling/booking/booking.ts'
import type { NewLine } from '#domain/payments/cart/cart.ts'
import { addToCart, readCart } from '#domain/payments/cart/cart.server.ts'
import {
  agreementKey,
  readAgreedTime,
  chooseFulfillment,
  chooseServices,
  installationFor,
  quoteCart,
  readDetails,
  readShopMonth,
  saveBilling,
  saveContact,
  type PlaceOrderInput,
  type ShopMonth,
} from '#domain/ordering/checkout/checkout.server.ts'
import { openCharge } from '#domain/payments/payments/payments.server.ts'
import { readConfig } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'
import { createApplication, type Application, type ApplicationOverrides } from '#application'
import { popularTires } from '#tests/support/items.ts'
import { openInventory } from '#tests/support/inventory.ts'

export type Wish = {
  lines: readonly NewLine[]
  zip: string
  /** Where the tires go; home delivery by default. */
  install?: { shopId: number; kind: 'shop' | 'van' }
  /** Picked up at this warehouse instead. */
  pickupWarehouseId?: number
  services?: { coverage: boolean; roadside: boolean }
  email?: string
  /** The shopper's street, with a house number by default. */
  street?: string
  /** What the shopper wrote about getting in. */
  notes?: string
}

/** The shopper's payment step. */
export type Authorize = (charge: { ref: string; clientSecret: string }) => void | Promise<void>

export type ReadyCart = { cartId: string; totalCents: number; press: PlaceOrderInput }

/** Hundreds of shoppers share a network and a test card here. */
const ofMany = { NETWORK_ATTEMPTS_FACTOR: '1000' }

/**
 * Timeouts for crowds, because their requests wait for each other. tests/faults/silences.test.ts covers the usual ones.
 */
export const longTimeouts = {
  DATABASE_CONNECT_SECONDS: '60',
  DATABASE_LOCK_SECONDS: '60',
  DATABASE_STATEMENT_SECONDS: '60',
}

/** The store as composed by a process, without its log. `size` is the number of database connections. */
export function composeApplication(
  url: string,
  parts: ApplicationOverrides = {},
  { size = 10, env = {} }: { size?: number; env?: Record<string, string> } = {},
): Application & AsyncDisposable {
  const config = readConfig({ DATABASE_URL: url, DATABASE_POOL: String(size), LOG_LEVEL: 'silent', ...ofMany, ...env })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const app = createApplication(config.value, parts)
  return { ...app, [Symbol.asyncDispose]: () => app.close() }
}

/** Fills a cart and completes every checkout step; `authorize` is the payment step. */
export async function prepareCart(app: Application, wish: Wish, authorize: Authorize): Promise<ReadyCart> {
  const { cartId } = granted(
    await addToCart(app, { cartId: undefined, lines: wish.lines, zip: wish.zip, vehicle: null }),
  )
  const cart = () => readCart(app, cartId).then((found) => found ?? missing('cart'))
  const { install } = wish
  granted(
    await chooseFulfillment(
      app,
      await cart(),
      install
        ? { fulfillment: install.kind === 'van' ? 'mobile' : 'shop', shopId: install.shopId }
        : wish.pickupWarehouseId !== undefined
          ? { fulfillment: 'warehouse-pickup', pickupWarehouseId: wish.pickupWarehouseId }
          : { fulfillment: 'home' },
    ),
  )
  if (install) {
    const work = granted(await installationFor(app, await cart(), install.shopId))
    const month = granted(await readShopMonth(app, await cart(), install.shopId))
    granted(
      await holdSlot(app, {
        ...work,
        cartId,
        shopId: install.shopId,
        choice: firstFree(month) ?? missing('time'),
        zip: wish.zip,
      }),
    )
  }
  const place = await app.db.selectFrom('zip').selectAll().where('zip', '=', wish.zip).executeTakeFirstOrThrow()
  const address = {
    // A different address per cart, like its email, because many orders to one home are held.
    address1: wish.street ?? `${Number.parseInt(cartId.slice(0, 4), 16) + 1} Sample Street`,
    address2: null,
    city: place.city,
    state: place.state,
    zip: place.zip,
  }
  const person = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    company: null,
    instructions: wish.notes ?? null,
    vehicleNote: 'A blue sedan',
    email: wish.email ?? `${cartId}@example.com`,
  }
  granted(
    await saveContact(
      app,
      await cart(),
      { ...person, ...address, phone: { digits: '3125550142', extension: null }, phoneType: 'mobile' },
      { address: addressFingerprint(address) },
    ),
  )
  const { contact } = await readDetails(app, cartId)
  await saveBilling(app, cartId, { sameAsShipping: '1', poNumber: null }, contact ?? missing('contact'))
  return agreeToServices(app, cartId, wish.services ?? { coverage: false, roadside: false }, authorize)
}

/** Answers the service offers, and pays for the resulting cart. */
export async function agreeToServices(
  app: Application,
  cartId: string,
  services: { coverage: boolean; roadside: boolean },
  authorize: Authorize,
): Promise<ReadyCart> {
  const cart = () => readCart(app, cartId).then((found) => found ?? missing('cart'))
  await chooseServices(app, await cart(), services)
  const { contact } = await readDetails(app, cartId)
  const { breakdown } = await quoteCart(app, await cart(), contact)
  const { totalCents } = (breakdown ?? missing('price')).totals
  await authorizeCharge(app, { cartId, totalCents }, authorize)
  return { cartId, totalCents, press: await agree(app, cartId) }
}

/** Opens a charge for a cart, and authorizes it. */
export async function authorizeCharge(
  app: Application,
  { cartId, totalCents }: Pick<ReadyCart, 'cartId' | 'totalCents'>,
  authorize: Authorize,
): Promise<void> {
  const charge = granted(await openCharge(app, { cartId, amountCents: totalCents, email: null }))
  await authorize({ ref: charge.payment.providerRef ?? missing('charge'), clientSecret: charge.clientSecret })
}

/** Accepts the order as its current review. Returns the input of `placeOrder`. */
export async function agree(app: Application, cartId: string): Promise<PlaceOrderInput> {
  const cart = (await readCart(app, cartId)) ?? missing('cart')
  const { contact } = await readDetails(app, cartId)
  const { breakdown } = await quoteCart(app, cart, contact)
  const agreedPrice = agreementKey({ cart, contact, breakdown, time: await readAgreedTime(app, cart) })
  return { cartId, agreedPrice, termsAccepted: true, conditionsAccepted: true }
}

/** The first free time of the month, preferring waiting at the shop to drop-off. */
function firstFree({ days }: ShopMonth): Choice | undefined {
  const time = days.flatMap(({ times }) => times).find(({ free }) => free)
  if (time) return { start: time.start }
  const [dropOff] = days.flatMap(({ date, dropOffs }) =>
    dropOffs.filter(({ free }) => free).map(({ window }) => ({ date, window })),
  )
  return dropOff
}

/** Stocks plenty of one 225/65R17 article, all in one warehouse. Returns the article. */
export async function stockPlenty(db: Database): Promise<number> {
  const [id = 0] = await popularTires(db, 1)
  await db.deleteFrom('stock').where('item_id', '=', id).execute()
  await db.insertInto('stock').values({ item_id: id, warehouse_id: 1, on_hand: 4_000 }).execute()
  await openInventory(db)
  return id
}

/** The value of an outcome; throws if it is refused. */
export function granted<Value>(outcome: Outcome<Value, Refused<string, unknown>>): Value {
  if (!outcome.ok) throw new Error(`Refused: ${outcome.reason} ${JSON.stringify(outcome.detail)}`)
  return outcome.value
}

function missing(what: string): never {
  throw new Error(`There is no ${what}.`)
}
