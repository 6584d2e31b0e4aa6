/**
 * Memberships that renew with a saved card, with the owner's consent. A term's renewal is announced at least a week
 * ahead, charged when the term ends, retried on set days, and lapses after the last retry. Each attempt has a separate
 * charge, recorded before the provider call, so that an interrupted job resumes with the same one.
 */
import { queueMessage } from '#domain/messaging/messages/messages.server.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import { findPayment, insertPayment, voidPayment } from '#domain/payments/payments/payments.server.ts'
import { findGrant } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { gracefulEnd, gracefulTerm, isMembershipClosed } from './membership-rules.ts'
import { payTerm } from './membership.server.ts'
import { lockMember, openDraft, selectLastTerm, selectVerifiedEmail } from './membership.sql.server.ts'
import {
  chargeMoment,
  isAnnounced,
  renewalConsentVersion,
  renewalNoticeDays,
  renewalTryDays,
  tryMoment,
} from './renewal-rules.ts'
import {
  endTry,
  insertAutoRenewal,
  insertRenewal,
  insertTry,
  markLapsed,
  selectAttempts,
  selectAutoRenewal,
  selectDueRenewals,
  selectRenewal,
  selectToAnnounce,
  stopAutoRenewal,
  updateTry,
  type Renewal,
  type TryOutcome,
} from './renewals.sql.server.ts'
import { isExpired } from '#domain/payments/saved-cards/saved-cards.ts'
import { completeSavedCharge, findSavedCard, type CardVault } from '#domain/payments/saved-cards/saved-cards.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { enqueueAll } from '#platform/jobs.ts'

type Deps = {
  db: Database
  clock: Clock
  payments: PaymentProvider
  cardVault: CardVault
  businessTerms: Pick<LiveTerms, 'at'>
}

/** How long a worker has an attempt exclusively; after a crash, another worker resumes it. */
const takenForMinutes = 2

/** Enables an account's automatic renewal, with consent to the current wording. */
export function startRenewal({ db, clock }: Pick<Deps, 'db' | 'clock'>, accountId: string): Promise<void> {
  return insertAutoRenewal(db, { accountId, version: renewalConsentVersion, at: clock.now() })
}

/** Stops an account's membership renewal. Idempotent. */
export async function stopRenewal(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  accountId: string,
  by: 'member' | 'link' | 'store',
): Promise<void> {
  await stopAutoRenewal(db, accountId, { at: clock.now(), by })
}

/** Announces the renewals of the next days, each once, and queues the charges that are due. */
export async function renewMemberships({
  db,
  clock,
  businessTerms,
}: Pick<Deps, 'db' | 'clock' | 'businessTerms'>): Promise<void> {
  const now = clock.now()
  const ending = await selectToAnnounce(db, { after: now, before: now.add({ hours: 24 * (renewalNoticeDays + 1) }) })
  for (const { termId, endsAt, email } of ending) {
    if (!isAnnounced(now, endsAt)) continue
    await db.transaction().execute(async (tx) => {
      const chargeAt = chargeMoment(now, endsAt)
      const amountCents = businessTerms.at(chargeAt)['membership-cents']
      const id = await insertRenewal(tx, { termId, amountCents, toldAt: now, chargeAt })
      if (id === undefined) return
      const key = `membership-renewing:${id}`
      await queueMessage(tx, { kind: 'membership-renewing', key, to: email, orderId: null, at: now })
    })
  }
  const due = await selectDueRenewals(db, now)
  await enqueueAll(
    db,
    due.map((renewalId) => ({
      name: 'renew-membership',
      payload: { renewalId },
      key: `renew-membership:${renewalId}`,
    })),
  )
}

type Work = { no: number; paymentId: string; accountId: string; draftId: string; cardRef: string }

/**
 * Makes a renewal's due attempt, or resumes an interrupted one. With concurrent runs, only one does it. Throws while
 * the provider is down.
 */
export async function renewMembership(deps: Deps, renewalId: string): Promise<void> {
  const renewal = await selectRenewal(deps.db, { id: renewalId })
  if (!renewal?.accountId || renewal.state !== 'told') return
  const { accountId } = renewal
  const work = await deps.db.transaction().execute((tx) => takeTry({ ...deps, db: tx }, { ...renewal, accountId }))
  if (!work) return
  const { no, paymentId, cardRef } = work
  const charged = await completeSavedCharge(deps, { paymentId, accountId, cardRef, returnUrl: null })
  if (!charged.ok && charged.reason === 'payment-unavailable') {
    await updateTry(deps.db, { renewalId, no }, { takenUntil: deps.clock.now() })
    throw new Error('The payment provider is away.')
  }
  const isPaid = charged.ok && charged.value.payment.state === 'authorized'
  if (isPaid) return finishPaid(deps, renewal, work)
  // The bank's response is pending, and is read later or the charge ends.
  if (charged.ok && charged.value.isProcessing) return
  await failTry(deps, renewal, work, charged.ok && charged.value.isUnapproved ? 'needs-approval' : 'declined')
}

async function finishPaid(deps: Deps, renewal: Renewal, { no, paymentId, accountId, draftId }: Work): Promise<void> {
  const payment = await findPayment(deps.db, { id: paymentId })
  if (!payment) throw new Error(`The charge ${paymentId} of a renewal is gone.`)
  const draft = { id: draftId, priceCents: renewal.amountCents }
  const joined = await payTerm(deps, accountId, draft, payment, { renewalId: renewal.id, no })
  if (joined.ok && joined.value.isNew) return
  if (!joined.ok && joined.reason === 'payment-unavailable') throw new Error('The payment provider is away.')
  // The owner bought the year since then, or now has other prices, so the card isn't charged.
  await voidPayment(deps, { termId: draftId })
  await endTry(deps.db, { renewalId: renewal.id, no }, 'declined')
  if (!joined.ok) await stopRenewal(deps, accountId, 'store')
}

/** Takes the due attempt, with a recorded charge; undefined if there isn't one, or another worker has it. */
async function takeTry(
  deps: Pick<Deps, 'clock' | 'businessTerms'> & { db: Tx },
  renewal: Renewal & { accountId: string },
): Promise<Work | undefined> {
  const { db: tx, clock } = deps
  const { accountId, id: renewalId } = renewal
  const now = clock.now()
  await lockMember(tx, accountId)
  if (!(await isWanted(deps, renewal))) return undefined
  const attempts = await selectAttempts(tx, renewalId)
  const open = attempts.find(({ outcome }) => outcome === null)
  const no = open?.no ?? attempts.length + 1
  if (!isDue(now, tryMoment(renewal.chargeAt, no)) || (open && !isDue(now, open.takenUntil))) return undefined
  const card = await findSavedCard(tx, accountId)
  const takenUntil = now.add({ minutes: takenForMinutes })
  if (!card || isExpired(card, now)) {
    if (open) await endTry(tx, { renewalId, no }, 'declined')
    else await insertTry(tx, { renewalId, no, paymentId: null, at: now, takenUntil })
    await tellOfTry(deps, renewal, no)
    return undefined
  }
  const draftId = await openDraft(tx, accountId, { priceCents: renewal.amountCents, at: now })
  const paymentId =
    open?.paymentId && open.paymentState !== 'voided'
      ? open.paymentId
      : await recordCharge(deps, { draftId, amountCents: renewal.amountCents })
  if (open) await updateTry(tx, { renewalId, no }, { takenUntil, paymentId })
  else await insertTry(tx, { renewalId, no, paymentId, at: now, takenUntil })
  return { no, accountId, draftId, paymentId, cardRef: card.cardRef }
}

/** Returns whether the owner still wants the renewal and it is possible; an impossible one lapses. */
async function isWanted(
  deps: Pick<Deps, 'clock' | 'businessTerms'> & { db: Tx },
  renewal: Renewal & { accountId: string },
): Promise<boolean> {
  const { db: tx, clock, businessTerms } = deps
  const { accountId } = renewal
  const now = clock.now()
  const [consent, last, current, grant] = await Promise.all([
    selectAutoRenewal(tx, accountId),
    selectLastTerm(tx, accountId),
    selectRenewal(tx, { id: renewal.id }),
    findGrant(tx, accountId, now),
  ])
  if (!consent || current?.state !== 'told' || last?.id !== renewal.followsTermId) return false
  if (!isMembershipClosed(grant?.type) && !isDue(now, gracefulEnd(gracefulTerm(businessTerms, last)))) return true
  await lapse(deps, renewal)
  return false
}

function isDue(now: Temporal.Instant, at: Temporal.Instant | undefined): boolean {
  return at !== undefined && Temporal.Instant.compare(now, at) >= 0
}

async function recordCharge(
  { db, clock }: { db: Tx; clock: Clock },
  { draftId: termId, amountCents }: { draftId: string; amountCents: number },
): Promise<string> {
  const id = newId()
  const payer = { termId }
  await insertPayment(db, { id, payer, method: 'card', flow: 'saved', amountCents, from: null, at: clock.now() })
  return id
}

/** Ends an attempt without a charge, and notifies the owner about the next step. */
async function failTry(deps: Deps, renewal: Renewal, { no, draftId }: Work, outcome: TryOutcome): Promise<void> {
  await voidPayment(deps, { termId: draftId })
  await deps.db.transaction().execute(async (tx) => {
    if (await endTry(tx, { renewalId: renewal.id, no }, outcome))
      await tellOfTry({ db: tx, clock: deps.clock }, renewal, no)
  })
}

async function tellOfTry(deps: { db: Tx; clock: Clock }, renewal: Renewal, no: number): Promise<void> {
  if (no >= renewalTryDays.length) return lapse(deps, renewal)
  await mail(deps, renewal, `membership-not-renewed:${renewal.id}:${no}`)
}

async function lapse(deps: { db: Tx; clock: Clock }, renewal: Renewal): Promise<void> {
  if (!(await markLapsed(deps.db, renewal.id)) || renewal.accountId === null) return
  await stopAutoRenewal(deps.db, renewal.accountId, { at: deps.clock.now(), by: 'store' })
  await mail(deps, renewal, `membership-not-renewed:${renewal.id}:lapsed`)
}

async function mail({ db, clock }: { db: Tx; clock: Clock }, { accountId }: Renewal, key: string): Promise<void> {
  const email = accountId === null ? null : await selectVerifiedEmail(db, accountId)
  if (email) await queueMessage(db, { kind: 'membership-not-renewed', key, to: email, orderId: null, at: clock.now() })
}
