/** The demo's price lists for account types, and a draft of a new version of the fleets' list to compare and test. */
import type { PoolClient } from 'pg'
import { findCatalogIds } from '#domain/catalog/catalog/catalog.server.ts'
import { importPriceList, makePriceList, uploadPriceList } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import {
  priceListAt,
  type AccountPricing,
  type Formula,
  type RuleScope,
} from '#domain/pricing/price-tiers/price-list.ts'
import { priceListColumns } from '#domain/pricing/price-tiers/price-tiers.ts'
import { storeDay } from '#platform/store-zone.ts'
import { demoAccountPeople, since, staffEmail, type DemoEmail } from './accounts.ts'
import { brandRows } from './brands.ts'
import type { CatalogCache } from './load-catalog.ts'
import { accepted, byDemo, byStaff, depsAt } from './seed-transaction.ts'
import { slugOfSize } from './sizes.ts'

/** The lists are numbered from 1, in order. */
const priceLists = [
  { slug: 'employees', name: 'Employee purchase plan', type: 'EPP' },
  { slug: 'fleets', name: 'Fleets', type: 'Fleet' },
  { slug: 'partners', name: 'Partner program', type: 'Partner Program' },
  { slug: 'members', name: 'Members', type: 'Retail Member' },
  { slug: 'special-orders', name: 'Special orders', type: 'Special Order' },
  { slug: 'wholesale', name: 'Wholesale', type: 'WholeSale' },
] as const

type ListSlug = (typeof priceLists)[number]['slug']
/** `target` is what the scope is called in a file. */
type DemoRule = { list: ListSlug; scope: RuleScope; target: string; formula: Formula }

/** At least one rule of each kind and scope, as far as the catalog has matching items. */
function demoRules({ lines, sizes, items }: CatalogCache): DemoRule[] {
  const [brand, line] = [
    lines.find(({ brand: { name } }) => name === 'Northpass')?.brand,
    lines.find(({ name }) => name === 'Longhaul 80'),
  ]
  const [first, second] = items
  const size = sizes.find(({ id }) => id === first?.size_id)
  const everyTire = { scope: { kind: 'every-tire' }, target: '' } as const
  const rules: (DemoRule | undefined)[] = [
    { list: 'employees', ...everyTire, formula: { kind: 'cost-plus', ratePpm: 60_000, amountCents: 0 } },
    { list: 'fleets', ...everyTire, formula: { kind: 'percent-off', ratePpm: 80_000 } },
    brand && {
      list: 'fleets',
      scope: { kind: 'brand', id: brand.id },
      target: brand.slug,
      formula: { kind: 'percent-off', ratePpm: 110_000 },
    },
    line && {
      list: 'fleets',
      scope: { kind: 'line', id: line.id },
      target: `${line.brand.slug}/${line.slug}`,
      formula: { kind: 'cost-plus', ratePpm: 120_000, amountCents: 200 },
    },
    size && {
      list: 'fleets',
      scope: { kind: 'size', slug: slugOfSize(size) },
      target: size.designation,
      formula: { kind: 'percent-off', ratePpm: 120_000 },
    },
    { list: 'partners', ...everyTire, formula: { kind: 'percent-off', ratePpm: 60_000 } },
    { list: 'members', ...everyTire, formula: { kind: 'percent-off', ratePpm: 30_000 } },
    ...[first, second].map(
      (item): DemoRule | undefined =>
        item && {
          list: 'special-orders',
          scope: { kind: 'item', id: item.id ?? 0 },
          target: item.sku,
          formula: { kind: 'fixed', amountCents: item.retail_cents - 2_550 },
        },
    ),
    { list: 'wholesale', ...everyTire, formula: { kind: 'cost-plus', ratePpm: 20_000, amountCents: 300 } },
  ]
  return rules.filter((rule) => rule !== undefined)
}

/** A row of a price list's file. The rule starts with the day `starts`. */
function fileRow(
  { scope, target, formula }: { scope: RuleScope['kind']; target: string; formula: Formula },
  starts: Temporal.PlainDate,
) {
  return {
    scope,
    target,
    kind: formula.kind,
    percent: 'ratePpm' in formula ? String(formula.ratePpm / 10_000) : '',
    amount: 'amountCents' in formula ? (formula.amountCents / 100).toFixed(2) : '',
    starts: starts.toString(),
    ends: '',
  } satisfies Record<(typeof priceListColumns)[number], string>
}

/** Makes the lists with their rules, as a manager and an operator do, and the draft as of `now`. */
export async function loadPriceLists(client: PoolClient, cache: CatalogCache, now: Temporal.Instant): Promise<void> {
  const deps = depsAt(client, since)
  const rules = demoRules(cache)
  for (const { slug, name } of priceLists)
    accepted(`The price list ${slug}`, await makePriceList(deps, byDemo, { slug, name }))
  for (const { slug, type } of priceLists) {
    const records = rules
      .filter(({ list }) => list === slug)
      .map((rule) => fileRow({ ...rule, scope: rule.scope.kind }, storeDay(since)))
    accepted(`The file of ${slug}`, await importPriceList({ ...deps, findCatalogIds }, { slug, type, records }))
  }
  await loadDraft(client, now)
}

async function loadDraft(client: PoolClient, now: Temporal.Instant): Promise<void> {
  const formula = (percent: number): Formula => ({ kind: 'percent-off', ratePpm: percent * 10_000 })
  const rows = [
    { scope: 'every-tire', target: '', formula: formula(9) } as const,
    { scope: 'brand', target: brandRows[0]?.slug ?? '', formula: formula(12) } as const,
  ].map((rule) => fileRow(rule, storeDay(now)))
  const lines = [priceListColumns, ...rows.map((row) => priceListColumns.map((column) => row[column]))]
  const draft = {
    slug: 'fleets',
    formKey: '00000000-0000-4000-8000-000000000201',
    name: 'Next year',
    file: new Blob([lines.map((cells) => cells.join(',')).join('\n')]),
  }
  accepted(
    'The price list’s draft',
    await uploadPriceList({ ...depsAt(client, now), findCatalogIds }, byStaff(staffEmail('finance')), draft),
  )
}

/** The pricing that applies to a demo person at `now`. */
export function pricingOf(email: DemoEmail, cache: CatalogCache, now: Temporal.Instant): AccountPricing {
  const type = demoAccountPeople.find((person) => person.email === email)?.type ?? 'Retail'
  const list = priceLists.find((each) => each.type === type)?.slug
  const rules = demoRules(cache).filter((rule) => rule.list === list)
  return {
    type,
    list: priceListAt(
      rules.map(({ scope, formula }, id) => ({ id, scope, formula, since, until: null })),
      now,
    ),
  }
}
