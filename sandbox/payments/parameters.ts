import { z } from 'zod'
import { pageMethodTypes } from './page-methods.ts'

/**
 * The parameters of the payment API. Strict: a name that is misspelled or not simulated is refused rather than ignored.
 */

export const text = z.string().min(1).max(5000)
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,15}$/, 'a whole number')
  .transform(Number)
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const currency = z.literal('usd', 'the sandbox has only usd')
export const httpUrl = z.url({ protocol: /^https?$/ }).max(2048)
const email = z.string().max(320)
export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((keys) => Object.keys(keys).length <= 50, 'at most 50 keys')
const cardOnly = z.array(z.literal('card')).optional()
const paymentMethodTypes = z.array(z.enum(pageMethodTypes)).min(1).optional()
export const expand = z.array(z.string().max(100)).max(20).optional()
const shipping = z.strictObject({
  name: text,
  phone: text.optional(),
  address: z.strictObject({
    line1: text,
    line2: text.optional(),
    city: text.optional(),
    state: text.optional(),
    postal_code: text.optional(),
    country: z.string().length(2).optional(),
  }),
})
const captureMethod = z
  .enum(['automatic', 'automatic_async', 'manual'])
  .transform((method) => (method === 'manual' ? method : 'automatic'))

const confirmation = { payment_method: text.optional(), return_url: httpUrl.optional(), off_session: flag.optional() }
const futureUsage = z.literal('off_session', 'the sandbox has only off_session').optional()

export const onlyExpand = z.strictObject({ expand })

export const intentCreate = z.strictObject({
  amount: wholeNumber,
  currency,
  allowed_payment_method_types: cardOnly,
  capture_method: captureMethod.default('automatic'),
  confirm: flag.default(false),
  customer: text.optional(),
  setup_future_usage: futureUsage,
  description: text.optional(),
  metadata: metadata.default({}),
  receipt_email: email.optional(),
  ...confirmation,
  expand,
})

export const intentUpdate = z.strictObject({
  amount: wholeNumber.optional(),
  currency: currency.optional(),
  customer: text.optional(),
  setup_future_usage: z.enum(['', 'off_session']).optional(),
  description: z.string().max(5000).optional(),
  metadata: z.union([z.literal(''), metadata]).optional(),
  receipt_email: email.optional(),
  expand,
})

export const intentConfirm = z.strictObject({ ...confirmation, expand })

export const intentCapture = z.strictObject({ amount_to_capture: wholeNumber.optional(), expand })

export const intentCancel = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  expand,
})

export const refundCreate = z.strictObject({
  payment_intent: text,
  amount: wholeNumber.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.default({}),
  expand,
})

export const customerCreate = z.strictObject({
  email: email.optional(),
  metadata: metadata.default({}),
  expand,
})

export const methodAttach = z.strictObject({ customer: text, expand })

export const methodList = z.strictObject({
  customer: text,
  type: z.literal('card', 'the sandbox has only card').optional(),
  limit: wholeNumber.pipe(z.number().int().min(1).max(100)).default(10),
  expand,
})

const sessionOfCard = z.strictObject({
  mode: z.literal('setup'),
  customer: text,
  currency: currency.optional(),
  success_url: httpUrl,
  cancel_url: httpUrl.optional(),
  client_reference_id: text.max(200).optional(),
  metadata: metadata.default({}),
  allowed_payment_method_types: cardOnly,
  setup_intent_data: z.strictObject({ metadata: metadata.default({}) }).optional(),
  expand,
})

const sessionOfPayment = z.strictObject({
  mode: z.literal('payment', 'the sandbox has only payment and setup'),
  ui_mode: z.literal('hosted_page', 'the sandbox has only hosted_page').optional(),
  line_items: z
    .array(
      z.strictObject({
        quantity: wholeNumber.pipe(z.number().int().min(1).max(999)),
        price_data: z.strictObject({
          currency,
          unit_amount: wholeNumber.pipe(z.number().int().min(0).max(99_999_999)),
          product_data: z.strictObject({ name: text.max(250), description: text.max(500).optional() }),
        }),
      }),
    )
    .min(1)
    .max(100),
  success_url: httpUrl,
  cancel_url: httpUrl.optional(),
  client_reference_id: text.max(200).optional(),
  customer: text.optional(),
  customer_email: email.optional(),
  metadata: metadata.default({}),
  expires_at: wholeNumber.optional(),
  allowed_payment_method_types: paymentMethodTypes,
  payment_intent_data: z
    .strictObject({
      capture_method: captureMethod.default('automatic'),
      description: text.optional(),
      metadata: metadata.default({}),
      receipt_email: email.optional(),
      setup_future_usage: futureUsage,
      shipping: shipping.optional(),
    })
    .default({ capture_method: 'automatic', metadata: {} }),
  expand,
})

const domainName = z.string().regex(/^[a-z0-9.-]{1,253}$/, 'a domain, without scheme or port')

export const domainCreate = z.strictObject({ domain_name: domainName, enabled: flag.default(true), expand })

export const domainUpdate = z.strictObject({ enabled: flag, expand })

export const domainList = z.strictObject({
  domain_name: domainName.optional(),
  enabled: flag.optional(),
  limit: wholeNumber.pipe(z.number().int().min(1).max(100)).default(10),
  expand,
})
export type SessionOfPayment = z.output<typeof sessionOfPayment>
export type SessionOfCard = z.output<typeof sessionOfCard>

export const sessionCreate = z.discriminatedUnion('mode', [sessionOfPayment, sessionOfCard])

export const listPage = z.strictObject({
  limit: wholeNumber.pipe(z.number().int().min(1).max(100)).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  type: text.optional(),
  expand,
})

export const sessionList = z.strictObject({ payment_intent: text, expand })

const range = z.strictObject({
  gt: wholeNumber.optional(),
  gte: wholeNumber.optional(),
  lt: wholeNumber.optional(),
  lte: wholeNumber.optional(),
})

export const balanceList = z.strictObject({
  limit: wholeNumber.pipe(z.number().int().min(1).max(100)).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  type: text.optional(),
  source: text.optional(),
  created: range.optional(),
  expand,
})

/** The evidence fields, as text or file IDs. */
const evidenceFields = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const

export const disputeUpdate = z.strictObject({
  evidence: z.partialRecord(z.enum(evidenceFields), z.string().max(20_000)).default({}),
  submit: flag.default(true),
  expand,
})
