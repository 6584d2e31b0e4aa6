/** The shopping cart. */
import { z } from 'zod'
import { badZipMessage } from '#content/messages/places.ts'
import {
  axle,
  cartAnswer,
  cartView,
  changeCart,
  changedCart,
  changeRefusals,
  etagHeader,
  keptInBrowser,
  noCart,
  quantity,
  readOwnCart,
} from '#api/carts.ts'
import { couponBody, readCoupon, takeCoupon } from '#api/checkout-steps.ts'
import { noteExchange, refuseUnnamed } from '#api/exchange.ts'
import { answer, operation, type Call } from '#api/operation.ts'
import { problem, type Problem } from '#api/problem.ts'
import { bodyOf, itemId, level, vehicleKey, zip } from '#api/schemas.ts'
import { acceptPrices, addToCart, readCart, setQuantity, updateCart } from '#domain/payments/cart/cart.server.ts'
import { maxQuantityPerLine, type Cart } from '#domain/payments/cart/cart.ts'
import { removeCoupon } from '#domain/catalog/coupons/coupons.server.ts'
import { judgeCart, type CartVerdict } from '#domain/ordering/checkout/checkout.server.ts'
import { findWidget, noteWidget } from '#domain/customers/programs/programs.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { encodeChosenVehicle, type ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { askedStore, type BrandedStore } from '#domain/installer-portal/branded-stores/branded-stores.ts'
import { findBrandedStore } from '#domain/installer-portal/branded-stores/branded-stores.server.ts'
import { ok } from '#platform/outcome.ts'
import type { Application } from '#application'

/** A line as a cart takes it. */
export const cartLine = z.strictObject({
  itemId: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .meta({ examples: [100001] }),
  quantity: quantity.meta({ examples: [4] }),
  axle: axle.default('all'),
})
const dealerCode = z
  .string()
  .max(16)
  .meta({ description: 'The branded store to shop in', examples: ['HALSTED'] })
const installerId = z
  .string()
  .max(12)
  .meta({ description: 'The same, by the code of its shop', examples: ['SW-00001'] })
export const mostLines = 20
const lines = z.array(cartLine).min(1).max(mostLines)
const ofLine = z.strictObject({ itemId: itemId.meta({ examples: [100001] }), axle: axle.meta({ examples: ['all'] }) })

export const cartVerdict = z
  .strictObject({
    vehicle: z.string(),
    verdict: level,
    sets: z.array(
      z.strictObject({
        itemIds: z.array(z.int()),
        verdict: level,
        headline: z.string(),
        lines: z.array(z.string()),
        conditions: z.array(z.strictObject({ code: z.string(), text: z.string() })),
        ruleBook: z.string(),
      }),
    ),
  })
  .nullable()
  .meta({ description: 'Null without a vehicle' })

export const newCartBody = bodyOf({
  lines,
  zip: zip.optional(),
  vehicle: vehicleKey.optional(),
  dealerCode: dealerCode.optional(),
  installerId: installerId.optional(),
})
type NewCartCall = Pick<
  Call<unknown, unknown, z.output<typeof newCartBody>>,
  'app' | 'caller' | 'body' | 'widgetId' | 'exchange'
>

export const cartOperations = [
  operation({
    id: 'createCart',
    method: 'post',
    path: '/cart',
    area: 'Cart',
    summary: 'Create a cart',
    description:
      'The `key` in the response opens the cart. Send it as `Authorization: Bearer` with every request about the cart, and keep it as safe as a password. In the store’s own pages, a cookie holds it.\n\nA caller without a cart is identified only by address: use an `Idempotency-Key` that can’t be guessed, such as a UUID.',
    audience: 'anyone',
    status: 201,
    once: { isRequired: false, by: 'together' },
    body: newCartBody,
    result: z.strictObject({ key: z.string(), cart: cartView }),
    answerHeaders: etagHeader,
    refuses: ['NotSold', 'UnknownZip', 'UnknownVehicle', 'UnknownStore', 'TooManyAttempts'],
    async handle(call) {
      const created = await createCart(call)
      if (!created.ok) return created
      const { cart, headers } = created.value
      const answered = await cartAnswer(call.app, cart, headers)
      return answer({ key: cart.id, cart: answered.value }, answered.headers)
    },
  }),
  operation({
    id: 'readCart',
    method: 'get',
    path: '/cart',
    area: 'Cart',
    summary: 'Get the cart',
    audience: 'cart',
    result: cartView,
    answerHeaders: etagHeader,
    refuses: ['NoCart'],
    async handle({ app, caller }) {
      const cart = await readOwnCart(app, caller)
      return cart ? cartAnswer(app, cart) : noCart()
    },
  }),
  operation({
    id: 'addToCart',
    method: 'post',
    path: '/cart/lines',
    area: 'Cart',
    summary: 'Add items to a cart',
    description:
      'Adds all of the items or rejects the request. An existing line’s quantity increases. Repeating the same request within five seconds has no effect.',
    audience: 'cart',
    status: 201,
    once: { isRequired: false, by: 'together' },
    ifMatch: 'optional',
    body: bodyOf({ lines }),
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: [...changeRefusals, 'NotSold'],
    handle(call) {
      return changeCart(call, async (app, cart) => {
        const added = await addToCart(app, { cartId: cart.id, lines: call.body.lines, zip: null, vehicle: null })
        return added.ok ? undefined : problem('NotSold')
      })
    },
  }),
  operation({
    id: 'setQuantity',
    method: 'patch',
    path: '/cart/lines/{itemId}/{axle}',
    area: 'Cart',
    summary: 'Update a line’s quantity',
    audience: 'cart',
    ifMatch: 'required',
    params: ofLine,
    body: bodyOf({
      quantity: z
        .int()
        .min(1)
        .max(maxQuantityPerLine)
        .meta({ examples: [2] }),
    }),
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: [...changeRefusals, 'LineNotFound'],
    handle(call) {
      return changeCart(call, (app, cart) => setLine(app, cart.id, { ...call.params, quantity: call.body.quantity }))
    },
  }),
  operation({
    id: 'removeLine',
    method: 'delete',
    path: '/cart/lines/{itemId}/{axle}',
    area: 'Cart',
    summary: 'Remove a line',
    audience: 'cart',
    ifMatch: 'required',
    params: ofLine,
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: [...changeRefusals, 'LineNotFound'],
    handle(call) {
      return changeCart(call, (app, cart) => setLine(app, cart.id, { ...call.params, quantity: 0 }))
    },
  }),
  operation({
    id: 'acceptPrices',
    method: 'post',
    path: '/cart/prices-accepted',
    area: 'Cart',
    summary: 'Acknowledge current prices',
    audience: 'cart',
    once: { isRequired: false, by: 'together' },
    ifMatch: 'optional',
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: changeRefusals,
    handle(call) {
      return changeCart(call, async (app, cart) => {
        await acceptPrices(app, cart.id)
        return undefined
      })
    },
  }),
  operation({
    id: 'setCartZip',
    method: 'put',
    path: '/cart/zip',
    area: 'Cart',
    summary: 'Set the shopper’s ZIP',
    audience: 'cart',
    ifMatch: 'optional',
    body: bodyOf({ zip }),
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: [...changeRefusals, 'UnknownZip'],
    async handle(call) {
      const faulty = await refuseAbout(call.app, { zip: call.body.zip })
      if (faulty) return problem('UnknownZip', faulty.message)
      const about = { zip: call.body.zip }
      const visitor = { ...call.caller.visitor, ...about }
      return changeCart(
        { ...call, callerAfter: { ...call.caller, visitor } },
        async (app, cart) => void (await updateCart(app, cart.id, about)),
        await keptInBrowser(call.app, call.caller, about),
      )
    },
  }),
  operation({
    id: 'setCartVehicle',
    method: 'put',
    path: '/cart/vehicle',
    area: 'Cart',
    summary: 'Set the cart’s vehicle',
    audience: 'cart',
    ifMatch: 'optional',
    body: bodyOf({ vehicle: vehicleKey.nullable() }),
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: [...changeRefusals, 'UnknownVehicle'],
    async handle(call) {
      const { vehicle } = call.body
      const faulty = await refuseAbout(call.app, { vehicle: vehicle ?? undefined })
      if (faulty) return problem('UnknownVehicle')
      const kept = await keptInBrowser(call.app, call.caller, { vehicle: vehicle && encodeChosenVehicle(vehicle) })
      return changeCart(call, async (app, cart) => void (await updateCart(app, cart.id, { vehicle })), kept)
    },
  }),
  operation({
    id: 'enterCoupon',
    method: 'put',
    path: '/cart/coupon',
    area: 'Cart',
    summary: 'Enter a coupon or a referral code',
    description:
      'A coupon replaces the one that the cart has; the code of a friend’s referral link counts as having opened it. Of the two, the one that lowers the total more is used. The price says what is taken off, or in a note why it does not count. A network may try 20 codes an hour, here and on the store’s pages together, right and wrong ones alike.',
    audience: 'cart',
    ifMatch: 'optional',
    body: couponBody,
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: [...changeRefusals, 'CouponNotFound', 'CouponUsedUp', 'TooManyAttempts'],
    async handle(call) {
      const accountId = (await call.caller.signedIn())?.accountId ?? null
      // Counts the attempt before locking the cart.
      const code = await readCoupon(call, call.body)
      if (!code.ok) return code
      return changeCart(call, async (app, cart) => {
        const taken = await takeCoupon({ app, caller: call.caller }, cart, { code: code.value, accountId })
        return taken.ok ? undefined : taken
      })
    },
  }),
  operation({
    id: 'removeCoupon',
    method: 'delete',
    path: '/cart/coupon',
    area: 'Cart',
    summary: 'Remove the coupon',
    audience: 'cart',
    ifMatch: 'optional',
    result: changedCart,
    answerHeaders: etagHeader,
    refuses: changeRefusals,
    handle(call) {
      return changeCart(call, async (app, cart) => {
        await removeCoupon(app, cart.id)
        return undefined
      })
    },
  }),
  operation({
    id: 'judgeCart',
    method: 'get',
    path: '/cart/verdict',
    area: 'Cart',
    summary: 'Check the cart’s fitment',
    audience: 'cart',
    result: cartVerdict,
    refuses: ['NoCart'],
    async handle({ app, caller }) {
      const cart = await readOwnCart(app, caller)
      if (!cart) return noCart()
      const verdict = await judgeCart(app, cart)
      return answer(verdict && showVerdict(verdict))
    },
  }),
]

/** Creates a cart for `createCart` and `createCheckout`, and returns it with the headers of the response. */
export async function createCart({
  app,
  caller,
  body,
  widgetId,
  exchange,
}: NewCartCall): Promise<
  | { ok: true; value: { cart: Cart; headers: Record<string, string> } }
  | Problem<'BadRequest' | 'NotSold' | 'UnknownZip' | 'UnknownVehicle' | 'UnknownStore' | 'TooManyAttempts'>
> {
  const unnamed = refuseUnnamed(exchange)
  if (unnamed) return unnamed
  const widget = widgetId === undefined ? undefined : await findWidget(app, widgetId)
  const faulty = await refuseAbout(app, body)
  if (faulty) return faulty
  const dealer = await dealerOf(app, body)
  if (dealer === undefined) return problem('UnknownStore')
  const added = await addToCart(app, {
    cartId: undefined,
    lines: body.lines,
    zip: body.zip ?? caller.visitor.zip ?? null,
    vehicle: body.vehicle ?? null,
    dealerShopId: dealer?.shopId ?? null,
    admit: () => app.rateLimits.take('cart', { network: caller.visitor.networkKey }),
  })
  if (!added.ok && added.reason === 'too-many')
    return problem('TooManyAttempts', 'Too many carts were created from your network.', {
      headers: { 'retry-after': String(added.detail.retryAfterSeconds) },
    })
  if (!added.ok) return problem('NotSold')
  const { cartId } = added.value
  if (widget) await noteWidget(app, cartId, { widgetId: widget.id, source: null, shopId: null })
  await noteExchange(app, cartId, exchange)
  const cart = await readCart(app, cartId)
  if (!cart) throw new Error('A cart that was just created is missing.')
  return ok({ cart, headers: await keptInBrowser(app, caller, { cartId }) })
}

/** A cart's verdict as `cartVerdict` describes it, without what orders store for the work order. */
export function showVerdict({ vehicleName, verdict, sets }: CartVerdict): NonNullable<z.output<typeof cartVerdict>> {
  return {
    vehicle: vehicleName,
    verdict,
    sets: sets.map(({ itemIds, verdict: level, headline, lines, conditions, ruleBook }) => ({
      itemIds,
      verdict: level,
      headline,
      lines,
      conditions,
      ruleBook,
    })),
  }
}

async function setLine(
  app: Application,
  cartId: string,
  wanted: { itemId: number; axle: z.output<typeof axle>; quantity: number },
) {
  const set = await setQuantity(app, cartId, wanted)
  return set.ok ? undefined : problem('LineNotFound')
}

async function refuseAbout(
  app: Application,
  { zip: at, vehicle }: { zip?: string | undefined; vehicle?: ChosenVehicle | undefined },
) {
  if (at !== undefined && !(await findPlace(app.db, at))) return problem('UnknownZip', badZipMessage)
  if (vehicle && !(await findChosenVehicle(app, vehicle)).ok) return problem('UnknownVehicle')
  return undefined
}

/**
 * Returns the branded store named in the call, or the one of the visit. Returns null for our own store and undefined if
 * it doesn't exist.
 */
async function dealerOf(
  app: Application,
  { dealerCode: code, installerId: id }: { dealerCode?: string | undefined; installerId?: string | undefined },
): Promise<BrandedStore | null | undefined> {
  if (code === undefined && id === undefined) return app.brandedStore
  const asked = askedStore(new URLSearchParams({ dealerCode: code ?? '', installerId: id ?? '' }))
  return asked ? findBrandedStore(app.db, asked) : undefined
}
