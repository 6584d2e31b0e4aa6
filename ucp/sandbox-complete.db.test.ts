/**
 * Tests completion without our pages. Only the sandbox's platform in a demo can do this, with a person's acceptance.
 */
import { expect, test } from 'vitest'
import { dana, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { agentScopes } from '#domain/customers/accounts/accounts.ts'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { listAccountOrders } from '#domain/ordering/orders/orders.server.ts'
import { readConfig } from '#platform/config.ts'
import { ownSecrets } from '#tests/support/own-secrets.ts'
import { openUcp, platform, platformKey, profileSpeaking, sandboxPlatform, tokenOf } from './ucp.testing.ts'

type Api = Awaited<ReturnType<typeof openUcp>>
type Checkout = {
  id: string
  status: string
  ucp: { payment_handlers: object }
  totals: { type: string; amount: number }[]
  messages: { type: string; code: string; severity?: string }[]
  fitment: { conditions: { id: string }[] }
  order?: { label: string }
}

const address = {
  street_address: '1 Sample Street',
  address_locality: 'Chicago',
  address_region: 'IL',
  postal_code: '60614',
  address_country: 'US',
}
const buyer = { first_name: 'Dana', last_name: 'Ruiz', email: 'dana@example.com', phone_number: '+13125550142' }
const fitment = { vehicle: { year: 2021, make: 'Toyota', model: 'RAV4' } }

type Caller = { from: string; isSigned: boolean; headers?: Record<string, string> }
const sandbox: Caller = { from: sandboxPlatform, isSigned: true }
const checkoutOf = ({ body }: { body: unknown }) => body as Checkout
const errorsOf = ({ messages }: Checkout) => messages.filter(({ type }) => type === 'error').map(({ code }) => code)

/** Has four tires shipped. */
async function ready(api: Api, caller: Caller): Promise<Checkout> {
  const line_items = [{ item: { id: String(await pickTire(api.database)) }, quantity: 4 }]
  const fulfillment = { methods: [{ type: 'shipping', destinations: [address] }] }
  const body = { line_items, buyer, fulfillment, fitment, context: { postal_code: '60614' } }
  return checkoutOf(await api.call('POST', '/ucp/checkout-sessions', { ...caller, body }))
}

function completion({ totals, fitment: { conditions } }: Checkout, token = 'pm_card_visa') {
  return {
    payment: {
      instruments: [
        { id: 'card-1', handler_id: 'sandbox-card', type: 'card', credential: { type: 'sandbox_token', token } },
      ],
    },
    sandbox_acceptance: {
      terms_of_sale: true,
      fit_conditions: conditions.map(({ id }) => id),
      total: totals.find(({ type }) => type === 'total')?.amount,
    },
  }
}

const complete = async (api: Api, { id }: Checkout, caller: Caller, body: object) =>
  checkoutOf(await api.call('POST', `/ucp/checkout-sessions/${id}/complete`, { ...caller, body }))

/** The orders of agents. */
const ordersIn = (api: Api) =>
  api.app.db
    .selectFrom('sales_order as o')
    .innerJoin('agent_session as s', 's.cart_id', 'o.cart_id')
    .select('o.id')
    .execute()

test('the sandbox’s platform passes on what a person accepted, pays, and the order is in the linked account', async () => {
  await using api = await openUcp({ withOutside: true })
  api.identity.person = dana
  const { accountId } = await signInAs({ ...api.app, identity: api.identity, clock: api.clock })
  const token = tokenOf('dana', Object.keys(agentScopes), sandboxPlatform)
  const caller = { ...sandbox, headers: { authorization: `Bearer ${token}` } }
  const checkout = await ready(api, caller)
  expect(checkout.status).toBe('ready_for_complete')
  expect(errorsOf(checkout)).toEqual([])
  expect(Object.values(checkout.ucp.payment_handlers)).toMatchObject([[{ id: 'sandbox-card' }]])
  const whole = completion(checkout)

  const refused = async (change: object) => {
    const answer = await complete(api, checkout, caller, { ...whole, ...change })
    return [answer.status, errorsOf(answer)]
  }
  const { sandbox_acceptance: accepted } = whole
  expect(await refused({ sandbox_acceptance: undefined })).toEqual(['requires_escalation', ['terms_of_sale']])
  expect(await refused({ sandbox_acceptance: { ...accepted, terms_of_sale: false } })).toEqual([
    'requires_escalation',
    ['terms_of_sale'],
  ])
  expect(await refused({ sandbox_acceptance: { ...accepted, total: 1 } })).toEqual(['incomplete', ['price_changed']])
  expect(await refused({ payment: {} })).toEqual(['incomplete', ['payment_instrument_invalid']])
  expect(await refused({ payment: completion(checkout, 'pm_1Saved').payment })).toEqual([
    'incomplete',
    ['payment_instrument_invalid'],
  ])
  expect(await refused({ payment: completion(checkout, 'pm_card_visa_chargeDeclined').payment })).toEqual([
    'incomplete',
    ['payment_not_authorized'],
  ])
  expect(await ordersIn(api)).toEqual([])

  const done = await complete(api, checkout, caller, whole)
  expect(done.status).toBe('completed')
  expect(errorsOf(done)).toEqual([])
  const again = await complete(api, checkout, caller, whole)
  expect(again.status).toBe('completed')
  expect(errorsOf(again)).toEqual(['already_completed'])
  const [order, ...others] = await ordersIn(api)
  expect(others).toEqual([])
  expect((await listAccountOrders(api.app, accountId)).orders).toMatchObject([{ id: order?.id }])
  const mails = await api.app.db
    .selectFrom('message')
    .select('kind')
    .where('order_id', '=', order?.id ?? 0)
    .execute()
  expect(mails).toEqual([{ kind: 'order-received' }])
})

test('only the platform can complete its checkout, with a signature and in a demo', async () => {
  await using api = await openUcp({ withOutside: true })
  await using real = await openUcp({ isDemo: false })
  api.profiles.set(platform, profileSpeaking('2026-08-25', { keys: [platformKey.jwk] }))
  const callers: [what: string, store: Api, caller: Caller][] = [
    ['another platform that signs', api, { from: platform, isSigned: true }],
    ['an unsigned request in the sandbox’s name', api, { ...sandbox, isSigned: false }],
    ['the sandbox’s platform with DEMO=0', real, sandbox],
  ]
  for (const [what, store, caller] of callers) {
    const checkout = await ready(store, caller)
    expect(checkout.ucp.payment_handlers, what).toEqual({})
    const answer = await complete(store, checkout, caller, completion(checkout))
    expect(answer.status, what).toBe('requires_escalation')
    expect(errorsOf(answer)).toEqual(['terms_of_sale', 'payment'])
    expect(await ordersIn(store), what).toEqual([])
  }
  const profile = (await real.call('GET', '/.well-known/ucp', { from: '' })).body as {
    ucp: { payment_handlers: object; capabilities: object }
  }
  expect(profile.ucp.payment_handlers).toEqual({})
  expect(Object.keys(profile.ucp.capabilities).join(' ')).not.toContain('sandbox')
  for (const name of ['sandbox_acceptance', 'sandbox_card']) {
    const schema = `/ucp/schemas/2026-11-24/${name}.json`
    expect((await real.call('GET', schema)).status).toBe(404)
    expect((await api.call('GET', schema)).status).toBe(200)
  }
})

test('only an unreachable demo has a sandbox platform', () => {
  const platformWith = (env: Record<string, string>) => {
    const read = readConfig({ DATABASE_URL: 'postgres://localhost/x', ...env })
    return read.ok ? read.value.agents.sandboxPlatform : read.faults
  }
  expect(platformWith({})).toBe(sandboxPlatform)
  const own = { ...ownSecrets, STORE_ADDRESS: '7 Harbor Road, Duluth, MN 55802' }
  expect(platformWith({ ...own, DEMO: '0' })).toBeNull()
  expect(platformWith({ ...own, PUBLIC_ORIGIN: 'https://tires.example' })).toBeNull()
})
