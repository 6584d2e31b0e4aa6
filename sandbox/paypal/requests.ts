/** The parts of Orders v2 that a store of physical goods uses. Refuses unknown fields. */
import { z } from 'zod'
import { PayPalRefusal, unprocessable } from './refusal.ts'

const money = z.strictObject({
  currency_code: z.string().length(3),
  value: z.string().regex(/^((-?\d{1,15})|((-?\d{1,15})?\.\d{1,4}))$/),
})

export type Money = z.infer<typeof money>

const purchaseUnit = z.strictObject({
  reference_id: z.string().min(1).max(256).optional(),
  custom_id: z.string().min(1).max(127).optional(),
  invoice_id: z.string().min(1).max(127).optional(),
  description: z.string().min(1).max(127).optional(),
  soft_descriptor: z.string().min(1).max(22).optional(),
  amount: money.extend({
    breakdown: z
      .strictObject({
        item_total: money.optional(),
        shipping: money.optional(),
        handling: money.optional(),
        tax_total: money.optional(),
        insurance: money.optional(),
        shipping_discount: money.optional(),
        discount: money.optional(),
      })
      .optional(),
  }),
  items: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(127),
        unit_amount: money,
        quantity: z.string().regex(/^[1-9]\d{0,9}$/),
        description: z.string().max(127).optional(),
        sku: z.string().max(127).optional(),
        category: z.enum(['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION']).optional(),
      }),
    )
    .optional(),
  shipping: z
    .strictObject({
      name: z.strictObject({ full_name: z.string().max(300) }).optional(),
      type: z.enum(['SHIPPING', 'PICKUP_IN_PERSON', 'PICKUP_IN_STORE', 'PICKUP_FROM_PERSON']).optional(),
      address: z
        .strictObject({
          address_line_1: z.string().max(300).optional(),
          address_line_2: z.string().max(300).optional(),
          admin_area_2: z.string().max(120).optional(),
          admin_area_1: z.string().max(300).optional(),
          postal_code: z.string().max(60).optional(),
          country_code: z.string().regex(/^([A-Z]{2}|C2)$/),
        })
        .optional(),
    })
    .optional(),
})

export type PurchaseUnit = z.infer<typeof purchaseUnit>

const preference = z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'])

export const orderRequest = z.strictObject({
  intent: z.enum(['CAPTURE', 'AUTHORIZE']),
  purchase_units: z.array(purchaseUnit).min(1).max(10),
  payment_source: z
    .strictObject({
      paypal: z
        .strictObject({
          email_address: z.string().max(254).optional(),
          experience_context: z
            .strictObject({
              brand_name: z.string().min(1).max(127).optional(),
              locale: z.string().optional(),
              shipping_preference: preference.optional(),
              return_url: z.url().optional(),
              cancel_url: z.url().optional(),
              landing_page: z.enum(['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE', 'BILLING']).optional(),
              user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
              payment_method_preference: z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']).optional(),
            })
            .optional(),
        })
        .optional(),
      venmo: z
        .strictObject({
          email_address: z.string().max(254).optional(),
          experience_context: z
            .strictObject({
              brand_name: z.string().min(1).max(127).optional(),
              shipping_preference: preference.optional(),
            })
            .optional(),
        })
        .optional(),
    })
    .optional(),
  application_context: z
    .strictObject({
      brand_name: z.string().min(1).max(127).optional(),
      return_url: z.url().optional(),
      cancel_url: z.url().optional(),
      user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
      shipping_preference: preference.optional(),
    })
    .optional(),
})

export const captureRequest = z.strictObject({
  amount: money.optional(),
  invoice_id: z.string().max(127).optional(),
  final_capture: z.boolean().optional(),
  note_to_payer: z.string().max(255).optional(),
  soft_descriptor: z.string().max(22).optional(),
})

export const refundRequest = z.strictObject({
  amount: money.optional(),
  custom_id: z.string().min(1).max(127).optional(),
  invoice_id: z.string().min(1).max(127).optional(),
  note_to_payer: z.string().min(1).max(255).optional(),
})

export const reauthorizeRequest = z.strictObject({ amount: money.optional() })

export const acceptClaimRequest = z.strictObject({
  note: z.string().min(1).max(2_000),
  accept_claim_type: z
    .enum(['REFUND', 'REFUND_WITH_RETURN', 'PARTIAL_REFUND', 'REFUND_WITH_RETURN_SHIPMENT_LABEL'])
    .optional(),
})

export const verifyRequest = z.strictObject({
  auth_algo: z.string().max(100),
  cert_url: z.url().max(500),
  transmission_id: z.string().max(50),
  transmission_sig: z.string().max(500),
  transmission_time: z.string().max(100),
  webhook_id: z.string().max(50),
  webhook_event: z.looseObject({}),
})

/** Reads a request's body. Refuses an invalid body with 400. Reads an empty body as {}. */
export function readRequest<Form extends z.ZodType>(form: Form, text: string): z.infer<Form> {
  let body: unknown
  try {
    body = text === '' ? {} : JSON.parse(text)
  } catch {
    throw new PayPalRefusal(400, 'MALFORMED_REQUEST_JSON', 'The request JSON is not well formed.')
  }
  const read = form.safeParse(body)
  if (read.success) return read.data
  const [fault] = read.error.issues
  const field = `/${fault?.path.join('/') ?? ''}`
  throw new PayPalRefusal(400, 'INVALID_PARAMETER_SYNTAX', fault?.message ?? 'The request has another form.', field)
}

/** "12.30" → 1230; refused unless it is a positive amount in US dollars. */
export function readCents({ currency_code: currency, value }: Money, field: string, least = 1): number {
  if (currency !== 'USD')
    throw unprocessable('INVALID_CURRENCY_CODE', 'Currency code is invalid or is not currently supported.', field)
  const [whole = '', part = ''] = value.split('.')
  if (part.length > 2) throw unprocessable('DECIMAL_PRECISION', 'Only two decimal place precision is supported.', field)
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'))
  if (cents < least || value.startsWith('-'))
    throw least > 0
      ? unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', 'Must be greater than zero.', field)
      : unprocessable('CANNOT_BE_NEGATIVE', 'Must be greater than or equal to 0.', field)
  return cents
}

/** 1230 → { currency_code: 'USD', value: '12.30' } */
export function usd(cents: number): Money {
  return { currency_code: 'USD', value: (cents / 100).toFixed(2) }
}

/** The amount of a purchase unit in cents. Refuses with 422 sums that do not add up. */
export function checkedAmount({ amount, items }: PurchaseUnit): number {
  const at = "/purchase_units/@reference_id=='default'/amount"
  const total = readCents(amount, `${at}/value`)
  const { breakdown } = amount
  const part = (name: keyof NonNullable<typeof breakdown>) => {
    const given = breakdown?.[name]
    return given === undefined ? 0 : readCents(given, `${at}/breakdown/${name}`, 0)
  }
  if (items) {
    if (!breakdown?.item_total)
      throw unprocessable('ITEM_TOTAL_REQUIRED', 'amount.breakdown.item_total is required with items.', at)
    const sum = items.reduce(
      (cents, item) => cents + readCents(item.unit_amount, 'items', 0) * Number(item.quantity),
      0,
    )
    if (sum !== part('item_total'))
      throw unprocessable('ITEM_TOTAL_MISMATCH', 'Should equal sum of (unit_amount * quantity) across all items.', at)
  }
  if (!breakdown) return total
  const added = part('item_total') + part('tax_total') + part('shipping') + part('handling') + part('insurance')
  if (added - part('shipping_discount') - part('discount') !== total)
    throw unprocessable(
      'AMOUNT_MISMATCH',
      'Should equal item_total + tax_total + shipping + handling + insurance - shipping_discount - discount.',
      `${at}/value`,
    )
  return total
}
