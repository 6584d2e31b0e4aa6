/** Decides whether a person may give away money or lower a price without a second person, and records each concession. */
import { readOfficeLimits, readPayTerms } from '#domain/kernel/settings/settings.server.ts'
import {
  accountableFor,
  issueAuthorization,
  requireFreshPermission,
  requirePermission,
  type Actor,
  type Authorization,
} from '#domain/kernel/staff/staff.server.ts'
import type { Permission } from '#domain/kernel/staff/staff.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newTimedId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import {
  concessionKinds,
  exceededLimits,
  type ConcessionKind,
  type ConcessionLimits,
  type ExceededLimit,
  type GivenAlone,
  type PriceCut,
} from './concessions.ts'
import {
  insertConcession,
  lockSums,
  selectGivenAlone,
  selectRequest,
  updateRequest,
  updateToDecided,
  type ConcessionRequest,
  type ConcessionSubject,
} from './concessions.sql.server.ts'

export { selectRequests as listConcessionRequests, type ConcessionRequest } from './concessions.sql.server.ts'

const personHours = 24
const shopHours = 7 * 24
const recipientHours = 30 * 24

export type Concession = {
  kind: ConcessionKind
  /** The record that it is about; a second person approves by acting on the same record. */
  reference: string
  by: Actor
  /** The conceded amount in cents; 0 for a price reduction with an unknown total. */
  amountCents: number
  orderId?: number
  shopId?: number
  /** The recipient's account id, for kinds limited by recipient. */
  recipient?: string
  /** For price reductions, the deepest reduced price. */
  cut?: PriceCut | null
  /** The permission to request a second person's approval; null if everyone who may give may request. */
  requestPermission?: Permission | null
  at: Temporal.Instant
}

/**
 * `given` means that the caller proceeds, and passes the authorization to `recordAct`. `requested` means that a request
 * for a second person's approval is stored, and the caller stops.
 */
export type ConcessionDecision =
  | { state: 'given'; authorization: Authorization; isApproval: boolean }
  | { state: 'requested'; exceeded: readonly ExceededLimit[]; limits: ConcessionLimits }

export type ConcessionRefusal =
  | Refused<'over-your-limit', { limitCents: number; exceeded: readonly ExceededLimit[] }>
  | Refused<'not-fresh'>

/**
 * Decides whether `by` may give a concession now. Within the limits it is given; beyond them it is given if another person
 * requested it, or else requested. What a program gives counts toward the limits of the person who added it, so more
 * programs give no more. The caller has locked the record, and has checked the permission to give. Refuses
 * `over-your-limit` for programs and for people who may not request approval, and `not-fresh` for an approval with an old sign-in.
 */
export async function authorizeConcession(
  tx: Tx,
  asked: Concession,
): Promise<Outcome<ConcessionDecision, ConcessionRefusal>> {
  const concession = { ...asked, by: await accountableFor(tx, asked.by) }
  const { kind, by, at, amountCents } = concession
  const subject = subjectOf(concession)
  await lockSums(tx, { ...subject, person: by.name })
  const limits = await readLimits(tx)
  const exceeded = await exceededBy(tx, concession, limits)
  const request = await selectRequest(tx, subject)
  if (exceeded.length === 0) return giveAlone(tx, concession, request)
  const { approval, maySelfApprove } = concessionKinds[kind]
  if (request && request.requestedBy !== by.name && amountCents <= request.amountCents) {
    const approver = await requireFreshPermission(tx, by, approval, at)
    if (approver.ok) return approve(tx, concession, request)
    if (approver.reason === 'not-fresh') return approver
  }
  const isPriceOnly = exceeded.every((limit) => limit === 'margin' || limit === 'discount')
  if (maySelfApprove && isPriceOnly && (await requirePermission(tx, by, approval, at)).ok)
    return giveAlone(tx, concession, request)
  return requestApproval(tx, concession, { request, exceeded, limits })
}

/** Returns whether a concession is within the limits now, without giving it. */
export async function isWithinLimits(db: Database, concession: Concession): Promise<boolean> {
  return (await exceededBy(db, concession, await readLimits(db))).length === 0
}

/**
 * Gives a concession that the store owes by rule, such as to customers of a shop that stopped. The caller has locked the
 * record. Returns null beyond the limits, without a request for approval.
 */
export async function giveWithinLimits(tx: Tx, concession: Concession): Promise<Authorization | null> {
  const subject = subjectOf(concession)
  await lockSums(tx, { ...subject, person: concession.by.name })
  if (!(await isWithinLimits(tx, concession))) return null
  const given = await giveAlone(tx, concession, await selectRequest(tx, subject))
  return given.value.authorization
}

type Given = { ok: true; value: Extract<ConcessionDecision, { state: 'given' }> }

async function giveAlone(tx: Tx, concession: Concession, request: ConcessionRequest | undefined): Promise<Given> {
  const { by, at, amountCents } = concession
  const id = request?.id ?? newTimedId()
  // Counts toward the limits of the person who grants it, regardless of the requester.
  if (request) await updateRequest(tx, { id, amountCents, isOverLimit: false, by: by.name, at })
  else await insertConcession(tx, { ...subjectOf(concession), id, isOverLimit: false, by: by.name, at })
  await updateToDecided(tx, { id, state: 'given', amountCents, by: by.name, at })
  return ok({ state: 'given', authorization: issueAuthorization(id), isApproval: false })
}

/** Gives what another person requested. */
async function approve(
  tx: Tx,
  { amountCents, by, at }: Concession,
  { id }: ConcessionRequest,
): Promise<Outcome<ConcessionDecision>> {
  await updateToDecided(tx, { id, state: 'given', amountCents, by: by.name, at })
  return ok({ state: 'given', authorization: issueAuthorization(id), isApproval: true })
}

async function requestApproval(
  tx: Tx,
  concession: Concession,
  found: { request: ConcessionRequest | undefined; exceeded: ExceededLimit[]; limits: ConcessionLimits },
): Promise<Outcome<ConcessionDecision, ConcessionRefusal>> {
  const { kind, by, at, amountCents, requestPermission = null } = concession
  const { request, exceeded, limits } = found
  const mayRequest =
    by.via !== 'api' && (requestPermission === null || (await requirePermission(tx, by, requestPermission, at)).ok)
  if (!mayRequest) {
    const limitCents = kind === 'pay-adjustment' || kind === 'pay-deduction' ? limits.shopCents : limits.orderCents
    return refused('over-your-limit', { limitCents, exceeded })
  }
  if (!request)
    await insertConcession(tx, {
      ...subjectOf(concession),
      id: newTimedId(),
      isOverLimit: true,
      by: by.name,
      at,
    })
  else if (request.requestedBy === by.name || amountCents > request.amountCents)
    await updateRequest(tx, { id: request.id, amountCents, isOverLimit: true, by: by.name, at })
  return ok({ state: 'requested', exceeded, limits })
}

/** Declines the request for a concession, if there is one. The caller has locked the record. */
export async function declineConcession(
  tx: Tx,
  { kind, reference, by, at }: { kind: ConcessionKind; reference: string; by: string; at: Temporal.Instant },
): Promise<void> {
  const request = await selectRequest(tx, { kind, reference })
  if (request) await updateToDecided(tx, { ...request, state: 'declined', by, at })
}

/** Finds the request for a concession that awaits a second person; undefined without one. */
export function findConcessionRequest(
  db: Database,
  kind: ConcessionKind,
  reference: string,
): Promise<ConcessionRequest | undefined> {
  return selectRequest(db, { kind, reference })
}

/** Sums an order's concessions without approval, in cents. */
export async function readGivenAlone(db: Database, orderId: number): Promise<number> {
  const since = Temporal.Instant.fromEpochMilliseconds(0)
  const window = { shopSince: since, personSince: since, recipientSince: since }
  return (await selectGivenAlone(db, { orderId, shopId: null, recipient: null, person: '', ...window })).orderCents
}

async function exceededBy(db: Database, concession: Concession, limits: ConcessionLimits): Promise<ExceededLimit[]> {
  const { kind, by, at, amountCents, cut = null } = concession
  const { orderId, shopId, recipient } = subjectOf(concession)
  const given = await selectGivenAlone(db, {
    orderId,
    shopId,
    recipient,
    person: by.name,
    shopSince: at.subtract({ hours: shopHours }),
    personSince: at.subtract({ hours: personHours }),
    recipientSince: at.subtract({ hours: recipientHours }),
  })
  const sums: { [Sum in keyof GivenAlone]: number | null } = {
    orderCents: orderId === null ? null : given.orderCents,
    recipientCents: recipient === null ? null : given.recipientCents,
    shopCents: shopId === null ? null : given.shopCents,
    // A command doesn't identify a person, and a deduction isn't a concession.
    personCents: by.via === 'command line' || kind === 'pay-deduction' ? null : given.personCents,
  }
  // A person who can run commands can already set every price in the database.
  const limited = by.via === 'command line' ? null : cut
  return exceededLimits({ amountCents, cut: limited }, sums, limits)
}

async function readLimits(db: Database): Promise<ConcessionLimits> {
  const office = await readOfficeLimits(db)
  const pay = await readPayTerms(db)
  return {
    orderCents: office.refundAloneCents,
    shopCents: pay.aloneCents,
    personCents: office.dailyAloneCents,
    marginFloorPpm: office.quoteMarginFloorPpm,
    discountPpm: office.discountAlonePpm,
  }
}

function subjectOf({ kind, reference, orderId, shopId, recipient, amountCents }: Concession): ConcessionSubject {
  return {
    kind,
    reference,
    orderId: orderId ?? null,
    shopId: shopId ?? null,
    recipient: recipient ?? null,
    amountCents,
  }
}

/**
 * Runs a transaction that grants a concession. A refusal rolls back everything, including the recorded concession.
 * Returns what `run` returns.
 */
export async function inConcessionTransaction<Result extends Outcome<unknown, Refused<string, unknown>>>(
  db: Database,
  run: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  let refusal: Result | undefined
  try {
    return await db.transaction().execute(async (tx) => {
      const outcome = await run(tx)
      if (outcome.ok) return outcome
      refusal = outcome
      throw new RolledBack()
    })
  } catch (error) {
    if (error instanceof RolledBack && refusal) return refusal
    throw error
  }
}

class RolledBack extends Error {}
