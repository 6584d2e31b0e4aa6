/** The round trip to the sign-in provider. */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { randomBytes } from 'node:crypto'
import type { SignInPurpose, WorkPurpose } from './accounts.ts'
import { findOrAddAccount, insertAttempt, selectPurpose, takeAttempt } from './accounts.sql.server.ts'
import { browserName } from './browser-name.ts'
import type { Completed, Person, Tokens } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { endSessionOf, hashOf, openSession, type AccountDeps, type IdentityDeps } from './sessions.server.ts'
import { announceJoin } from '#domain/kernel/staff/staff.server.ts'
import { CSRF_STATE_CHARACTERS } from '#platform/business-constants.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/**
 * Starts a sign-in. Stores the data for checking the response, and returns the URL at the provider. `returnPath` is a
 * path of this store, checked by the caller; `credential` is One Tap's, if used; `browserKey` is this browser's key
 * from an earlier attempt, so that two tabs can both return; `from` is a key of the network address. With `work` the
 * response opens the back office or the portal instead of an account, and the provider reports the authentication time.
 */
export async function beginSignIn(
  deps: IdentityDeps & { rateLimits: RateLimits },
  input: {
    action: 'login' | 'register'
    returnPath: string
    browserKey: string | undefined
    from: string
    credential?: string | undefined
    work?: WorkRequest | undefined
  },
): Promise<
  Outcome<
    { url: string; browserKey: string },
    | Refused<'not-offered'>
    | Refused<'too-many-attempts', { retryAfterSeconds: number }>
    | Refused<'not-accepted'>
    | Refused<'unavailable'>
  >
> {
  const { db, clock, identity, rateLimits } = deps
  if (!identity) return refused('not-offered')
  const taken = await rateLimits.take('sign-in', { network: input.from })
  if (!taken.ok) return refused('too-many-attempts', taken.detail)
  const browserKey = input.browserKey ?? randomText(32)
  const request = {
    state: randomText((CSRF_STATE_CHARACTERS * 3) / 4),
    nonce: randomText(32),
    codeVerifier: randomText(32),
  }
  const code = input.credential === undefined ? undefined : await identity.oneTap?.exchange(input.credential)
  if (input.credential !== undefined && !code?.ok)
    return refused(code?.reason === 'unavailable' ? 'unavailable' : 'not-accepted')
  const begun = await identity.begin({
    ...request,
    ...authenticationOf(input.work),
    action: input.action,
    sessionId: newId(),
    anonymousId: newId(),
    oneTapCode: code?.ok ? code.value : undefined,
  })
  if (!begun.ok) return refused('unavailable')
  await insertAttempt(db, {
    ...request,
    returnPath: input.returnPath,
    ...purposeOf(input.work),
    browserHash: hashOf(browserKey),
    now: clock.now(),
  })
  return ok({ url: begun.value, browserKey })
}

/** What to open, and how long ago at most the person must have shown the provider who they are. */
export type WorkRequest = { purpose: WorkPurpose; maxAgeSeconds: number; mustReauthenticate: boolean }

function authenticationOf(work: WorkRequest | undefined) {
  if (!work) return {}
  const { maxAgeSeconds, mustReauthenticate, purpose } = work
  return { maxAgeSeconds, mustReauthenticate, isDealer: purpose === 'portal' }
}

function purposeOf(work: WorkRequest | undefined): { purpose: SignInPurpose; maxAgeSeconds?: number } {
  return work ? { purpose: work.purpose, maxAgeSeconds: work.maxAgeSeconds } : { purpose: 'shop' }
}

export type Landed = { cookie: string; accountId: string; isNew: boolean; returnPath: string }

/**
 * Turns the provider's redirect into a session. Refuses with `not-ours` for a response this browser did not request,
 * requested too long ago, or has already used; with `declined` when the visitor canceled, including the page they came
 * from. `userAgent` is the browser's header. `session` is the cookie of its current session, which ends because its key
 * is replaced.
 */
export async function landSignIn(
  deps: IdentityDeps,
  input: {
    query: URLSearchParams
    browserKey: string | undefined
    userAgent: string | null
    session: string | undefined
  },
): Promise<Outcome<Landed, LandingRefusal>> {
  const answer = await redeemAnswer(deps, input, 'shop')
  if (!answer.ok) return answer
  const { issuer, person, tokens, returnPath } = answer.value
  return ok({
    ...(await enter(deps, issuer, { person, tokens, browser: browserName(input.userAgent), session: input.session })),
    returnPath,
  })
}

export type LandingRefusal = Refused<'not-ours'> | Refused<'declined', { returnPath: string }> | Refused<'unavailable'>

type Answer = { query: URLSearchParams; browserKey: string | undefined }

/** Returns the purpose of the provider's redirect in this browser; undefined if this browser didn't request it. */
export async function findSignInPurpose(
  { db }: Pick<AccountDeps, 'db'>,
  { query, browserKey }: Answer,
): Promise<SignInPurpose | undefined> {
  const state = query.get('state')
  return state === null || browserKey === undefined
    ? undefined
    : selectPurpose(db, { state, browserHash: hashOf(browserKey) })
}

/**
 * Resolves the provider's redirect to the person opening the back office or the portal. Role assignments aren't checked
 * here. Creates neither an account nor a session. Refuses as `landSignIn` does, and also responses requested for
 * another purpose or without an authentication time.
 */
export async function landWorkSignIn(
  deps: IdentityDeps,
  purpose: WorkPurpose,
  input: Answer,
): Promise<
  Outcome<
    {
      issuer: string
      person: Person
      idToken: string | null
      authenticatedAt: Temporal.Instant
      usedSecondFactor: boolean | null
      returnPath: string
    },
    LandingRefusal
  >
> {
  const answer = await redeemAnswer(deps, input, purpose)
  if (!answer.ok) return answer
  const { issuer, person, tokens, authenticatedAt, usedSecondFactor, returnPath } = answer.value
  // No further requests are made to the provider. Its tokens expire unused, except for the sign-out token. Revoking
  // them would end the tokens of a shopper signed in at the provider in the same browser.
  return authenticatedAt === null
    ? refused('not-ours')
    : ok({ issuer, person, idToken: tokens.id, authenticatedAt, usedSecondFactor, returnPath })
}

/** Takes a response's attempt, if it was started for `purpose`, and exchanges the response. */
async function redeemAnswer(
  { db, clock, identity }: IdentityDeps,
  { query, browserKey }: Answer,
  purpose: SignInPurpose,
): Promise<Outcome<Completed & { issuer: string; returnPath: string }, LandingRefusal>> {
  const state = query.get('state')
  if (!identity || state === null || browserKey === undefined) return refused('not-ours')
  const attempt = await takeAttempt(db, { state, browserHash: hashOf(browserKey), purpose, now: clock.now() })
  if (!attempt) return refused('not-ours')
  const { returnPath } = attempt
  const answer = await identity.complete(query, attempt)
  if (!answer.ok) return answer.reason === 'declined' ? refused('declined', { returnPath }) : refused(answer.reason)
  return ok({ ...answer.value, issuer: identity.issuer, returnPath })
}

/** Adds the account and its new session, replacing the browser's old one, in one transaction. */
async function enter(
  deps: AccountDeps,
  issuer: string,
  {
    person,
    tokens,
    browser,
    session,
  }: { person: Person; tokens: Tokens; browser: string | null; session: string | undefined },
): Promise<Omit<Landed, 'returnPath'>> {
  for (let isLast = false; ; isLast = true) {
    try {
      return await deps.db.transaction().execute(async (tx) => {
        await endSessionOf({ ...deps, db: tx }, session)
        const { joined, ...found } = await findOrAddAccount(tx, issuer, person, deps.clock.now())
        if (joined !== null)
          await announceJoin(tx, { access: 'account', email: joined, details: [{ issuer }], at: deps.clock.now() })
        const cookie = await openSession(
          { ...deps, db: tx },
          { accountId: found.accountId, issuer, subject: person.subject, tokens, browser },
        )
        return { cookie, ...found }
      })
    } catch (error) {
      // With two simultaneous first sign-ins, the second finds the first one's account.
      if (isLast || !['account_identity_pkey', 'account_by_verified_email'].includes(violatedConstraint(error) ?? ''))
        throw error
    }
  }
}

/** Returns unguessable letters, digits, "-" and "_", four for every three bytes. */
function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
