/** Labels of account type prices, and support desks. */
import { accountPriceNames, type AccountType } from '#domain/pricing/pricing/pricing.ts'

/** `slug` identifies the page that explains the price. */
export type PriceLabel = { readonly type: AccountType; readonly name: string; readonly slug: string }

/** All labels. Retail and accounts without a type have no label. */
export const priceLabels: readonly PriceLabel[] = Object.entries(accountPriceNames).map(([type, name]) => ({
  type: type as AccountType,
  name,
  slug: name.toLowerCase().replaceAll(' ', '-'),
}))

const labelByType = new Map(priceLabels.map((label) => [label.type, label]))

/** Returns a type's price label; undefined if it has no label. */
export function labelOf(type: AccountType): PriceLabel | undefined {
  return labelByType.get(type)
}

/** Short names of types for the header. */
const badges: Readonly<Partial<Record<AccountType, string>>> = {
  EPP: 'Employee',
  Fleet: 'Fleet',
  'Partner Program': 'Partner',
  'Retail Member': 'Member',
  'Sales Tool': 'Sales',
  'Special Order': 'Special orders',
  WholeSale: 'Wholesale',
}

/** Returns an account type's badge; undefined if it has no badge. */
export function badgeOf(type: AccountType): string | undefined {
  return badges[type]
}

/** A dedicated support desk for some types; the others use the store's. */
export type SupportDesk = { readonly name: string; readonly phone: string; readonly email: string }

const supportDesks: Readonly<Partial<Record<AccountType, SupportDesk>>> = {
  Fleet: { name: 'Fleet desk', phone: '(800) 555-0160', email: 'fleet@sidewall.example' },
  'Special Order': { name: 'Special orders', phone: '(800) 555-0161', email: 'orders@sidewall.example' },
}

/** Returns the support desk of a type; undefined for the store's own. */
export function supportDeskOf(type: AccountType): SupportDesk | undefined {
  return supportDesks[type]
}
