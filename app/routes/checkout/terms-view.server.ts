/** Net terms that Resolve grants a buyer's company, as the checkout shows them. */
import type { WayToPay } from '#app/routes/checkout/ways.tsx'
import { notAnswering, termsStatuses, tooLittleOnTerms } from '#content/messages/payments.ts'
import { findPoRule } from '#domain/customers/companies/companies.server.ts'
import { maskWords, poProblem, type PoRule } from '#domain/customers/companies/companies.ts'
import { readProviderTerms, type ProviderTerms } from '#domain/ordering/checkout/checkout.server.ts'
import type { PaymentMethodRule } from '#domain/payments/payments/payments.ts'
import { formatCents } from '#platform/money.ts'
import type { Application } from '#application'

/** "Net 30, $12,400.00 available": what the company has; null while Resolve does not answer. */
function grantedText({ granted }: ProviderTerms): string | null {
  if (granted === 'silent') return null
  const term = granted.netDays === null ? 'Net terms' : `Net ${granted.netDays}`
  return `${term}, ${formatCents(granted.availableCents)} available`
}

/** Why the company cannot pay `totalCents` so now; null if it can try. */
function whyOff({ granted }: ProviderTerms, totalCents: number): string | null {
  if (granted === 'silent') return notAnswering('Resolve')
  const status = termsStatuses[granted.status]
  if (status !== null) return status
  return granted.status === 'approved' && granted.availableCents < totalCents
    ? tooLittleOnTerms(formatCents(granted.availableCents))
    : null
}

/** Resolve as a way to pay. */
export function resolveWay(rule: PaymentMethodRule, terms: ProviderTerms, totalCents: number): WayToPay {
  return {
    type: rule.type,
    name: 'Net terms with Resolve',
    detail: grantedText(terms) ?? rule.detail,
    group: 'company',
    amount: formatCents(0),
    often: 'today',
    rows: [],
    note: rule.note ?? null,
    off: whyOff(terms, totalCents),
    button: rule.button ?? 'Continue',
  }
}

/** The content of the net terms page, or null for other methods. */
export type TermsView = { granted: string; off: string | null; po: { isRequired: boolean; hint: string } | null }

/** Loads the net terms page. Throws a 404 response if the buyer's company has no terms at Resolve. */
export async function readTermsView(
  app: Application,
  { provider }: PaymentMethodRule,
  totalCents: number,
): Promise<TermsView | null> {
  if (provider !== 'resolve') return null
  const terms = await readProviderTerms(app)
  if (!terms) throw new Response(null, { status: 404 })
  const po = await poRuleOf(app)
  return {
    granted: grantedText(terms) ?? 'Net terms for your company',
    off: whyOff(terms, totalCents),
    po: po && po.rule !== 'off' ? { isRequired: po.rule === 'required', hint: poHint(po) } : null,
  }
}

/** How a company writes its PO numbers. */
export function poHint({ mask }: PoRule): string {
  return mask === null ? 'Printed on Resolve’s invoice and on your receipt.' : `Like ${maskWords(mask)}`
}

/** Returns the error in a PO number as typed; null if the buyer's company accepts it, or there is no company. */
export async function poFaultOf(app: Application, typed: string | null): Promise<string | null> {
  const po = await poRuleOf(app)
  return po ? poProblem(typed?.trim() || null, po) : null
}

/** The PO number rule of the company this visitor buys for; undefined without a company. */
export async function poRuleOf(app: Application): Promise<PoRule | undefined> {
  const { companyId } = await app.buyer.priceTier()
  return companyId === null ? undefined : findPoRule(app, companyId)
}
