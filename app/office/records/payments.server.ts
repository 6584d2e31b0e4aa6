/** Refunds, payments that need a decision, and reconciled days as programs read them. */
import { z } from 'zod'
import { cents, day, instant } from '#api/schemas.ts'
import { reconciledDayOf } from '#app/office/actions/reconciliation.server.ts'
import { uuidOf } from '#app/office/define-actions.server.ts'
import { customerData, defineRecord } from '#app/office/define-record.server.ts'
import { findDay } from '#domain/aftercare/reconciliation/reconciliation.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { findOpenCharge } from '#domain/ordering/open-charges/open-charges.server.ts'
import { findListedRefund, selectRefundLines } from '#domain/ordering/refunds/refunds.server.ts'

/** A refund as staff made it. */
export const madeRefund = z.object({
  state: z.string(),
  kind: z.string(),
  note: z.string().nullable(),
  linesCents: cents,
  handlingFeeCents: cents,
  loweredCents: cents,
  goodwillCents: cents,
  cardCents: cents,
  creditCents: cents,
  invoiceCents: cents,
  decidedAt: instant.nullable(),
  decidedBy: z.string().nullable(),
})

export const refundRecord = defineRecord({
  noun: 'refund',
  schema: z.object({
    id: z.string(),
    order: z.string(),
    at: instant,
    customer: z.string().nullable().meta(customerData),
    company: z.string().nullable(),
    reason: z.string(),
    bearer: z.string(),
    by: z.string().nullable().meta({ description: 'Null for the store itself' }),
    money: z.string().meta({ description: 'The status of the payment' }),
    said: z.string().nullable().meta({ description: 'The provider’s message, if it refused' }),
    amountCents: cents,
    made: madeRefund
      .extend({
        lines: z.array(
          z.object({
            lineNo: z.int(),
            units: z.int(),
            netCents: cents,
            taxCents: cents,
            fetCents: cents,
            tireFeeCents: cents,
          }),
        ),
      })
      .nullable()
      .meta({ description: 'The refund as staff made it; null for one by the store itself' }),
  }),
  async read({ app, customers }, id) {
    const found = await findListedRefund(app.db, uuidOf(id))
    if (!found) return undefined
    const { refund } = found
    return {
      ...found,
      order: orderNumber(found.orderId),
      customer: customers.isShown ? found.customer : null,
      made: refund && { ...refund, lines: await selectRefundLines(app.db, refund.id) },
    }
  },
})

export const chargeRecord = defineRecord({
  noun: 'charge',
  description: 'A payment that needs a decision. Others are not found.',
  schema: z.object({
    id: z.string(),
    kind: z.string(),
    method: z.string(),
    provider: z.string(),
    providerRef: z.string().nullable(),
    state: z.string(),
    amountCents: cents,
    since: instant,
    due: instant,
    captureBefore: instant.nullable(),
    order: z.string().nullable(),
    isDifference: z.boolean().meta({ description: 'Whether it pays the difference of a change' }),
    orderState: z.string().nullable(),
    isHeld: z.boolean(),
    customer: z
      .object({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() })
      .nullable()
      .meta(customerData),
    owner: z.string().nullable(),
    toldAt: instant.nullable(),
    toldBy: z.string().nullable(),
    payUntil: instant.nullable(),
  }),
  async read({ app, customers }, id) {
    const charge = await findOpenCharge(app, uuidOf(id))
    if (!charge) return undefined
    const { name, email, phone } = charge
    return {
      ...charge,
      id: charge.paymentId,
      order: charge.orderId === null ? null : orderNumber(charge.orderId),
      customer: customers.isShown ? { name, email, phone } : null,
    }
  },
})

export const reconciledDayRecord = defineRecord({
  noun: 'reconciled day',
  schema: z.object({
    provider: z.string(),
    day,
    state: z.string(),
    movements: z.int(),
    chargedCents: cents,
    refundedCents: cents,
    disputedCents: cents,
    feeCents: cents,
    reconciledAt: instant,
    resolvedAt: instant.nullable(),
    resolvedBy: z.string().nullable(),
    note: z.string().nullable(),
    differences: z.array(
      z.object({
        kind: z.string(),
        ref: z.string(),
        order: z.string().nullable(),
        providerCents: cents,
        storeCents: cents,
      }),
    ),
  }),
  async read({ app }, id) {
    const of = reconciledDayOf(id)
    const found = of && (await findDay(app, of))
    if (!found) return undefined
    return {
      ...found.day,
      differences: found.differences.map((each) => ({
        ...each,
        order: each.orderId === null ? null : orderNumber(each.orderId),
      })),
    }
  },
})
