/** Price rules in the back office. Their prices are published as a price import. */
import { listCompetitorPrices, startImport, storeUpload } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { selectTireSupply, type TireSupply } from '#domain/supply/stock/stock.server.ts'
import {
  noEffect,
  ruledPrice,
  ruleFor,
  termsText,
  tiresOfRule,
  withTires,
  type CompetitorPrice,
  type PricedTire,
  type PriceEffect,
  type PriceRule,
  type PriceRuleInput,
} from './price-rules.ts'
import {
  deletePriceRule,
  insertPriceRule,
  lockPriceRules,
  maxPriceRules,
  selectPriceRules,
  updatePriceRule,
} from './price-rules.sql.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'

type Deps = { db: Database; clock: Clock }

/** Lists all rules, by brand and supplier. */
export function listPriceRules({ db }: Pick<Deps, 'db'>): Promise<PriceRule[]> {
  return selectPriceRules(db)
}

type EditRefusal = Refused<'not-allowed'> | Refused<'not-found'> | Refused<'changed-meanwhile'>
type SaveRefusal =
  | EditRefusal
  | Refused<'rule-exists'>
  | Refused<'no-brand'>
  | Refused<'no-supplier'>
  | Refused<'too-many', number>

const violations: Readonly<Record<string, Refused<'rule-exists'> | Refused<'no-brand'> | Refused<'no-supplier'>>> = {
  retail_price_rule_of_tires: refused('rule-exists'),
  retail_price_rule_brand_id_fkey: refused('no-brand'),
  retail_price_rule_supplier_id_fkey: refused('no-supplier'),
}

/**
 * Changes a rule, or adds one if `id` is null, and returns its ID. Refuses a second rule for the same brand and
 * supplier, and a change of a version that isn't the latest.
 */
export async function savePriceRule(
  { db, clock }: Deps,
  by: Actor,
  { id, rule }: { id: number | null; rule: PriceRuleInput },
): Promise<Outcome<{ id: number }, SaveRefusal>> {
  try {
    return await db.transaction().execute((tx) => save(tx, by, { id, rule, at: clock.now() }))
  } catch (error) {
    const violated = violations[violatedConstraint(error) ?? '']
    if (violated) return violated
    throw error
  }
}

async function save(
  tx: Tx,
  by: Actor,
  { id, rule, at }: { id: number | null; rule: PriceRuleInput; at: Temporal.Instant },
): Promise<Outcome<{ id: number }, SaveRefusal>> {
  const permitted = await requirePermission(tx, by, 'catalog.import', at)
  if (!permitted.ok) return permitted
  await lockPriceRules(tx)
  const rules = await selectPriceRules(tx)
  const before = rules.find((each) => each.id === id)
  if (id === null && rules.length >= maxPriceRules) return refused('too-many', maxPriceRules)
  if (id !== null && !before) return refused('not-found')
  if (before && before.version !== rule.version) return refused('changed-meanwhile')
  const change = { by: by.name, at }
  if (before) await updatePriceRule(tx, before.id, rule, change)
  const savedId = before?.id ?? (await insertPriceRule(tx, rule, change))
  const saved = (await selectPriceRules(tx)).find((each) => each.id === savedId)
  await recordAct(tx, {
    by,
    act: before ? 'price-rule.changed' : 'price-rule.added',
    subject: saved ? tiresOfRule(saved) : `rule ${savedId}`,
    ...(before && { before: recorded(before) }),
    after: saved && recorded(saved),
    at,
  })
  return ok({ id: savedId })
}

/** Removes a rule. Prices stay until the next price import. */
export async function removePriceRule(
  { db, clock }: Deps,
  by: Actor,
  { id, version }: { id: number; version: number },
): Promise<Outcome<null, EditRefusal>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'catalog.import', at)
    if (!permitted.ok) return permitted
    await lockPriceRules(tx)
    const before = (await selectPriceRules(tx)).find((rule) => rule.id === id)
    if (!before) return refused('not-found')
    if (before.version !== version) return refused('changed-meanwhile')
    await deletePriceRule(tx, id)
    await recordAct(tx, {
      by,
      act: 'price-rule.removed',
      subject: tiresOfRule(before),
      before: recorded(before),
      at,
    })
    return ok(null)
  })
}

function recorded(rule: PriceRule) {
  return { brand: rule.brand ?? 'all', supplier: rule.supplier ?? 'any', rule: termsText(rule) }
}

/** Tires read at a time, and the most that a preview counts. */
const tiresPerPage = 2_000
const maxPreviewed = 100_000

/** Reads active tires in pages with their prices by the rules. */
async function* pricedTires({ db, clock }: Deps, rules: readonly RuleTerms[]): AsyncGenerator<PricedTire[]> {
  const today = storeDay(clock.now())
  const maxDays = Math.max(0, ...rules.map(({ competitorDays }) => competitorDays ?? 0))
  let after = 0
  for (;;) {
    const tires = await selectTireSupply(db, { after, limit: tiresPerPage })
    const last = tires.at(-1)
    if (!last) return
    const prices = await listCompetitorPrices(db, { itemIds: tires.map(({ itemId }) => itemId), today, maxDays })
    const competitors = Map.groupBy(prices, ({ itemId }) => itemId)
    yield tires.map((tire) => priced(rules, tire, competitors.get(tire.itemId) ?? []))
    after = last.itemId
  }
}

type RuleTerms = Omit<PriceRule, 'id' | 'brand' | 'supplier' | 'version'>

function priced(rules: readonly RuleTerms[], tire: TireSupply, competitors: readonly CompetitorPrice[]): PricedTire {
  const { sku, name, retailCents, mapCents, freightCents } = tire
  const rule = ruleFor(rules, tire)
  const costs = { costCents: tire.costCents ?? 0, highestCostCents: tire.highestCostCents ?? 0, mapCents }
  const ruled = !rule ? 'no-rule' : tire.costCents === null ? 'no-cost' : ruledPrice(rule, costs, competitors)
  return { sku, name, retailCents, freightCents, ...costs, ruled }
}

/**
 * Returns the rules' effect. `edited` replaces the saved rule `id`, or is a new rule if that is null.
 */
export async function previewPrices(
  deps: Deps,
  edited: { id: number | null; rule: PriceRuleInput } | null,
): Promise<PriceEffect> {
  const saved = await selectPriceRules(deps.db)
  const rules = edited ? [...saved.filter(({ id }) => id !== edited.id), edited.rule] : saved
  let effect = noEffect
  for await (const tires of pricedTires(deps, rules)) {
    effect = withTires(effect, tires)
    if (effect.tires >= maxPreviewed) return { ...effect, isPartial: true }
  }
  return effect
}

type PublishRefusal = Refused<'not-allowed'> | Refused<'nothing-changes'> | Refused<'not-started'>

/**
 * Makes a price import of every price that the rules change, and returns its number. Staff preview and publish it as
 * any import. The same `key` returns the same import.
 */
export async function publishPrices(
  deps: Deps,
  by: Actor,
  { key }: { key: string },
): Promise<Outcome<{ import: number }, PublishRefusal>> {
  const { db, clock } = deps
  const permitted = await db.transaction().execute((tx) => requirePermission(tx, by, 'catalog.import', clock.now()))
  if (!permitted.ok) return permitted
  const bytes = pricesFile(deps, await selectPriceRules(db))
  const stored = await storeUpload(deps, by, { id: key, fileName: 'price-rules.csv', bytes })
  if (!stored.ok) return refused(stored.reason === 'empty' ? 'nothing-changes' : 'not-started')
  const started = await startImport(deps, by, { uploadId: key, kind: 'prices', mode: 'per-row' })
  if (!started.ok) return started.reason === 'not-allowed' ? started : refused('not-started')
  const { runId } = started.value
  return runId === null ? refused('not-started') : ok({ import: runId })
}

/** Writes the changed prices as a file of prices; empty without one. */
async function* pricesFile(deps: Deps, rules: readonly PriceRule[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let isEmpty = true
  for await (const tires of pricedTires(deps, rules)) {
    const rows = tires.flatMap(({ sku, retailCents, ruled }) =>
      typeof ruled === 'object' && ruled.cents !== retailCents ? [`${csvCell(sku)},${ruled.cents}\n`] : [],
    )
    if (rows.length === 0) continue
    yield encoder.encode(`${isEmpty ? 'sku,price_cents\n' : ''}${rows.join('')}`)
    isEmpty = false
  }
}

const csvCell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
