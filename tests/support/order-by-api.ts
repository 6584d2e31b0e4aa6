/** Orders placed over the API, as the pages' own script and programs place them. */
import { randomUUID } from 'node:crypto'
import { payWithFields } from '#sandbox/test-sandbox.ts'
import type { RunningStore } from './store.ts'
import type { Visitor } from './visitor.ts'

type ApiReply = { status: number; headers: Headers; body: unknown }

/** Calls the API with the visitor's cookies and stores the response's cookies. */
export async function callApi(
  { origin }: Pick<RunningStore, 'origin'>,
  visitor: Visitor,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiReply> {
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      cookie: visitor.cookieFor(origin),
      origin,
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  visitor.keep(answer, new URL(origin))
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text || 'null') as unknown }
}

/** An unexpected response, available in `reply`. */
export class RefusedCall extends Error {
  readonly reply: Pick<ApiReply, 'status' | 'headers'>
  constructor(call: string, reply: Pick<ApiReply, 'status' | 'headers'>, body: unknown) {
    super(`${call}: ${reply.status} ${JSON.stringify(body)}`)
    this.reply = reply
  }
}

/** The first tire that is for sale. */
export async function oneTireItem({ database }: RunningStore): Promise<string> {
  const { id } = await database.db
    .selectFrom('item')
    .select('id')
    .where('active', '=', true)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return String(id)
}

/** Fills a cart with four tires for home delivery and enters `contact` and `billing`. Returns the price to agree to. */
export async function fillHomeCart(
  store: RunningStore,
  visitor: Visitor,
  {
    contact,
    billing = {},
    hasCoverage = false,
    itemId,
  }: {
    contact: Record<string, string>
    billing?: Record<string, string>
    hasCoverage?: boolean
    itemId?: number | undefined
  },
): Promise<{ agreedPrice: string; dueCents: number }> {
  const item = itemId === undefined ? await oneTireItem(store) : String(itemId)
  await submit(store, visitor, '/zip', { zip: '60614', back: '/' })
  await submit(store, visitor, '/cart', { item, quantity: '4', axle: 'all' })
  await succeed(store, visitor, 'PUT', '/cart/delivery', { fulfillment: 'home' })
  await enterContact(store, visitor, { ...homeContact, ...contact })
  await succeed(store, visitor, 'PUT', '/cart/billing', { sameAsShipping: '1', ...billing })
  if (hasCoverage) await succeed(store, visitor, 'PUT', '/cart/services', { coverage: true, roadside: false })
  return (await succeed(store, visitor, 'GET', '/cart/price')) as { agreedPrice: string; dueCents: number }
}

async function submit(
  { origin }: RunningStore,
  visitor: Visitor,
  path: string,
  form: Record<string, string>,
): Promise<void> {
  const answer = await visitor.ask(`${origin}${path}`, { form })
  if (answer.status >= 400) throw new RefusedCall(`POST ${path}`, answer, null)
}

/** Submits the contact details and confirms the address as entered if asked. */
export async function enterContact(
  store: RunningStore,
  visitor: Visitor,
  contact: Record<string, string>,
): Promise<void> {
  const reply = await callApi(store, visitor, 'PUT', '/cart/contact', contact)
  const { code, data } = reply.body as { code?: string; data?: { key?: string } }
  const kept = code === 'AddressUnsure' ? { keepAddress: data?.key ?? '' } : undefined
  if (kept) await succeed(store, visitor, 'PUT', '/cart/contact', { ...contact, ...kept })
  else if (reply.status >= 300) throw new RefusedCall('PUT /cart/contact', reply, reply.body)
}

/** Places an order for home delivery, paid by card. `contact` replaces fields of the usual one. Returns its id. */
export async function placeHomeOrder(
  store: RunningStore,
  visitor: Visitor,
  contact: Record<string, string>,
  options: { hasCoverage?: boolean; itemId?: number | undefined } = {},
): Promise<number> {
  const { agreedPrice } = await fillHomeCart(store, visitor, { contact, ...options })
  await authorizeCard(store, visitor)
  return agree(store, visitor, agreedPrice)
}

/** Places an order for a service at the demo's first shop at its first free time, paid by card. Returns its id. */
export async function placeServiceOrder(store: RunningStore, visitor: Visitor, service: string): Promise<number> {
  const shop = 'SW-00001'
  const times = await succeed(store, visitor, 'GET', `/shops/${shop}/service-times?service=${service}`)
  const { shopId, openings } = times as { shopId: number; openings: { kind: string; start: string }[] }
  const start = openings.find(({ kind }) => kind === 'wait')?.start
  const made = await succeed(store, visitor, 'POST', '/checkouts', {
    service: { shop, service },
    appointment: { shopId, start },
    contact: { ...homeContact, email: 'dana@example.com', vehicleNote: '2019 Honda CR-V' },
    billing: { sameAsShipping: '1' },
  })
  const { price, problems } = made as { price: { agreedPrice: string }; problems: unknown[] }
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  await authorizeCard(store, visitor)
  return agree(store, visitor, price.agreedPrice)
}

/** Authorizes a card for the price of the visitor's cart. */
export async function authorizeCard(store: RunningStore, visitor: Visitor): Promise<void> {
  const opened = await succeed(store, visitor, 'POST', '/cart/payment', { flow: 'fields' })
  const { clientSecret } = opened as { clientSecret: string }
  const fields = { origin: store.sandboxOrigin, storeOrigin: store.origin }
  await payWithFields(fields, clientSecret, '4242424242424242')
}

/** Places an order on the terms of Sol's company; `sol` is signed in. Returns its id. */
export async function placeOnTerms(store: RunningStore, sol: Visitor): Promise<number> {
  const contact = { firstName: 'Sol', lastName: 'Marsh', email: 'sol@example.com', phoneType: 'work' }
  const { agreedPrice } = await fillHomeCart(store, sol, { contact, billing: { poNumber: 'MER-7002' } })
  await succeed(store, sol, 'POST', '/cart/payment', { flow: 'net-terms' })
  return agree(store, sol, agreedPrice)
}

export const homeContact = {
  firstName: 'Dana',
  lastName: 'Ruiz',
  address1: '12 Halsted Street',
  city: 'Chicago',
  state: 'IL',
  zip: '60614',
  phone: '(312) 555-0142',
  phoneType: 'mobile',
}

/** Places the order at the agreed price. Returns its id. */
export async function agree(store: RunningStore, visitor: Visitor, agreedPrice: string): Promise<number> {
  const terms = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  return ((await succeed(store, visitor, 'POST', '/orders', terms)) as { orderId: number }).orderId
}

/** Calls the API; throws what it refuses. */
export async function succeed(...[store, visitor, method, path, body]: Parameters<typeof callApi>): Promise<unknown> {
  const reply = await callApi(store, visitor, method, path, body)
  if (reply.status >= 300) throw new RefusedCall(`${method} ${path}`, reply, reply.body)
  return reply.body
}
