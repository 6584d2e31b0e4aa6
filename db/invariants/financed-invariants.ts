/** What must be true of every charge that a lender pays; a part of `invariants.ts`. */
import { isPaidOnDelivery, paymentMethodRules } from '#domain/payments/payments/payments.ts'
import type { Invariant } from './invariants.ts'

/** The methods of lenders, as a list of SQL. */
export const financedMethods = paymentMethodRules
  .flatMap(({ type }) => (isPaidOnDelivery(type) ? [`'${type}'`] : []))
  .join(', ')

export const financedInvariants: readonly Invariant[] = [
  {
    name: 'financed-money-was-delivered',
    severity: 'error',
    of: 'charges that a lender pays',
    // Amounts removed from the contract earlier count as charged and refunded. All other payments require delivered
    // goods.
    statement: `
      select 'payment ' || payment.id as what, captured_cents = coalesce((select sum(amount_cents) from financed_delivery where payment_id = payment.id), 0) + case when payment.state = 'captured'
          then coalesce((select sum(amount_cents) from charge_refund where payment_id = payment.id and state = 'done' and provider_ref = 'taken off the contract'), 0) else 0 end
        and (not exists (select from financed_delivery where payment_id = payment.id) or exists (select from shipment where shipment.order_id = payment.order_id and shipment.state = 'delivered')
          or exists (select from booking where booking.order_id = payment.order_id and booking.state = 'done')) as holds
      from payment where method in (${financedMethods})`,
  },
]
