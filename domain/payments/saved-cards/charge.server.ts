/** Charges a saved card, with its owner at checkout or absent. */
import type { PaymentProvider } from '#domain/payments/payments/payment-provider.port.ts'
import {
  findLivePayment,
  findPayment,
  insertPayment,
  markSaving,
  readPaymentStatus,
  setProviderRef,
  voidPayment,
  type PaymentStatus,
} from '#domain/payments/payments/payments.server.ts'
import type { Payer } from '#domain/payments/payments/payments.ts'
import { isClosedTo } from '#domain/kernel/settings/settings.server.ts'
import { isExpired } from './saved-cards.ts'
import { selectCard, selectCustomer } from './saved-cards.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isId, newId } from '#platform/ids.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import type { CardVault } from './card-vault.port.ts'

type Deps = {
  db: Database
  clock: Clock
  payments: PaymentProvider
  cardVault: CardVault
  isStaffHere?: (db: Database) => Promise<boolean>
  /** The store's state as cached in this process. */
  settings?: { readonly isOpen: boolean }
}

/** `not-found`: the account never had this card. */
export type SavedChargeRefusal =
  | Refused<'not-found'>
  | Refused<'removed'>
  | Refused<'expired'>
  | Refused<'declined', { message: string }>
  | Refused<'payment-unavailable'>
  | Refused<'store-closed'>

/** The status of a saved card charge. `approvalUrl` is the bank's authentication page, if required. */
export type SavedChargeStatus = PaymentStatus & { approvalUrl: string | null; isUnapproved: boolean }

/**
 * Charges an account's saved card for a cart or term while its owner is present. An earlier charge is voided.
 * `{payment}` in `returnUrl`, where the bank's page redirects, is replaced by our key.
 */
export async function chargeSavedCard(
  deps: Deps,
  input: Payer & { accountId: string; cardId: string; amountCents: number; returnUrl: string; from?: string },
): Promise<Outcome<SavedChargeStatus, SavedChargeRefusal>> {
  const card = isId(input.cardId) ? await selectCard(deps.db, input.accountId, input.cardId) : undefined
  if (!card) return refused('not-found')
  if (card.isRemoved) return refused('removed')
  if (isExpired(card, deps.clock.now())) return refused('expired')
  if ('cartId' in input && (await isClosedTo(deps, deps.db))) return refused('store-closed')
  await voidPayment(deps, input)
  const paymentId = newId()
  await insertPayment(deps.db, {
    id: paymentId,
    payer: input,
    method: 'card',
    flow: 'saved',
    amountCents: input.amountCents,
    from: input.from ?? null,
    at: deps.clock.now(),
  })
  const returnUrl = input.returnUrl.replace('{payment}', paymentId)
  return completeSavedCharge(deps, { paymentId, accountId: input.accountId, cardRef: card.cardRef, returnUrl })
}

/**
 * Charges a recorded payment to a saved card; without `returnUrl` its owner is away. The provider's charge is made
 * first and confirmed after, so running it again finds the same charge, whenever.
 */
export async function completeSavedCharge(
  deps: Deps,
  {
    paymentId,
    accountId,
    cardRef,
    returnUrl,
  }: { paymentId: string; accountId: string; cardRef: string; returnUrl: string | null },
): Promise<Outcome<SavedChargeStatus, Refused<'declined', { message: string }> | Refused<'payment-unavailable'>>> {
  const payment = await findPayment(deps.db, { id: paymentId })
  const customerRef = await selectCustomer(deps.db, accountId)
  if (!payment || customerRef === undefined) return refused('payment-unavailable')
  const opened =
    payment.providerRef === null
      ? await deps.cardVault.openSavedCharge({
          customerRef,
          amountCents: payment.amountCents,
          reference: paymentId,
          key: `open:${paymentId}`,
        })
      : { ok: true as const, value: payment.providerRef }
  if (!opened.ok) return refused('payment-unavailable')
  const ref = opened.value
  if (payment.providerRef === null) await setProviderRef(deps.db, paymentId, { ref }, deps.clock.now())
  const confirmed = await deps.cardVault.confirmSavedCharge({ ref, cardRef, returnUrl, key: `confirm:${paymentId}` })
  if (!confirmed.ok)
    return confirmed.reason === 'unavailable'
      ? refused('payment-unavailable')
      : refused('declined', { message: confirmed.message })
  const status = await readPaymentStatus(deps, { ...payment, providerRef: ref })
  if (!status.ok || !status.value) return refused('payment-unavailable')
  const { approvalUrl, isUnapproved } = confirmed.value
  return ok({ ...status.value, approvalUrl, isUnapproved })
}

/** Sets whether the open charge in the provider's fields saves its card for a customer. False without such a charge. */
export async function letChargeSave(
  { db, cardVault }: Pick<Deps, 'db' | 'cardVault'>,
  payer: Payer,
  customerRef: string | null,
): Promise<Outcome<{ paymentId: string }, Refused<'no-charge'> | Refused<'payment-unavailable'>>> {
  const live = await findLivePayment(db, payer)
  if (live?.flow !== 'fields' || live.providerRef === null || live.state === 'authorized') return refused('no-charge')
  const { id: paymentId, providerRef: ref } = live
  // Recorded first, because a card saved without a record would never be shown to its owner.
  if (customerRef !== null) await markSaving(db, paymentId, true)
  const changed = await cardVault.saveCardOfCharge({ ref, customerRef, key: `save-card:${paymentId}:${newId()}` })
  if (!changed.ok) return refused('payment-unavailable')
  if (customerRef === null) await markSaving(db, paymentId, false)
  return ok({ paymentId })
}
