/**
 * A sale's buyers, in a separate process so that they don't slow the measurement. Each is a guest who completes a
 * checkout with the documented calls and pays by card. They arrive by a schedule, whether or not earlier ones have been
 * answered. Buyers told that the store is busy retry at the given time.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as later } from 'node:timers/promises'
import { payWithFields } from '#sandbox/test-sandbox.ts'

export type SaleJob = { origin: string; sandboxOrigin: string; itemId: number; buyers: number; seconds: number }

/** `waits` are those for each answer of the store, in milliseconds; `ends` counts how buyers ended. */
export type SaleResult = { waits: number[]; ends: Record<string, number>; busyAnswers: number; seconds: number }

/** A shopper gives up then. */
const mostBusyAnswers = 20

process.on('message', (job: SaleJob) => {
  void run(job).then((result) => process.send?.(result))
})
process.once('disconnect', () => process.exit())
process.send?.('ready')

async function run(job: SaleJob): Promise<SaleResult> {
  const result: SaleResult = { waits: [], ends: {}, busyAnswers: 0, seconds: 0 }
  const began = performance.now()
  const all = Array.from({ length: job.buyers }, async (_, number) => {
    await later((number * job.seconds * 1_000) / job.buyers)
    const end = await buy(job, number, result).catch((error: unknown) => `failed: ${String(error).slice(0, 200)}`)
    result.ends[end] = (result.ends[end] ?? 0) + 1
  })
  await Promise.all(all)
  result.seconds = (performance.now() - began) / 1_000
  return result
}

type Answer = { status: number; body: Record<string, unknown> }

/** Returns `ordered`, `sold out`, `gave up`, or the code of a plain refusal. */
async function buy({ origin, sandboxOrigin, itemId }: SaleJob, number: number, result: SaleResult): Promise<string> {
  let key = ''
  let busyAnswers = 0

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const idempotencyKey = randomUUID()
    for (;;) {
      const from = performance.now()
      const answer = await fetch(`${origin}/api${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
          'idempotency-key': idempotencyKey,
          ...(key && { authorization: `Bearer ${key}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      result.waits.push(performance.now() - from)
      const retryAfter = Number(answer.headers.get('retry-after') ?? 0)
      if (answer.status !== 503 || retryAfter === 0 || busyAnswers >= mostBusyAnswers)
        return { status: answer.status, body: JSON.parse(text || '{}') as Answer['body'] }
      busyAnswers += 1
      result.busyAnswers += 1
      await later(retryAfter * 1_000)
    }
  }

  const contact = {
    firstName: 'Dana',
    lastName: 'Ruiz',
    address1: `${100 + (number % 9_000)} N Clark St`,
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    phone: '312-555-0142',
    phoneType: 'mobile',
    email: `buyer-${number}@example.com`,
    vehicleNote: '2019 Honda CR-V',
  }
  const calls: [method: string, path: string, body?: object][] = [
    ['PUT', '/cart/delivery', { fulfillment: 'home' }],
    ['PUT', '/cart/contact', contact],
    ['PUT', '/cart/billing', { sameAsShipping: '1' }],
    ['PUT', '/cart/services', { coverage: false, roadside: false }],
  ]
  const refusalOf = ({ status, body }: Answer) => {
    if (status >= 300) return status === 503 ? 'gave up' : String(body['code'])
    return isSoldOut(body) ? 'sold out' : undefined
  }

  const cart = await ask('POST', '/cart', { zip: '60614', lines: [{ itemId, quantity: 1 }] })
  key = String(cart.body['key'])
  let refusal = refusalOf(cart)
  for (const call of calls) refusal ??= refusalOf(await ask(...call))
  if (refusal) return refusal
  const payment = await ask('POST', '/cart/payment', { flow: 'fields' })
  refusal = refusalOf(payment)
  if (refusal) return refusal
  const paid = await payWithFields(
    { origin: sandboxOrigin, storeOrigin: origin },
    String(payment.body['clientSecret']),
    '4242424242424242',
  )
  if (paid.status !== 'authorized') throw new Error(`The card was not taken: ${JSON.stringify(paid)}`)
  const price = await ask('GET', '/cart/price')
  refusal = refusalOf(price)
  if (refusal) return refusal
  const { agreedPrice } = price.body
  const order = await ask('POST', '/orders', { agreedPrice, termsAccepted: true, conditionsAccepted: true })
  return refusalOf(order) ?? 'ordered'
}

/** Returns whether a cart reports its tires as sold out, like the cart page. */
function isSoldOut(body: Answer['body']): boolean {
  const { lines = [] } = (body['cart'] ?? body) as { lines?: { available?: number }[] }
  return lines.some(({ available }) => available === 0)
}
