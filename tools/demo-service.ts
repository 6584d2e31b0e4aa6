/**
 * Books a service without tires in the demo over the public API, and pays with the sandbox's test card, as a shopper
 * does at `/book-service`.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Application } from '#application'

type Deps = Pick<Application, 'db'> & {
  config: Pick<Application['config'], 'web' | 'sandbox' | 'payments'>
}

const service = 'changeover-storage'
/** A member of the shop in the demo data of every scale. */
const technician = 'technician@example.com'
const shopper = {
  firstName: 'June',
  lastName: 'Okafor',
  address1: '1430 N Halsted St',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  phone: '(312) 555-0163',
  phoneType: 'mobile',
  email: 'june@example.com',
  vehicleNote: '2019 Honda CR-V',
}
const card = { number: '4242424242424242', expiry: '12/30', cvc: '123', zip: '60601' }

const times = z.object({
  shopId: z.int(),
  openings: z.array(z.object({ kind: z.string(), start: z.string() })),
})
const made = z.object({
  key: z.string(),
  price: z.object({ agreedPrice: z.string() }),
  problems: z.array(z.unknown()).length(0),
})
const opened = z.object({ clientSecret: z.string() })
const authorized = z.object({ status: z.literal('authorized') })
const placed = z.object({ orderId: z.int() })

/**
 * Books a seasonal changeover with storage at the first available time of the demo's first shop. Skipped if an order
 * has a service, or if the database has other data.
 */
export async function bookService({ db, config }: Deps, shop: string): Promise<void> {
  const { rows } = await sql`
    select from shop join shop_member member on member.shop_id = shop.id
    where shop.code = ${shop}::text and member.email = ${technician}::text
      and not exists (select from order_line where service is not null)`.execute(db)
  if (rows.length === 0 || config.payments.kind !== 'sandbox') return
  const api = `http://localhost:${config.web.port}/api`
  const { shopId, openings } = await call(`${api}/shops/${shop}/service-times?service=${service}`, times)
  const start = openings.find(({ kind }) => kind === 'wait')?.start
  if (start === undefined) return
  const { key, price } = await call(`${api}/checkouts`, made, {
    service: { shop, service },
    appointment: { shopId, start },
    contact: shopper,
    billing: { sameAsShipping: '1' },
  })
  const authorization = `Bearer ${key}`
  const { clientSecret } = await call(`${api}/cart/payment`, opened, { flow: 'fields' }, { authorization })
  const { origin } = config.sandbox
  await call(`${origin}/fields/confirm`, authorized, { clientSecret, origin: config.web.origin, ...card }, { origin })
  const agreed = { agreedPrice: price.agreedPrice, termsAccepted: true, conditionsAccepted: true }
  await call(`${api}/orders`, placed, agreed, { authorization })
}

/** Sends `body`, or reads without one, and decodes the answer. Throws for refusals. */
async function call<Answer>(
  url: string,
  form: z.ZodType<Answer>,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    ...(body === undefined
      ? {}
      : {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...headers },
        }),
    signal: AbortSignal.timeout(20_000),
  })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${(await response.text()).slice(0, 300)}`)
  return form.parse(await response.json())
}
