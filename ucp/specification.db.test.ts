/**
 * Holds every answer to the protocol's own schemas, of both releases. Runs if UCP_SCHEMAS names a folder with a folder
 * for each release (`2026-08-25/schemas`, `2026-04-08/schemas`): the `source` of github.com/Universal-Commerce-Protocol/ucp.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { exampleContact } from '#api/schemas.ts'
import { takeOver } from '#domain/channels/agents/agents.server.ts'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { newId } from '#platform/ids.ts'
import { extensionSchemaPath } from './profile.ts'
import { signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { agentScopes } from '#domain/customers/accounts/accounts.ts'
import { grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { openUcp, otherPlatform, platform, sandboxPlatform, tokenOf } from './ucp.testing.ts'
import { watchAgentOrders, tellPlatform } from './news.ts'

const { UCP_SCHEMAS: folder = '' } = process.env
const ids = 'https://ucp.dev/schemas/'

type Schema = { $id?: string; [name: string]: unknown }

async function schemasOf(release: string): Promise<Ajv2020> {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false })
  addFormats.default(ajv)
  const root = join(folder, release, 'schemas')
  for (const entry of await readdir(root, { recursive: true })) {
    if (!entry.endsWith('.json')) continue
    const schema = JSON.parse(await readFile(join(root, entry), 'utf8')) as Schema
    // In the older release, any location is also a shipping address, so `oneOf` never matches exactly one.
    if (entry.endsWith('fulfillment_destination.json') && schema['oneOf']) {
      schema['anyOf'] = schema['oneOf']
      delete schema['oneOf']
    }
    if (schema.$id !== undefined && !ajv.getSchema(schema.$id)) ajv.addSchema(schema)
  }
  return ajv
}

function faultsOf(ajv: Ajv2020, ref: string, value: unknown): string[] {
  const validate = ajv.compile({ $ref: ref.startsWith('https:') ? ref : ids + ref })
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, schemaPath }) => `${ref} ${instancePath} ${message} (${schemaPath})`,
  )
}

const checkout = [
  'shopping/checkout.json',
  'shopping/fulfillment.json#/$defs/dev.ucp.shopping.checkout',
  'shopping/discount.json#/$defs/dev.ucp.shopping.checkout',
  'shopping/buyer_consent.json#/$defs/dev.ucp.shopping.checkout',
]
const refsOf = {
  search: ['shopping/catalog_search.json#/$defs/search_response'],
  lookup: ['shopping/catalog_lookup.json#/$defs/lookup_response'],
  product: ['shopping/catalog_lookup.json#/$defs/get_product_response'],
  cart: ['shopping/cart.json', 'shopping/discount.json#/$defs/dev.ucp.shopping.cart'],
  checkout,
  order: ['shopping/order.json'],
}
const loyal = {
  cart: ['common/loyalty.json#/$defs/dev.ucp.shopping.cart'],
  checkout: ['common/loyalty.json#/$defs/dev.ucp.shopping.checkout'],
}
const rav4 = { vehicle: { year: 2021, make: 'Toyota', model: 'RAV4' } }

test.each([
  ['2026-08-25', platform],
  ['2026-04-08', otherPlatform],
])('every answer of %s is as its schemas say', async (release, from) => {
  await using api = await openUcp({ withOutside: true })
  const ajv = await schemasOf(release)
  for (const name of ['fitment', 'appointment'] as const) {
    const { body } = await api.call('GET', extensionSchemaPath(name))
    ajv.addSchema(body)
    expect(ajv.getSchema(`${(body as Schema).$id}#/$defs/dev.ucp.shopping.checkout`)).toBeDefined()
  }
  const faults: string[] = []
  const ask = async <Body = { id: string }>(
    kind: keyof typeof refsOf,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Body> => {
    const answer = await api.call(method, `/ucp${path}`, { from, ...(body !== undefined && { body }) })
    const { ucp } = answer.body as { ucp: { status: string } }
    const refs =
      ucp.status === 'error' ? ['common/types/error_response.json', 'shopping/types/error_response.json'] : refsOf[kind]
    const known = refs.filter((ref) => ucp.status !== 'error' || ajv.getSchema(ids + ref))
    faults.push(
      ...known.flatMap((ref) => faultsOf(ajv, ref, answer.body).map((fault) => `${method} ${path}: ${fault}`)),
    )
    return answer.body
  }
  const { body: profile } = await api.call(
    'GET',
    release === '2026-08-25' ? '/.well-known/ucp' : `/.well-known/ucp/${release}`,
  )
  const profileRef =
    release === '2026-08-25' ? 'profile.json#/$defs/business_schema' : 'ucp.json#/$defs/business_schema'
  faults.push(...faultsOf(ajv, profileRef, release === '2026-08-25' ? profile : (profile as { ucp: object }).ucp))

  const item = { id: String(await pickTire(api.database)) }
  const line_items = [{ item, quantity: 4 }]
  const context = { postal_code: '60614' }
  await ask('search', 'POST', '/catalog/search', { query: '225/65R17', pagination: { limit: 3 } })
  await ask('search', 'POST', '/catalog/search', { fitment: rav4 })
  await ask('search', 'POST', '/catalog/search', { query: 'zzzz' })
  const found = await ask<{ products: { id: string }[] }>('lookup', 'POST', '/catalog/lookup', {
    ids: [item.id, 'none'],
  })
  await ask('lookup', 'POST', '/catalog/lookup', { ids: found.products.map(({ id }) => id) })
  await ask('product', 'POST', '/catalog/product', { id: item.id, fitment: rav4 })
  await ask('product', 'POST', '/catalog/product', { id: 'no/such' })
  const cart = await ask('cart', 'POST', '/carts', {
    line_items,
    context,
    fitment: rav4,
    discounts: { codes: ['NONE'] },
  })
  await ask('cart', 'PUT', `/carts/${cart.id}`, { line_items })
  await ask('cart', 'GET', `/carts/${cart.id}`)
  await ask('cart', 'GET', `/carts/${newId()}`)
  await ask('checkout', 'POST', '/checkout-sessions', { line_items: [{ item: { id: 'x' }, quantity: 1 }] })
  await ask('checkout', 'POST', '/checkout-sessions', { line_items })

  type Checkout = {
    id: string
    continue_url: string
    fulfillment: {
      methods: { type: string; destinations: { id: string }[]; groups: { options: { id: string }[] }[] }[]
    }
  }
  const opened = await ask<Checkout>('checkout', 'POST', '/checkout-sessions', { line_items, context, fitment: rav4 })
  const [method] = opened.fulfillment.methods
  const selected = { type: method?.type, selected_destination_id: method?.destinations[0]?.id }
  const put = (methods: object[], more: object = {}) =>
    ask<Checkout>('checkout', 'PUT', `/checkout-sessions/${opened.id}`, {
      line_items,
      fulfillment: { methods },
      ...more,
    })
  const chosen = await put([selected])
  const option = chosen.fulfillment.methods[0]?.groups[0]?.options[0]
  const held = await put([{ ...selected, groups: [{ id: 'group-1', selected_option_id: option?.id }] }])
  await ask('checkout', 'POST', `/checkout-sessions/${opened.id}/complete`, { payment: {} })
  const shipped = await ask<Checkout>('checkout', 'POST', '/checkout-sessions', {
    line_items,
    buyer: { first_name: 'Dana', last_name: 'Ruiz', email: 'dana@example.com', phone_number: '+13125550142' },
    fulfillment: {
      methods: [
        {
          type: 'shipping',
          destinations: [
            {
              street_address: '1 Sample Street',
              address_locality: 'Chicago',
              address_region: 'IL',
              postal_code: '60614',
              address_country: 'US',
            },
          ],
        },
      ],
    },
  })
  await ask('checkout', 'POST', `/checkout-sessions/${shipped.id}/cancel`, {})

  // A person takes over and pays.
  const token = decodeURIComponent(new URL(held.continue_url).pathname.split('/').at(-1) ?? '')
  const taken = await takeOver(api.app, { secret: api.app.config.session.secret, token })
  if (!taken.ok) throw new Error(taken.reason)
  await ask('checkout', 'GET', `/checkout-sessions/${opened.id}`)
  const ours = createApi(api.app)
  const person = async (verb: string, path: string, body?: unknown) => {
    const headers = {
      authorization: `Bearer ${taken.value.cartId}`,
      'idempotency-key': newId(),
      'content-type': 'application/json',
    }
    const answer = await ours.request(
      `/api${path}`,
      { method: verb, headers, ...(body !== undefined && { body: JSON.stringify(body) }) },
      {},
    )
    return (await answer.json()) as { agreedPrice: string; amountCents: number; clientSecret: string }
  }
  await person('PUT', '/cart/contact', exampleContact)
  await person('PUT', '/cart/billing', { sameAsShipping: '1' })
  const { agreedPrice } = await person('GET', '/cart/price')
  await api.outside?.authorize(await person('POST', '/cart/payment', { flow: 'fields' }))
  await person('POST', '/orders', { agreedPrice, termsAccepted: true, conditionsAccepted: true })
  await ask('checkout', 'GET', `/checkout-sessions/${opened.id}`)
  await ask('order', 'GET', `/orders/${opened.id}`)
  expect(await watchAgentOrders(api.app)).toBe(1)
  await tellPlatform(api.app, opened.id)
  faults.push(...faultsOf(ajv, 'shopping/order.json', JSON.parse(api.posted[0]?.body ?? '{}')))

  expect([...new Set(faults)]).toEqual([])
})

test('what a linked member and the sandbox get is as the schemas say', async () => {
  await using api = await openUcp({ withOutside: true })
  const ajv = await schemasOf('2026-08-25')
  const { accountId } = await signInAs({ ...api.app, identity: api.identity, clock: api.clock })
  await grantType(api.app, { accountId, type: 'Retail Member', how: 'staff', until: null, by: 'a test' })
  const { body: profile } = await api.call('GET', '/.well-known/ucp')
  const { capabilities, payment_handlers: handlers } = (
    profile as { ucp: { capabilities: Record<string, object[]>; payment_handlers: Record<string, object[]> } }
  ).ucp
  const linking = 'dev.ucp.common.identity_linking'
  const faults = [
    ...faultsOf(ajv, `common/identity_linking.json#/$defs/${linking}/business_schema`, capabilities[linking]?.[0]),
    ...faultsOf(ajv, 'payment_handler.json#/$defs/business_schema', Object.values(handlers)[0]?.[0]),
  ]
  const token = tokenOf('dana', Object.keys(agentScopes), sandboxPlatform)
  const ask = async (kind: 'cart' | 'checkout', path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await api.call('POST', `/ucp${path}`, { body, headers, from: sandboxPlatform, isSigned: true })
    for (const ref of [...refsOf[kind], ...loyal[kind]]) faults.push(...faultsOf(ajv, ref, answer.body))
    return answer.body as { id: string; status: string; loyalty?: object; totals: { type: string; amount: number }[] }
  }
  const line_items = [{ item: { id: String(await pickTire(api.database)) }, quantity: 4 }]
  const context = { postal_code: '60614' }
  expect((await ask('cart', '/carts', { line_items, context })).loyalty).toBeDefined()
  const destination = {
    street_address: '1 Sample Street',
    address_locality: 'Chicago',
    address_region: 'IL',
    postal_code: '60614',
    address_country: 'US',
  }
  const ready = await ask('checkout', '/checkout-sessions', {
    line_items,
    context,
    buyer: { first_name: 'Dana', last_name: 'Ruiz', email: 'dana@example.com', phone_number: '+13125550142' },
    fulfillment: { methods: [{ type: 'shipping', destinations: [destination] }] },
  })
  const done = await ask('checkout', `/checkout-sessions/${ready.id}/complete`, {
    payment: {
      instruments: [
        {
          id: 'card-1',
          handler_id: 'sandbox-card',
          type: 'card',
          credential: { type: 'sandbox_token', token: 'pm_card_visa' },
        },
      ],
    },
    sandbox_acceptance: { terms_of_sale: true, total: ready.totals.find(({ type }) => type === 'total')?.amount },
  })
  expect(ready.status).toBe('ready_for_complete')
  expect(done.status).toBe('completed')
  expect(faults).toEqual([])
})
