/** Sales tax with Stripe Tax, which calculates cart prices and records transactions for charges and refunds. */
import Stripe from 'stripe'
import type { TaxAnswer, TaxAddress, TaxCalculation, TaxProvider } from '#domain/pricing/sales-tax/tax-provider.port.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import { answer, openStripe } from './stripe-client.ts'

/**
 * The store decides which lines are taxable, so each line is sent as goods or as nontaxable.
 * https://docs.stripe.com/tax/tax-codes
 */
const taxCodes = { taxable: 'txcd_99999999', untaxed: 'txcd_00000000' }

/** A shopper is waiting for a price. */
const patience = { timeout: 2000, maxNetworkRetries: 0 }

export function createStripeTax(config: { apiOrigin: string; secretKey: string }): TaxProvider {
  const stripe = openStripe(config)
  return {
    async calculate({ lines, to, at }) {
      const calculated = await taxAnswer(() =>
        stripe.tax.calculations.create(
          {
            currency: CURRENCY.code.toLowerCase(),
            customer_details: { address: addressOf(to), address_source: 'shipping' },
            line_items: lines.map(({ lineId, amountCents, quantity, isTaxable }) => ({
              amount: amountCents,
              quantity,
              reference: lineId,
              tax_behavior: 'exclusive',
              tax_code: isTaxable ? taxCodes.taxable : taxCodes.untaxed,
            })),
            tax_date: Math.floor(at.epochMilliseconds / 1000),
            expand: ['line_items.data.tax_breakdown'],
          },
          patience,
        ),
      )
      return calculated.ok ? calculationOf(calculated.value, at) : calculated
    },
    record({ ref, reference, key }) {
      return taxAnswer(async () => {
        const transaction = await stripe.tax.transactions.createFromCalculation(
          { calculation: ref, reference, expand: ['line_items'] },
          { idempotencyKey: key },
        )
        const items = transaction.line_items?.data ?? []
        return { ref: transaction.id, lines: items.map((item) => ({ lineId: item.reference, ref: item.id })) }
      })
    },
    reverse({ ref, reference, lines, key }) {
      return taxAnswer(async () => {
        const reversal = await stripe.tax.transactions.createReversal(
          {
            original_transaction: ref,
            reference,
            ...(lines === null
              ? { mode: 'full' }
              : {
                  mode: 'partial',
                  line_items: lines.map((line) => ({
                    amount: -line.amountCents,
                    amount_tax: -line.taxCents,
                    original_line_item: line.ref,
                    reference: line.lineId,
                  })),
                }),
          },
          { idempotencyKey: key },
        )
        return { ref: reversal.id }
      })
    },
  }
}

function addressOf({
  street,
  city,
  state,
  zip,
}: TaxAddress): Stripe.Tax.CalculationCreateParams.CustomerDetails.Address {
  return { country: 'US', state, postal_code: zip, ...(city && { city }), ...(street && { line1: street }) }
}

function calculationOf(calculation: Stripe.Tax.Calculation, at: Temporal.Instant): TaxAnswer<TaxCalculation> {
  const { id, expires_at: expiresAt, line_items: items } = calculation
  if (id === null || !items || items.has_more)
    return { ok: false, reason: 'unavailable', message: 'The answer is without its lines.' }
  const parts = new Map<string, TaxCalculation['parts'][number]>()
  for (const item of items.data)
    for (const { amount, jurisdiction, tax_rate_details: details } of item.tax_breakdown ?? []) {
      const ratePpm = Math.round(Number(details?.percentage_decimal ?? 0) * 10_000)
      if (ratePpm === 0) continue
      const [level, name] = [levelOf(jurisdiction.level), jurisdiction.display_name]
      const key = `${level} ${name} ${ratePpm}`
      parts.set(key, { level, name, ratePpm, cents: (parts.get(key)?.cents ?? 0) + amount })
    }
  const value = {
    ref: id,
    until: expiresAt === null ? at.add({ hours: 24 }) : Temporal.Instant.fromEpochMilliseconds(expiresAt * 1000),
    lines: items.data.map(({ reference, amount_tax: taxCents }) => ({ lineId: reference, taxCents })),
    parts: [...parts.values()],
  }
  return { ok: true, value }
}

function levelOf(level: string): TaxCalculation['parts'][number]['level'] {
  return level === 'state' || level === 'county' || level === 'city' ? level : 'special'
}

async function taxAnswer<Value>(work: () => Promise<Value>): Promise<TaxAnswer<Value>> {
  const answered = await answer(work)
  if (answered.ok) return answered
  const { reason, message } = answered
  return { ok: false, reason: reason === 'unavailable' ? 'unavailable' : 'refused-input', message }
}
