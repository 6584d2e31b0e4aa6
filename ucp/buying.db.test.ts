/** From a search to a paid order by an agent and a person, and what an agent cannot do. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { exampleContact } from '#api/schemas.ts'
import { readHandover, takeOver } from '#domain/channels/agents/agents.server.ts'
import { readOrder } from '#domain/ordering/orders/orders.server.ts'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { verifyRequest } from '#platform/http-signatures.ts'
import { tellPlatform, watchAgentOrders } from './news.ts'
import { openUcp, otherPlatform, platform, webhook } from './ucp.testing.ts'

type Api = Awaited<ReturnType<typeof openUcp>>
type Total = { type: string; display_text: string; amount: number }
type Checkout = {
  id: string
  status: string
  totals: Total[]
  messages: { type: string; code: string; severity?: string; content: string }[]
  continue_url: string
  line_items: { id: string; quantity: number }[]
  fitment?: { verdict: string; sets: { text: string }[] }
  appointment?: { hold: { id: string; expires_at: string }; slot: { start: string } }
  order?: { id: string; label: string }
  fulfillment: {
    methods: {
      type: string
      destinations: { id: string; name: string }[]
      selected_destination_id: string | null
      groups: { options: { id: string; title: string; slot: { start: string } }[]; selected_option_id: string | null }[]
    }[]
  }
}

const checkoutOf = (answer: { body: unknown }) => answer.body as Checkout
const codesOf = (checkout: Checkout) => checkout.messages.filter(({ type }) => type === 'error').map(({ code }) => code)
const totalOf = ({ totals }: { totals: Total[] }) => totals.find(({ type }) => type === 'total')?.amount ?? 0
const rav4 = { vehicle: { year: 2021, make: 'Toyota', model: 'RAV4' } }

async function begin(api: Api, more: object = {}) {
  const itemId = await pickTire(api.database)
  const line_items = [{ item: { id: String(itemId) }, quantity: 4 }]
  const body = { line_items, context: { postal_code: '60614' }, ...more }
  const made = await api.call('POST', '/ucp/checkout-sessions', { body })
  expect(made.status).toBe(201)
  return { itemId, line_items, checkout: checkoutOf(made) }
}

/** Chooses the first shop and its first time. */
async function holdFirst(api: Api, checkout: Checkout, line_items: object[]) {
  const put = (method: object) =>
    api.call('PUT', `/ucp/checkout-sessions/${checkout.id}`, {
      body: { line_items, fulfillment: { methods: [method] } },
    })
  const [method] = checkout.fulfillment.methods
  const selected_destination_id = method?.destinations[0]?.id
  const chosen = checkoutOf(await put({ type: 'installation', selected_destination_id }))
  const option = chosen.fulfillment.methods[0]?.groups[0]?.options[0]
  const held = checkoutOf(
    await put({
      type: 'installation',
      selected_destination_id,
      groups: [{ id: 'group-1', selected_option_id: option?.id }],
    }),
  )
  return { chosen, option, held, put, selected_destination_id }
}

/** The API of the same store, with the cart's key as a person's browser has it. */
function personWith(api: Api, cart: string) {
  const hono = createApi(api.app)
  return async (method: string, path: string, body?: unknown) => {
    const answer = await hono.request(
      `/api${path}`,
      {
        method,
        headers: {
          authorization: `Bearer ${cart}`,
          'idempotency-key': randomUUID(),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      {},
    )
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as never }
  }
}

const tokenIn = ({ continue_url }: Checkout) =>
  decodeURIComponent(new URL(continue_url).pathname.split('/').at(-1) ?? '')

test('an agent finds tires, a shop and a time, a person pays, and the order is read back', async () => {
  await using api = await openUcp({ withOutside: true })
  const { itemId, line_items, checkout } = await begin(api, { fitment: rav4 })
  expect(checkout.status).toBe('incomplete')
  expect(codesOf(checkout)).toContain('destination_required')
  expect(checkout.fulfillment.methods[0]).toMatchObject({ type: 'installation', selected_destination_id: null })

  const { held, option } = await holdFirst(api, checkout, line_items)
  expect(held.appointment).toMatchObject({ hold: { id: option?.id, extensions_left: 10 } })
  expect(held.fulfillment.methods[0]?.groups[0]?.selected_option_id).toBe(option?.id)

  // The same cart over the API has the same total, text, fitment result, and time.
  const secret = api.app.config.session.secret
  const taken = await takeOver(api.app, { secret, token: tokenIn(held) })
  if (!taken.ok) throw new Error(taken.reason)
  const person = personWith(api, taken.value.cartId)
  const price = (await person('GET', '/cart/price')).body as {
    agreedPrice: string
    totals: { totalCents: number }
    rows: { key: string; label: string; detail: string; amountCents: number }[]
  }
  expect(totalOf(held)).toBe(price.totals.totalCents)
  const rows = price.rows.filter(({ key }) => !key.startsWith('tire:') && key !== 'total')
  expect(held.totals.slice(1, -1).map(({ display_text, amount }) => [display_text, amount])).toEqual(
    rows.map(({ label, detail, amountCents }) => [detail === '' ? label : `${label} (${detail})`, amountCents]),
  )
  expect(held.totals.slice(0, -1).reduce((sum, { amount }) => sum + amount, 0)).toBe(totalOf(held))
  const verdict = (await person('GET', '/cart/verdict')).body as { verdict: string; sets: { headline: string }[] }
  expect(held.fitment).toMatchObject({
    verdict: verdict.verdict,
    sets: verdict.sets.map(({ headline }) => ({ text: headline })),
  })
  expect(((await person('GET', '/cart/hold')).body as { start: string }).start).toBe(held.appointment?.slot.start)

  // From here on the agent only reads.
  const frozen = await api.call('PUT', `/ucp/checkout-sessions/${checkout.id}`, {
    body: { line_items: [{ item: { id: String(itemId) }, quantity: 1 }] },
  })
  expect(frozen).toMatchObject({ status: 200, body: { status: 'requires_escalation', line_items: [{ quantity: 4 }] } })
  expect(codesOf(checkoutOf(frozen))).toContain('handed_over')

  expect(await person('PUT', '/cart/contact', exampleContact)).toMatchObject({ status: 200 })
  await person('PUT', '/cart/services', { coverage: false, roadside: false })
  await person('PUT', '/cart/billing', { sameAsShipping: '1' })
  const agreed = (await person('GET', '/cart/price')).body as { agreedPrice: string }
  const opened = (await person('POST', '/cart/payment', { flow: 'fields' })).body as {
    clientSecret: string
    amountCents: number
  }
  await api.outside?.authorize(opened)
  const placed = await person('POST', '/orders', {
    agreedPrice: agreed.agreedPrice,
    termsAccepted: true,
    conditionsAccepted: true,
  })
  expect(placed.status).toBe(201)

  const { orderId, orderNumber } = placed.body as { orderId: number; orderNumber: string }
  const done = checkoutOf(await api.call('GET', `/ucp/checkout-sessions/${checkout.id}`))
  expect(done).toMatchObject({ status: 'completed', order: { label: orderNumber } })
  const order = await api.call('GET', `/ucp/orders/${done.order?.id}`)
  const own = await readOrder(api.app.db, orderId)
  expect(order).toMatchObject({
    status: 200,
    body: {
      checkout_id: checkout.id,
      label: orderNumber,
      currency: 'USD',
      line_items: [{ quantity: { original: 4, total: 4, fulfilled: 0 }, status: 'processing' }],
      fulfillment: { expectations: [{ method_type: 'installation', fulfillable_on: own?.booking?.start.toString() }] },
      appointment: { status: 'confirmed' },
    },
  })
  expect(totalOf(order.body as Checkout)).toBe(own?.totalCents)
  // The response doesn't contain data that the buyer gave only to us.
  const said = JSON.stringify([done, order.body])
  for (const secretOfBuyer of [exampleContact.email, exampleContact.address1, exampleContact.lastName, '5550142'])
    expect(said).not.toContain(secretOfBuyer)
  expect(await api.call('GET', `/ucp/orders/${done.order?.id}`, { from: otherPlatform })).toMatchObject({
    body: { ucp: { status: 'error' }, messages: [{ code: 'not_found' }] },
  })
  expect(await newsOf(api, checkout.id)).toMatchObject({
    id: checkout.id,
    label: orderNumber,
    line_items: [{ status: 'processing' }],
  })
  const [mail] = await api.app.db
    .selectFrom('message')
    .select(['kind', 'to_address as to'])
    .where('order_id', '=', orderId)
    .execute()
  expect(mail).toEqual({ kind: 'order-received', to: exampleContact.email })
  expect(await watchAgentOrders(api.app)).toBe(0)
  expect(await person('POST', `/orders/${orderId}/cancellation`)).toMatchObject({ status: 200 })
  expect(await newsOf(api, checkout.id)).toMatchObject({
    line_items: [{ status: 'removed' }],
    adjustments: [{ type: 'cancellation' }],
  })
})

/** The one message that is due, which must be signed by a key of the profile; tried again until it is taken. */
async function newsOf(api: Api, sessionId: string): Promise<unknown> {
  expect(await watchAgentOrders(api.app)).toBe(1)
  api.answers.isTaken = false
  await expect(tellPlatform(api.app, sessionId)).rejects.toThrow('agents.example.com')
  api.answers.isTaken = true
  await tellPlatform(api.app, sessionId)
  const [failed, sent] = api.posted.splice(0)
  expect(sent?.url).toBe(webhook)
  expect(sent?.headers['webhook-id']).toBe(failed?.headers['webhook-id'])
  const { keys } = (await api.call('GET', '/.well-known/ucp')).body as { keys: unknown[] }
  const { url, headers = {}, body = '' } = sent ?? {}
  expect(
    verifyRequest(keys, { method: 'POST', url: new URL(url ?? ''), headers, body: Buffer.from(body) }, api.clock.now()),
  ).toMatchObject({ ok: true })
  return JSON.parse(body)
}

test('an agent can’t accept terms, conditions, or a price, so completing escalates', async () => {
  await using api = await openUcp()
  const { checkout, line_items } = await begin(api, { fitment: rav4 })
  await holdFirst(api, checkout, line_items)
  const completed = await api.call('POST', `/ucp/checkout-sessions/${checkout.id}/complete`, {
    body: {
      payment: { instruments: [{ handler_id: 'any', type: 'card' }] },
      terms_accepted: true,
      termsAccepted: true,
    },
  })
  const answer = checkoutOf(completed)
  expect(completed.status).toBe(200)
  expect(answer.status).toBe('requires_escalation')
  expect(codesOf(answer)).toEqual(expect.arrayContaining(['terms_of_sale', 'payment']))
  expect(answer.continue_url).toContain('/agent-checkout/')
  const severities = answer.messages.filter(({ type }) => type === 'error').map(({ severity }) => severity)
  expect(new Set(severities)).toEqual(new Set(['requires_buyer_review', 'requires_buyer_input']))
})

test('a link opens one checkout once, within the hour, and only unmodified', async () => {
  await using api = await openUcp()
  const { checkout } = await begin(api)
  const secret = api.app.config.session.secret
  const token = tokenIn(checkout)
  expect(await readHandover(api.app, { secret, token })).toMatchObject({ ok: true })
  expect(await readHandover(api.app, { secret, token: `x${token}` })).toMatchObject({ reason: 'not-found' })
  expect(await readHandover(api.app, { secret: 'another', token })).toMatchObject({ reason: 'not-found' })
  const both = await Promise.all([takeOver(api.app, { secret, token }), takeOver(api.app, { secret, token })])
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await takeOver(api.app, { secret, token })).toMatchObject({ reason: 'over' })
  // The person may come again with a new link, as from another device.
  const again = checkoutOf(await api.call('GET', `/ucp/checkout-sessions/${checkout.id}`))
  expect(again.status).toBe('requires_escalation')
  api.clock.set(api.clock.now().add({ minutes: 61 }))
  expect(await takeOver(api.app, { secret, token: tokenIn(again) })).toMatchObject({ reason: 'over' })
})

test('a checkout is private to its platform, expires after six hours, and releases its time on cancellation', async () => {
  await using api = await openUcp()
  const { checkout, line_items } = await begin(api)
  const at = `/ucp/checkout-sessions/${checkout.id}`
  const theirs = [
    api.call('GET', at, { from: otherPlatform }),
    api.call('PUT', at, { from: otherPlatform, body: { line_items } }),
    api.call('POST', `${at}/cancel`, { from: otherPlatform, body: {} }),
    api.call('GET', '/ucp/checkout-sessions/not-an-id'),
    api.call('GET', `/ucp/carts/${checkout.id}`),
  ]
  for (const answer of await Promise.all(theirs))
    expect(answer).toMatchObject({ status: 200, body: { ucp: { status: 'error' }, messages: [{ code: 'not_found' }] } })

  const { option, selected_destination_id } = await holdFirst(api, checkout, line_items)
  const other = await begin(api)
  const taken = checkoutOf(
    await api.call('PUT', `/ucp/checkout-sessions/${other.checkout.id}`, {
      body: {
        line_items,
        fulfillment: {
          methods: [
            {
              type: 'installation',
              selected_destination_id,
              groups: [{ id: 'group-1', selected_option_id: option?.id }],
            },
          ],
        },
      },
    }),
  )
  // Another bay can be free. Otherwise the response reports that and contains the next times.
  if (taken.appointment === undefined) expect(codesOf(taken)).toContain('slot_taken')
  expect(await api.call('POST', `${at}/cancel`, { body: {} })).toMatchObject({ body: { status: 'canceled' } })
  expect(checkoutOf(await api.call('GET', at)).continue_url).toBeUndefined()
  const held = await api.app.db.selectFrom('booking').select('state').where('state', '=', 'held').execute()
  expect(held).toHaveLength(taken.appointment === undefined ? 0 : 1)
  api.clock.set(api.clock.now().add({ hours: 7 }))
  expect(await api.call('GET', `/ucp/checkout-sessions/${other.checkout.id}`)).toMatchObject({
    body: { status: 'canceled' },
  })
})

test('the same bytes under a key are one call, others a conflict', async () => {
  await using api = await openUcp()
  const itemId = await pickTire(api.database)
  const headers = { 'idempotency-key': 'one' }
  const body = `{"line_items":[{"item":{"id":"${itemId}"},"quantity":4}]}`
  const first = await api.call('POST', '/ucp/carts', { body, headers })
  const again = await api.call('POST', '/ucp/carts', { body, headers })
  expect(again.status).toBe(201)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  // The same content in other bytes is another request.
  expect(await api.call('POST', '/ucp/carts', { body: `${body} `, headers })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_conflict' },
  })
  const profiles = await api.call('POST', '/ucp/carts', { body, headers, from: otherPlatform })
  expect(profiles.headers.get('idempotent-replayed')).toBeNull()
  const carts = await api.app.db.selectFrom('agent_session').select('platform').orderBy('platform').execute()
  expect(carts.map((each) => each.platform)).toEqual([platform, otherPlatform])
})

test('a cart is priced, changed as a whole, and becomes one checkout', async () => {
  await using api = await openUcp()
  const itemId = await pickTire(api.database)
  const line = { item: { id: String(itemId) }, quantity: 4 }
  const made = await api.call('POST', '/ucp/carts', { body: { line_items: [line], context: { postal_code: '60614' } } })
  expect(made.status).toBe(201)
  const { id } = made.body as { id: string }
  const changed = await api.call('PUT', `/ucp/carts/${id}`, {
    body: { line_items: [{ ...line, quantity: 2 }], discounts: { codes: ['NOSUCHCODE'] } },
  })
  expect(changed).toMatchObject({ status: 200, body: { line_items: [{ quantity: 2 }] } })
  expect((changed.body as Checkout).messages).toMatchObject([
    { type: 'warning', code: 'discount_code_invalid' },
    {
      type: 'info',
      code: 'offer_note',
      content: 'Installation discount (−$25.00) no longer applies: it needs 4 or more tires.',
    },
    { type: 'info', code: 'identity_optional' },
  ])
  const unsold = await api.call('PUT', `/ucp/carts/${id}`, {
    body: { line_items: [{ item: { id: '1' }, quantity: 1 }] },
  })
  expect(unsold).toMatchObject({ body: { line_items: [{ quantity: 2 }] } })
  expect(codesOf(checkoutOf(unsold))).toEqual(['item_unavailable'])

  const convert = () => api.call('POST', '/ucp/checkout-sessions', { body: { cart_id: id, line_items: [] } })
  const [first, second] = [checkoutOf(await convert()), checkoutOf(await convert())]
  expect(second.id).toBe(first.id)
  expect(first.line_items).toMatchObject([{ quantity: 2 }])
  expect(
    await api.call('POST', '/ucp/checkout-sessions', { body: { cart_id: id }, from: otherPlatform }),
  ).toMatchObject({
    body: { messages: [{ code: 'not_found' }] },
  })
  expect(
    await api.call('POST', '/ucp/checkout-sessions', { body: { line_items: [{ item: { id: 'x' }, quantity: 1 }] } }),
  ).toMatchObject({
    status: 200,
    body: { ucp: { status: 'error' }, messages: [{ code: 'item_unavailable', severity: 'recoverable' }] },
  })
})

test('tires are shipped to the address of the buyer, and the older release picks up at the shop', async () => {
  await using api = await openUcp({ withOutside: true })
  const destination = {
    street_address: '1 Sample Street',
    address_locality: 'Chicago',
    address_region: 'IL',
    postal_code: '60614',
    address_country: 'US',
  }
  const buyer = { first_name: 'Dana', last_name: 'Ruiz', email: 'dana@example.com', phone_number: '+13125550142' }
  const fulfillment = { methods: [{ type: 'shipping', destinations: [destination] }] }
  const { checkout } = await begin(api, { buyer, fulfillment })
  expect(checkout).toMatchObject({
    status: 'requires_escalation',
    buyer: { email: 'dana@example.com' },
    fulfillment: {
      methods: [{ type: 'shipping', destinations: [destination], groups: [{ selected_option_id: 'standard' }] }],
    },
  })
  expect(codesOf(checkout)).toEqual(['terms_of_sale', 'payment'])
  const bad = checkoutOf(
    await api.call('PUT', `/ucp/checkout-sessions/${checkout.id}`, {
      body: { line_items: [], buyer: { ...buyer, email: 'no email' }, fulfillment },
    }),
  )
  expect(bad).toMatchObject({ status: 'incomplete' })
  expect(codesOf(bad)).toContain('buyer_invalid')

  const itemId = await pickTire(api.database)
  const older = await api.call('POST', '/ucp/checkout-sessions', {
    from: otherPlatform,
    body: { line_items: [{ item: { id: String(itemId) }, quantity: 4 }], context: { postal_code: '60614' } },
  })
  expect(older).toMatchObject({
    status: 201,
    body: { ucp: { version: '2026-04-08' }, fulfillment: { methods: [{ type: 'pickup' }] } },
  })
})
