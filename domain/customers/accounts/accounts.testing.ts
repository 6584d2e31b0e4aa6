/** An in-memory sign-in provider, with people and tokens set by tests. */
import { noRateLimits } from '#domain/kernel/rate-limits/rate-limits.testing.ts'
import type { IdentityProvider, Person, SignInRequest, Tokens } from '#domain/kernel/sign-in/identity-provider.port.ts'
import type { AccountDeps } from './sessions.server.ts'
import { retailBuyer } from '#domain/pricing/price-tiers/price-tiers.ts'
import type { ChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import type { Database } from '#platform/db.ts'
import { beginSignIn, landSignIn, type Landed } from './accounts.server.ts'
import { findOrAddAccount } from './accounts.sql.server.ts'

export const testIssuer = 'https://id.example'

export const dana: Person = { subject: 'dana', email: 'dana@example.com', isEmailVerified: true, name: 'Dana Ruiz' }

export const crv: ChosenVehicle = {
  vehicleId: null,
  fitmentId: null,
  year: 2019,
  makeSlug: 'honda',
  modelSlug: 'cr-v',
  name: '2019 Honda CR-V',
  confirmed: false,
  label: null,
}

export type FakeProvider = IdentityProvider & {
  /** The person who signs in at the provider next. */
  person: Person
  /** The currently valid access token; others get a 401. */
  goodToken: string
  /** When the person showed who they are; null from a provider that does not say. */
  authenticatedAt: Temporal.Instant | null
  away: boolean
  /** Whether the provider refuses to renew tokens. */
  isOver: boolean
  calls: { refresh: number; forgotten: Tokens[]; begun: SignInRequest[] }
}

export function createFakeProvider(): FakeProvider {
  const provider: FakeProvider = {
    issuer: testIssuer,
    person: dana,
    goodToken: 'access 0',
    authenticatedAt: Temporal.Instant.from('2026-11-20T15:00:00Z'),
    away: false,
    isOver: false,
    calls: { refresh: 0, forgotten: [], begun: [] },
    async begin(request) {
      if (provider.away) return { ok: false, reason: 'unavailable' }
      provider.calls.begun.push(request)
      return { ok: true, value: `${testIssuer}/authorize-client?state=${request.state}` }
    },
    async complete(query) {
      if (provider.away) return { ok: false, reason: 'unavailable' }
      if (query.has('error')) return { ok: false, reason: 'declined' }
      return {
        ok: true,
        value: {
          person: provider.person,
          tokens: { access: provider.goodToken, refresh: 'refresh 0', id: 'id 0' },
          authenticatedAt: provider.authenticatedAt,
          usedSecondFactor: null,
        },
      }
    },
    async readPerson(accessToken) {
      if (provider.away) return { ok: false, reason: 'unavailable' }
      return accessToken === provider.goodToken
        ? { ok: true, value: provider.person }
        : { ok: false, reason: 'unauthorized' }
    },
    async refresh() {
      provider.calls.refresh += 1
      const count = provider.calls.refresh
      // Long enough for other calls to arrive in between.
      await new Promise((resolve) => setTimeout(resolve, 150))
      if (provider.away) return { ok: false, reason: 'unavailable' }
      if (provider.isOver) return { ok: false, reason: 'ended' }
      provider.goodToken = `access ${count}`
      return { ok: true, value: { access: provider.goodToken, refresh: `refresh ${count}`, id: null } }
    },
    async forget(tokens) {
      provider.calls.forgotten.push(tokens)
    },
    async signOutUrl(idToken, returnUrl) {
      return `${testIssuer}/logout?id_token_hint=${encodeURIComponent(idToken)}&to=${encodeURIComponent(returnUrl)}`
    },
    oneTap: {
      frameUrl: `${testIssuer}/one-tap`,
      exchange: async (credential) =>
        credential === 'good' ? { ok: true, value: 'one-time code' } : { ok: false, reason: 'declined' },
    },
    // An app's token in tests is plain text: "dana;an-app;orders:read account:read".
    async readAccessToken(token) {
      if (provider.away) return { ok: false, reason: 'unavailable' }
      const [subject = '', clientId = '', scopes] = token.split(';')
      return scopes === undefined
        ? { ok: false, reason: 'not-accepted' }
        : { ok: true, value: { subject, clientId, clientName: null, scopes: scopes.split(' ') } }
    },
    profilePage: (kind) => `${testIssuer}/${kind}`,
  }
  return provider
}

/** The dependencies of the use cases over `db`, with the clock at `2026-11-20T15:00:00Z`. */
export function accountDeps(db: Database) {
  const identity = createFakeProvider()
  const config: AccountDeps['config'] = { session: { secret: 'a secret for tests only' } }
  return {
    db,
    clock: fixedClock('2026-11-20T15:00:00Z'),
    buyer: retailBuyer,
    config,
    identity,
    rateLimits: noRateLimits,
  }
}

/** Adds the account of a person with a verified email, or finds it, without a session. */
export async function accountOf(
  { db, clock }: { db: Database; clock: { now(): Temporal.Instant } },
  email: string,
): Promise<{ accountId: string; email: string; isEmailVerified: boolean }> {
  const person = { subject: email, email, isEmailVerified: true, name: null }
  const { accountId } = await findOrAddAccount(db, testIssuer, person, clock.now())
  return { accountId, email, isEmailVerified: true }
}

/** Signs in the provider's current person. */
export async function signInAs(deps: ReturnType<typeof accountDeps>): Promise<Landed> {
  const begun = await beginSignIn(deps, {
    action: 'login',
    returnPath: '/',
    browserKey: undefined,
    from: '203.0.113.7',
  })
  if (!begun.ok) throw new Error(begun.reason)
  const state = new URL(begun.value.url).searchParams.get('state') ?? ''
  const landed = await landSignIn(deps, {
    browserKey: begun.value.browserKey,
    userAgent: null,
    session: undefined,
    query: new URLSearchParams({ code: 'x', state }),
  })
  if (!landed.ok) throw new Error(landed.reason)
  return landed.value
}
