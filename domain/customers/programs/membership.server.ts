/**
 * The paid membership, bought for a year with the same charges as tires and effective immediately. It renews only for
 * an owner who consented (renewals.server.ts). Its price tier is a grant of domain/pricing/price-tiers.
 */
import { paths } from '#content/paths.ts'
import { enterTransfer, reversed, type Entry } from '#domain/payments/ledger/ledger.server.ts'
import { keyParts, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { queueMessage, resumeMails } from '#domain/messaging/messages/messages.server.ts'
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import {
  beginSubmission,
  captureCharge,
  claimPaymentForTerm,
  endSubmission,
  readPaymentStatus,
  recordCapture,
  recordRefund,
  refundWhole,
} from '#domain/payments/payments/payments.server.ts'
import {
  canRenew,
  dueReminder,
  gracefulEnd,
  gracefulTerm,
  isMembershipClosed,
  membershipReminderDays,
  nextTerm,
  refuseRefund,
  type NoRefund,
} from './membership-rules.ts'
import {
  activateTerm,
  endTerm,
  hasBoughtAsMember,
  lockMember,
  openDraft,
  selectDraft,
  selectEnding,
  selectLastTerm,
  selectTermCard,
  selectTermCharge,
  selectTermPrice,
  selectTerms,
  selectVerifiedEmail,
  updateReminders,
  type BoughtTerm,
} from './membership.sql.server.ts'
import { endTry, markRenewed, selectAutoRenewal, stopAutoRenewal } from './renewals.sql.server.ts'
import { chargedTo } from '#domain/payments/charge-words/charge-words.ts'
import { endGrant, findGrant, grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { memberOffersText } from '#content/messages/programs.ts'
import { businessTerms, memberOffersOf } from '#domain/kernel/settings/settings.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database, Tx } from '#platform/db.ts'
import { enqueue } from '#platform/jobs.ts'
import { formatCents } from '#platform/money.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDateText } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock; payments: PaymentProvider; businessTerms: Pick<LiveTerms, 'at'> }
type TermDeps = Pick<Deps, 'db' | 'clock' | 'businessTerms'>

/** An account's membership as shown to its owner. `isOver`: its last term has ended, including grace. */
export type Membership = {
  term: BoughtTerm
  isOver: boolean
  isInGrace: boolean
  canRenew: boolean
  refund: { can: true } | { can: false; reason: NoRefund }
  /** How many days after its purchase the unused term can be refunded. */
  refundDays: number
  /** How many days after its end its prices stay. */
  graceDays: number
}

/** Returns the membership of an account; null if it never had one. */
export async function readMembership(
  { db, clock, businessTerms }: TermDeps,
  accountId: string,
): Promise<Membership | null> {
  const term = await selectLastTerm(db, accountId)
  if (!term) return null
  const now = clock.now()
  const isPast = (instant: Temporal.Instant) => Temporal.Instant.compare(now, instant) >= 0
  const refundDays = businessTerms.at(term.boughtAt)['membership-refund-days']
  const isUsed = await hasBoughtAsMember(db, accountId, term.boughtAt)
  const refusal = refuseRefund({ boughtAt: term.boughtAt, isUsed, refundDays }, now)
  const graceful = gracefulTerm(businessTerms, term)
  const graceUntil = gracefulEnd(graceful)
  return {
    term,
    isOver: isPast(graceUntil),
    isInGrace: isPast(term.endsAt) && !isPast(graceUntil),
    canRenew: canRenew(now, term),
    refund: refusal ? { can: false, reason: refusal } : { can: true },
    refundDays,
    graceDays: graceful.graceDays,
  }
}

/** Lists every term of an account and its outcome, for the data export. */
export function listTerms({ db }: Pick<Deps, 'db'>, accountId: string): ReturnType<typeof selectTerms> {
  return selectTerms(db, accountId)
}

type NotForSale = Refused<'has-other-prices', { type: string }> | Refused<'too-early'>

/**
 * Starts a one-year purchase, and returns the draft term and its price. Refuses accounts with another price tier, such
 * as a company's or employee's, because they wouldn't benefit, and a second year before renewal opens.
 */
export async function beginMembership(
  deps: Pick<Deps, 'db' | 'clock'> & { businessTerms: Pick<LiveTerms, 'current'> },
  accountId: string,
): Promise<Outcome<{ termId: string; priceCents: number }, NotForSale>> {
  const now = deps.clock.now()
  const sale = await checkSale(deps, accountId, now)
  if (!sale.ok) return sale
  const priceCents = deps.businessTerms.current['membership-cents']
  return ok({ termId: await openDraft(deps.db, accountId, { priceCents, at: now }), priceCents })
}

/** Returns the current term that another year would extend, or the refusal. */
export async function checkSale(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  now: Temporal.Instant,
): Promise<Outcome<BoughtTerm | null, NotForSale>> {
  const [grant, last = null] = await Promise.all([findGrant(db, accountId, now), selectLastTerm(db, accountId)])
  if (grant && isMembershipClosed(grant.type)) return refused('has-other-prices', { type: grant.type })
  return canRenew(now, last) ? ok(last) : refused('too-early')
}

export type JoinRefusal =
  | NotForSale
  | Refused<'nothing-begun'>
  | Refused<'not-paid', { failure: string | null; isProcessing: boolean }>
  | Refused<'payment-unavailable'>

/**
 * Makes the account a member for the year its authorized charge pays for, and enqueues the capture in the same
 * transaction. Repeated, it returns the same term with `isNew` false.
 */
export async function joinMembership(
  deps: Deps,
  accountId: string,
): Promise<Outcome<{ endsAt: Temporal.Instant; isNew: boolean }, JoinRefusal>> {
  const draft = await selectDraft(deps.db, accountId)
  if (!draft) return (await boughtAlready(deps, accountId)) ?? refused('nothing-begun')
  const submission = await beginSubmission(deps, { termId: draft.id })
  if (!submission)
    return (await boughtAlready(deps, accountId)) ?? refused('not-paid', { failure: null, isProcessing: false })
  const joined = await payTerm(deps, accountId, draft, submission.payment)
  if (!joined.ok) await endSubmission(deps, submission)
  return joined
}

/**
 * Turns the account's draft into a term, if the charge that pays for it is authorized. `renewal` is the try that
 * charged it, if the store did.
 */
export async function payTerm(
  deps: Deps,
  accountId: string,
  { id: termId, priceCents: amountCents }: { id: string; priceCents: number },
  charge: Parameters<typeof readPaymentStatus>[1],
  renewal?: { renewalId: string; no: number },
): Promise<Outcome<{ endsAt: Temporal.Instant; isNew: boolean }, JoinRefusal>> {
  const status = await readPaymentStatus(deps, charge)
  if (!status.ok) return refused('payment-unavailable')
  if (status.value?.payment.state !== 'authorized')
    return refused('not-paid', {
      failure: status.value?.failure ?? null,
      isProcessing: status.value?.isProcessing ?? false,
    })
  const { id: paymentId } = status.value.payment

  const now = deps.clock.now()
  return deps.db.transaction().execute(async (tx) => {
    await lockMember(tx, accountId)
    const sale = await checkSale({ db: tx }, accountId, now)
    if (!sale.ok) return sale.reason === 'too-early' ? ((await boughtAlready({ db: tx }, accountId)) ?? sale) : sale
    const { startsAt, endsAt } = nextTerm(now, sale.value && gracefulTerm(deps.businessTerms, sale.value))
    if (!(await claimPaymentForTerm(tx, { paymentId, termId, amountCents, at: now })))
      return refused('not-paid', { failure: null, isProcessing: false })
    if (!(await activateTerm(tx, termId, { boughtAt: now, startsAt, endsAt })))
      throw new Error(`The term ${termId} was claimed, but is no draft.`)
    await grantUntil({ ...deps, db: tx }, accountId, { boughtAt: now, endsAt })
    await enterTransfer(tx, { termId, reason: 'membership bought', at: now, entries: entriesOfTerm(amountCents) })
    await enqueue(tx, 'capture-membership', { termId }, { key: `capture-membership:${termId}` })
    if (sale.value) await markRenewed(tx, sale.value.id, termId)
    if (renewal) await endTry(tx, renewal, 'paid')
    const kind = renewal ? 'membership-renewed' : 'membership-begun'
    await mail(tx, accountId, kind, `${kind}:${termId}`, now)
    return ok({ endsAt, isNew: true })
  })
}

async function boughtAlready({ db }: Pick<Deps, 'db'>, accountId: string) {
  const last = await selectLastTerm(db, accountId)
  return last && ok({ endsAt: last.endsAt, isNew: false })
}

function grantUntil(deps: TermDeps, accountId: string, term: Pick<BoughtTerm, 'boughtAt' | 'endsAt'>): Promise<void> {
  return grantType(deps, {
    accountId,
    type: 'Retail Member',
    how: 'purchase',
    until: gracefulEnd(gracefulTerm(deps.businessTerms, term)),
    by: 'membership',
  })
}

function entriesOfTerm(cents: number): Entry[] {
  return [
    { account: 'receivable', cents },
    { account: 'memberships', cents: -cents },
  ]
}

/**
 * Captures a term's charge, once however often it runs. A charge that can no longer be captured ends the membership.
 * Throws while the provider is down.
 */
export async function captureMembership(deps: Deps, termId: string): Promise<void> {
  const charge = await selectTermCharge(deps.db, termId)
  if (charge?.termState !== 'active') return
  const captured = await captureCharge(deps, charge.paymentId)
  if (!captured.ok && captured.reason === 'payment-unavailable') throw new Error('The payment provider is away.')
  const at = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    if (!captured.ok) return endMembership({ ...deps, db: tx }, termId, 'failed', 'store')
    if (
      !(await recordCapture(tx, charge.paymentId, { capturedCents: captured.value.capturedCents, at, actor: 'store' }))
    )
      return
    await enterTransfer(tx, { termId, reason: 'charge captured', at, entries: cashIn(captured.value.capturedCents) })
  })
}

function cashIn(cents: number): Entry[] {
  return [
    { account: 'cash', cents },
    { account: 'receivable', cents: -cents },
  ]
}

/**
 * Refunds an unused term within its refund period. It ends immediately, and a job refunds the money. Refuses with
 * `charge-pending` in the seconds before the capture is done.
 */
export async function refundMembership(
  deps: TermDeps,
  accountId: string,
): Promise<Outcome<null, Refused<'no-membership'> | Refused<NoRefund> | Refused<'charge-pending'>>> {
  return deps.db.transaction().execute(async (tx) => {
    await lockMember(tx, accountId)
    const membership = await readMembership({ ...deps, db: tx }, accountId)
    if (!membership) return refused('no-membership')
    if (!membership.refund.can) return refused(membership.refund.reason)
    const { id: termId } = membership.term
    if ((await selectTermCharge(tx, termId))?.paymentState !== 'captured') return refused('charge-pending')
    await endMembership({ ...deps, db: tx }, termId, 'refunded', 'member')
    await enqueue(tx, 'refund-membership', { termId }, { key: `refund-membership:${termId}` })
    return ok(null)
  })
}

/** Ends the term and reverses its ledger entries; what an earlier term grants stays. */
async function endMembership(
  deps: TermDeps & { db: Tx },
  termId: string,
  to: 'refunded' | 'failed',
  actor: string,
): Promise<void> {
  const at = deps.clock.now()
  const ended = await endTerm(deps.db, termId, to, { actor, at })
  if (!ended) return
  await enterTransfer(deps.db, {
    termId,
    reason: `membership ${to}`,
    at,
    entries: reversed(entriesOfTerm(ended.priceCents)),
  })
  if (ended.accountId === null) return
  await stopAutoRenewal(deps.db, ended.accountId, { at, by: actor === 'member' ? 'member' : 'store' })
  const earlier = await selectLastTerm(deps.db, ended.accountId)
  // A member who now buys for a company still has that price tier.
  const isMember = (await findGrant(deps.db, ended.accountId, at))?.type === 'Retail Member'
  const until = earlier && gracefulEnd(gracefulTerm(deps.businessTerms, earlier))
  if (isMember && until && Temporal.Instant.compare(at, until) < 0) await grantUntil(deps, ended.accountId, earlier)
  else await endGrant(deps, { accountId: ended.accountId, type: 'Retail Member' })
}

/** Refunds a refunded term's charge, once however often it runs. Throws while the provider is down. */
export async function payBackMembership(deps: Deps, termId: string): Promise<void> {
  const charge = await selectTermCharge(deps.db, termId)
  if (charge?.termState !== 'refunded') return
  const back = await refundWhole(deps, charge.paymentId)
  if (!back.ok) throw new Error(`The money of the term ${termId} could not be given back: ${back.reason}.`)
  const at = deps.clock.now()
  await deps.db.transaction().execute(async (tx) => {
    if (!(await recordRefund(tx, charge.paymentId, { actor: 'store', at }))) return
    await enterTransfer(tx, {
      termId,
      reason: 'charge given back',
      at,
      entries: reversed(cashIn(back.value.refundedCents)),
    })
  })
}

/** Sets whether the owner wants reminders before the term ends. */
export async function setReminders(
  { db }: Pick<Deps, 'db'>,
  accountId: string,
  wantsReminders: boolean,
): Promise<void> {
  await updateReminders(db, accountId, wantsReminders)
  if (wantsReminders) await resumeMails({ db }, { kind: 'membership-ending', accountId })
}

/** Emails members with a term that ends soon, once per reminder. Returns how many were due. */
export async function remindOfMemberships({ db, clock, businessTerms: live }: TermDeps): Promise<number> {
  const now = clock.now()
  const hours = (days: number) => ({ hours: 24 * days })
  const found = await selectEnding(db, {
    after: now.subtract(hours(businessTerms['membership-grace-days'].max)),
    before: now.add(hours(membershipReminderDays[0])),
  })
  const ending = found.filter((term) => Temporal.Instant.compare(now, gracefulEnd(gracefulTerm(live, term))) < 0)
  for (const { id, endsAt, email } of ending) {
    const days = dueReminder(now, endsAt)
    if (days !== null)
      await queueMessage(db, {
        kind: 'membership-ending',
        key: `membership-ending:${id}:${days}`,
        to: email,
        orderId: null,
        at: now,
      })
  }
  return ending.length
}

async function mail(
  tx: Tx,
  accountId: string,
  kind: 'membership-begun' | 'membership-renewed',
  key: string,
  at: Temporal.Instant,
): Promise<void> {
  const email = await selectVerifiedEmail(tx, accountId)
  if (email) await queueMessage(tx, { kind, key, to: email, orderId: null, at })
}

/** Returns the values of mails about a membership term. */
export async function membershipMessageValues(
  {
    db,
    clock,
    config,
    businessTerms: live,
  }: Pick<Deps, 'db' | 'clock'> & {
    config: Pick<Config, 'web' | 'store'>
    businessTerms: Pick<LiveTerms, 'current' | 'at'>
  },
  { key }: { key: string },
): Promise<MessageValues> {
  const [id = ''] = keyParts(key)
  const term = await selectTermPrice(db, id)
  const endsAt = term?.endsAt ?? clock.now()
  const boughtAt = term?.boughtAt ?? clock.now()
  const isOver = Temporal.Instant.compare(clock.now(), endsAt) >= 0
  return {
    endsOn: storeDateText(endsAt),
    renewedWith: chargedTo(await selectTermCard(db, id)),
    paid: formatCents(term?.priceCents ?? 0),
    price: formatCents(live.current['membership-cents']),
    ends: isOver ? 'ended' : 'ends',
    renewal:
      term?.accountId && (await selectAutoRenewal(db, term.accountId))
        ? 'It renews after that with your saved card. We write to you at least a week before, and you can stop it any time.'
        : 'It doesn’t renew automatically. You won’t be charged again unless you renew.',
    graceUntil: storeDateText(gracefulEnd(gracefulTerm(live, { boughtAt, endsAt }))),
    refundDays: String(live.at(boughtAt)['membership-refund-days']),
    offers: memberOffersText(memberOffersOf(live.current)),
    membershipUrl: config.web.origin + paths.membership(),
    phone: config.store.phone,
  }
}
