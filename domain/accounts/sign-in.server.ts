/** The way to the sign-in provider and back. */
import { randomBytes } from 'node:crypto'
import { findOrAddAccount, insertAttempt, takeAttempt } from '#domain/accounts/accounts.sql.server.ts'
import { browserName } from '#domain/accounts/browser-name.ts'
import type { Person, Tokens } from '#domain/accounts/identity-provider.port.ts'
import {
  endSessionOf,
  hashOf,
  openSession,
  type AccountDeps,
  type IdentityDeps,
} from '#domain/accounts/sessions.server.ts'
import type { SignInLimits } from '#domain/accounts/sign-in-limits.port.ts'
import { CSRF_STATE_CHARACTERS } from '#platform/business-constants.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

/**
 * Begins a sign-in: writes down what the answer will be held against, and gives the address at the provider.
 * `returnPath` is a path of this store, checked by the caller; `credential` what one tap gave, where it was used;
 * `browserKey` what this browser holds from an earlier one, so that two tabs can each come back; `from` a key of the
 * network address.
 */
export async function beginSignIn(
  deps: IdentityDeps & { signInLimits: SignInLimits },
  input: {
    action: 'login' | 'register'
    returnPath: string
    browserKey: string | undefined
    from: string
    credential?: string | undefined
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
  const { db, clock, identity, signInLimits } = deps
  if (!identity) return refused('not-offered')
  const taken = await signInLimits.take(input.from)
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
    action: input.action,
    sessionId: newId(),
    anonymousId: newId(),
    oneTapCode: code?.ok ? code.value : undefined,
  })
  if (!begun.ok) return refused('unavailable')
  await insertAttempt(db, {
    ...request,
    returnPath: input.returnPath,
    browserHash: hashOf(browserKey),
    now: clock.now(),
  })
  return ok({ url: begun.value, browserKey })
}

export type Landed = { cookie: string; accountId: string; isNew: boolean; returnPath: string }

/**
 * What the provider sent the browser back with becomes a session. Refuses `not-ours` for an answer that this browser
 * did not ask for, or asked for too long ago, or has used; `declined` when the visitor went back, with where they were.
 * `userAgent` is how the browser names itself, `session` the cookie of the session it has already, which is over then:
 * nobody holds its key any more.
 */
export async function landSignIn(
  deps: IdentityDeps,
  input: {
    query: URLSearchParams
    browserKey: string | undefined
    userAgent: string | null
    session: string | undefined
  },
): Promise<
  Outcome<Landed, Refused<'not-ours'> | Refused<'declined', { returnPath: string }> | Refused<'unavailable'>>
> {
  const { db, clock, identity } = deps
  const { query, browserKey } = input
  const state = query.get('state')
  if (!identity || state === null || browserKey === undefined) return refused('not-ours')
  const attempt = await takeAttempt(db, { state, browserHash: hashOf(browserKey), now: clock.now() })
  if (!attempt) return refused('not-ours')
  const { returnPath } = attempt
  const answer = await identity.complete(query, attempt)
  if (!answer.ok) return answer.reason === 'declined' ? refused('declined', { returnPath }) : refused(answer.reason)
  return ok({
    ...(await enter(deps, identity.issuer, {
      ...answer.value,
      browser: browserName(input.userAgent),
      session: input.session,
    })),
    returnPath,
  })
}

/** The account and its new session in place of the browser's old one, in one transaction. */
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
        const found = await findOrAddAccount(tx, issuer, person, deps.clock.now())
        const cookie = await openSession(
          { ...deps, db: tx },
          { accountId: found.accountId, issuer, subject: person.subject, tokens, browser },
        )
        return { cookie, ...found }
      })
    } catch (error) {
      // Twice at once for the first time: the second finds the account of the first.
      if (isLast || !['account_identity_pkey', 'account_by_verified_email'].includes(violatedConstraint(error) ?? ''))
        throw error
    }
  }
}

/** Letters, digits, "-" and "_" that nobody can guess: four for every three bytes. */
function randomText(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}
