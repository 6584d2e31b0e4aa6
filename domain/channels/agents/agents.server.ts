/**
 * Shopping agent sessions. An agent uses a regular cart. The session records the platform that opened it. A person can
 * take it over in the browser once.
 */
import {
  handoverMinutes,
  sessionHours,
  sessionState,
  toldForDays,
  type AgentSession,
  type Said,
  type SessionKind,
} from './agents.ts'
import {
  insertSession,
  lookAtOrdered,
  lockSession,
  selectAnySession,
  selectCheckoutOf,
  selectSession,
  selectSessionsOf,
  updateAccount,
  updateCanceled,
  updateCartOf,
  updateHandedOver,
  updateSaid,
  updateTold,
} from './agents.sql.server.ts'
import {
  findPreparedCart,
  handOverAgain,
  handOverCart,
  keepCart,
  lockOpenCart,
} from '#domain/payments/cart/cart.server.ts'
import type { Clock } from '#platform/clock.ts'
import { inTransaction, type Database, type Tx } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { enqueueAll, type Job } from '#platform/jobs.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { sign, verify } from '#platform/signing.ts'
import type { Secrets } from '#platform/secrets.ts'

export { forgetSaid } from './agents.sql.server.ts'

type Deps = { db: Database; clock: Clock }
const purpose = 'agent checkout'

/**
 * Opens a session for a cart. A cart has one checkout at a time. A second one by the same platform returns the first;
 * another platform's is refused.
 */
export async function openSession(
  { db, clock }: Deps,
  input: {
    kind: SessionKind
    cartId: string
    accountId: string | null
    platform: string
    version: string
    webhookUrl: string | null
  },
): Promise<Outcome<AgentSession, Refused<'not-found'>>> {
  const now = clock.now()
  const id = newId()
  await insertSession(db, {
    ...input,
    id,
    webhookUrl: input.kind === 'checkout' ? input.webhookUrl : null,
    handoverKey: newId(),
    expiresAt: now.add({ hours: sessionHours }),
    at: now,
  })
  const found = await selectSession(db, { id, kind: input.kind, platform: input.platform })
  const known = found ?? (input.kind === 'checkout' ? await selectCheckoutOf(db, input.cartId) : undefined)
  return known?.platform === input.platform ? ok(known) : refused('not-found')
}

/** Returns this platform's session; undefined if it doesn't exist or belongs to another platform. */
export async function findSession(
  { db }: Pick<Deps, 'db'>,
  key: { id: string; kind: SessionKind; platform: string },
): Promise<AgentSession | undefined> {
  return isId(key.id) ? selectSession(db, key) : undefined
}

/** Gives a guest's cart and its sessions to the account that was linked. Carts of another account don't change. */
export async function linkSession(
  { db }: Pick<Deps, 'db'>,
  session: AgentSession,
  accountId: string,
): Promise<AgentSession> {
  if (session.accountId !== null) return session
  return inTransaction(db, async (tx) => {
    const cart = await lockOpenCart(tx, session.cartId)
    if (!cart || (cart.accountId !== null && cart.accountId !== accountId)) return session
    await keepCart(tx, session.cartId, accountId)
    await updateAccount(tx, session.cartId, accountId)
    return { ...session, accountId }
  })
}

/** What agents opened for an account, for the export of its data. */
export async function exportAgentSessions(db: Database, accountId: string): Promise<object[]> {
  const sessions = await selectSessionsOf(db, accountId)
  return sessions.map(({ openedAt, ...session }) => ({ ...session, openedAt: openedAt.toString() }))
}

/** Stores the platform's current buyer data, and extends the session. */
export async function keepSaid({ db, clock }: Deps, session: AgentSession, said: Said): Promise<AgentSession> {
  const expiresAt = clock.now().add({ hours: sessionHours })
  await updateSaid(db, session.id, said, expiresAt)
  return { ...session, said, expiresAt }
}

/** Cancels a session that hasn't been taken over; false if it is too late. */
export async function cancelSession({ db, clock }: Deps, session: AgentSession): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const locked = await lockSession(tx, session.id)
    if (!locked || sessionState(locked, clock.now()) !== 'open') return false
    await updateCanceled(tx, session.id, clock.now())
    return true
  })
}

/** Returns a link token, which opens only this checkout, expires, and can be used once. */
export function handoverToken(secret: Secrets, session: AgentSession, now: Temporal.Instant): string {
  const until = Math.trunc(now.add({ minutes: handoverMinutes }).epochMilliseconds / 1_000)
  return sign(secret, purpose, `${session.id}.${session.handoverKey}.${until}`)
}

export type HandoverRefusal = Refused<'not-found'> | Refused<'over'>

/**
 * Returns a link's checkout without opening it, because bots follow links before people do. Its cart is the agent's,
 * never the one a person took over.
 */
export async function readHandover(
  deps: Deps,
  { secret, token }: { secret: Secrets; token: string },
): Promise<Outcome<AgentSession, HandoverRefusal>> {
  const { db, clock } = deps
  const named = parseToken(secret, token, clock.now())
  if (!named.ok) return named
  const found = judgeHandover(await selectAnySession(db, named.value.id), named.value.key, clock.now())
  if (!found.ok) return found
  const cartId = await preparedCart(deps, found.value)
  return cartId === undefined ? refused('over') : ok({ ...found.value, cartId })
}

/**
 * Returns the cart the agent prepared. After a guest took it over, this is a copy without the person's entries;
 * undefined if the person ordered. An account's checkout has one cart, which opens only for that account.
 */
export async function preparedCart(
  { db }: Pick<Deps, 'db'>,
  { accountId, handedOverAt, cartId }: AgentSession,
): Promise<string | undefined> {
  return accountId !== null || handedOverAt === null ? cartId : findPreparedCart({ db }, cartId)
}

/**
 * Transfers the checkout to the person with the link, as a new cart; the link can't be used again. The session follows
 * the latest opener's cart, and the platform is notified of its order.
 */
export async function takeOver(
  { db, clock }: Deps,
  { secret, token }: { secret: Secrets; token: string },
): Promise<Outcome<AgentSession, HandoverRefusal>> {
  const now = clock.now()
  const named = parseToken(secret, token, now)
  if (!named.ok) return named
  return inTransaction(db, async (tx) => {
    const found = judgeHandover(await lockSession(tx, named.value.id), named.value.key, now)
    if (!found.ok) return found
    const cartId = await cartForOpener(tx, found.value, now)
    if (cartId === undefined) return refused('over')
    await updateHandedOver(tx, found.value.id, {
      key: newId(),
      cartId,
      at: now,
      expiresAt: now.add({ hours: sessionHours }),
    })
    return ok({ ...found.value, cartId })
  })
}

async function cartForOpener(
  tx: Tx,
  { accountId, handedOverAt, cartId }: AgentSession,
  at: Temporal.Instant,
): Promise<string | undefined> {
  if (accountId !== null) return cartId
  if (handedOverAt !== null) return handOverAgain(tx, { cartId, at })
  const handed = await handOverCart(tx, { cartId, at })
  if (handed) await updateCartOf(tx, { from: handed.cartId, into: handed.preparedCartId })
  return handed?.cartId
}

function parseToken(
  secret: Secrets,
  token: string,
  now: Temporal.Instant,
): Outcome<{ id: string; key: string }, HandoverRefusal> {
  const value = verify(secret, purpose, token.slice(0, 200))
  const [id = '', key = '', until = ''] = (value ?? '').split('.')
  if (!isId(id) || !isId(key)) return refused('not-found')
  return Number(until) * 1_000 > now.epochMilliseconds ? ok({ id, key }) : refused('over')
}

function judgeHandover(
  session: AgentSession | undefined,
  key: string,
  now: Temporal.Instant,
): Outcome<AgentSession, HandoverRefusal> {
  if (!session) return refused('not-found')
  // Already taken over. A new link opens another copy of the agent's cart, for example on another device.
  return session.handoverKey === key && sessionState(session, now) !== 'over' ? ok(session) : refused('over')
}

/**
 * Checks agent orders and queues a message to each platform that hasn't been notified of the current state, as computed
 * by `digestOf`. Queued states are marked as notified in the same transaction. Returns how many were queued.
 */
export function queueNews(
  { db, clock }: Deps,
  { limit, digestOf }: { limit: number; digestOf: (session: AgentSession) => Promise<string | undefined> },
): Promise<number> {
  const at = clock.now()
  return inTransaction(db, async (tx) => {
    const sessions = await lookAtOrdered(tx, { since: at.subtract({ hours: 24 * toldForDays }), at, limit })
    const jobs: Job[] = []
    for (const session of sessions) {
      const digest = await digestOf(session)
      if (digest === undefined || digest === session.toldDigest) continue
      await updateTold(tx, session.id, digest)
      jobs.push({ name: 'tell-platform', payload: { sessionId: session.id }, key: `tell-platform ${session.id}` })
    }
    await enqueueAll(tx, jobs)
    return jobs.length
  })
}

/** A session for the message about its order. */
export function findAnySession({ db }: Pick<Deps, 'db'>, id: string): Promise<AgentSession | undefined> {
  return selectAnySession(db, id)
}
