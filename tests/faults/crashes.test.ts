/**
 * Ends the process after every step, so that the step took effect outside, and no later step ran. Whatever happens next
 * (the shopper submits again or never returns, the job reruns, the message is resent), every charge belongs to one
 * order or is voided, and tires, bays, and ledger agree. Over 400 lines: one table of steps.
 */
import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { readCart, setQuantity } from '#domain/payments/cart/cart.server.ts'
import { payBy, payOnTerms, placeOrder, settleHold } from '#domain/ordering/checkout/checkout.server.ts'
import { asOwner } from '#domain/ordering/checkout/checkout.testing.ts'
import { asResolveCustomer } from '#domain/ordering/checkout/every-provider.testing.ts'
import { openPageToPay } from '#domain/ordering/checkout/pages-to-pay.testing.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import {
  cancelAsStaff,
  cancelOrder,
  confirmOrder,
  moveAppointmentAsStaff,
  offerOtherTimes,
  readOrder,
  receiveCarrierEvent,
} from '#domain/ordering/orders/orders.server.ts'
import { changeOrder, payForChange, type AskedChange } from '#domain/ordering/order-changes/order-changes.server.ts'
import {
  anotherShop,
  askedChange,
  home,
  openAndAuthorizeChange,
} from '#domain/ordering/order-changes/order-changes.testing.ts'
import {
  openCharge,
  openHostedPage,
  receiveProviderEvent,
  releaseAbandonedCharges,
} from '#domain/payments/payments/payments.server.ts'
import { walletMethods, type ChargedMethod, type WalletMethod } from '#domain/payments/payments/payments.ts'
import { listOrderRefunds, readRefundable, refundOrder } from '#domain/ordering/refunds/refunds.server.ts'
import type { Buyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import { newId } from '#platform/ids.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Application } from '#application'
import { agreeToServices, granted, type ReadyCart } from './ready-cart.ts'
import { ProcessEnded } from './steps.ts'
import { openScenario, stepsBetweenComparisons, type Scenario } from './scenario.ts'
import { inTurn } from '../../tools/rotation.testing.ts'
import { fromStripe } from '../support/provider-message.ts'

type Scene = {
  cart: ReadyCart
  orderId: number
  at: number
  isPaidOnPage: boolean
  buyer?: Buyer
  refundKey?: string
  moveTo?: Temporal.Instant
  change?: AskedChange
  changeId?: string
}

type Play = {
  /** The street of a door delivery; it decides whether the order must be confirmed. */
  street?: string
  /** Prepares the scene, with a ready cart. */
  stage?: (scenario: Scenario, scene: Scene) => Promise<void>
  /** What the process is doing when it ends. Throws as the process would. */
  act: (app: Application, scene: Scene, scenario: Scenario) => Promise<unknown>
  /** What happens from outside if the act failed. After that, time passes. */
  again?: (app: Application, scene: Scene, scenario: Scenario) => Promise<unknown>
  /** Additional conditions at the end, beyond the invariants. */
  inTheEnd?: (scenario: Scenario, scene: Scene) => Promise<void>
  /**
   * Fewer steps mean that the enumeration missed some; well below the actual number, since statements get optimized
   * away.
   */
  leastSteps: number
}

const isEveryRoute = process.env['PAYMENT_ROUTES'] === 'all'
const noServices = { coverage: false, roadside: false }

/** The payment methods on a provider's page. The daily run uses one as a sample, and PAYMENT_ROUTES=all runs each. */
const pageMethods: readonly ChargedMethod[] = (
  ['card', 'klarna', 'affirm', 'afterpay', 'paypal', 'venmo', 'loan', 'lease', 'store-card', 'resolve'] as const
).slice(0, isEveryRoute ? undefined : 2)

function payingOnPage(method: ChargedMethod): Play {
  return {
    async stage(scenario, scene) {
      if (method !== 'store-card' && method !== 'resolve') return
      // A company's price, or the price of the first order with the store card.
      if (method === 'resolve') scene.buyer = await buyerAtResolve(scenario)
      const { cartId } = scene.cart
      await payBy(scenario.app, { id: cartId }, method)
      scene.cart = await agreeToServices(asBuyer(scenario.app, scene), cartId, noServices, scenario.outside.authorize)
    },
    async act(app, scene, scenario) {
      await payOnPage(asBuyer(app, scene), scene, scenario, method)
      return placeOrder(asBuyer(app, scene), scene.cart.press)
    },
    async again(app, scene) {
      const placed = await placeOrder(asBuyer(app, scene), scene.cart.press)
      if (scene.isPaidOnPage) granted(placed)
    },
    leastSteps: 12,
  }
}

const asBuyer = (app: Application, { buyer }: Scene): Application => ({ ...app, ...(buyer && { buyer }) })

const buyersAtResolve = new WeakMap<Scenario, Buyer>()

/** Returns the buyer at the scenario's company with a Resolve account. */
async function buyerAtResolve(scenario: Scenario): Promise<Buyer> {
  const known = buyersAtResolve.get(scenario)
  if (known) return known
  await scenario.outside.openLine('TWCvans')
  const { buyer } = await asResolveCustomer(scenario.app, 'TWCvans')
  buyersAtResolve.set(scenario, buyer)
  return buyer
}

/** Device wallets, which use card charges. Only with PAYMENT_ROUTES=all. */
const wallets = isEveryRoute ? walletMethods : []

/** The sheet's charge is opened, the shopper approves, and the page submits the order. */
function payingByWallet(method: WalletMethod): Play {
  return {
    async act(app, scene, { outside }) {
      const { cartId, totalCents, press } = scene.cart
      await payBy(app, { id: cartId }, method)
      const { clientSecret } = granted(await openCharge(app, { cartId, amountCents: totalCents, email: null, method }))
      await outside.approveInSheet(clientSecret, totalCents, method)
      scene.isPaidOnPage = true
      return placeOrder(app, press)
    },
    async again(app, { cart, isPaidOnPage }) {
      const placed = await placeOrder(app, cart.press)
      if (isPaidOnPage) granted(placed)
    },
    leastSteps: 11,
  }
}

const canceling: Play = {
  stage: order,
  async act(app, { orderId }, scenario) {
    granted(await cancelOrder(app, { orderId, actor: 'shopper' }))
    await scenario.runJobs(app, 'void-charge')
  },
  again: (app, scene, scenario) => canceling.act(app, scene, scenario),
  inTheEnd: async (scenario, { cart }) =>
    expect(await scenario.outside.readCharge(await scenario.refOf(cart.cartId))).toMatchObject({ state: 'voided' }),
  leastSteps: 9,
}

/** Refunds one tire from a charged order with a fixed form key, and the job pays it out. */
const refunding: Play = {
  async stage(scenario, scene) {
    await order(scenario, scene)
    await scenario.runJobs(scenario.app, 'release-order')
    scene.refundKey = newId()
  },
  async act(app, { orderId, refundKey = '' }, scenario) {
    const asked = { lines: [{ lineNo: 1, units: 1 }], amountCents: null, hasHandlingFee: true, lowerReason: null }
    const why = { reason: 'changed-mind', bearer: 'store', note: null } as const
    const actor = { via: 'command line', name: 'staff' } as const
    const agreed = { agreedCents: null, isFresh: true }
    granted(await refundOrder(app, { ...asked, ...why, ...agreed, orderId, actor, key: refundKey }))
    await scenario.runJobs(app, 'refund-charge')
  },
  again: (app, scene, scenario) => refunding.act(app, scene, scenario),
  async inTheEnd(scenario, { orderId, cart }) {
    const [made, ...more] = await listOrderRefunds(scenario.db, orderId)
    expect(more).toEqual([])
    expect(made?.card?.state).toBe('done')
    expect(await scenario.outside.readCharge(await scenario.refOf(cart.cartId))).toMatchObject({
      refundedCents: made?.amountCents,
    })
    expect((await readRefundable(scenario.db, orderId))?.lines[0]?.refundedUnits).toBe(1)
  },
  leastSteps: 12,
}

const dana: Actor = { via: 'command line', name: 'dana' }
const afterLateCancel = ['cancel-parcel', 'refund-charge'] as const

const lateCancel: Play = {
  async stage(scenario, scene) {
    await order(scenario, scene)
    await scenario.runJobs(scenario.app, 'release-order', 'ship-order')
  },
  async act(app, { orderId }, scenario) {
    granted(await cancelAsStaff(app, dana, { orderId, reason: 'The customer called.' }))
    await scenario.runJobs(app, ...afterLateCancel)
  },
  again: (app, scene, scenario) => lateCancel.act(app, scene, scenario),
  inTheEnd: async (scenario, { cart }) =>
    expect(await scenario.outside.readCharge(await scenario.refOf(cart.cartId))).toMatchObject({
      state: 'captured',
      refundedCents: cart.totalCents,
    }),
  leastSteps: 10,
}

const afterChange = ['release-order', 'cancel-parcel', 'ship-order', 'refund-charge'] as const

/** Changes a charged order with a label from its shop to home delivery, with a fixed form key and price. */
const changingPlace: Play = {
  async stage(scenario, scene) {
    await order(scenario, scene)
    await scenario.runJobs(scenario.app, 'release-order', 'ship-order')
    scene.change = await askedChange(scenario.app, scene.orderId, home)
  },
  async act(app, { change }, scenario) {
    if (!change) throw new Error('Nothing is asked for.')
    granted(await changeOrder(app, dana, change))
    await scenario.runJobs(app, ...afterChange)
  },
  again: (app, scene, scenario) => changingPlace.act(app, scene, scenario),
  async inTheEnd(scenario, { cart, orderId }) {
    const changed = await readOrder(scenario.db, orderId)
    expect(changed).toMatchObject({ fulfillment: 'home', booking: { state: 'canceled' } })
    expect(await scenario.outside.readCharge(await scenario.refOf(cart.cartId))).toMatchObject({
      refundedCents: cart.totalCents - (changed?.totalCents ?? 0),
    })
  },
  leastSteps: 20,
}

/** The customer pays for a shop instead of their door, after the charge; the page is opened again until it is done. */
const payingForPlace: Play = {
  street: '1430 N Halsted St',
  async stage(scenario, scene) {
    await order(scenario, scene)
    await scenario.runJobs(scenario.app, 'release-order')
    const place = await anotherShop(scenario.app, scene.orderId)
    granted(await changeOrder(scenario.app, dana, await askedChange(scenario.app, scene.orderId, place)))
    scene.changeId = await openAndAuthorizeChange(scenario.app, scene.orderId, scenario.outside.authorize)
  },
  async act(app, { changeId = '' }, scenario) {
    granted(await payForChange(app, changeId))
    await scenario.runJobs(app, 'release-order')
  },
  again: (app, scene, scenario) => payingForPlace.act(app, scene, scenario),
  async inTheEnd(scenario, { orderId }) {
    const changed = await readOrder(scenario.db, orderId)
    expect(changed).toMatchObject({ fulfillment: 'shop', payment: { state: 'captured' } })
    expect(changed?.payment?.capturedCents).toBe(changed?.totalCents)
  },
  leastSteps: 15,
}

/** The tires held with the time follow the cart to three and back to four, and the order takes them. */
const holdingTires: Play = {
  async act(app, scene) {
    await holdUnits(app, scene, 3)
    await holdUnits(app, scene, 4)
    return placeOrder(app, scene.cart.press)
  },
  async again(app, scene) {
    await holdUnits(app, scene, 4)
    granted(await placeOrder(app, scene.cart.press))
  },
  async inTheEnd(scenario, { cart }) {
    expect(await ordersOf(scenario, cart)).toBe(1)
    expect(await heldUnitsOf(scenario, cart)).toBe(0)
  },
  leastSteps: 20,
}

async function holdUnits(app: Application, { cart: { cartId } }: Scene, quantity: number): Promise<void> {
  const [line] = (await readCart(app, cartId))?.lines ?? []
  // Not an open cart anymore once the order was placed.
  if (line) await setQuantity(app, cartId, { itemId: line.itemId, axle: line.axle, quantity })
  expect(await settleHold(app, { cartId })).toBe(null)
}

/** Returns the units currently held by a cart's appointment. */
async function heldUnitsOf({ db, clock }: Scenario, { cartId }: ReadyCart): Promise<number> {
  const { units } = await db
    .selectFrom('stock_hold')
    .innerJoin('booking', 'booking.id', 'stock_hold.booking_id')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('stock_hold.quantity'), eb.lit(0)).as('units'))
    .where('cart_id', '=', cartId)
    .where('state', '=', 'held')
    .where('hold_expires_at', '>', clock.now())
    .executeTakeFirstOrThrow()
  return units
}

const plays: Record<string, Play> = {
  'holding tires with a time as the cart changes, and the shopper presses again': holdingTires,
  'holding tires with a time as the cart changes, and the shopper never comes back': {
    act: holdingTires.act,
    async inTheEnd(scenario, { cart }) {
      const orders = await ordersOf(scenario, cart)
      // Three or four are held until the time ends, then zero. The order took its units, so it holds zero.
      expect([3, 4].includes(await heldUnitsOf(scenario, cart))).toBe(orders === 0)
      await scenario.letTimePass()
      expect(await heldUnitsOf(scenario, cart)).toBe(0)
    },
    leastSteps: holdingTires.leastSteps,
  },
  'changing where a charged order goes, with the difference refunded': changingPlace,
  'paying for a dearer place of a charged order': payingForPlace,

  'placing an order, and the shopper presses again': {
    act: (app, { cart }) => placeOrder(app, cart.press),
    again: async (app, { cart }) => granted(await placeOrder(app, cart.press)),
    inTheEnd: async (scenario, { cart }) => expect(await ordersOf(scenario, cart)).toBe(1),
    leastSteps: 9,
  },
  'placing an order, and the shopper never comes back': {
    act: (app, { cart }) => placeOrder(app, cart.press),
    async inTheEnd(scenario, { cart }) {
      const ref = await scenario.refOf(cart.cartId)
      await scenario.letMinutePass()
      expect(await scenario.outside.readCharge(ref)).toMatchObject({
        state: (await ordersOf(scenario, cart)) === 1 ? 'authorized' : 'voided',
      })
    },
    leastSteps: 9,
  },
  'placing an order, and the shopper presses again when the charge was voided': {
    act: (app, { cart }) => placeOrder(app, cart.press),
    async again(app, { cart }, scenario) {
      await scenario.letTimePass()
      const late = await placeOrder(app, cart.press)
      expect(late.ok ? 'placed' : late.reason).toBe((await ordersOf(scenario, cart)) === 1 ? 'placed' : 'incomplete')
    },
    leastSteps: 9,
  },
  'placing an order on net terms, and the shopper presses again': {
    async stage(scenario, scene) {
      const owner = await asOwner(scenario.app, `owner-${scene.at}@example.com`)
      // At the company's own price; the authorization for a different amount is voided.
      scene.cart = await agreeToServices(owner, scene.cart.cartId, noServices, scenario.outside.authorize)
      granted(
        await setTerms(scenario.app, {
          by: desk,
          id: owner.companyId,
          terms: { netDays: 30, creditLimitCents: scene.cart.totalCents },
        }),
      )
      granted(await payOnTerms(owner, { id: scene.cart.cartId }, scene.cart.totalCents))
      scene.buyer = owner.buyer
    },
    act: (app, scene) => placeOrder(asBuyer(app, scene), scene.cart.press),
    again: async (app, scene) => granted(await placeOrder(asBuyer(app, scene), scene.cart.press)),
    async inTheEnd(scenario, { cart }) {
      expect(await ordersOf(scenario, cart)).toBe(1)
      expect(
        await scenario.db
          .selectFrom('invoice')
          .innerJoin('sales_order', 'sales_order.id', 'order_id')
          .select(['amount_cents', 'invoice.state'])
          .where('cart_id', '=', cart.cartId)
          .execute(),
      ).toEqual([{ amount_cents: cart.totalCents, state: 'open' }])
    },
    leastSteps: 7,
  },
  'opening a charge, and another one for a changed cart': {
    async act(app, { cart }) {
      granted(await openCharge(app, { cartId: cart.cartId, amountCents: cart.totalCents, email: null }))
      granted(await openCharge(app, { cartId: cart.cartId, amountCents: cart.totalCents + 1_000, email: null }))
    },
    leastSteps: 4,
  },
  ...Object.fromEntries(
    pageMethods.map((method) => [`paying by ${method} on its page and placing the order`, payingOnPage(method)]),
  ),
  ...Object.fromEntries(wallets.map((method) => [`paying by ${method} and placing the order`, payingByWallet(method)])),
  'voiding a payment that was made on the page of the provider': {
    async stage(scenario, scene) {
      await payOnPage(scenario.app, scene, scenario)
      scenario.clock.set(scenario.clock.now().add({ minutes: 31 }))
    },
    async act(app, _, scenario) {
      await releaseAbandonedCharges(app)
      await scenario.runJobs(app, 'void-charge')
    },
    leastSteps: 6,
  },
  'canceling an order, and asking again': canceling,
  'canceling an order, and nobody asks again': { stage: order, act: canceling.act, leastSteps: canceling.leastSteps },
  'canceling a charged order as staff, and asking again': lateCancel,
  'canceling a charged order as staff, and nobody asks again': {
    ...lateCancel,
    again: (app, _, scenario) => scenario.runJobs(app, ...afterLateCancel),
    inTheEnd: async () => {},
  },
  'moving an appointment as staff, and asking again': {
    stage: orderToMove,
    act: moveAppointment,
    again: moveAppointment,
    async inTheEnd(scenario, { orderId }) {
      const moves = await scenario.db
        .selectFrom('audit_entry')
        .select('after')
        .where('subject', '=', `S-${orderId}`)
        .execute()
      const kinds = await scenario.db.selectFrom('message').select('kind').where('order_id', '=', orderId).execute()
      const { booking } = (await readOrder(scenario.db, orderId)) ?? {}
      expect(moves).toEqual([{ after: { start: booking?.start.toString() } }])
      expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['order-received', 'order-rescheduled'])
    },
    leastSteps: 6,
  },
  'confirming an order, and the shopper presses again': {
    street: 'Sample Street',
    stage: order,
    act: async (app, { orderId }) => granted(await confirmOrder(app, { orderId, actor: 'shopper' })),
    again: async (app, { orderId }) => granted(await confirmOrder(app, { orderId, actor: 'shopper' })),
    async inTheEnd(scenario, { orderId, cart }) {
      const kinds = await scenario.db.selectFrom('message').select('kind').where('order_id', '=', orderId).execute()
      expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['order-confirmed', 'order-unconfirmed'])
      await scenario.runJobs(scenario.app, 'release-order')
      expect(await scenario.outside.readCharge(await scenario.refOf(cart.cartId))).toMatchObject({ state: 'captured' })
    },
    leastSteps: 7,
  },
  'refunding an order, and the form is submitted again': refunding,
  'refunding an order, and nobody submits the form again': {
    ...refunding,
    again: async () => undefined,
    async inTheEnd(scenario, { orderId, cart }) {
      await scenario.runJobs(scenario.app, 'refund-charge')
      const [made] = await listOrderRefunds(scenario.db, orderId)
      expect(await scenario.outside.readCharge(await scenario.refOf(cart.cartId))).toMatchObject({
        refundedCents: made?.amountCents ?? 0,
      })
    },
  },
  'charging an order and sending its parcels': {
    stage: order,
    act: (app, _, scenario) => scenario.runJobs(app, 'release-order', 'ship-order'),
    again: (app, _, scenario) => scenario.runJobs(app, 'release-order', 'ship-order'),
    async inTheEnd(scenario, { orderId, cart }) {
      expect(await scenario.outside.readCharge(await scenario.refOf(cart.cartId))).toMatchObject({
        state: 'captured',
        capturedCents: cart.totalCents,
      })
      const shipments = await shipmentsOf(scenario, orderId)
      expect(shipments.map(({ state, tracking_number }) => [state, tracking_number])).toEqual(
        (await scenario.outside.trackingNumbers(orderId)).map((number) => ['pending-pickup', number]),
      )
    },
    leastSteps: 6,
  },
  'taking in a message of the carrier': {
    async stage(scenario, scene) {
      await order(scenario, scene)
      await scenario.runJobs(scenario.app, 'release-order', 'ship-order')
    },
    act: takeInDelivery,
    again: takeInDelivery,
    inTheEnd: expectDelivered,
    leastSteps: 3,
  },
  'sending a parcel that the carrier delivers before its number is kept': {
    async stage(scenario, scene) {
      await order(scenario, scene)
      await scenario.runJobs(scenario.app, 'release-order')
    },
    act: (app, _, scenario) => scenario.runJobs(app, 'ship-order'),
    async again(app, scene, scenario) {
      const first = await takeInDelivery(app, scene, scenario).catch((error: unknown) => error)
      await scenario.runJobs(app, 'ship-order')
      if (first instanceof Error) await takeInDelivery(app, scene, scenario)
    },
    async inTheEnd(scenario, scene) {
      await takeInDelivery(scenario.app, scene, scenario)
      await expectDelivered(scenario, scene)
    },
    leastSteps: 2,
  },
  'taking in a message of the payment provider': {
    act: takeInAuthorization,
    again: takeInAuthorization,
    inTheEnd: async (scenario, { cart }) =>
      expect(
        await scenario.db.selectFrom('payment').select('state').where('cart_id', '=', cart.cartId).execute(),
      ).toEqual([{ state: 'authorized' }]),
    leastSteps: 3,
  },
  'voiding charges that nobody claims': {
    stage: async (scenario) => scenario.clock.set(scenario.clock.now().add({ minutes: 31 })),
    async act(app, _, scenario) {
      await releaseAbandonedCharges(app)
      await scenario.runJobs(app, 'void-charge')
    },
    leastSteps: 4,
  },
  'sending a mail': {
    stage: order,
    act: (app, _, scenario) => scenario.runJobs(app, 'send-message'),
    again: (app, _, scenario) => scenario.runJobs(app, 'send-message'),
    async inTheEnd(scenario, { orderId }) {
      const messages = await scenario.db
        .selectFrom('message')
        .select(['id', 'state', 'to_address'])
        .where('order_id', '=', orderId)
        .execute()
      expect(messages.map(({ state }) => state)).toEqual(['sent'])
      // Sent but not recorded, it is sent again under the same key.
      expect([...new Set(await scenario.outside.mailKeys(messages[0]?.to_address ?? ''))]).toEqual(
        messages.map(({ id }) => id),
      )
    },
    leastSteps: 2,
  },
}

/** Placing runs both ways. The later steps run with an installation because it has the most steps. */
function placesOf(name: string): ('installed' | 'to the door')[] {
  if (plays[name]?.street !== undefined) return ['to the door']
  return name.startsWith('placing') ? ['installed', 'to the door'] : ['installed']
}

test.for(inTurn(Object.keys(plays).flatMap((name) => placesOf(name).map((where) => [name, where] as const))))(
  'a crash after any step of %s (%s)',
  async ([name, where]) => {
    const play = plays[name]
    if (!play) throw new Error(name)
    await using scenario = await openScenario()
    const wish = {
      lines: [{ itemId: await scenario.stockUp(), quantity: 4, axle: 'all' as const }],
      zip: '60614',
      ...(play.street !== undefined && { street: play.street }),
    }
    const shopId = await scenario.shopNearby()
    let steps = 0
    for (let at = 1; ; at++) {
      const scene: Scene = {
        cart: await scenario.prepare(where === 'installed' ? { ...wish, install: { shopId, kind: 'shop' } } : wish),
        orderId: 0,
        at,
        isPaidOnPage: false,
      }
      await play.stage?.(scenario, scene)
      const { end, what, number } = await actUntil(scenario, play, scene)
      steps = Math.max(steps, number)
      if (end instanceof Error) await play.again?.(scenario.app, scene, scenario)
      await play.inTheEnd?.(scenario, scene)
      await scenario.letTimePass()
      const isOver = what === undefined
      if (isOver || at % stepsBetweenComparisons === 0)
        expect({ at, what, disagreements: await scenario.disagreements() }).toEqual({ at, what, disagreements: [] })
      if (!isOver) continue
      expect(at).toBeGreaterThan(1)
      return expect(steps).toBeGreaterThanOrEqual(play.leastSteps)
    }
  },
)

/**
 * The daily run ends the process after steps with a lasting effect. After other steps, the state is the same as after
 * the previous one. CRASH_STEPS=all ends it after every step, without that assumption.
 */
const everyStep = process.env['CRASH_STEPS'] === 'all'

/**
 * Ends the process after the step that is `scene.at` in order of those that count. `what` is that step, or undefined if
 * the act has fewer; `number` is the last step of all.
 */
async function actUntil(
  scenario: Scenario,
  play: Play,
  scene: Scene,
): Promise<{ end: unknown; what: string | undefined; number: number }> {
  const asked = new Map<number, string>()
  let [counted, last] = [0, 0]
  let what: string | undefined
  await using process = await scenario.process((step) => {
    if (step.moment === 'asked') return void asked.set(step.number, step.what)
    last = Math.max(last, step.number)
    if (!everyStep && (step.isOpen || !step.writes)) return
    counted += 1
    if (counted !== scene.at) return
    what = asked.get(step.number)
    throw new ProcessEnded(what)
  })
  const end = await play.act(process.app, scene, scenario).catch((error: unknown) => error)
  if (end instanceof Error && !process.watched.isEnded()) throw end
  return { end, what, number: last }
}

async function order(scenario: Scenario, scene: Scene): Promise<void> {
  scene.orderId = granted(await placeOrder(scenario.app, scene.cart.press)).orderId
}

/** Selects a late free time, different in each scene. */
async function orderToMove(scenario: Scenario, scene: Scene): Promise<void> {
  await order(scenario, scene)
  const placed = await readOrder(scenario.db, scene.orderId)
  const days = placed ? await offerOtherTimes(scenario.app, placed) : []
  const times = days.flatMap(({ times: all }) => all.filter(({ free }) => free))
  const start = times.at(-scene.at)?.start
  if (!start) throw new Error('No time is free for a test.')
  scene.moveTo = start
}

async function moveAppointment(app: Application, { orderId, moveTo }: Scene): Promise<void> {
  if (!moveTo) throw new Error('No time was picked.')
  granted(await moveAppointmentAsStaff(app, dana, { orderId, choice: { start: moveTo }, reason: 'They asked for it.' }))
}

/** The shopper can pay there only if the page was shown. */
async function payOnPage(
  app: Application,
  scene: Scene,
  scenario: Scenario,
  method: ChargedMethod = 'card',
): Promise<void> {
  const { cartId, totalCents } = scene.cart
  const addresses = { returnUrl: 'https://store.example/{payment}', cancelUrl: 'https://store.example' }
  const charge = { cartId, amountCents: totalCents, email: null, description: 'Tires', ...addresses }
  const opened = method === 'card' ? openHostedPage(app, charge) : openPageToPay(app, { id: cartId }, method)
  const { url } = granted(await opened)
  await scenario.outside.payOnPage(url, method)
  scene.isPaidOnPage = true
}

async function takeInDelivery(app: Application, { orderId }: Scene, scenario: Scenario): Promise<void> {
  for (const number of await scenario.outside.trackingNumbers(orderId)) {
    const { body, signature } = await scenario.outside.deliver(number)
    granted(await receiveCarrierEvent(app, body, signature))
  }
}

async function takeInAuthorization(app: Application, { cart }: Scene, scenario: Scenario): Promise<void> {
  const { body, signature } = await scenario.outside.authorization(await scenario.refOf(cart.cartId))
  granted(await receiveProviderEvent(app, fromStripe(body, signature)))
}

async function expectDelivered(scenario: Scenario, { orderId }: Scene): Promise<void> {
  expect((await shipmentsOf(scenario, orderId)).map(({ state }) => state)).toEqual(['delivered'])
  const messages = await scenario.db
    .selectFrom('message')
    .select('kind')
    .where('order_id', '=', orderId)
    .orderBy('kind')
    .execute()
  expect(messages.map(({ kind }) => kind)).toEqual(['order-delivered', 'order-received'])
}

function shipmentsOf(scenario: Scenario, orderId: number) {
  return scenario.db
    .selectFrom('shipment')
    .select(['id', 'state', 'tracking_number'])
    .where('order_id', '=', orderId)
    .execute()
}

async function ordersOf(scenario: Scenario, { cartId }: ReadyCart): Promise<number> {
  return (await scenario.db.selectFrom('sales_order').select('id').where('cart_id', '=', cartId).execute()).length
}
