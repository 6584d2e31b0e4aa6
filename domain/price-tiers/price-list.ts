/**
 * A price list makes an account's price out of an item. Of the rules that hold now the narrowest counts, whatever it
 * comes to: one for the item, else for its line, its size, its brand, else for every tire. A line comes before a size
 * because it is one maker's tread, while a size is every maker's. Two rules of one scope never hold at one time, so
 * there is nothing else to decide.
 */
import type { AccountType } from '#domain/pricing/pricing.ts'
import { PPM, rateOf } from '#platform/money.ts'

/** What the price is made of: retail, the rule alone, or what the tire costs us. Rates in ppm, amounts in cents. */
export type Formula =
  | { readonly kind: 'percent-off'; readonly ratePpm: number }
  | { readonly kind: 'fixed'; readonly amountCents: number }
  | { readonly kind: 'cost-plus'; readonly ratePpm: number; readonly amountCents: number }

export type RuleScope =
  | { readonly kind: 'item' | 'line' | 'brand'; readonly id: number }
  | { readonly kind: 'size'; readonly slug: string }
  | { readonly kind: 'every-tire' }

/** It holds from `since` to before `until`; null is without an end. */
export type PriceRule = {
  readonly id: number
  readonly scope: RuleScope
  readonly formula: Formula
  readonly since: Temporal.Instant
  readonly until: Temporal.Instant | null
}

/** The rules of a list that hold at one moment, by what they are for. */
export type PriceList = {
  readonly rules: ReadonlyMap<string, PriceRule>
  /** When the next rule begins or ends; null when none does. */
  readonly until: Temporal.Instant | null
}

/** The prices of an account's type. Without a list, or without a rule for a tire, that is the retail price. */
export type AccountPricing = { readonly type: AccountType; readonly list: PriceList | null }

/**
 * A price by account type, as step 1 of the price order takes it: `unitCents` is null where the account has no price of
 * its own.
 */
export type AccountPrice = { readonly type: AccountType; readonly unitCents: number | null }

/** What a rule looks at. `costCents` is null where we do not know what the tire costs us. */
export type ListedItem = {
  readonly id: number
  readonly lineId: number
  readonly brandId: number
  readonly sizeSlug: string
  readonly retailCents: number
  readonly costCents: number | null
}

/** The rules that hold at `now`. */
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
 * The account's own price of a tire with the rule it comes from, in whole cents, rounded half up once; null where it
 * has none, which is the retail price. Never above retail and never nothing, except special pricing, which is taken as
 * it is written.
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
