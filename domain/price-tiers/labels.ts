/** What the prices of an account type are called, and whom it turns to. */
import { accountPriceNames, type AccountType } from '#domain/pricing/pricing.ts'

/** `slug` names the page that explains the price. */
export type PriceLabel = { readonly type: AccountType; readonly name: string; readonly slug: string }

/** Every label there is. Retail and accounts without a type have none. */
export const priceLabels: readonly PriceLabel[] = Object.entries(accountPriceNames).map(([type, name]) => ({
  type: type as AccountType,
  name,
  slug: name.toLowerCase().replaceAll(' ', '-'),
}))

const labelByType = new Map(priceLabels.map((label) => [label.type, label]))

/** The label of a type's prices; undefined for who has none. */
export function labelOf(type: AccountType): PriceLabel | undefined {
  return labelByType.get(type)
}

/** The type as the header says it, where there is little room. */
const badges: Readonly<Partial<Record<AccountType, string>>> = {
  EPP: 'Employee',
  Fleet: 'Fleet',
  'Partner Program': 'Partner',
  'Retail Member': 'Member',
  'Sales Tool': 'Sales',
  'Special Order': 'Special orders',
  WholeSale: 'Wholesale',
}

/** The badge of an account's type; undefined for who has none. */
export function badgeOf(type: AccountType): string | undefined {
  return badges[type]
}

/** People of their own for some types; the others turn to the store's. */
export type SupportDesk = { readonly name: string; readonly phone: string; readonly email: string }

const supportDesks: Readonly<Partial<Record<AccountType, SupportDesk>>> = {
  Fleet: { name: 'Fleet desk', phone: '(800) 555-0160', email: 'fleet@sidewall.example' },
  'Special Order': { name: 'Special orders', phone: '(800) 555-0161', email: 'orders@sidewall.example' },
}

/** Whom an account of the type calls and writes to; undefined is the store itself. */
export function supportDeskOf(type: AccountType): SupportDesk | undefined {
  return supportDesks[type]
}
