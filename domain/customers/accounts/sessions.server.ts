/**
 * Sessions. A browser stores an id and a secret, and the database only the secret's hash. The provider's tokens stay
 * here, sealed, and are renewed by one request at a time.
 */
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { SignedIn } from './accounts.ts'
import {
  claimRenewal,
  endSessionRow,
  insertSession,
  revokeSession,
  selectSession,
  selectTokens,
  settleRenewal,
  updatePerson,
  type KeptEmail,
  type SessionKey,
  type SessionTokens,
} from './accounts.sql.server.ts'
import type { IdentityAnswer, IdentityProvider, Tokens } from '#domain/kernel/sign-in/identity-provider.port.ts'
import { releaseCart } from '#domain/payments/cart/cart.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isId, newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { seal, unseal } from '#platform/sealing.ts'
import type { Secrets } from '#platform/secrets.ts'

/** The dependencies of the accounts use cases; the shop has them all. */
export type AccountDeps = { db: Database; clock: Clock; config: { session: { secret: Secrets } } }
export type IdentityDeps = AccountDeps & { identity: IdentityProvider | null }

/** Opens a session in the transaction of `db`, and returns what the browser should store. */
export async function openSession(
  { db, clock, config }: AccountDeps,
  session: { accountId: string; issuer: string; subject: string; tokens: Tokens; browser: string | null },
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const id = newTimedId()
  await insertSession(db, {
    ...session,
    id,
    secretHash: hashOf(secret),
    tokens: sealed(config, session.tokens),
    now: clock.now(),
  })
  return `${id}.${secret}`
}

/** Finds who holds this cookie; undefined for a session that is expired, revoked or unknown. One statement. */
export async function findSession(
  { db, clock }: Pick<AccountDeps, 'db' | 'clock'>,
  cookie: string | undefined,
): Promise<SignedIn | undefined> {
  const key = keyOf(cookie)
  return key && selectSession(db, key, clock.now())
}

/** Ends this cookie's session only here. The provider's session continues, and the browser can sign in again. */
export async function endSessionOf(
  { db, clock }: Pick<AccountDeps, 'db' | 'clock'>,
  cookie: string | undefined,
): Promise<void> {
  const key = keyOf(cookie)
  if (key) await revokeSession(db, key, clock.now())
}

/**
 * Ends the session of this cookie, here and at the provider. Returns the URL that ends the provider's own session and
 * leads back to `returnUrl`, if it has one. The browser retains its open cart, which no longer belongs to the account.
 */
export async function signOut(
  { db, clock, config, identity }: IdentityDeps,
  { cookie, cartId, returnUrl }: { cookie: string | undefined; cartId: string | undefined; returnUrl: string },
): Promise<string | undefined> {
  const key = keyOf(cookie)
  const ended = key && (await revokeSession(db, key, clock.now()))
  if (ended && cartId !== undefined) await releaseCart(db, cartId, ended.accountId)
  const tokens = ended && unsealed(config, ended.tokens)
  if (!tokens || !identity) return undefined
  const [, url] = await Promise.all([
    identity.forget(tokens),
    tokens.id === null ? undefined : identity.signOutUrl(tokens.id, returnUrl),
  ])
  return url
}

/**
 * Fetches a session's person from the provider and stores the name and whether the email is verified. Returns the
 * account's stored email, which may differ from the previous one, or from the provider's if that belongs to another
 * account. Refuses with `signed-out` when the provider has ended the session, and ends it here too.
 */
export async function refreshPerson(
  deps: AccountDeps & { identity: IdentityProvider },
  sessionId: string,
): Promise<Outcome<KeptEmail, Refused<'signed-out'> | Refused<'unavailable'>>> {
  const answer = await askProvider(deps, sessionId, (access, { subject }) => deps.identity.readPerson(access, subject))
  if (!answer.ok) return answer
  const { value: person, accountId } = answer.value
  return ok(await updatePerson(deps.db, accountId, person, deps.clock.now()))
}

/**
 * Calls the provider for a session. On its 401, renews the tokens and calls once more; of calls that fail together one
 * renews, and the others use its tokens.
 */
async function askProvider<Value>(
  deps: AccountDeps & { identity: IdentityProvider },
  sessionId: string,
  call: (accessToken: string, session: SessionTokens) => Promise<IdentityAnswer<Value, 'unauthorized' | 'unavailable'>>,
): Promise<Outcome<{ value: Value; accountId: string }, Refused<'signed-out'> | Refused<'unavailable'>>> {
  const { db, clock, config } = deps
  let renewals = 0
  for (let session = await selectTokens(db, sessionId); session; session = await selectTokens(db, sessionId)) {
    const tokens = unsealed(config, session.tokens)
    const answer = tokens && (await call(tokens.access, session))
    if (answer?.ok) return ok({ value: answer.value, accountId: session.accountId })
    if (answer?.reason === 'unavailable') return refused('unavailable')
    if (!tokens || renewals > 0) break
    renewals += 1
    if (!(await renew(deps, sessionId, session, tokens))) return refused('unavailable')
  }
  await endSessionRow(db, sessionId, clock.now())
  return refused('signed-out')
}

/** The duration of a renewal claim, which exceeds the provider timeout and limits how long a crash can block others. */
const renewalSeconds = 10
const lookAgainMs = 50

/**
 * Renews the tokens, or uses the result of a concurrent renewal. Returns false when the provider is down. When it
 * refuses, ends the session and returns true.
 */
async function renew(
  deps: AccountDeps & { identity: IdentityProvider },
  sessionId: string,
  seen: SessionTokens,
  tokens: Tokens,
): Promise<boolean> {
  const { db, clock, identity, config } = deps
  for (let waitedMs = 0; waitedMs <= renewalSeconds * 1_000; waitedMs += lookAgainMs) {
    if (await claimRenewal(db, sessionId, seen.renewal, clock.now(), renewalSeconds)) {
      const fresh: IdentityAnswer<Tokens, 'ended' | 'unavailable'> =
        tokens.refresh === null ? { ok: false, reason: 'ended' } : await identity.refresh(tokens.refresh)
      // Without a new ID token the old one stays, because it still identifies the person.
      if (fresh.ok)
        await settleRenewal(
          db,
          sessionId,
          seen.renewal,
          sealed(config, { ...fresh.value, id: fresh.value.id ?? tokens.id }),
        )
      else if (fresh.reason === 'ended') await endSessionRow(db, sessionId, clock.now())
      else await settleRenewal(db, sessionId, seen.renewal, null)
      return fresh.ok || fresh.reason === 'ended'
    }
    const now = await selectTokens(db, sessionId)
    if (!now || now.renewal !== seen.renewal) return true
    await sleep(lookAgainMs)
  }
  return false
}

const tokensSchema = z.object({ access: z.string(), refresh: z.string().nullable(), id: z.string().nullable() })

/** What the provider's tokens are sealed for. */
export const tokensPurpose = 'tokens'

function sealed({ session }: AccountDeps['config'], tokens: Tokens): Buffer {
  return seal(session.secret, tokensPurpose, JSON.stringify(tokens))
}

/** Undefined once the store's secret has changed. */
function unsealed({ session }: AccountDeps['config'], bytes: Buffer): Tokens | undefined {
  const text = unseal(session.secret, tokensPurpose, bytes)
  return text === undefined ? undefined : tokensSchema.parse(JSON.parse(text))
}

function keyOf(cookie: string | undefined): SessionKey | undefined {
  const [id = '', secret = '', ...rest] = cookie?.split('.') ?? []
  return isId(id) && secret.length === 43 && rest.length === 0 ? { id, secretHash: hashOf(secret) } : undefined
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

type EmailDeps = Omit<Parameters<typeof refreshPerson>[0], 'identity'> & { identity: IdentityProvider | null }

/**
 * Returns the email of a signed-in customer. If it is not verified, queries the provider again, since it may have been
 * verified or replaced. Verification counts only for the address it was reported with.
 */
export async function readCurrentEmail(
  deps: EmailDeps,
  { sessionId, email, isEmailVerified }: SignedIn,
): Promise<Pick<SignedIn, 'email' | 'isEmailVerified'>> {
  const refreshed =
    !isEmailVerified && deps.identity ? await refreshPerson({ ...deps, identity: deps.identity }, sessionId) : undefined
  return refreshed?.ok ? refreshed.value : { email, isEmailVerified }
}
