/**
 * Creates a cart with the input of all checkout steps, and prices it. Runs the operations of the steps in order, so it
 * has the same rules and refusals.
 */
import { z } from 'zod'
import type { Caller } from '#api/caller.ts'
import { cartAnswer, cartView, keptInBrowser, noCart, readOwnCart } from '#api/carts.ts'
import { answer, operation, type Answer, type Call, type Operation } from '#api/operation.ts'
import { problem, type Problem } from '#api/problem.ts'
import { exampleContact } from '#api/schemas.ts'
import { cartLine, cartOperations, mostLines } from '#api/routes/cart.ts'
import { cartPrice, checkoutOperations } from '#api/routes/checkout.ts'
import { deliveryOperations, hold } from '#api/routes/delivery.ts'
import { pickupOperations } from '#api/routes/pickups.ts'
import { bookedUnits, findBookableService } from '#domain/ordering/checkout/checkout.server.ts'
import { putService } from '#domain/payments/cart/cart.server.ts'
import { newId } from '#platform/ids.ts'

const operationById = new Map(
  [...cartOperations, ...deliveryOperations, ...pickupOperations, ...checkoutOperations].map((one) => [one.id, one]),
)

function find(id: string): Operation {
  const found = operationById.get(id)
  if (!found) throw new Error(`There is no operation ${id}.`)
  return found
}

/** The steps after the cart, in the order in which they run, with the operation of each. */
const steps = {
  delivery: find('chooseDelivery'),
  appointment: find('holdSlot'),
  contact: find('saveContact'),
  billing: find('saveBilling'),
  services: find('chooseServices'),
  coupon: find('enterCoupon'),
} as const
type Step = keyof typeof steps
const stepNames = Object.keys(steps) as Step[]

const [createCart, priceCart] = [find('createCart'), find('priceCart')]

function bodyOfStep(step: Step, meta: { description?: string; examples?: unknown[] } = {}) {
  const { body } = steps[step]
  if (!body) throw new Error(`The step ${step} has no body.`)
  return body.optional().meta({ description: `As in \`${steps[step].id}\``, ...meta })
}

const newCart = createCart.body
if (!(newCart instanceof z.ZodObject)) throw new Error('The body of createCart is not an object.')

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
type ServiceAsk = z.output<typeof serviceAsk>

const stepProblem = z.strictObject({
  step: z.enum(stepNames),
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
    body: newCart
      .extend({
        lines: z
          .array(cartLine)
          .min(1)
          .max(mostLines)
          .optional()
          .meta({ description: 'As in `createCart`. Either these or `service`' }),
        service: serviceAsk.optional(),
        delivery: bodyOfStep('delivery', { description: 'As in `chooseDelivery`. Not needed with an appointment' }),
        appointment: bodyOfStep('appointment'),
        contact: bodyOfStep('contact', { examples: [exampleContact] }),
        billing: bodyOfStep('billing', { examples: [{ sameAsShipping: '1' }] }),
        services: bodyOfStep('services'),
        coupon: bodyOfStep('coupon'),
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
      const { delivery, appointment, contact, billing, services, coupon, service, ...cart } = call.body as Entered
      if ((service === undefined) === (cart['lines'] === undefined))
        return problem('BadRequest', 'Send either lines or a service.', { data: { lines: 'Send lines or a service.' } })
      const created = service
        ? await createServiceCart(call, service, cart)
        : await run(createCart, call, call.caller, cart)
      if (!created.ok) return created as Problem<'NotSold'>
      const { key } = created.value as { key: string }
      const caller: Caller = { ...call.caller, cartId: key }
      const entered = { delivery, appointment, contact, billing, services, coupon }
      const problems: z.input<typeof stepProblem>[] = []
      let held: z.input<typeof hold> | null = null
      for (const step of stepNames) {
        if (entered[step] === undefined) continue
        const done = await run(steps[step], call, caller, entered[step])
        if (!done.ok) problems.push({ step, code: done.code, message: done.message, data: done.data })
        else if (step === 'appointment') held = done.value as z.input<typeof hold>
      }
      const [found, price] = [await readOwnCart(call.app, caller), await run(priceCart, call, caller, null)]
      if (!found || !price.ok) return noCart()
      const { value, headers } = await cartAnswer(call.app, found)
      const priced = price.value as z.input<typeof cartPrice>
      return answer({ key, cart: value, hold: held, price: priced, problems }, { ...created.headers, ...headers })
    },
  }),
]

type Entered = Partial<Record<Step, unknown>> & { service?: ServiceAsk } & Record<string, unknown>

/** Makes a cart with a service at a shop, for `createCheckout`. */
async function createServiceCart(
  { app, caller }: Pick<Call<unknown, unknown, unknown>, 'app' | 'caller'>,
  { shop: shopCode, service: key, units: asked }: ServiceAsk,
  { zip }: Record<string, unknown>,
): Promise<Answer<unknown> | Problem> {
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
  const at = { zip: typeof zip === 'string' ? zip : shop.zip, shopId: shop.id }
  const accountId = await app.buyer.accountId()
  await putService(app.db, { id: cartId, accountId, ...at, service: service.key, units }, app.clock.now())
  return answer({ key: cartId }, await keptInBrowser(app, caller, { cartId }))
}

function run(
  { handle }: Operation,
  { app, widgetId, exchange }: Call<unknown, unknown, unknown>,
  caller: Caller,
  body: unknown,
): Promise<Answer<unknown> | Problem> {
  return handle({ app, caller, params: {}, query: {}, body, ifMatch: undefined, widgetId, exchange })
}
