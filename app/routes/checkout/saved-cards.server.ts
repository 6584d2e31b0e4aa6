/** Saved cards on the payment page. Pays with one, or saves the card being used. */
import type { RouterContextProvider } from 'react-router'
import { refuseCard, type CardPayer } from '#app/routes/checkout/card-charge.server.ts'
import { applicationContext, signedInContext, visitorContext } from '#app/server/context.ts'
import { sayWait } from '#app/forms/form.ts'
import { paymentError, paymentUnavailable, tooManyCards } from '#content/messages/payments.ts'
import { storeClosedMessage } from '#content/messages/store-closed.ts'
import { cardConsent, savedCardRefusals } from '#content/messages/saved-cards.ts'
import { paths } from '#content/paths.ts'
import { payBy } from '#domain/ordering/checkout/checkout.server.ts'
import { findLivePayment, mayTryCard } from '#domain/payments/payments/payments.server.ts'
import { cardName, expiryText, isExpired } from '#domain/payments/saved-cards/saved-cards.ts'
import {
  chargeSavedCard,
  consentWithPayment,
  letChargeSave,
  listSavedCards,
  requireCustomer,
  withdrawConsent,
  type SavedChargeRefusal,
} from '#domain/payments/saved-cards/saved-cards.server.ts'
import { seeOther } from '#http/safe-redirect.ts'
import { ok, type Outcome, type Refused } from '#platform/outcome.ts'

type Context = Readonly<RouterContextProvider>

/** A saved card as the shopper chooses it. */
export type SavedCardShown = { id: string; name: string; expiry: string; isExpired: boolean; isDefault: boolean }

/** The shopper's cards, and what to agree to for another to be saved; null for a guest. */
export async function readSavedCards(context: Context, cartId: string) {
  const app = context.get(applicationContext)
  const signedIn = await context.get(signedInContext)()
  if (!signedIn) return null
  const now = app.clock.now()
  const [cards, live] = await Promise.all([
    listSavedCards(app, signedIn.accountId),
    findLivePayment(app.db, { cartId }),
  ])
  return {
    consent: cardConsent(app.config.store.name),
    isSaving: live?.flow === 'fields' && live.savesCard,
    cards: cards.map((card): SavedCardShown => ({
      id: card.id,
      name: cardName(card),
      expiry: expiryText(card),
      isExpired: isExpired(card, now),
      isDefault: card.isDefault,
    })),
  }
}

/** The provider's customer for whom the card is saved; null if it is not to be, or for a guest. */
export async function savingOf(
  context: Context,
  { app, email }: Pick<CardPayer, 'app' | 'email'>,
  isWanted: boolean,
): Promise<Outcome<{ accountId: string; customerRef: string } | null, Refused<'payment-unavailable'>>> {
  const signedIn = isWanted ? await context.get(signedInContext)() : null
  if (!signedIn) return ok(null)
  const { accountId } = signedIn
  const customer = await requireCustomer(app, { accountId, email })
  return customer.ok ? ok({ accountId, customerRef: customer.value }) : customer
}

/** `saved` pays with a saved card. `save` sets whether the entered card is saved. */
export function actOnSaved(context: Context, payer: CardPayer, fields: URLSearchParams, here: string) {
  return fields.get('intent') === 'saved'
    ? paySaved(context, payer, fields.get('card') ?? '', here)
    : saveAlong(context, payer, fields.get('save') === '1')
}

/** Sets whether the open charge saves its card. */
async function saveAlong(context: Context, payer: CardPayer, isWanted: boolean) {
  const { app, cart } = payer
  const saving = await savingOf(context, payer, isWanted)
  if (!saving.ok) return refuseCard({ title: null, words: paymentUnavailable }, 503)
  const customerRef = saving.value?.customerRef ?? null
  const changed = await letChargeSave(app, { cartId: cart.id }, customerRef)
  if (!changed.ok) return refuseCard({ title: null, words: paymentUnavailable }, 503)
  const { paymentId } = changed.value
  await (saving.value
    ? consentWithPayment(app, { accountId: saving.value.accountId, paymentId })
    : withdrawConsent(app, paymentId))
  return { clientSecret: null, problem: null }
}

/** Pays with a saved card. Redirects to the order, or to the bank for authentication. */
async function paySaved(context: Context, { app, cart, money }: CardPayer, cardId: string, here: string) {
  const signedIn = await context.get(signedInContext)()
  if (!signedIn) throw new Response(null, { status: 404 })
  if (money.problems.length > 0 || money.totalCents === 0)
    return refuseCard({ title: null, words: money.problems[0] ?? 'Choose where your tires go first.' }, 409)
  const from = context.get(visitorContext).networkKey
  const allowed = await mayTryCard(app, { cartId: cart.id }, from)
  if (!allowed.ok) {
    sayWait(context, allowed.detail.retryAfterSeconds)
    return refuseCard({ title: paymentError, words: tooManyCards }, 429)
  }
  await payBy(app, cart, 'card')
  const charged = await chargeSavedCard(app, {
    cartId: cart.id,
    accountId: signedIn.accountId,
    cardId,
    amountCents: money.totalCents,
    returnUrl: `${app.config.web.origin}${paths.paymentReturn()}?payment={payment}`,
    from,
  })
  if (!charged.ok) return refuseSaved(charged)
  const { approvalUrl, payment, failure } = charged.value
  if (approvalUrl !== null) return seeOther(approvalUrl)
  if (payment.state === 'authorized') return seeOther(paths.orderSummary())
  return payment.state === 'failed' ? refuseCard({ title: paymentError, words: failure ?? '' }, 402) : seeOther(here)
}

/** Why a saved card does not pay; 404 for one that the shopper never had. */
function refuseSaved(refusal: SavedChargeRefusal) {
  switch (refusal.reason) {
    case 'not-found':
      throw new Response(null, { status: 404 })
    case 'removed':
    case 'expired':
      return refuseCard({ title: null, words: savedCardRefusals[refusal.reason] }, 409)
    case 'declined':
      return refuseCard({ title: paymentError, words: refusal.detail.message }, 402)
    case 'store-closed':
      return refuseCard({ title: null, words: storeClosedMessage }, 403)
    case 'payment-unavailable':
      return refuseCard({ title: paymentError, words: paymentUnavailable }, 503)
  }
}
