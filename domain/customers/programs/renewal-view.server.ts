/** Renewal information for the membership page and emails, and the link that stops it. */
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { keyParts, type MessageKind, type MessageValues } from '#domain/messaging/messages/messages.ts'
import { gracefulEnd, gracefulTerm } from './membership-rules.ts'
import { selectLastTerm } from './membership.sql.server.ts'
import { chargeMoment, tryMoment } from './renewal-rules.ts'
import {
  selectAutoRenewal,
  selectAutoRenewalById,
  selectAutoRenewals,
  selectRenewal,
  selectAttempts,
  type Renewal,
} from './renewals.sql.server.ts'
import { cardName, isExpired } from '#domain/payments/saved-cards/saved-cards.ts'
import { findSavedCard, type KeptCard } from '#domain/payments/saved-cards/saved-cards.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { isId } from '#platform/ids.ts'
import { formatCents } from '#platform/money.ts'
import { sign, verify } from '#platform/signing.ts'
import { storeDateText, storeZone } from '#platform/store-zone.ts'
import { stopRenewal } from './renewals.server.ts'
import type { Secrets } from '#platform/secrets.ts'

type Deps = { db: Database; clock: Clock; businessTerms: Pick<LiveTerms, 'at'> }

/**
 * The renewal of a current membership. `isUnapproved`: the bank wants to ask its customer; `isLate`: a charge failed
 * and is tried again on `chargeAt`.
 */
export type RenewalView = {
  isOn: boolean
  chargeAt: Temporal.Instant
  amountCents: number
  card: KeptCard | null
  hasExpiredCard: boolean
  isLate: boolean
  isUnapproved: boolean
}

/** Returns the renewal of an account's membership; null without one that could renew. */
export async function readRenewal({ db, clock, businessTerms }: Deps, accountId: string): Promise<RenewalView | null> {
  const now = clock.now()
  const term = await selectLastTerm(db, accountId)
  if (!term || Temporal.Instant.compare(now, gracefulEnd(gracefulTerm(businessTerms, term))) >= 0) return null
  const [consent, renewal, card = null] = await Promise.all([
    selectAutoRenewal(db, accountId),
    selectRenewal(db, { termId: term.id }),
    findSavedCard(db, accountId),
  ])
  const isTold = renewal?.state === 'told'
  const isOver = Temporal.Instant.compare(now, term.endsAt) >= 0
  // Too late to announce, so only the owner can renew it now.
  if (!consent && isOver && !isTold) return null
  const chargeAt = isTold
    ? (tryMoment(renewal.chargeAt, renewal.attempts + 1) ?? renewal.chargeAt)
    : chargeMoment(now, term.endsAt)
  return {
    isOn: consent !== undefined,
    chargeAt,
    amountCents: isTold ? renewal.amountCents : businessTerms.at(chargeAt)['membership-cents'],
    card,
    hasExpiredCard: card !== null && isExpired(card, now),
    isLate: isTold && renewal.attempts > 0,
    isUnapproved: isTold && renewal.lastOutcome === 'needs-approval',
  }
}

const purpose = 'stop renewal'

/** Returns the email's URL that stops a renewal without sign-in, for this consent only. */
function stopLink(secret: Secrets, consentId: string): string {
  return serverPaths.stopRenewal(sign(secret, purpose, consentId))
}

/** Parses such a link; undefined if its signature is invalid. Read-only, because email scanners follow links. */
export async function readStopLink(
  { db, config }: Pick<Deps, 'db'> & { config: Pick<Config, 'session'> },
  token: string,
): Promise<{ accountId: string; isStopped: boolean } | undefined> {
  const id = verify(config.session.secret, purpose, token.slice(0, 150))
  const consent = id !== undefined && isId(id) ? await selectAutoRenewalById(db, id) : undefined
  return consent && { accountId: consent.accountId, isStopped: consent.stoppedAt !== null }
}

/** Stops the renewal of a link. A consent given after it was sent stays. False if we did not make the link. */
export async function stopByLink(deps: Deps & { config: Pick<Config, 'session'> }, token: string): Promise<boolean> {
  const consent = await readStopLink(deps, token)
  if (consent && !consent.isStopped) await stopRenewal(deps, consent.accountId, 'link')
  return consent !== undefined
}

/** Returns the values of the mails about a renewal; null if it was deleted. */
export async function renewalMessageValues(
  deps: Deps & { config: Pick<Config, 'web' | 'store' | 'session'> },
  { kind, key }: { kind: MessageKind; key: string },
): Promise<MessageValues | null> {
  const [id = '', news = ''] = keyParts(key)
  const renewal = await selectRenewal(deps.db, { id })
  if (!renewal) return null
  const { db, config } = deps
  const { origin } = config.web
  const [consent, card] =
    renewal.accountId === null
      ? []
      : await Promise.all([selectAutoRenewal(db, renewal.accountId), findSavedCard(db, renewal.accountId)])
  const usable = card && !isExpired(card, renewal.chargeAt) ? card : undefined
  const shared = {
    price: formatCents(renewal.amountCents),
    membershipUrl: origin + paths.membership(),
    cardsUrl: origin + serverPaths.paymentMethods(),
    stopRenewalUrl: consent ? origin + stopLink(config.session.secret, consent.id) : origin + paths.membership(),
    phone: config.store.phone,
  }
  if (kind === 'membership-renewing')
    return {
      ...shared,
      chargeOn: storeDateText(renewal.chargeAt),
      renewalCard: usable ? `to your ${cardName(usable)}` : 'once you have added a card that is valid then,',
      nextEndsOn: storeDateText(renewal.termEndsAt.toZonedDateTimeISO(storeZone).add({ years: 1 }).toInstant()),
    }
  return { ...shared, ...(await newsOf(deps, renewal, news)) }
}

/** Explains why a renewal was not paid, and the next step. */
async function newsOf({ db, businessTerms }: Deps, renewal: Renewal, no: string) {
  const graceUntil = storeDateText(
    gracefulEnd(gracefulTerm(businessTerms, { boughtAt: renewal.termBoughtAt, endsAt: renewal.termEndsAt })),
  )
  if (no === 'lapsed')
    return {
      renewalNews: 'Your membership did not renew',
      whyNotRenewed: `We could not charge ${formatCents(renewal.amountCents)} for another year, and won’t try again. You haven’t been charged.`,
      renewalNext: `Your member prices stay until ${graceUntil}. Until then you can still buy another year and lose no day.`,
      renewalButton: 'Buy another year',
    }
  const attempt = (await selectAttempts(db, renewal.id)).find((one) => String(one.no) === no)
  const nextAt = tryMoment(renewal.chargeAt, Number(no) + 1) ?? renewal.chargeAt
  const again = `We try again on ${storeDateText(nextAt)}. Your member prices stay until ${graceUntil}.`
  if (attempt?.outcome === 'needs-approval')
    return {
      renewalNews: 'Your bank wants you to approve your membership',
      whyNotRenewed: `Your bank did not let us charge ${formatCents(renewal.amountCents)} without asking you. You haven’t been charged.`,
      renewalNext: `Approve it on your membership page. ${again}`,
      renewalButton: 'Approve the payment',
    }
  return attempt?.outcome === 'no-card'
    ? {
        renewalNews: 'Your membership needs another card',
        whyNotRenewed: `You have no saved card that is still valid, so we could not charge ${formatCents(renewal.amountCents)}.`,
        renewalNext: `Add a card to your account. ${again}`,
        renewalButton: 'Your membership',
      }
    : {
        renewalNews: 'Your card was declined for your membership',
        whyNotRenewed: `Your bank declined ${formatCents(renewal.amountCents)} for another year. You haven’t been charged.`,
        renewalNext: `Use another card, or let us try this one again. ${again}`,
        renewalButton: 'Your membership',
      }
}

/** The consents of an account to renew, for its data export. */
export async function exportRenewals(db: Database, accountId: string): Promise<object[]> {
  return (await selectAutoRenewals(db, accountId)).map(({ consentedAt, stoppedAt, ...consent }) => ({
    ...consent,
    consentedAt: consentedAt.toString(),
    stoppedAt: stoppedAt?.toString() ?? null,
  }))
}
