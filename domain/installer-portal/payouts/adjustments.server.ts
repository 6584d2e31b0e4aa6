/** Corrections of a shop's pay by the office, and what the shop objects to. */
import {
  authorizeConcession,
  declineConcession,
  type ConcessionRefusal,
} from '#domain/kernel/concessions/concessions.server.ts'
import { findPaidShop, type PaidShop } from '#domain/scheduling/installers/installers.server.ts'
import {
  insertAdjustment,
  insertDispute,
  lockAdjustment,
  lockDispute,
  selectAdjustmentBySubmission,
  selectDisputable,
  selectDisputePhotoKey,
  updateToAnswered,
  updateToApproved,
  updateToDeclined,
  type Adjustment,
  type Decided,
} from './adjustments.sql.server.ts'
import {
  readShopPhoto,
  requireShopMember,
  type PhotoRefusal,
  type PortalActor,
  type Sender,
  type SentPhoto,
} from '#domain/installer-portal/portal/portal.server.ts'
import { isTooLateToDispute } from './statement.ts'
import type { NamedFile } from '#domain/kernel/files/files.server.ts'
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { readPayTerms } from '#domain/kernel/settings/settings.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'

type Deps = { db: Database; clock: Clock }

/** An adjustment request. `amountCents` is negative for deductions. */
export type AskedAdjustment = {
  shopId: number
  jobPayId: string | null
  kind: Adjustment['kind']
  amountCents: number
  reason: string
  submission: string
}

export type AdjustRefusal =
  | Refused<'not-allowed'>
  | Refused<'shop-not-found'>
  | Refused<'job-not-found'>
  | Refused<'over-your-limit'>

/**
 * Corrects a shop's pay, once per submission. Above the limit of one person, counted over the shop's corrections of seven
 * days, it is a proposal until a second person approves it. A program can't propose, and is refused `over-your-limit`.
 */
export async function adjustPay(
  { db, clock }: Deps,
  by: Actor,
  asked: AskedAdjustment,
): Promise<Outcome<{ id: string; state: Adjustment['state'] }, AdjustRefusal>> {
  const at = clock.now()
  return onceSubmitted(() =>
    db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'pay.adjust', at)
      return permitted.ok ? adjustWithin(tx, by, asked, at) : permitted
    }),
  )
}

async function adjustWithin(
  tx: Tx,
  by: Actor,
  asked: AskedAdjustment,
  at: Temporal.Instant,
): Promise<Outcome<{ id: string; state: Adjustment['state'] }, AdjustRefusal>> {
  const shop = await findPaidShop(tx, { shopId: asked.shopId })
  if (!shop) return refused('shop-not-found')
  if (asked.jobPayId !== null) {
    const about = { kind: 'job', id: asked.jobPayId } as const
    if (!(await selectDisputable(tx, { shopId: shop.shopId, about }))) return refused('job-not-found')
  }
  const before = await selectAdjustmentBySubmission(tx, asked.submission)
  if (before) return answerOfEarlier(before, asked)
  const id = newId()
  const authorized = await authorizeConcession(tx, { ...concessionOf({ ...asked, id }), by, at })
  if (!authorized.ok && by.via === 'api') return refused('over-your-limit')
  // Everyone who may adjust pay may propose an adjustment.
  if (!authorized.ok) throw new Error(`An adjustment of pay was neither given nor proposed: ${authorized.reason}.`)
  const decision = authorized.value
  const decided = decision.state === 'given' ? await decidedBy(tx, { by, shop, at }) : null
  const added = await insertAdjustment(tx, { ...asked, id, at, by: by.name }, decided)
  if (!added) throw new SubmittedTwice()
  await recordAct(tx, {
    ...(decision.state === 'given'
      ? { act: 'shop-pay.adjusted', authorization: decision.authorization }
      : { act: 'shop-pay.proposed' }),
    by,
    subject: shop.code,
    after: { kind: asked.kind, cents: asked.amountCents },
    reason: asked.reason,
    at,
  })
  return ok({ id: added.id, state: added.state })
}

/** Thrown out of the transaction on a concurrent duplicate submission, so that it reruns and finds the submission. */
class SubmittedTwice extends Error {}

async function onceSubmitted<Value>(run: () => Promise<Value>): Promise<Value> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof SubmittedTwice) return run()
    throw error
  }
}

function answerOfEarlier(
  { id, state, shopId }: Adjustment,
  asked: AskedAdjustment,
): Outcome<{ id: string; state: Adjustment['state'] }, AdjustRefusal> {
  return shopId === asked.shopId ? ok({ id, state }) : refused('shop-not-found')
}

function concessionOf({ id, shopId, amountCents }: Pick<Adjustment, 'id' | 'shopId' | 'amountCents'>) {
  const kind = amountCents < 0 ? ('pay-deduction' as const) : ('pay-adjustment' as const)
  return { kind, reference: id, shopId, amountCents: Math.abs(amountCents) }
}

async function decidedBy(
  tx: Tx,
  { by, shop, at }: { by: Actor; shop: PaidShop; at: Temporal.Instant },
): Promise<Decided> {
  const { disputeDays } = await readPayTerms(tx)
  return {
    at,
    by: by.name,
    day: at.toZonedDateTimeISO(shop.timeZone).toPlainDate(),
    disputeUntil: at.add({ hours: 24 * disputeDays }),
  }
}

/** Approves or declines a proposal. Refuses `own-proposal` for an approval by who made it, and `decided-already`. */
export async function decideAdjustment(
  { db, clock }: Deps,
  by: Actor,
  { shopId, id, isApproved }: { shopId: number; id: string; isApproved: boolean },
): Promise<
  Outcome<
    null,
    | Refused<'not-allowed'>
    | Refused<'not-found'>
    | Refused<'own-proposal'>
    | Refused<'decided-already'>
    | ConcessionRefusal
  >
> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'pay.approve', at)
      if (!permitted.ok) return permitted
      const found = await lockAdjustment(tx, { id, shopId })
      const shop = found && (await findPaidShop(tx, { shopId }))
      if (!found || !shop) return refused('not-found')
      if (found.state !== 'proposed') return refused('decided-already')
      const about = { by, subject: shop.code, after: { kind: found.kind, cents: found.amountCents }, at }
      const concession = concessionOf(found)
      if (!isApproved) {
        await updateToDeclined(tx, id, { at, by: by.name })
        await declineConcession(tx, { ...concession, by: by.name, at })
        await recordAct(tx, { ...about, act: 'shop-pay.declined' })
        return ok(null)
      }
      if (found.madeBy === by.name) return refused('own-proposal')
      const decided = await authorizeConcession(tx, { ...concession, by, at })
      if (!decided.ok) return decided
      if (decided.value.state === 'requested') return refused('not-allowed')
      await updateToApproved(tx, id, await decidedBy(tx, { by, shop, at }))
      await recordAct(tx, { ...about, act: 'shop-pay.approved', authorization: decided.value.authorization })
      return ok(null)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'pay_adjustment_second_person') return refused('own-proposal')
    throw error
  }
}

/** A dispute, with an optional photo as evidence. */
type AskedDispute = {
  about: { kind: 'job' | 'adjustment'; id: string }
  words: string
  photo: SentPhoto | null
}

/** A shop objects to a job's pay or an adjustment, once each. Refuses `too-late` after the deadline, which it names. */
export async function openDispute(
  { db, clock, rateLimits }: Deps & { rateLimits: RateLimits },
  by: PortalActor,
  { about, words, photo }: AskedDispute,
  sender: Sender,
): Promise<
  Outcome<
    null,
    | Refused<'not-allowed'>
    | Refused<'not-found'>
    | Refused<'too-late', { until: Temporal.Instant }>
    | Refused<'disputed-already'>
    | PhotoRefusal
  >
> {
  const at = clock.now()
  const read = await readShopPhoto(rateLimits, photo, sender)
  if (!read.ok) return read
  return db.transaction().execute(async (tx) => {
    const member = await requireShopMember(tx, by, 'pay.dispute', at)
    if (!member.ok) return member
    const found = await selectDisputable(tx, { shopId: by.shopId, about })
    if (!found) return refused('not-found')
    if (isTooLateToDispute(found, at)) return refused('too-late', { until: found.disputeUntil })
    const { memberId } = member.value
    const isNew = await insertDispute(tx, {
      id: newId(),
      shopId: by.shopId,
      about,
      words,
      photo: read.value,
      at,
      memberId,
    })
    return isNew ? ok(null) : refused('disputed-already')
  })
}

/** Returns the photo that a shop sent with a dispute; undefined if not found. */
export async function findDisputePhoto(
  { db }: Pick<Deps, 'db'>,
  { shopCode, id }: { shopCode: string; id: string },
): Promise<NamedFile | undefined> {
  const shop = await findPaidShop(db, { code: shopCode })
  const key = shop && (await selectDisputePhotoKey(db, { shopId: shop.shopId, id }))
  return key === undefined ? undefined : { name: 'Dispute.webp', key }
}

/**
 * Resolves a dispute. With an amount it is granted and added to the shop's payout (as a proposal above the approval
 * threshold); without one it is declined. Refuses `answered-already`.
 */
export async function answerDispute(
  { db, clock }: Deps,
  by: Actor,
  {
    shopId,
    id,
    answer,
    amountCents,
    submission,
  }: { shopId: number; id: string; answer: string; amountCents: number | null; submission: string },
): Promise<Outcome<null, AdjustRefusal | Refused<'not-found'> | Refused<'answered-already'>>> {
  const at = clock.now()
  return onceSubmitted(() =>
    db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, 'pay.adjust', at)
      if (!permitted.ok) return permitted
      const found = await lockDispute(tx, { id, shopId })
      const shop = found && (await findPaidShop(tx, { shopId }))
      if (!found || !shop) return refused('not-found')
      if (found.state !== 'open') return refused('answered-already')
      if (amountCents !== null) {
        const reason = `Dispute: ${answer}`.slice(0, 500)
        const asked = { shopId, jobPayId: found.jobPayId, kind: 'adjustment', amountCents, reason, submission } as const
        const granted = await adjustWithin(tx, by, asked, at)
        if (!granted.ok) return granted
      }
      const state = amountCents === null ? 'declined' : 'granted'
      await updateToAnswered(tx, { id, state, answer, at, by: by.name })
      await recordAct(tx, {
        by,
        act: 'shop-pay.dispute-answered',
        subject: shop.code,
        after: { state, cents: amountCents },
        reason: answer.slice(0, 500),
        at,
      })
      return ok(null)
    }),
  )
}
