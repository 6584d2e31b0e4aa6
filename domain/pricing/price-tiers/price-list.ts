/**
 * A price list calculates an account's price of an item. Of the current rules the narrowest applies, whatever its
 * price: item, then line, size, brand, every tire. Model comes before size because it is one manufacturer's tread,
 * while a size spans all manufacturers. Rules of one scope never overlap in time, so the result is unambiguous.
 */
import type { AccountType } from '#domain/pricing/pricing/pricing.ts'
import { PPM, rateOf } from '#platform/money.ts'

/** A price is based on retail, a fixed price, or our cost. Rates in ppm, amounts in cents. */
export type Formula =
  | { readonly kind: 'percent-off'; readonly ratePpm: number }
  | { readonly kind: 'fixed'; readonly amountCents: number }
  | { readonly kind: 'cost-plus'; readonly ratePpm: number; readonly amountCents: number }

export type RuleScope =
  | { readonly kind: 'item' | 'line' | 'brand'; readonly id: number }
  | { readonly kind: 'size'; readonly slug: string }
  | { readonly kind: 'every-tire' }

/** Applies from `since` to before `until`; null is unbounded. */
export type PriceRule = {
  readonly id: number
  readonly scope: RuleScope
  readonly formula: Formula
  readonly since: Temporal.Instant
  readonly until: Temporal.Instant | null
}

/** The rules of a list that apply at one moment, by scope. */
export type PriceList = {
  readonly rules: ReadonlyMap<string, PriceRule>
  /** The next time a rule starts or ends; null if there isn't one. */
  readonly until: Temporal.Instant | null
}

/** The prices of an account type. Without a list, or a rule for a tire, that is the retail price. */
export type AccountPricing = { readonly type: AccountType; readonly list: PriceList | null }

/** A price by account type, as input for pricing step 1. `unitCents` is null if the account has no custom price. */
export type AccountPrice = { readonly type: AccountType; readonly unitCents: number | null }

/** The input of a rule. `costCents` is null if our cost is not known. */
export type ListedItem = {
  readonly id: number
  readonly lineId: number
  readonly brandId: number
  readonly sizeSlug: string
  readonly retailCents: number
  readonly costCents: number | null
}

/** Returns the rules that apply at `now`. */
export function priceListAt(rules: readonly PriceRule[], now: Temporal.Instant): PriceList {
  const isBegun = ({ since }: PriceRule) => Temporal.Instant.compare(since, now) <= 0
  const isOver = ({ until }: PriceRule) => until !== null && Temporal.Instant.compare(until, now) <= 0
  const changes = rules
    .flatMap(({ since, until }) => [since, until])
    .filter((change) => change !== null && Temporal.Instant.compare(change, now) > 0)
  return {
    rules: new Map(rules.filter((rule) => isBegun(rule) && !isOver(rule)).map((rule) => [keyOf(rule.scope), rule])),
    until: changes.sort((a, b) => (a && b ? Temporal.Instant.compare(a, b) : 0))[0] ?? null,
  }
}

/**
 * Returns the account's price of a tire and its rule, in whole cents, rounded half up once; null if the account pays
 * retail. Never above retail and never zero, except special pricing, which applies as written.
 */
export function accountPrice(
  { type, list }: AccountPricing,
  item: ListedItem,
): { unitCents: number; rule: PriceRule } | null {
  const rule = list && ruleFor(list, item)
  const reckonedCents = rule && centsBy(rule.formula, item)
  if (reckonedCents === null || !rule) return null
  const unitCents = Math.max(1, reckonedCents)
  return type === 'Special Order' || unitCents < item.retailCents ? { unitCents, rule } : null
}

function ruleFor({ rules }: PriceList, { id, lineId, brandId, sizeSlug }: ListedItem): PriceRule | null {
  return (
    rules.get(`item ${id}`) ??
    rules.get(`line ${lineId}`) ??
    rules.get(`size ${sizeSlug}`) ??
    rules.get(`brand ${brandId}`) ??
    rules.get('every-tire') ??
    null
  )
}

function keyOf(scope: RuleScope): string {
  if (scope.kind === 'every-tire') return scope.kind
  return `${scope.kind} ${scope.kind === 'size' ? scope.slug : scope.id}`
}

function centsBy(formula: Formula, { retailCents, costCents }: ListedItem): number | null {
  switch (formula.kind) {
    case 'percent-off':
      return rateOf(retailCents, PPM - formula.ratePpm)
    case 'fixed':
      return formula.amountCents
    case 'cost-plus':
      return costCents === null ? null : rateOf(costCents, PPM + formula.ratePpm) + formula.amountCents
  }
}
