/** Messages about financing by application, for shoppers and staff. */
import type { NotFinanced } from '#domain/payments/payments/payments.ts'

/** The specification's, verbatim. */
export {
  applicationDeclined as creditDeclined,
  paymentUnavailable as financingFailed,
} from '#content/messages/payments.ts'

/** Why a lender does not finance an order; below the method, which cannot be chosen. */
export const notFinancedMessages: Readonly<Record<NotFinanced, string>> = {
  plans: 'A lease covers tires and their installation, not plans. Take the plans off your order, or pay another way.',
  counter: 'Not for orders that you pick up at a counter.',
}

/** Below the way to the lender. */
export const paidOnDelivery =
  'The lender pays us when your tires are delivered or installed, and you pay the lender. Canceling before that ends the contract.'
