/** The renewal of a membership as its owner's pages show it. */
import { readRenewal } from '#domain/customers/programs/programs.server.ts'
import { cardName } from '#domain/payments/saved-cards/saved-cards.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Application } from '#application'

export type RenewalShown = {
  isOn: boolean
  amount: string
  chargeOn: string
  card: string | null
  hasExpiredCard: boolean
  isLate: boolean
  isUnapproved: boolean
}

/** Null without a membership that could renew. */
export async function showRenewal(app: Application, accountId: string): Promise<RenewalShown | null> {
  const renewal = await readRenewal(app, accountId)
  if (!renewal) return null
  const { amountCents, chargeAt, card, isOn, hasExpiredCard, isLate, isUnapproved } = renewal
  return {
    isOn,
    hasExpiredCard,
    isLate,
    isUnapproved,
    amount: formatCents(amountCents),
    chargeOn: storeDateText(chargeAt),
    card: card && cardName(card),
  }
}
