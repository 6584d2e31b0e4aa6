/** Tests the prices, token permissions, and unlinking of buyers with linked accounts. */
import { expect, test } from 'vitest'
import { dana, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { readAccountData } from '#domain/operations/personal-data/personal-data.server.ts'
import { listApps, setAppAccess } from '#domain/customers/accounts/accounts.server.ts'
import { agentScopes } from '#domain/customers/accounts/accounts.ts'
import { findAccountCart } from '#domain/payments/cart/cart.server.ts'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { openUcp, origin, otherPlatform, tokenOf } from './ucp.testing.ts'

type Api = Awaited<ReturnType<typeof openUcp>>
type Answer = {
  id: string
  code?: string
  totals: { type: string; amount: number }[]
  messages: { code: string; severity?: string }[]
  loyalty?: Record<string, { name: string; provisional: boolean; display_id?: string }>
}

const everything = Object.keys(agentScopes)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const asDana = bearer(tokenOf('dana', everything))
const bodyOf = ({ body }: { body: unknown }) => body as Answer
const totalOf = (answer: { body: unknown }) => bodyOf(answer).totals.find(({ type }) => type === 'total')?.amount ?? 0
const codesOf = (answer: { body: unknown }) => bodyOf(answer).messages.map(({ code }) => code)

async function addMember(api: Api, person = dana): Promise<string> {
  api.identity.person = person
  const { accountId } = await signInAs({
    ...api.app,
    config: { session: api.app.config.session },
    identity: api.identity,
    clock: api.clock,
  })
  await grantType(api.app, { accountId, type: 'Retail Member', how: 'staff', until: null, by: 'a test' })
  return accountId
}

async function linesOf(api: Api) {
  return [{ item: { id: String(await pickTire(api.database)) }, quantity: 4 }]
}

const context = { postal_code: '60614' }

test('a linked account has its prices and membership, and its cart and checkout', async () => {
  await using api = await openUcp()
  const accountId = await addMember(api)
  const line_items = await linesOf(api)
  const open = (headers: Record<string, string>) =>
    api.call('POST', '/ucp/carts', { body: { line_items, context }, headers })
  const guest = await open({})
  expect(codesOf(guest)).toContain('identity_optional')
  expect(bodyOf(guest).loyalty).toBeUndefined()
  const cart = await open(asDana)
  expect(cart.status).toBe(201)
  expect(totalOf(cart)).toBeLessThan(totalOf(guest))
  expect(bodyOf(cart).loyalty).toEqual({
    'example.tires.membership': expect.objectContaining({ name: 'Sidewall membership', provisional: false }) as object,
  })
  expect(codesOf(cart)).toEqual(['membership_benefit_eligible'])
  // The member's prices in the catalog, too.
  const search = async (headers: Record<string, string>) => {
    const found = await api.call('POST', '/ucp/catalog/lookup', {
      body: { ids: [line_items[0]?.item.id] },
      headers,
    })
    return (found.body as { products: { price_range: { min: { amount: number } } }[] }).products[0]?.price_range.min
      .amount
  }
  expect(await search(asDana)).toBeLessThan((await search({})) ?? 0)

  const { id } = bodyOf(cart)
  const checkout = await api.call('POST', '/ucp/checkout-sessions', { body: { cart_id: id }, headers: asDana })
  expect(totalOf(checkout)).toBe(totalOf(cart))
  const [{ cart_id: cartId } = { cart_id: '' }] = await api.app.db
    .selectFrom('agent_session')
    .select('cart_id')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'checkout')
    .execute()
  expect(await findAccountCart(api.app.db, accountId)).toBe(cartId)
  expect((await readAccountData(api.app, accountId)).agentCheckouts).toMatchObject([
    { kind: 'cart', platform: 'https://agents.example.com/profile.json' },
    { kind: 'checkout' },
  ])
})

test('a guest’s checkout becomes the account’s once it is linked, with the claim proved', async () => {
  await using api = await openUcp()
  await addMember(api)
  const line_items = await linesOf(api)
  const claimed = { ...context, eligibility: ['example.tires.membership'] }
  const guest = await api.call('POST', '/ucp/checkout-sessions', { body: { line_items, context: claimed } })
  expect(codesOf(guest)).toContain('eligibility_not_accepted')
  const at = `/ucp/checkout-sessions/${bodyOf(guest).id}`
  const linked = await api.call('PUT', at, { body: { line_items, context: claimed }, headers: asDana })
  expect(totalOf(linked)).toBeLessThan(totalOf(guest))
  expect(codesOf(linked)).not.toContain('eligibility_not_accepted')
  expect(await api.call('GET', at)).toMatchObject({ status: 401 })
  expect(totalOf(await api.call('GET', at, { headers: asDana }))).toBe(totalOf(linked))
})

test('authorization of each scope, token, and user', async () => {
  await using api = await openUcp()
  await addMember(api)
  await addMember(api, { subject: 'lee', email: 'lee@example.com', isEmailVerified: true, name: 'Lee' })
  const line_items = await linesOf(api)
  const made = async (path: string) =>
    bodyOf(await api.call('POST', path, { body: { line_items, context }, headers: asDana })).id
  const [cart, checkout] = [await made('/ucp/carts'), await made('/ucp/checkout-sessions')]
  const calls = {
    search: ['POST', '/ucp/catalog/search', { query: '225/65R17' }],
    cart: ['GET', `/ucp/carts/${cart}`],
    checkout: ['GET', `/ucp/checkout-sessions/${checkout}`],
    order: ['GET', `/ucp/orders/${checkout}`],
  } as const
  const having = (...scopes: string[]) => tokenOf('dana', scopes)
  const [ofCarts = '', ofCheckouts = '', ofOrders = ''] = everything
  const rows: [token: string | null, call: keyof typeof calls, status: number, code?: string][] = [
    [null, 'search', 200],
    [null, 'cart', 401, 'identity_required'],
    [null, 'checkout', 401, 'identity_required'],
    [null, 'order', 401, 'identity_required'],
    [having(), 'search', 200],
    [having(), 'cart', 403, 'insufficient_scope'],
    [having(ofCarts), 'cart', 200],
    [having(ofCarts), 'checkout', 403, 'insufficient_scope'],
    [having(ofCheckouts), 'checkout', 200],
    [having(ofCheckouts), 'order', 403, 'insufficient_scope'],
    [having(ofOrders), 'checkout', 403, 'insufficient_scope'],
    // There is no order yet, so the response isn't about the token.
    [having(ofOrders), 'order', 200],
    [having('orders:read'), 'cart', 403, 'insufficient_scope'],
    ['not-a-token', 'search', 401, 'identity_required'],
    [tokenOf('dana', everything, otherPlatform), 'cart', 401, 'identity_required'],
    [tokenOf('dana', everything, 'not-an-address'), 'search', 401, 'identity_required'],
    [tokenOf('nobody', everything), 'search', 401, 'identity_required'],
  ]
  for (const [token, name, status, code] of rows) {
    const [method, path, body] = calls[name]
    const answer = await api.call(method, path, {
      ...(body && { body }),
      ...(token !== null && { headers: bearer(token) }),
    })
    expect(answer.status, `${token} ${name}`).toBe(status)
    expect(bodyOf(answer).code, `${token} ${name}`).toEqual(code)
    const challenge = answer.headers.get('www-authenticate')
    if (status === 200) expect(challenge).toBeNull()
    else {
      expect(bodyOf(answer).messages).toMatchObject([{ code, severity: 'requires_buyer_review' }])
      expect(challenge).toContain('Bearer realm="https://id.example"')
      expect(challenge).toContain(`resource_metadata="${origin}/.well-known/oauth-protected-resource"`)
      expect(challenge?.includes('error="invalid_token"')).toBe(status === 401 && token !== null)
    }
  }
  const others = await api.call('GET', `/ucp/carts/${cart}`, { headers: bearer(tokenOf('lee', everything)) })
  expect(others).toMatchObject({ status: 200, body: { messages: [{ code: 'not_found' }] } })
  api.identity.away = true
  expect(await api.call('GET', `/ucp/carts/${cart}`, { headers: asDana })).toMatchObject({ status: 503 })
})

test('a revoked platform can’t read or change the account until the owner allows it again', async () => {
  await using api = await openUcp()
  const accountId = await addMember(api)
  const line_items = await linesOf(api)
  const body = { line_items, context }
  const cart = `/ucp/carts/${bodyOf(await api.call('POST', '/ucp/carts', { body, headers: asDana })).id}`
  const [app] = await listApps(api.app, accountId)
  expect(app).toMatchObject({ name: 'https://agents.example.com/profile.json', scopes: everything })
  await setAppAccess(api.app, accountId, app?.id ?? '', { isAllowed: false })
  for (const [method, path, sent] of [
    ['GET', cart],
    ['PUT', cart, body],
    ['POST', '/ucp/carts', body],
    ['POST', '/ucp/catalog/search', { query: '225/65R17' }],
  ] as const)
    expect(await api.call(method, path, { ...(sent && { body: sent }), headers: asDana })).toMatchObject({
      status: 401,
      body: { code: 'identity_required' },
    })
  expect(await api.call('GET', cart)).toMatchObject({ status: 401 })
  await setAppAccess(api.app, accountId, app?.id ?? '', { isAllowed: true })
  expect(await api.call('GET', cart, { headers: asDana })).toMatchObject({ status: 200 })
})

test('a repeated key responds to each buyer separately', async () => {
  await using api = await openUcp()
  await addMember(api)
  const body = { line_items: await linesOf(api), context }
  const post = (more: Record<string, string>) =>
    api.call('POST', '/ucp/carts', { body, headers: { 'idempotency-key': 'same', ...more } })
  const [mine, guests, again] = [await post(asDana), await post({}), await post(asDana)]
  expect(bodyOf(guests).id).not.toBe(bodyOf(mine).id)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.body).toEqual(mine.body)
})

test('the token endpoint is published at the protocol’s path, and the older release omits it', async () => {
  await using api = await openUcp()
  const metadata = await api.call('GET', '/.well-known/oauth-protected-resource', { from: '' })
  expect(metadata).toMatchObject({
    status: 200,
    body: { resource: origin, authorization_servers: ['https://id.example'], scopes_supported: everything },
  })
  const capabilitiesAt = async (path: string) =>
    ((await api.call('GET', path, { from: '' })).body as { ucp: { capabilities: Record<string, unknown> } }).ucp
      .capabilities
  expect(await capabilitiesAt('/.well-known/ucp')).toMatchObject({
    'dev.ucp.common.identity_linking': [{ config: { scopes: {} } }],
    'dev.ucp.common.loyalty': [{}],
  })
  expect(Object.keys(await capabilitiesAt('/.well-known/ucp/2026-04-08'))).not.toContain('dev.ucp.common.loyalty')
  // Its platform is a guest's, whatever it sends.
  const older = await api.call('POST', '/ucp/carts', {
    body: { line_items: await linesOf(api) },
    from: otherPlatform,
    headers: bearer('anything'),
  })
  expect(older.status).toBe(201)
})
