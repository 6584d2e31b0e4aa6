import {
  priceListAt,
  type AccountPricing,
  type Formula,
  type RuleScope,
} from '#domain/pricing/price-tiers/price-list.ts'
import { staffRoles } from '#domain/kernel/staff/staff.ts'
import { brandRows } from './brands.ts'
import type { Row } from '#db/insert-rows.ts'
import type { CatalogCache } from './load-catalog.ts'
import { slugOfSize } from './sizes.ts'

/** Before any date that tests or demos use. */
const since = Temporal.Instant.from('2026-01-01T05:00:00Z')

/**
 * One person of the demo's sign-in service for each type of account; they are listed there too
 * (`sandbox/identity/people.ts`). Signing in with that verified email opens the account.
 */
export const demoAccounts = [
  { email: 'erin@example.com', name: 'Erin Cole', type: 'EPP', how: 'invitation', by: 'Personnel' },
  { email: 'felix@example.com', name: 'Felix Grant', type: 'Fleet', how: 'staff', by: 'Grant Delivery' },
  { email: 'paula@example.com', name: 'Paula Ortiz', type: 'Partner Program', how: 'staff', by: 'Partner program' },
  { email: 'mona@example.com', name: 'Mona Webb', type: 'Retail Member', how: 'purchase', by: 'membership' },
  { email: 'sol@example.com', name: 'Sol Marsh', type: 'Special Order', how: 'staff', by: 'Marsh Equipment Rental' },
  { email: 'will@example.com', name: 'Will Tran', type: 'WholeSale', how: 'staff', by: 'Wholesale' },
  { email: 'sam@example.com', name: 'Sam Doyle', type: 'Sales Tool', how: 'staff', by: 'Sales' },
  { email: 'noa@example.com', name: 'Noa Kim', type: 'none', how: 'staff', by: 'Support' },
] as const

/** Accounts with a shared type or without one, which demonstrate a company, an order history, or a restriction. */
const otherAccounts = [
  { email: 'tilda@example.com', name: 'Tilda Lund', type: 'Fleet', how: 'invitation', by: 'Grant Delivery' },
  { email: 'vic@example.com', name: 'Vic Moss', type: 'Fleet', how: 'invitation', by: 'Grant Delivery' },
  { email: 'olive@example.com', name: 'Olive Hart', type: null },
  { email: 'rita@example.com', name: 'Rita Vale', type: null },
  { email: 'fern@example.com', name: 'Fern Osei', type: 'Fleet', how: 'staff', by: 'Lakeview Livery' },
] as const

const people = [...demoAccounts, ...otherAccounts]
export type DemoEmail = (typeof people)[number]['email']

/** Everyone with an account from the start. */
export const demoAccountPeople: readonly { email: DemoEmail; name: string }[] = people

/** The only brands that Rita is shown and sold. */
export const brandsOfRita = ['Kestrel', 'Tarn']

export function accountRows(now: Temporal.Instant): Row<'account'>[] {
  return people.map(({ email, name }) => ({
    id: accountIdOf(email),
    email,
    email_verified_at: now,
    name,
    created_at: since,
    brands_restricted: email === 'rita@example.com',
  }))
}

export function accountBrandRows(): Row<'account_brand'>[] {
  return brandRows.flatMap(({ id, name }) =>
    id !== undefined && brandsOfRita.includes(name)
      ? { account_id: accountIdOf('rita@example.com'), brand_id: id }
      : [],
  )
}

/** `member` is the term of Mona's membership. */
export function grantRows(member: { from: Temporal.Instant; until: Temporal.Instant }): Row<'account_grant'>[] {
  return people.flatMap((person, index) => {
    if (person.type === null) return []
    const isBought = person.how === 'purchase'
    return {
      id: idOf('b', index),
      account_id: accountIdOf(person.email),
      type: person.type,
      how: person.how,
      granted_by: person.by,
      starts_at: isBought ? member.from : since,
      ends_at: isBought ? member.until : null,
      promised_until: isBought ? member.until : null,
    }
  })
}

/** How orders refer to a company, and its payment term. */
export const demoCompanies = {
  marsh: { id: idOf('c', 0), name: 'Marsh Equipment Rental', netDays: 30 },
  grant: { id: idOf('c', 1), name: 'Grant Delivery', netDays: 30 },
  livery: { id: idOf('c', 2), name: 'Lakeview Livery', netDays: 30 },
} as const

/**
 * Sample companies, each with 30-day terms. The first has contract prices and requires a PO number. The second is a
 * fleet with an owner, a buyer, and a viewer. The third stores work details for each vehicle and requests quotes with a
 * list of vehicles.
 */
export function companyRows(): Row<'company'>[] {
  const decided = {
    state: 'approved',
    applied_at: since,
    decided_at: since,
    net_days: 30,
    brands_restricted: false,
    fleet_packet: false,
  }
  return [
    {
      ...decided,
      id: demoCompanies.marsh.id,
      kind: 'special-order',
      name: demoCompanies.marsh.name,
      phone: '3125550177',
      vehicles: 40,
      about: 'Lifts, loaders and the trucks that bring them.',
      decided_by: 'Special orders',
      po_rule: 'required',
      po_mask: 'MER-####',
      credit_limit_cents: 1_000_000,
      resolve_customer_id: null,
    },
    {
      ...decided,
      id: demoCompanies.grant.id,
      kind: 'fleet',
      name: demoCompanies.grant.name,
      phone: '3125550136',
      vehicles: 24,
      about: 'Parcels and groceries, Chicago and suburbs.',
      decided_by: 'Fleet desk',
      po_rule: 'optional',
      po_mask: null,
      credit_limit_cents: 2_000_000,
      // Known to the sandbox's Resolve by this name.
      resolve_customer_id: 'GRNTdelivery',
    },
    {
      ...decided,
      id: demoCompanies.livery.id,
      kind: 'fleet',
      name: demoCompanies.livery.name,
      phone: '3125550151',
      vehicles: 9,
      about: 'Black cars and shuttles for hotels.',
      decided_by: 'Fleet desk',
      po_rule: 'optional',
      po_mask: null,
      credit_limit_cents: 500_000,
      resolve_customer_id: null,
      fleet_packet: true,
    },
  ]
}

export function companyMemberRows(): Row<'company_member'>[] {
  const member = (email: DemoEmail, company: { id: string }, role: string) => ({
    account_id: accountIdOf(email),
    company_id: company.id,
    role,
    joined_at: since,
  })
  return [
    member('sol@example.com', demoCompanies.marsh, 'owner'),
    member('felix@example.com', demoCompanies.grant, 'owner'),
    member('tilda@example.com', demoCompanies.grant, 'buyer'),
    member('vic@example.com', demoCompanies.grant, 'viewer'),
    member('fern@example.com', demoCompanies.livery, 'owner'),
  ]
}

export const priceListRows = [
  { id: 1, slug: 'employees', name: 'Employee purchase plan', account_type: 'EPP' },
  { id: 2, slug: 'fleets', name: 'Fleets', account_type: 'Fleet' },
  { id: 3, slug: 'partners', name: 'Partner program', account_type: 'Partner Program' },
  { id: 4, slug: 'members', name: 'Members', account_type: 'Retail Member' },
  { id: 5, slug: 'special-orders', name: 'Special orders', account_type: 'Special Order' },
  { id: 6, slug: 'wholesale', name: 'Wholesale', account_type: 'WholeSale' },
] satisfies Row<'price_list'>[]

type DemoRule = { listId: number; scope: RuleScope; formula: Formula }

/** At least one rule of each kind and scope, as far as the catalog has matching items. */
function demoRules({ lines, sizes, items }: CatalogCache): DemoRule[] {
  const [brand, line] = [
    lines.find(({ brand: { name } }) => name === 'Northpass')?.brand,
    lines.find(({ name }) => name === 'Longhaul 80'),
  ]
  const [first, second] = items
  const size = sizes.find(({ id }) => id === first?.size_id)
  const everyTire = { kind: 'every-tire' } as const
  return [
    { listId: 1, scope: everyTire, formula: { kind: 'cost-plus', ratePpm: 60_000, amountCents: 0 } },
    { listId: 2, scope: everyTire, formula: { kind: 'percent-off', ratePpm: 80_000 } },
    ...(brand
      ? [
          {
            listId: 2,
            scope: { kind: 'brand', id: brand.id },
            formula: { kind: 'percent-off', ratePpm: 110_000 },
          } as const,
        ]
      : []),
    ...(line
      ? [
          {
            listId: 2,
            scope: { kind: 'line', id: line.id },
            formula: { kind: 'cost-plus', ratePpm: 120_000, amountCents: 200 },
          } as const,
        ]
      : []),
    ...(size
      ? [
          {
            listId: 2,
            scope: { kind: 'size', slug: slugOfSize(size) },
            formula: { kind: 'percent-off', ratePpm: 120_000 },
          } as const,
        ]
      : []),
    { listId: 3, scope: everyTire, formula: { kind: 'percent-off', ratePpm: 60_000 } },
    { listId: 4, scope: everyTire, formula: { kind: 'percent-off', ratePpm: 30_000 } },
    ...[first, second].flatMap((item) =>
      item
        ? [
            {
              listId: 5,
              scope: { kind: 'item', id: item.id ?? 0 },
              formula: { kind: 'fixed', amountCents: item.retail_cents - 2_550 },
            } as const,
          ]
        : [],
    ),
    { listId: 6, scope: everyTire, formula: { kind: 'cost-plus', ratePpm: 20_000, amountCents: 300 } },
  ]
}

export function priceRuleRows(cache: CatalogCache): Row<'price_rule'>[] {
  return demoRules(cache).map(({ listId, scope, formula }) => ({
    price_list_id: listId,
    brand_id: scope.kind === 'brand' ? scope.id : null,
    product_line_id: scope.kind === 'line' ? scope.id : null,
    size_id: scope.kind === 'size' ? (cache.sizes.find((size) => slugOfSize(size) === scope.slug)?.id ?? null) : null,
    item_id: scope.kind === 'item' ? scope.id : null,
    kind: formula.kind,
    rate_ppm: formula.kind === 'fixed' ? null : formula.ratePpm,
    amount_cents: formula.kind === 'percent-off' ? null : formula.amountCents,
    starts_at: since,
    ends_at: null,
  }))
}

/** The pricing that applies to a demo person at `now`. */
export function pricingOf(email: DemoEmail, cache: CatalogCache, now: Temporal.Instant): AccountPricing {
  const type = people.find((person) => person.email === email)?.type ?? 'Retail'
  const listId = priceListRows.find((list) => list.account_type === type)?.id
  const rules = demoRules(cache).filter((rule) => rule.listId === listId)
  return {
    type,
    list: priceListAt(
      rules.map(({ scope, formula }, id) => ({ id, scope, formula, since, until: null })),
      now,
    ),
  }
}

/** One demo person for each back-office role. The person who signs in with the verified email gets the role. */
export function staffGrantRows(): Row<'staff_grant'>[] {
  return staffRoles.map((role, index) => ({
    id: idOf('d', index),
    email: `${role}@example.com`,
    role,
    invited_by: 'the demo',
    invited_at: since,
  }))
}

/** The key of a demo person's account, the same on every machine. */
export function accountIdOf(email: DemoEmail): string {
  return idOf(
    'a',
    people.findIndex((person) => person.email === email),
  )
}

function idOf(letter: string, index: number): string {
  return `00000000-0000-7000-8000-${letter}${String(index + 1).padStart(11, '0')}`
}
