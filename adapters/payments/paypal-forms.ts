/** What the store reads of PayPal's answers, and a charge as PayPal's order shows it. */
import { z } from 'zod'
import type { ChargeState, ChargeView } from '#domain/payments/payments/payment-provider.port.ts'

const id = z.string().min(1).max(64)
export const money = z.looseObject({ currency_code: z.string(), value: z.string().regex(/^\d{1,12}(?:\.\d{1,2})?$/) })
const link = z.looseObject({ href: z.string(), rel: z.string() })
export const instant = z.string().transform((text, context) => {
  try {
    return Temporal.Instant.from(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'is no time' })
    return z.NEVER
  }
})

export const tokenForm = z.looseObject({
  access_token: z.string().min(1).max(4_096),
  expires_in: z.number().positive(),
})

export const errorForm = z.looseObject({
  debug_id: z.string().max(64).default('none'),
  details: z.array(z.looseObject({ issue: z.string().max(200).default('') })).default([]),
})

export const authorizationForm = z.looseObject({
  id,
  status: z.string(),
  create_time: instant,
  expiration_time: instant.optional(),
  links: z.array(link).default([]),
})

export type PayPalAuthorization = z.infer<typeof authorizationForm>

export const captureForm = z.looseObject({ id, status: z.string(), amount: money })

export const refundForm = z.looseObject({ id, status: z.string() })

/** The response to a void is empty or contains the voided authorization. */
export const voidForm = z.looseObject({})

export const orderForm = z.looseObject({
  id,
  status: z.string(),
  payment_source: z.record(z.string(), z.looseObject({ account_id: z.string().max(64).optional() })).default({}),
  purchase_units: z
    .array(
      z.looseObject({
        amount: money,
        payments: z
          .looseObject({
            authorizations: z.array(authorizationForm).default([]),
            captures: z.array(captureForm).default([]),
            refunds: z.array(z.looseObject({ id, status: z.string(), amount: money })).default([]),
          })
          .default({ authorizations: [], captures: [], refunds: [] }),
      }),
    )
    .min(1),
  links: z.array(link).default([]),
})

export type ReadOrder = z.infer<typeof orderForm>

/** "12.30" → 1230. PayPal's decimals never pass through a floating-point number. */
export function centsOf({ value }: { value: string }): number {
  const [whole = '0', part = ''] = value.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** Returns an order's payments. The newest authorization is last. */
export function paymentsOf({ purchase_units: units }: ReadOrder): {
  authorizations: PayPalAuthorization[]
  captures: z.infer<typeof captureForm>[]
  refundedCents: number
} {
  const payments = units.map((unit) => unit.payments)
  return {
    authorizations: payments
      .flatMap(({ authorizations }) => authorizations)
      .toSorted((a, b) => Temporal.Instant.compare(a.create_time, b.create_time)),
    captures: payments.flatMap(({ captures }) => captures),
    refundedCents: payments
      .flatMap(({ refunds }) => refunds)
      .filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
      .reduce((sum, { amount }) => sum + centsOf(amount), 0),
  }
}

const taken = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']

/**
 * Returns an order's charge. Its reference is the order's ID, which doesn't change when an authorization is renewed.
 */
export function chargeView(order: ReadOrder): ChargeView {
  const { authorizations, captures, refundedCents } = paymentsOf(order)
  const captureBefore = authorizations.at(-1)?.expiration_time
  const accountId = Object.values(order.payment_source)[0]?.account_id
  return {
    ref: order.id,
    state: stateOf(order),
    amountCents: order.purchase_units.reduce((sum, { amount }) => sum + centsOf(amount), 0),
    capturedCents: captures
      .filter(({ status }) => taken.includes(status))
      .reduce((sum, { amount }) => sum + centsOf(amount), 0),
    refundedCents,
    clientSecret: null,
    cardFingerprint: accountId === undefined ? null : `paypal:${accountId}`,
    failure: null,
    ...(captureBefore && { captureBefore }),
  }
}

function stateOf(order: ReadOrder): ChargeState {
  const { authorizations, captures } = paymentsOf(order)
  if (captures.some(({ status }) => taken.includes(status))) return 'captured'
  if (captures.some(({ status }) => status === 'PENDING')) return 'processing'
  const held = authorizations.map(({ status }) => status)
  // A renewal doesn't change the first authorization, and voiding that one ends both.
  if (held[0] === 'VOIDED' || order.status === 'VOIDED') return 'voided'
  if (held.includes('CREATED') || held.includes('PARTIALLY_CAPTURED')) return 'authorized'
  if (held.includes('PENDING')) return 'processing'
  return held.length > 0 ? 'failed' : 'open'
}

/** The shopper can do something about it at PayPal. */
const backToApprove = [
  'INSTRUMENT_DECLINED',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'PAYER_ACTION_REQUIRED',
  'ORDER_NOT_APPROVED',
]
/** Refusals that PayPal can't resolve. */
const final = [
  'PAYER_CANNOT_PAY',
  'TRANSACTION_REFUSED',
  'TRANSACTION_LIMIT_EXCEEDED',
  'TRANSACTION_BLOCKED_BY_PAYEE',
  'PAYEE_BLOCKED_TRANSACTION',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'COMPLIANCE_VIOLATION',
  'DOMESTIC_TRANSACTION_REQUIRED',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  'SHIPPING_ADDRESS_INVALID',
  'ORDER_EXPIRED',
]

/**
 * Returns a shopper-friendly message for a refusal. PayPal's messages are for developers. Returns undefined if the
 * refusal is caused by a bug.
 */
export function wordsOf(issues: readonly string[]): string | undefined {
  if (issues.some((issue) => backToApprove.includes(issue)))
    return 'PayPal could not use what you chose to pay with. Continue to PayPal and choose something else.'
  if (issues.some((issue) => final.includes(issue)))
    return "We're sorry, the payment was not able to be processed. Please try again or use another payment method."
  return undefined
}
