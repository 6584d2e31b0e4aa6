/**
 * The demo's synthetic buyer, a guest who buys over the public API, pays with the sandbox's test card, and cancels
 * immediately. It uses only the store's URL and doesn't import its code.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { SyntheticBuyer, SyntheticResult } from '#domain/operations/health/buyer.port.ts'

const timeoutMs = 10_000
const size = '225-65r17'
const zip = '60614'
const tires = 4

/** An address that no mail leaves the sandbox for. */
export const syntheticEmail = 'synthetic-buyer@sidewall.example'

const contact = {
  firstName: 'Synthetic',
  lastName: 'Buyer',
  address1: '12 Halsted Street',
  city: 'Chicago',
  state: 'IL',
  zip,
  phone: '(312) 555-0142',
  phoneType: 'mobile',
  email: syntheticEmail,
  vehicleNote: 'Bought to see that the store sells; it is canceled at once',
}
const card = { number: '4242424242424242', expiry: '12/30', cvc: '123', zip: '60601' }

const listing = z.object({
  offers: z.array(z.object({ isInStock: z.boolean(), items: z.array(z.object({ itemId: z.number() })) })),
})
const made = z.object({ key: z.string() })
const choices = z.array(
  z.object({ shop: z.object({ id: z.number() }), openings: z.array(z.object({ start: z.string() })) }),
)
const price = z.object({ agreedPrice: z.string() })
const opened = z.object({ clientSecret: z.string() })
const paid = z.object({ status: z.string() })
const placed = z.object({ orderId: z.number() })
const canceled = z.object({ state: z.literal('canceled') })

class StepFailed extends Error {}

type Ask = <Answer>(method: string, path: string, form: z.ZodType<Answer>, body?: unknown) => Promise<Answer>

/** Returns a buyer at the store `storeOrigin`, with cards from the sandbox `sandboxOrigin`. */
export function createSyntheticBuyer(origins: { storeOrigin: string; sandboxOrigin: string }): SyntheticBuyer {
  let turn = 0
  return { buy: () => buy({ ...origins, turn: turn++ }) }
}

async function buy({
  storeOrigin,
  sandboxOrigin,
  turn,
}: {
  storeOrigin: string
  sandboxOrigin: string
  turn: number
}): Promise<SyntheticResult> {
  const steps: { step: string; ms: number }[] = []
  let orderId: number | null = null
  let cart: string | undefined
  const ask: Ask = (method, path, form, body) => call(`${storeOrigin}/api${path}`, { method, form, body, cart })
  const step = async <Value>(name: string, work: () => Promise<Value>): Promise<Value> => {
    const began = performance.now()
    try {
      return await work()
    } finally {
      steps.push({ step: name, ms: performance.now() - began })
    }
  }
  try {
    const itemId = await step('find', () => findTire(ask, turn))
    cart = (await step('cart', () => ask('POST', '/cart', made, { lines: [{ itemId, quantity: tires }], zip }))).key
    await step('time', () => holdSlot(ask))
    const agreedPrice = await step('details', () => enterDetails(ask))
    await step('pay', () => pay(ask, { storeOrigin, sandboxOrigin }))
    const order = await step('place', () =>
      ask('POST', '/orders', placed, { agreedPrice, termsAccepted: true, conditionsAccepted: true }),
    )
    orderId = order.orderId
    await step('cancel', () => ask('POST', `/orders/${order.orderId}/cancellation`, canceled))
    return { steps, failedStep: null, why: null, orderId }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { steps, failedStep: steps.at(-1)?.step ?? 'find', why, orderId }
  }
}

async function findTire(ask: Ask, turn: number): Promise<number> {
  const { offers } = await ask('GET', `/tires?size=${size}`, listing)
  // One after the other, so that no tire is always the one that is held.
  const sold = offers.filter(({ isInStock }) => isInStock).flatMap(({ items }) => items)
  const item = sold[turn % sold.length]
  if (!item) throw new StepFailed('No tire is in stock.')
  return item.itemId
}

async function holdSlot(ask: Ask): Promise<void> {
  const shops = await ask('GET', '/cart/shops', choices)
  const free = shops.find(({ openings }) => openings.length > 0)
  const [time] = free?.openings ?? []
  if (!free || !time) throw new StepFailed('No shop has a free time.')
  await ask('GET', `/cart/shops/${free.shop.id}/times`, z.unknown())
  await ask('POST', '/cart/hold', z.unknown(), { shopId: free.shop.id, start: time.start })
}

async function enterDetails(ask: Ask): Promise<string> {
  await ask('PUT', '/cart/contact', z.unknown(), contact)
  await ask('PUT', '/cart/billing', z.unknown(), { sameAsShipping: '1' })
  return (await ask('GET', '/cart/price', price)).agreedPrice
}

async function pay(
  ask: Ask,
  { storeOrigin, sandboxOrigin }: { storeOrigin: string; sandboxOrigin: string },
): Promise<void> {
  const { clientSecret } = await ask('POST', '/cart/payment', opened, { flow: 'fields' })
  const { status } = await call(`${sandboxOrigin}/fields/confirm`, {
    method: 'POST',
    form: paid,
    body: { clientSecret, origin: storeOrigin, ...card },
    origin: sandboxOrigin,
  })
  if (status !== 'authorized') throw new StepFailed(`The card is ${status}.`)
}

type Call<Answer> = {
  method: string
  form: z.ZodType<Answer>
  body?: unknown
  cart?: string | undefined
  origin?: string
}

async function call<Answer>(url: string, { method, form, body, cart, origin }: Call<Answer>): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(cart !== undefined && { authorization: `Bearer ${cart}` }),
      ...(origin !== undefined && { origin }),
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  if (!response.ok) throw new StepFailed(`${response.status} from ${new URL(url).pathname}: ${text.slice(0, 300)}`)
  return form.parse(text === '' ? null : JSON.parse(text))
}
