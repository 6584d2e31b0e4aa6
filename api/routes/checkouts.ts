/**
 * Creates a cart with the input of all checkout steps, and prices it. Runs the steps of the cart's operations in order,
 * so it has the same rules and refusals.
 */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import { cartAnswer, cartView, keptInBrowser, noCart, readOwnCheckout, readOwnEntered } from '#api/carts.ts'
import {
  contactBody,
  couponBody,
  deliveryBody,
  hold,
  holdBody,
  readCoupon,
  servicesBody,
  takeBilling,
  takeContact,
  takeCoupon,
  takeDelivery,
  takeServices,
  takeTime,
} from '#api/checkout-steps.ts'
import { answer, operation, type Call } from '#api/operation.ts'
import { problem, type Problem } from '#api/problem.ts'
import { exampleContact } from '#api/schemas.ts'
import { createCart, newCartBody } from '#api/routes/cart.ts'
import { cartPrice, priceOf } from '#api/routes/checkout.ts'
import { partsBody, takeParts } from '#api/routes/parts.ts'
import { bookedUnits, findBookableService, type Entered } from '#domain/ordering/checkout/checkout.server.ts'
import { atLatestZip, type Cart } from '#domain/payments/cart/cart.ts'
import { putService } from '#domain/payments/cart/cart.server.ts'
import { findShop } from '#domain/scheduling/installers/installers.server.ts'
import { billingForm } from '#domain/supply/contact-forms/contact-forms.ts'
import { newId } from '#platform/ids.ts'
import { ok } from '#platform/outcome.ts'
import type { Application } from '#application'

const serviceAsk = z
  .strictObject({
    shop: z
      .string()
      .min(1)
      .max(20)
      .meta({ description: 'The code of the shop', examples: ['SW-00001'] }),
    service: z
      .string()
      .min(1)
      .max(40)
      .meta({ examples: ['rotation'] }),
    units: z.int().min(1).max(8).default(1).meta({ description: 'Tires, for a service that is priced by tire' }),
  })
  .meta({ description: 'A service without new tires, instead of `lines`. Its times are in `listServiceTimes`' })

/** The steps after the cart, in the order in which they run, with their operations. */
const stepOperations = {
  parts: 'setPart',
  delivery: 'chooseDelivery',
  appointment: 'holdSlot',
  contact: 'saveContact',
  billing: 'saveBilling',
  services: 'chooseServices',
  coupon: 'enterCoupon',
} as const
type Step = keyof typeof stepOperations

function stepBody<Body extends z.ZodType>(
  step: Step,
  body: Body,
  meta: { description?: string; examples?: unknown[] } = {},
) {
  return body.optional().meta({ description: `As in \`${stepOperations[step]}\``, ...meta })
}

const stepsBody = z.strictObject({
  parts: stepBody('parts', partsBody, { description: 'Parts that are packed with the tires, from `listParts`' }),
  delivery: stepBody('delivery', deliveryBody, {
    description: 'As in `chooseDelivery`. Not needed with an appointment',
  }),
  appointment: stepBody('appointment', holdBody),
  contact: stepBody('contact', contactBody, { examples: [exampleContact] }),
  billing: stepBody('billing', billingForm, { examples: [{ sameAsShipping: '1' }] }),
  services: stepBody('services', servicesBody),
  coupon: stepBody('coupon', couponBody),
})
type Steps = z.output<typeof stepsBody>

const stepProblem = z.strictObject({
  step: z.enum(Object.keys(stepOperations) as Step[]),
  code: z.string(),
  message: z.string(),
  data: z.unknown().meta({ description: 'As in the response of that operation, such as a message by field' }),
})

export const wholeCheckoutOperations = [
  operation({
    id: 'createCheckout',
    method: 'post',
    path: '/checkouts',
    area: 'Checkout',
    summary: 'Create a checkout',
    description:
      'Creates a cart with everything that you already know, and prices it, for tires or for a service without new tires. Pay with `openPayment` and order with `placeOrder`: three calls in all. Without lines that are sold, nothing is created. A step that is refused is listed in `problems` with the same code and data as the operation of that step; the others keep their effect. Correct it with that operation and the `key` in the response.',
    audience: 'anyone',
    status: 201,
    once: { isRequired: true, by: 'again' },
    body: newCartBody
      .extend({
        lines: newCartBody.shape.lines
          .optional()
          .meta({ description: 'As in `createCart`. Either these or `service`' }),
        service: serviceAsk.optional(),
        ...stepsBody.shape,
      })
      .meta({ examples: [{ lines: [{ itemId: 100001, quantity: 4 }] }] }),
    result: z.strictObject({
      key: z.string().meta({ description: 'Opens the cart; see `createCart`' }),
      cart: cartView,
      hold: hold.nullable().meta({ description: 'The appointment’s held time' }),
      price: cartPrice,
      problems: z.array(stepProblem).meta({ description: 'The steps that were refused' }),
    }),
    refuses: [
      'NotSold',
      'ServiceNotOffered',
      'UnknownZip',
      'UnknownVehicle',
      'UnknownStore',
      'TooManyAttempts',
      'NoCart',
    ],
    async handle(call) {
      const { app, body } = call
      const { service, lines, parts, delivery, appointment, contact, billing, services, coupon, ...about } = body
      if ((service === undefined) === (lines === undefined))
        return problem('BadRequest', 'Send either lines or a service.', { data: { lines: 'Send lines or a service.' } })
      const created = service
        ? await createServiceCart(call, service, about.zip)
        : await createCart({ ...call, body: { ...about, lines: lines ?? [] } })
      if (!created.ok) return created
      const { cart, headers } = created.value
      const caller: Caller = { ...call.caller, cartId: cart.id }
      const { held, problems } = await takeSteps(
        { app, caller },
        { cart: atLatestZip(cart, caller.visitor), contact: null, billing: null },
        { parts, delivery, appointment, contact, billing, services, coupon },
      )
      const checkout = await readOwnCheckout(app, caller)
      if (!checkout) return noCart()
      const [price, answered] = [await priceOf(app, checkout), await cartAnswer(app, checkout.cart, headers)]
      return answer({ key: cart.id, cart: answered.value, hold: held, price, problems }, answered.headers)
    },
  }),
]

type Taken = { held: z.input<typeof hold> | null; problems: z.input<typeof stepProblem>[] }

/** Runs the sent steps of a new cart in order, each on the result of the steps before it. */
async function takeSteps(on: { app: Application; caller: Caller }, entered: Entered, steps: Steps): Promise<Taken> {
  const { app } = on
  const problems: Taken['problems'] = []
  let held: Taken['held'] = null
  let { cart, ...details } = entered
  const run = async <Body, Value>(
    step: Step,
    body: Body | undefined,
    take: (body: Body) => Promise<{ ok: true; value: Value } | Problem>,
    keep: (value: Value) => void,
  ) => {
    if (body === undefined) return
    const taken = await take(body)
    if (taken.ok) keep(taken.value)
    else problems.push({ step, code: taken.code, message: taken.message, data: taken.data })
  }
  const keepDetails = (saved: typeof details) => void (details = saved)
  await run(
    'parts',
    steps.parts,
    (body) => takeParts(app, cart, body),
    () => undefined,
  )
  await run(
    'delivery',
    steps.delivery,
    (body) => takeDelivery(app, cart, body),
    (destination) => void (cart = { ...cart, ...destination }),
  )
  await run(
    'appointment',
    steps.appointment,
    async (body) => takeTime(on, { cart, installer: await findShop(app, { id: body.shopId }) }, body),
    (taken) => ([held, cart] = [taken.hold, { ...cart, ...taken.destination }]),
  )
  await run('contact', steps.contact, (body) => takeContact(app, { cart, ...details }, body), keepDetails)
  await run('billing', steps.billing, (body) => takeBilling(app, { cart, ...details }, body), keepDetails)
  await run(
    'services',
    steps.services,
    (body) => takeServices(app, cart, body),
    () => undefined,
  )
  await run(
    'coupon',
    steps.coupon,
    (body) => enterCoupon(on, cart, body),
    () => undefined,
  )
  return { held, problems }
}

async function enterCoupon(on: { app: Application; caller: Caller }, cart: Cart, body: NonNullable<Steps['coupon']>) {
  const accountId = (await on.caller.signedIn())?.accountId ?? null
  const code = await readCoupon(on, body)
  return code.ok ? takeCoupon(on, cart, { code: code.value, accountId }) : code
}

/** Makes a cart with a service at a shop, for `createCheckout`, and returns it with the headers of the response. */
async function createServiceCart(
  { app, caller }: Pick<Call<unknown, unknown, unknown>, 'app' | 'caller'>,
  { shop: shopCode, service: key, units: asked }: z.output<typeof serviceAsk>,
  zip: string | undefined,
): Promise<
  | { ok: true; value: { cart: Cart; headers: Record<string, string> } }
  | Problem<'ServiceNotOffered' | 'TooManyAttempts' | 'NoCart'>
> {
  const found = await findBookableService(app, { shopCode, service: key })
  const units = found && bookedUnits(found.service, asked)
  if (!found || units === undefined) return problem('ServiceNotOffered')
  const admitted = await app.rateLimits.take('cart', { network: caller.visitor.networkKey })
  if (!admitted.ok)
    return problem('TooManyAttempts', 'Too many carts were created from your network.', {
      headers: { 'retry-after': String(admitted.detail.retryAfterSeconds) },
    })
  const cartId = newId()
  const { shop, service } = found
  const accountId = await app.buyer.accountId()
  const at = { zip: zip ?? shop.zip, shopId: shop.id }
  await putService(app.db, { id: cartId, accountId, ...at, service: service.key, units }, app.clock.now())
  const entered = await readOwnEntered(app, { ...caller, cartId })
  return entered ? ok({ cart: entered.cart, headers: await keptInBrowser(app, caller, { cartId }) }) : noCart()
}
