/** Verifying military service at the stand-in for ID.me, over real wires. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Eligibility, EligibilityRequest } from '#domain/pricing/military/eligibility.port.ts'
import { idMePeople } from '#sandbox/id-me/people.ts'
import { startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { createVisitor } from '#tests/support/visitor.ts'
import { createIdMe, type IdMeConfig } from './id-me.ts'

const [port = 0] = await freePorts(3)

function idMeAt(sandbox: Pick<TestSandbox, 'origin' | 'storeOrigin'>, change: Partial<IdMeConfig> = {}): Eligibility {
  return createIdMe({
    issuer: `${sandbox.origin}/id-me/oidc`,
    clientId: 'sidewall-military',
    clientSecret: testSecrets.idMeClientSecret,
    callbackUrl: `${sandbox.storeOrigin}/military/callback`,
    log: { warn: () => {} },
    ...change,
  })
}

const request: EligibilityRequest = {
  account: 'an account',
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
}

/** Chooses a person at the provider, or cancels; returns the query of the way back. */
async function choose(idMe: Eligibility, name: string | null, visitor = createVisitor()): Promise<URLSearchParams> {
  const begun = await idMe.begin(request)
  if (!begun.ok) throw new Error(begun.reason, { cause: begun.cause })
  const { url } = await visitor.follow(begun.value)
  const form = name === null ? { cancel: '1' } : { person: idMePeople.find((each) => each.name === name)?.id ?? '' }
  const landed = await visitor.follow(url, { form, stops: ({ pathname }) => pathname === '/military/callback' })
  return landed.url.searchParams
}

test('the request includes military status, PKCE, state, and nonce', async () => {
  await using sandbox = await startTestSandbox(port)
  const begun = await idMeAt(sandbox).begin(request)
  expect(Object.fromEntries(new URL(begun.ok ? begun.value : '').searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'sidewall-military',
    redirect_uri: `${sandbox.storeOrigin}/military/callback`,
    scope: 'openid military',
    state: request.state,
    nonce: request.nonce,
    code_challenge_method: 'S256',
  })
})

test.for([
  ['Mia Torres', { ok: true, value: { group: 'Service Member' } }],
  ['Ray Coleman', { ok: true, value: { group: 'Veteran' } }],
  ['Pat Quinn', { ok: false, reason: 'not-verified' }],
  ['Gus Hale', { ok: false, reason: 'not-verified' }],
  [null, { ok: false, reason: 'declined' }],
] as const)('%s: only a verified military status proves anything', async ([name, expected]) => {
  await using sandbox = await startTestSandbox(port)
  const idMe = idMeAt(sandbox)
  const answer = await idMe.finish(await choose(idMe, name), request, sandbox.clock.now())
  expect(answer).toMatchObject(expected)
  if (answer.ok) {
    expect(answer.value.subject).toBe(idMePeople.find((each) => each.name === name)?.id)
    expect(answer.value.verifiedAt).toEqual(sandbox.clock.now())
  }
})

test('accepts a response once, only with its own state and verifier', async () => {
  await using sandbox = await startTestSandbox(port)
  const idMe = idMeAt(sandbox)
  const query = await choose(idMe, 'Mia Torres')
  const finish = (change: Partial<EligibilityRequest>) =>
    idMe.finish(query, { ...request, ...change }, sandbox.clock.now())
  expect(await finish({ state: 'x'.repeat(43) })).toMatchObject({ reason: 'not-ours' })
  expect(await finish({})).toMatchObject({ ok: true })
  expect(await finish({})).toMatchObject({ reason: 'not-ours' })
  const other = await choose(idMe, 'Mia Torres')
  expect(await idMe.finish(other, { ...request, codeVerifier: 'w'.repeat(43) }, sandbox.clock.now())).toMatchObject({
    reason: 'not-ours',
  })
})

test('each visit verifies identity again in a shared browser', async () => {
  await using sandbox = await startTestSandbox(port)
  const idMe = idMeAt(sandbox)
  const visitor = createVisitor()
  for (const [name, group] of [
    ['Ann Brooks', 'Military Spouse'],
    ['Ray Coleman', 'Veteran'],
  ] as const)
    expect(await idMe.finish(await choose(idMe, name, visitor), request, sandbox.clock.now())).toMatchObject({
      value: { group },
    })
})

test('the status is for holders of an access token only', async () => {
  await using sandbox = await startTestSandbox(port)
  const address = `${sandbox.origin}/id-me/api/public/v3/attributes.json`
  for (const headers of [{}, { authorization: 'Bearer made-up' }])
    expect((await fetch(address, { headers })).status).toBe(401)
})

test('a provider that is away or does not know the store is unavailable', async () => {
  await using sandbox = await startTestSandbox(port)
  expect(await idMeAt(sandbox, { issuer: 'http://127.0.0.1:9/oidc' }).begin(request)).toMatchObject({
    reason: 'unavailable',
  })
  const query = await choose(idMeAt(sandbox), 'Mia Torres')
  const stranger = idMeAt(sandbox, { clientSecret: 'wrong' })
  expect(await stranger.finish(query, request, sandbox.clock.now())).toMatchObject({ reason: 'unavailable' })
})

// As ID.me publishes it (issuer https://api.id.me/oidc, July 2026), apart from the addresses.
const published = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  response_types_supported: z.array(z.string()).refine((types) => types.includes('code')),
  code_challenge_methods_supported: z.array(z.string()).refine((methods) => methods.includes('S256')),
  id_token_signing_alg_values_supported: z.array(z.string()).refine((algorithms) => algorithms.includes('RS256')),
  scopes_supported: z.array(z.string()).refine((scopes) => scopes.includes('openid')),
})

test('the stand-in describes itself as ID.me does', async () => {
  await using sandbox = await startTestSandbox(port)
  const issuer = `${sandbox.origin}/id-me/oidc`
  const description = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
  expect(published.parse(description).issuer).toBe(issuer)
})
