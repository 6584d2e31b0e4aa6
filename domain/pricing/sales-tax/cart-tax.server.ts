/**
 * The provider's tax for a cart's price, requested when the items or destination change, and cached by a hash of them.
 * While the provider is unavailable, the rule's tax applies (the provider's last rate for the location, or our table).
 * A missing response never means zero.
 */
import { createHash } from 'node:crypto'
import { answered, estimated, taxAsk, type PriceBreakdown, type TaxedAmount } from '#domain/pricing/pricing/pricing.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { keepAnswer, keepPlaceAnswer, selectKeptAnswer, type KeptAnswer } from './answers.sql.server.ts'
import type { PlaceRule } from './rates.server.ts'
import type { TaxSource } from './sales-tax.ts'
import type { TaxAddress, TaxProvider } from './tax-provider.port.ts'

type Deps = { db: Database; clock: Clock; taxes?: TaxProvider | null }

/** How long an answer is used without asking again, and an estimate, in which the provider is left alone. */
const answerHours = 24
const estimateSeconds = 60

/** The source of a price's tax, as stored with an order. */
export type PriceTax = { source: TaxSource; calculationRef: string | null }

/**
 * Returns a cart's price with the provider's tax and its source; null without a provider and for exempt orders. With
 * `isAgreed`, the cart's stored tax is used, as the shopper saw it.
 */
export async function taxCart(
  deps: Deps,
  cart: { id: string; priced: PriceBreakdown; rule: PlaceRule; to: TaxAddress; isAgreed: boolean },
): Promise<{ breakdown: PriceBreakdown; tax: PriceTax | null }> {
  const { priced, rule, to } = cart
  const { taxes } = deps
  if (!taxes || priced.tax.isExempt) return { breakdown: priced, tax: null }
  const lines = taxAsk(priced, rule)
  if (lines.length === 0) return { breakdown: priced, tax: null }
  const hash = hashOf(lines, to)
  const kept = await selectKeptAnswer(deps.db, cart.id)
  const stands = kept?.hash === hash && (cart.isAgreed || isGood(kept, deps.clock.now()))
  const found = stands ? kept : await ask({ ...deps, taxes }, { ...cart, lines, hash })
  const breakdown = found.answer
    ? answered(priced, rule, found.answer)
    : estimated(priced, found.source === 'last-answer' ? 'last-answer' : 'table')
  return { breakdown, tax: { source: found.source, calculationRef: found.calculationRef } }
}

function isGood({ goodUntil }: KeptAnswer, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, goodUntil) < 0
}

async function ask(
  { db, clock, taxes }: Deps & { taxes: TaxProvider },
  cart: { id: string; rule: PlaceRule; to: TaxAddress; lines: TaxedAmount[]; hash: string },
): Promise<KeptAnswer> {
  const at = clock.now()
  const { to, lines, hash } = cart
  const calculated = await taxes.calculate({ lines, to, at })
  const kept: KeptAnswer =
    calculated.ok && isWhole(calculated.value.lines, lines)
      ? {
          hash,
          source: 'provider',
          answer: { lines: calculated.value.lines, parts: calculated.value.parts },
          calculationRef: calculated.value.ref,
          goodUntil: earlier(calculated.value.until, at.add({ hours: answerHours })),
        }
      : {
          hash,
          source: cart.rule.origin === 'answer' ? 'last-answer' : 'table',
          answer: null,
          calculationRef: null,
          goodUntil: at.add({ seconds: estimateSeconds }),
        }
  await keepAnswer(db, { ...kept, cartId: cart.id, at })
  if (kept.answer && lines.some(({ isTaxable }) => isTaxable)) {
    const parts = kept.answer.parts.map(({ level, name, ratePpm }) => ({ level, name, ratePpm }))
    await keepPlaceAnswer(db, to, { parts, day: at.toString().slice(0, 10) })
  }
  return kept
}

/** Returns whether the response includes every line; otherwise it is discarded. */
function isWhole(answers: readonly { lineId: string }[], lines: readonly TaxedAmount[]): boolean {
  const there = new Set(answers.map(({ lineId }) => lineId))
  return lines.every(({ lineId }) => there.has(lineId))
}

function earlier(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) < 0 ? one : other
}

function hashOf(lines: readonly TaxedAmount[], { street, city, state, zip }: TaxAddress): string {
  return createHash('sha256')
    .update(JSON.stringify([street, city, state, zip, lines]))
    .digest('hex')
}
