/**
 * Completes a checkout without our pages, which only the sandbox's own platform can do, in a demo. It requests
 * everything from a person that our pages require, sends their acceptance, and pays with a sandbox test card.
 */
import { error, type Message } from '#ucp/answers.ts'
import { addressSaid, applyBuyer } from '#ucp/buyer.ts'
import { has, type UcpContext } from '#ucp/context.ts'
import { conditionsOf } from '#ucp/fitment.ts'
import type { CompleteInput } from '#ucp/input.ts'
import { extensionNames, sandboxHandlerId } from '#ucp/profile.ts'
import { paymentUnavailable, tooManyCards } from '#content/messages/payments.ts'
import { refusePlacing } from '#content/messages/placing.ts'
import type { AgentSession } from '#domain/channels/agents/agents.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { findCart } from '#domain/payments/cart/cart.server.ts'
import {
  agreementKey,
  judgeCart,
  payBy,
  placeOrder,
  quoteCart,
  readAgreedTime,
  readDetails,
} from '#domain/ordering/checkout/checkout.server.ts'
import { mayTryCard, openCharge, voidPayment } from '#domain/payments/payments/payments.server.ts'

/** What a person accepts, where they did not. */
export const acceptances = {
  terms_of_sale: error('terms_of_sale', 'The buyer accepts the terms of sale.', 'requires_buyer_review'),
  fit_conditions: error(
    'fit_conditions',
    'The buyer reads and accepts what the fit depends on.',
    'requires_buyer_review',
    '$.fitment',
  ),
} as const satisfies Record<string, Message>

/** Anyone can name a platform's URL, but only the sandbox signs with its key. */
export function isSandboxPlatform(context: UcpContext): boolean {
  const { app, agent, isSigned } = context
  const { sandboxPlatform } = app.config.agents
  return (
    sandboxPlatform !== null &&
    agent.platform === sandboxPlatform &&
    isSigned &&
    has(context, extensionNames(app.config.web.origin).sandbox_acceptance)
  )
}

/** Places the order. Returns the problems if it can't be placed or charged. */
export async function completeInSandbox(
  context: UcpContext,
  session: AgentSession,
  asked: CompleteInput,
): Promise<Message[]> {
  const { app } = context
  const cart = await findCart(app, session.cartId)
  if (!cart) return [error('already_completed', 'This checkout is completed.', 'unrecoverable')]
  const unaccepted = await missingAcceptances(context, cart, asked)
  if (unaccepted.length > 0) return unaccepted
  const instrument = asked.payment?.instruments?.[0]
  const token = instrument?.handler_id === sandboxHandlerId ? instrument.credential?.token : undefined
  if (token === undefined || !/^pm_card_[a-z_]{1,60}$/i.test(token))
    return [error('payment_instrument_invalid', 'Pay with a card of the sandbox.', 'recoverable', instrumentPath)]
  // Shoppers with installation at a shop send an address with the card.
  const problems = await applyBuyer(
    context,
    cart,
    session.said,
    addressSaid(session.said) ?? instrument?.billing_address,
  )
  return problems.length > 0 ? problems : pay(context, cart.id, { token, total: asked.sandbox_acceptance?.total })
}

const instrumentPath = '$.payment.instruments[0]'

async function missingAcceptances(
  { app }: UcpContext,
  cart: Cart,
  { sandbox_acceptance: accepted }: CompleteInput,
): Promise<Message[]> {
  const verdict = await judgeCart(app, cart)
  const conditions = verdict ? conditionsOf(verdict) : []
  const isRead = conditions.every(({ id }) => accepted?.fit_conditions?.includes(id))
  return [
    ...(isRead ? [] : [acceptances.fit_conditions]),
    ...(accepted?.terms_of_sale === true ? [] : [acceptances.terms_of_sale]),
  ]
}

async function pay(
  { app, networkKey: from }: UcpContext,
  cartId: string,
  { token, total }: { token: string; total: number | undefined },
): Promise<Message[]> {
  const cart = await findCart(app, cartId)
  const { contact } = await readDetails(app, cartId)
  if (!cart || !contact)
    return [error('buyer_required', 'Send the buyer, and an address with the card.', 'recoverable', '$.buyer')]
  const { breakdown, dueCents, problems } = await quoteCart(app, cart, contact, { method: 'card' })
  // The response contains the problems.
  if (!breakdown || problems.length > 0) return []
  if (breakdown.totals.totalCents !== total)
    return [error('price_changed', 'The price is another than the buyer accepted.', 'recoverable', '$.totals')]
  // Checks the buyer's acceptance before the payment starts.
  const agreedPrice = agreementKey({ cart, contact, breakdown, time: await readAgreedTime(app, cart) })
  if (!(await mayTryCard(app, { cartId }, from)).ok) return [failed(tooManyCards)]
  await payBy(app, cart, 'card')
  const opened = await openCharge(app, { cartId, amountCents: dueCents, email: contact.email, from })
  if (!opened.ok) return [failed(opened.reason === 'declined' ? opened.detail.message : paymentUnavailable)]
  const { id, providerRef: ref } = opened.value.payment
  await app.cardVault.confirmSavedCharge({
    ref: ref ?? '',
    cardRef: token,
    returnUrl: null,
    key: `agent:${id}:${token}`,
  })
  const placed = await placeOrder(app, { cartId, agreedPrice, termsAccepted: true, conditionsAccepted: true })
  if (placed.ok) return []
  if (placed.reason !== 'payment-not-authorized') await voidPayment(app, { cartId })
  const { title, words, errors } = refusePlacing(placed, app.config.store)
  const said = [title, words, ...Object.values(errors)].filter(Boolean).join('. ').replaceAll('..', '.')
  return [error(placed.reason.replaceAll('-', '_'), said, 'recoverable')]
}

function failed(content: string): Message {
  return error('payment_failed', content, 'recoverable', instrumentPath)
}
