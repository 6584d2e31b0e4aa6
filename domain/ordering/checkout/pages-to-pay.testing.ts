/** Provider payment pages used in tests, opened for a cart and completed as a shopper and their bank would. */
import { approve } from '#adapters/payments/paypal.testing.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import { openHostedPage } from '#domain/payments/payments/payments.server.ts'
import { ruleOf, type ChargedMethod } from '#domain/payments/payments/payments.ts'
import type { TestSandbox } from '#sandbox/test-sandbox.ts'
import { findTermsCustomer, orderToPay, payBy, quoteCart, readDetails } from './checkout.server.ts'
import type { PlaceOrderDeps } from './place-order.server.ts'

/** Opens the provider's page for the cart's full amount; for net terms, on behalf of the buyer's company. */
export async function openPageToPay(store: PlaceOrderDeps, { id }: Pick<Cart, 'id'>, method: ChargedMethod) {
  // Some payment methods change the price.
  await payBy(store, { id }, method)
  const cart = await readCart(store, id)
  if (!cart) throw new Error('The cart of a test is gone.')
  const { contact, billing } = await readDetails(store, cart.id)
  const quote = await quoteCart(store, cart, contact, { method: cart.paymentMethod })
  const { breakdown } = quote
  if (!breakdown || !contact || !billing) throw new Error('The cart of a test is not complete.')
  const customerId = method === 'resolve' ? await findTermsCustomer(store) : null
  const terms = customerId === null ? {} : { terms: { customerId, poNumber: 'PO-1' } }
  return openHostedPage(store, {
    cartId: cart.id,
    amountCents: quote.dueCents,
    email: contact.email,
    method,
    order: orderToPay({ ...quote, breakdown }, contact, billing, { isBusiness: customerId !== null, ...terms }),
    description: 'Tires',
    returnUrl: 'http://store.example/return?payment={payment}',
    cancelUrl: 'http://store.example/canceled',
  })
}

/** What happens on the page. `keeps-money`: approved, and later the provider refuses to give any back. */
export type PageAnswer = 'yes' | 'no' | 'later' | 'keeps-money'

const atStripe = { yes: 'approves', no: 'declines', later: 'stalls', 'keeps-money': 'approves-but-keeps' }
const atPayPal = { yes: 'balance', no: 'declined', later: 'pending', 'keeps-money': 'balance' }
const atLender = { yes: 'approve', no: 'decline', later: 'review', 'keeps-money': 'approve' }

/**
 * Completes the provider's page without following the redirect back. Resolve has no page, because it decides earlier.
 */
export async function answerOnPage(
  { sandbox }: { sandbox: Pick<TestSandbox, 'origin'> },
  { method, url }: { method: ChargedMethod; url: string },
  answer: PageAnswer,
): Promise<void> {
  const provider = ruleOf(method)?.provider
  if (provider === 'paypal') await approve(url, 'approve', atPayPal[answer])
  if (provider === 'stripe') await press(sandbox, url, { answer: atStripe[answer] })
  if (provider !== 'lender') return
  await press(sandbox, url, { act: 'apply', person: atLender[answer] })
  if (answer === 'yes' || answer === 'keeps-money') await press(sandbox, url, { act: 'sign' })
}

/** Presses a button of a page in the sandbox. */
export async function press(
  { origin }: Pick<TestSandbox, 'origin'>,
  page: string,
  fields: Record<string, string>,
): Promise<void> {
  await fetch(page, { method: 'POST', headers: { origin }, body: new URLSearchParams(fields), redirect: 'manual' })
}
