import type { Row } from './insert.ts'
import type { Item } from './items.ts'
import type { Line } from './lines.ts'

/** From before any day a test or a demo stands on. */
const since = Temporal.Instant.from('2026-01-01T05:00:00Z')

/**
 * One person of the demo's sign-in service for each type of account; they are listed there too (`sandbox/identity/people.ts`). Whoever signs in with
 * that verified email has the account.
 */
export const demoAccounts = [
  { email: 'erin@example.com', name: 'Erin Cole', type: 'EPP', how: 'invitation', by: 'Personnel' },
  { email: 'felix@example.com', name: 'Felix Grant', type: 'Fleet', how: 'staff', by: 'Fleet desk' },
  { email: 'paula@example.com', name: 'Paula Ortiz', type: 'Partner Program', how: 'staff', by: 'Partner program' },
  { email: 'mona@example.com', name: 'Mona Webb', type: 'Retail Member', how: 'purchase', by: 'Membership' },
  { email: 'sol@example.com', name: 'Sol Marsh', type: 'Special Order', how: 'staff', by: 'Marsh Equipment Rental' },
  { email: 'will@example.com', name: 'Will Tran', type: 'WholeSale', how: 'staff', by: 'Wholesale' },
  { email: 'sam@example.com', name: 'Sam Doyle', type: 'Sales Tool', how: 'staff', by: 'Sales' },
  { email: 'noa@example.com', name: 'Noa Kim', type: 'none', how: 'staff', by: 'Support' },
] as const

export function accountRows(now: Temporal.Instant): Row<'account'>[] {
  return demoAccounts.map(({ email, name }, index) => ({ id: idOf('a', index), email, email_verified_at: now, name, created_at: now }))
}

export function grantRows(): Row<'account_grant'>[] {
  return demoAccounts.map(({ type, how, by }, index) => ({
    id: idOf('b', index),
    account_id: idOf('a', index),
    type,
    how,
    granted_by: by,
    starts_at: since,
    ends_at: null,
  }))
}

/** A company whose owner is among the people: it shows what companies have, pays within 30 days, and asks for a purchase order number on each order. */
export function companyRows(): Row<'company'>[] {
  return [
    {
      id: idOf('c', 0),
      kind: 'special-order',
      name: 'Marsh Equipment Rental',
      state: 'approved',
      phone: '3125550177',
      vehicles: 40,
      about: 'Lifts, loaders and the trucks that bring them.',
      applied_at: since,
      decided_at: since,
      decided_by: 'Special orders',
      po_rule: 'required',
      po_mask: 'MER-####',
      net_days: 30,
      credit_limit_cents: 1_000_000,
      brands_restricted: false,
    },
  ]
}

export function companyMemberRows(): Row<'company_member'>[] {
  const owner = demoAccounts.findIndex(({ email }) => email === 'sol@example.com')
  return [{ account_id: idOf('a', owner), company_id: idOf('c', 0), role: 'owner', joined_at: since }]
}

export const priceListRows = [
  { id: 1, slug: 'employees', name: 'Employee purchase plan', account_type: 'EPP' },
  { id: 2, slug: 'fleets', name: 'Fleets', account_type: 'Fleet' },
  { id: 3, slug: 'partners', name: 'Partner program', account_type: 'Partner Program' },
  { id: 4, slug: 'members', name: 'Members', account_type: 'Retail Member' },
  { id: 5, slug: 'special-orders', name: 'Special orders', account_type: 'Special Order' },
  { id: 6, slug: 'wholesale', name: 'Wholesale', account_type: 'WholeSale' },
] satisfies Row<'price_list'>[]

/** At least one rule of each kind and scope, as far as the catalog has what it is for. */
export function priceRuleRows({ lines, items }: { lines: readonly Line[]; items: readonly Item[] }): Row<'price_rule'>[] {
  const [brand, line] = [lines.find(({ brand: { name } }) => name === 'Northpass')?.brand, lines.find(({ name }) => name === 'Longhaul 80')]
  const [first, second] = items
  return [
    rule(1, { kind: 'cost-plus', rate_ppm: 60_000 }),
    rule(2, { kind: 'percent-off', rate_ppm: 80_000 }),
    ...(brand ? [rule(2, { kind: 'percent-off', rate_ppm: 110_000, brand_id: brand.id })] : []),
    ...(line ? [rule(2, { kind: 'cost-plus', rate_ppm: 120_000, amount_cents: 200, product_line_id: line.id })] : []),
    ...(first ? [rule(2, { kind: 'percent-off', rate_ppm: 120_000, size_id: first.size_id })] : []),
    rule(3, { kind: 'percent-off', rate_ppm: 60_000 }),
    rule(4, { kind: 'percent-off', rate_ppm: 30_000 }),
    ...[first, second].flatMap((item) => (item ? [rule(5, { kind: 'fixed', amount_cents: item.retail_cents - 2_550, item_id: item.id })] : [])),
    rule(6, { kind: 'cost-plus', rate_ppm: 20_000, amount_cents: 300 }),
  ]
}

type Formula = Pick<Row<'price_rule'>, 'kind'> & Partial<Row<'price_rule'>>

function rule(list: number, formula: Formula): Row<'price_rule'> {
  const none = { brand_id: null, product_line_id: null, size_id: null, item_id: null, rate_ppm: null, amount_cents: null }
  return { ...none, ...formula, price_list_id: list, starts_at: since, ends_at: null }
}

function idOf(letter: string, index: number): string {
  return `00000000-0000-7000-8000-${letter}${String(index + 1).padStart(11, '0')}`
}
