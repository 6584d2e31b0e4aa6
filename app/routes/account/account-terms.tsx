/** The account's price tier, for the account page. */
import { labelView, type LabelView } from '#content/messages/price-labels.ts'
import type { AccountType, Grant, GrantWay } from '#domain/pricing/price-tiers/price-tiers.ts'
import { dayText } from '#platform/day-text.ts'
import { storeZone } from '#platform/store-zone.ts'

export type TermsView = { type: string; label: LabelView | null; how: string; until: string | null }

/** Null for an account that pays retail. */
export function termsView(grant: Grant | undefined): TermsView | null {
  if (!grant || grant.type === 'Retail' || grant.type === 'none') return null
  const local = grant.until?.subtract({ seconds: 1 }).toZonedDateTimeISO(storeZone)
  return {
    type: typeNames[grant.type],
    label: labelView(grant.type) ?? null,
    how: ways[grant.how],
    until: local ? `${dayText(local)}, ${local.year}` : null,
  }
}

/** The section of the account page about its special prices. */
export function AccountTerms({ terms: { type, label, how, until } }: { terms: TermsView }) {
  return (
    <section className="panel padded stack" aria-labelledby="terms">
      <h2 id="terms">Your prices</h2>
      <dl className="account-details">
        <div>
          <dt>Account</dt>
          <dd>{type}</dd>
        </div>
        {label ? (
          <div>
            <dt>Price</dt>
            <dd>
              <a href={label.path}>{label.label}</a>
            </dd>
          </div>
        ) : null}
        <div>
          <dt>From</dt>
          <dd>{how}</dd>
        </div>
        <div>
          <dt>Ends</dt>
          <dd>{until ?? 'No end date'}</dd>
        </div>
      </dl>
    </section>
  )
}

const typeNames: Readonly<Record<AccountType, string>> = {
  EPP: 'Employee purchase plan',
  Fleet: 'Fleet',
  none: 'No type',
  'Partner Program': 'Partner program',
  Retail: 'Retail',
  'Retail Member': 'Member',
  'Sales Tool': 'Sales',
  'Special Order': 'Special orders',
  WholeSale: 'Wholesale',
}

const ways: Readonly<Record<GrantWay, string>> = {
  invitation: 'An invitation',
  'company-domain': 'Your company’s email address',
  staff: 'Our staff',
  purchase: 'A purchase',
}
