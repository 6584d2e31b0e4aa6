/** Store credit that staff give to an account, within their limits or with a second person, and take back unused. */
import { paths } from '#content/paths.ts'
import { lockAccount } from '#domain/payments/cart/cart.server.ts'
import {
  authorizeConcession,
  declineConcession,
  inConcessionTransaction,
  type ConcessionRefusal,
} from '#domain/kernel/concessions/concessions.server.ts'
import { creditOf, enterTransfer, selectCredits } from '#domain/payments/ledger/ledger.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import { recordAct, requirePermission, type Actor, type Authorization } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { maxCreditCents, maxCreditReason } from './store-credit.ts'
import {
  insertCreditGrant,
  lockGrant,
  selectGrant,
  selectGrants,
  selectWaitingGrants,
  updateToDecided,
  updateToTakenBack,
  type CreditGrant,
} from './store-credit.sql.server.ts'

export { exportGrants as exportCreditGrants, type CreditGrant, type CreditState } from './store-credit.sql.server.ts'

type Deps = { db: Database; clock: Clock }

/** `given`, or `requested`: a second person has to approve it. */
type GiveResult = { state: 'given' | 'requested' }

type GiveRefusal = Refused<'not-allowed'> | Refused<'no-account'> | ConcessionRefusal

/**
 * Grants store credit to an account and emails its owner. Above the limits, stores a request for a second person.
 * `once` is the form's idempotency key. `orderId` is the order it compensates for, with a separate limit. Refuses with
 * `no-account` for an unknown account, and `invalid-grant` for an invalid amount or reason.
 */
export async function giveCredit(
  { db, clock }: Deps,
  by: Actor,
  {
    accountId,
    orderId,
    cents,
    reason,
    once,
  }: { accountId: string; orderId: number | null; cents: number; reason: string; once: string },
): Promise<Outcome<GiveResult, GiveRefusal | Refused<'invalid-grant'>>> {
  return inConcessionTransaction(db, async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'credit.give', at)
    if (!permitted.ok) return permitted
    const isWhole = Number.isSafeInteger(cents) && cents > 0 && cents <= maxCreditCents
    const isExplained = reason.trim() !== '' && reason.length <= maxCreditReason
    if (!isWhole || !isExplained || !isId(once)) return refused('invalid-grant')
    const account = isId(accountId) ? await lockAccount(tx, accountId) : undefined
    if (!account) return refused('no-account')
    const grant = { id: once, ownerId: accountId, orderId, cents, reason: reason.trim() }
    if (!(await insertCreditGrant(tx, { ...grant, by: by.name, at }))) {
      const known = await selectGrant(tx, once)
      return known?.ownerId === accountId && known.state !== 'declined'
        ? ok({ state: known.state })
        : refused('invalid-grant')
    }
    return decide(tx, { grant, email: account.email, by, at })
  })
}

/**
 * Approves store credit that another person requested. Refuses `grant-not-found`, `already-decided`, `own-request`,
 * `no-account` once the account is deleted, and as `authorizeConcession` does.
 */
export async function approveCredit(
  { db, clock }: Deps,
  by: Actor,
  grantId: string,
): Promise<
  Outcome<GiveResult, GiveRefusal | Refused<'grant-not-found'> | Refused<'already-decided'> | Refused<'own-request'>>
> {
  return inConcessionTransaction(db, async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'refunds.approve', at)
    if (!permitted.ok) return permitted
    const found = await lockWithOwner(tx, grantId)
    if (!found.ok) return found
    const { grant, email } = found.value
    if (grant.state !== 'requested') return refused('already-decided')
    if (grant.requestedBy === by.name) return refused('own-request')
    const decided = await decide(tx, { grant, email, by, at })
    return decided.ok && decided.value.state === 'requested' ? refused('not-allowed') : decided
  })
}

/** Gives what the limits or the approval allow now; otherwise stores the request. The account and the grant are locked. */
async function decide(
  tx: Tx,
  {
    grant: { id, ownerId, orderId, cents },
    email,
    by,
    at,
  }: {
    grant: Pick<CreditGrant, 'id' | 'orderId' | 'cents'> & { ownerId: string }
    email: string | null
    by: Actor
    at: Temporal.Instant
  },
): Promise<Outcome<GiveResult, ConcessionRefusal>> {
  const decided = await authorizeConcession(tx, {
    kind: 'store-credit',
    reference: id,
    by,
    amountCents: cents,
    recipient: ownerId,
    ...(orderId !== null && { orderId }),
    at,
  })
  if (!decided.ok) return decided
  const about = { by, subject: subjectOf(id), after: { cents }, at }
  if (decided.value.state === 'requested') {
    await recordAct(tx, { ...about, act: 'credit.requested' })
    return ok({ state: 'requested' })
  }
  await give(tx, { id, ownerId, cents, at })
  await updateToDecided(tx, { id, state: 'given', by: by.name, at })
  const authorization: Authorization = decided.value.authorization
  await recordAct(tx, { ...about, act: 'credit.given', authorization })
  if (email !== null) {
    const kind = 'credit-given'
    await queueMessage(tx, { kind, key: `${kind}:${id}`, to: email, orderId: null, at })
  }
  return ok({ state: 'given' })
}

function give(
  tx: Tx,
  { id, ownerId, cents, at }: { id: string; ownerId: string; cents: number; at: Temporal.Instant },
): Promise<void> {
  return enterTransfer(tx, {
    grantId: id,
    reason: 'store credit given',
    at,
    entries: [
      { account: 'goodwill', cents },
      { account: 'store-credit', cents: -cents, ownerId },
    ],
  })
}

/** Declines a store credit request, or withdraws an own request. No credit is granted. Refuses as `approveCredit`. */
export async function declineCredit(
  { db, clock }: Deps,
  by: Actor,
  grantId: string,
): Promise<Outcome<null, Refused<'not-allowed'> | Refused<'grant-not-found'> | Refused<'already-decided'>>> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const grant = isId(grantId) ? await lockGrant(tx, grantId) : undefined
    const isOwn = grant?.requestedBy === by.name
    const permitted = await requirePermission(tx, by, isOwn ? 'credit.give' : 'refunds.approve', at)
    if (!permitted.ok) return permitted
    if (!grant) return refused('grant-not-found')
    if (grant.state !== 'requested') return refused('already-decided')
    await declineConcession(tx, { kind: 'store-credit', reference: grant.id, by: by.name, at })
    await updateToDecided(tx, { id: grant.id, state: 'declined', by: by.name, at })
    await recordAct(tx, { by, act: 'credit.declined', subject: subjectOf(grant.id), after: { cents: grant.cents }, at })
    return ok(null)
  })
}

/**
 * Reverses the unused part of a grant once. It is the grant's amount, or the balance if lower. Refuses with
 * `already-decided` if it was reversed or never granted, `nothing-left`, and `invalid-grant` without a reason.
 */
export async function takeBackCredit(
  { db, clock }: Deps,
  by: Actor,
  { grantId, reason: typed }: { grantId: string; reason: string },
): Promise<
  Outcome<
    { cents: number },
    | Refused<'not-allowed'>
    | Refused<'grant-not-found'>
    | Refused<'no-account'>
    | Refused<'already-decided'>
    | Refused<'nothing-left'>
    | Refused<'invalid-grant'>
  >
> {
  return db.transaction().execute(async (tx) => {
    const at = clock.now()
    const permitted = await requirePermission(tx, by, 'credit.give', at)
    if (!permitted.ok) return permitted
    const reason = typed.trim()
    if (reason === '' || reason.length > maxCreditReason) return refused('invalid-grant')
    const found = await lockWithOwner(tx, grantId)
    if (!found.ok) return found
    const { id, ownerId, cents: givenCents, state, takenBackCents } = found.value.grant
    if (state !== 'given' || takenBackCents !== null) return refused('already-decided')
    const cents = Math.min(givenCents, await creditOf(tx, ownerId))
    if (cents <= 0) return refused('nothing-left')
    await enterTransfer(tx, {
      grantId: id,
      reason: 'store credit taken back',
      at,
      entries: [
        { account: 'store-credit', cents, ownerId },
        { account: 'goodwill', cents: -cents },
      ],
    })
    await updateToTakenBack(tx, { id, cents, reason, by: by.name, at })
    await recordAct(tx, { by, act: 'credit.taken-back', subject: subjectOf(id), after: { cents }, at })
    return ok({ cents })
  })
}

/** Locks the account of a grant and then the grant, as giving does. */
async function lockWithOwner(
  tx: Tx,
  grantId: string,
): Promise<
  Outcome<
    { grant: CreditGrant & { ownerId: string }; email: string | null },
    Refused<'grant-not-found'> | Refused<'no-account'>
  >
> {
  const known = isId(grantId) ? await selectGrant(tx, grantId) : undefined
  if (!known) return refused('grant-not-found')
  const account = known.ownerId === null ? undefined : await lockAccount(tx, known.ownerId)
  const grant = await lockGrant(tx, grantId)
  if (!account || !grant || grant.ownerId === null) return refused('no-account')
  return ok({ grant: { ...grant, ownerId: grant.ownerId }, email: account.email })
}

/** A grant with its reversible amount in cents, or 0. */
export type CreditGrantView = CreditGrant & { unusedCents: number }

/** Lists the last grants of accounts, newest first. */
export async function listCreditGrants(db: Database, accountIds: readonly string[]): Promise<CreditGrantView[]> {
  const [grants, credits] = await Promise.all([selectGrants(db, accountIds, 20), selectCredits(db, accountIds)])
  return grants.map((grant) => {
    const { ownerId, state, takenBackCents, cents } = grant
    const balance = ownerId === null ? 0 : (credits.get(ownerId) ?? 0)
    return { ...grant, unusedCents: state === 'given' && takenBackCents === null ? Math.min(cents, balance) : 0 }
  })
}

/** Lists grants that await a second person, longest waiting first. */
export function listWaitingCredit({ db }: Pick<Deps, 'db'>, limit: number): Promise<CreditGrant[]> {
  return selectWaitingGrants(db, limit)
}

/** Returns the values of the email about store credit, read at the time of sending. */
export async function creditMessageValues(
  { db, config }: { db: Database; config: Pick<Config, 'web' | 'store'> },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const grant = await selectGrant(db, id)
  if (!grant) throw new Error(`The store credit of the promised mail ${key} is not there.`)
  return {
    amount: formatCents(grant.cents),
    store: config.store.name,
    accountUrl: config.web.origin + paths.account(),
    phone: config.store.phone,
  }
}

function subjectOf(id: string): string {
  return `store credit ${id}`
}
