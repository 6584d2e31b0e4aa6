/** Tools that fill a cart and hand it to a person. */
import { z } from 'zod'
import { cartAnswer, cartView, changeCart, changedCart, noCart, readOwnCart } from '#api/carts.ts'
import { perform } from '#api/perform.ts'
import { problem } from '#api/problem.ts'
import { applicationOf } from '#api/read-call.ts'
import { cartLine, cartVerdict, mostLines, showVerdict } from '#api/routes/cart.ts'
import { instant, zip } from '#api/schemas.ts'
import { badZipMessage } from '#content/messages/places.ts'
import { serverPaths } from '#content/server-paths.ts'
import { releaseHold } from '#domain/scheduling/booking/booking.server.ts'
import { addToCart, makeCartLink, setQuantity, updateCart } from '#domain/payments/cart/cart.server.ts'
import { cartLinkMinutes, type Cart } from '#domain/payments/cart/cart.ts'
import { judgeCart } from '#domain/ordering/checkout/checkout.server.ts'
import { findPlace } from '#domain/kernel/places/places.server.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { decodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { countOf, countOrNone } from '#platform/count-text.ts'
import { cartKey, idempotencyKey, itemId, quantity, vehicle } from '#mcp/arguments.ts'
import { personActs } from '#mcp/person-acts.ts'
import { told, tool, withCart, type ToolCall } from '#mcp/tool.ts'

const line = cartLine.extend({ itemId, quantity })
const lines = z
  .array(line)
  .max(mostLines)
  .refine((all) => new Set(all.map((each) => `${each.itemId} ${each.axle}`)).size === all.length, {
    message: 'Send each article once for an axle.',
  })
type Line = z.output<typeof line>

const shownCart = z.strictObject({
  cartKey: z.string(),
  cart: cartView,
  fitment: cartVerdict,
})

const shownChange = shownCart.extend({ notes: changedCart.shape.notes })

/** The cart after a change, with what the change took away. */
async function showChange(call: ToolCall, key: string, notes: string[]) {
  const shown = await show(call, key)
  return shown.ok ? told({ ...shown.value, notes }, [shown.text, ...notes].join('\n')) : shown
}

async function show(call: ToolCall, key: string) {
  const mine = withCart(call, key)
  const app = await applicationOf(call.app, call.caller)
  const cart = await readOwnCart(app, mine.caller)
  if (!cart) return noCart()
  const [{ value }, verdict] = await Promise.all([cartAnswer(app, cart), judgeCart(app, cart)])
  const fitment = verdict && showVerdict(verdict)
  const fits = fitment ? ` For the ${fitment.vehicle}: ${fitment.sets.map(({ headline }) => headline).join('; ')}.` : ''
  return told({ cartKey: key, cart: value, fitment }, `${countOrNone(value.tireCount, 'tire')} in the cart.${fits}`)
}

/** Makes the cart's lines those that are wanted; refuses before anything is written. */
async function replaceLines(app: ToolCall['app'], cart: Cart, wanted: readonly Line[]) {
  const keyOf = (each: { itemId: number; axle: string }) => `${each.itemId} ${each.axle}`
  const there = new Set(cart.lines.map(keyOf))
  const fresh = wanted.filter((each) => !there.has(keyOf(each)))
  const added =
    fresh.length === 0 || (await addToCart(app, { cartId: cart.id, lines: fresh, zip: null, vehicle: null })).ok
  if (!added) return problem('NotSold')
  for (const { itemId: item, axle, quantity: number } of cart.lines) {
    const kept = wanted.find((each) => keyOf(each) === keyOf({ itemId: item, axle }))?.quantity ?? 0
    if (kept !== number) await setQuantity(app, cart.id, { itemId: item, axle, quantity: kept })
  }
  return undefined
}

export const cartTools = [
  tool({
    name: 'create_cart',
    title: 'Create a cart',
    description:
      'Puts tires in a new cart and returns its cartKey. Send the vehicle so that fit is checked, and the ZIP so that it can be priced and installed. This doesn’t order or reserve tires.',
    audience: 'anyone',
    effect: 'change',
    scope: 'orders:write',
    input: z.strictObject({ lines: lines.min(1), zip: zip.optional(), vehicle: vehicle.optional(), idempotencyKey }),
    output: shownCart,
    async run(call, { idempotencyKey: onceKey, ...body }) {
      const made = await perform('createCart', z.object({ key: z.string() }), { body, onceKey }, call)
      return made.ok ? show(call, made.value.key) : made
    },
  }),
  tool({
    name: 'get_cart',
    title: 'Get a cart',
    description: 'Gets the cart’s contents with prices, and whether each tire fits the cart’s vehicle.',
    audience: 'cart',
    effect: 'read',
    scope: 'orders:read',
    input: z.strictObject({ cartKey }),
    output: shownCart,
    run: (call, { cartKey: key }) => show(call, key),
  }),
  tool({
    name: 'update_cart',
    title: 'Change a cart',
    description:
      'Updates the fields you send. `lines` replaces all lines (an empty list takes everything out), `zip` and `vehicle` replace the cart’s values.',
    audience: 'cart',
    effect: 'change',
    scope: 'orders:write',
    input: z.strictObject({
      cartKey,
      lines: lines.optional(),
      zip: zip.optional(),
      vehicle: vehicle.nullable().optional(),
    }),
    output: shownChange,
    async run(call, { cartKey: key, lines: wanted, zip: at, vehicle: on }) {
      const app = await applicationOf(call.app, call.caller)
      if (at !== undefined && !(await findPlace(app.db, at))) return problem('UnknownZip', badZipMessage)
      const chosen = on === undefined || on === null ? on : decodeChosenVehicle(on)
      if (chosen && !(await findChosenVehicle(app, chosen)).ok) return problem('UnknownVehicle')
      const { caller } = withCart(call, key)
      const changed = await changeCart({ app, caller, ifMatch: undefined }, async (own, cart) => {
        const refused = wanted && (await replaceLines(own, cart, wanted))
        if (refused) return refused
        if (at !== undefined) await updateCart(own, cart.id, { zip: at })
        if (chosen !== undefined) await updateCart(own, cart.id, { vehicle: chosen })
        return undefined
      })
      return changed.ok ? showChange(call, key, changed.value.notes) : changed
    },
  }),
  tool({
    name: 'cancel_cart',
    title: 'Empty a cart',
    description: 'Takes everything out of the cart and releases the time it holds. An order is not touched by it.',
    audience: 'cart',
    effect: 'remove',
    scope: 'orders:write',
    input: z.strictObject({ cartKey }),
    output: z.strictObject({ canceled: z.boolean() }),
    async run(call, { cartKey: key }) {
      const app = await applicationOf(call.app, call.caller)
      const { caller } = withCart(call, key)
      const emptied = await changeCart({ app, caller, ifMatch: undefined }, async (own, cart) => {
        await releaseHold(own, { cartId: cart.id })
        return replaceLines(own, cart, [])
      })
      return emptied.ok ? told({ canceled: true }, 'The cart is empty.') : emptied
    },
  }),
  tool({
    name: 'get_checkout_link',
    title: 'Get the link for the person',
    description: `A link for the person you act for. It opens this cart in their browser, once and within ${countOf(cartLinkMinutes, 'minute')}, where they check it, accept the terms and pay; a held time goes over with it. Give it to them as it is and do not open it yourself: these steps are theirs.`,
    audience: 'cart',
    effect: 'change',
    scope: 'orders:write',
    input: z.strictObject({ cartKey }),
    output: z.strictObject({ url: z.url(), expiresAt: instant, personDoes: z.array(z.string()) }),
    async run(call, { cartKey: key }) {
      const app = await applicationOf(call.app, call.caller)
      const cart = await readOwnCart(app, withCart(call, key).caller)
      const made = cart && (await makeCartLink(app, { cartId: cart.id }))
      if (!made) return noCart()
      if (!made.ok)
        return made.reason === 'no-cart'
          ? problem('CartIncomplete', 'The cart is empty. Put tires or a service in it first.')
          : problem('TooMany', 'This cart has unopened links. Give the shopper one of them.')
      const url = app.config.web.origin + serverPaths.openCart(made.value.token)
      const text = `Give the person this link, which opens once within ${countOf(cartLinkMinutes, 'minute')}: ${url}`
      return told({ url, expiresAt: made.value.expiresAt.toString(), personDoes: [...personActs] }, text)
    },
  }),
]
