/** The preview of price rules in words. */
import type { FormEffect } from '#app/forms/form.ts'
import type { PriceEffect } from '#domain/catalog/price-rules/price-rules.ts'
import { countText, countOf } from '#platform/count-text.ts'
import { formatCents } from '#platform/money.ts'

/** Returns the number of changed prices, the lowest margin, and the largest changes. */
export function priceEffect(effect: PriceEffect): FormEffect {
  const { changes, raised, lowestMarginPpm: lowest, largest } = effect
  const average = (cents: number) => formatCents(Math.round(cents / changes))
  const rows: FormEffect['rows'][number][] = [
    { label: 'Changed prices', value: `${countText(changes)} of ${countText(effect.tires)}` },
    { label: 'Raised', value: countText(raised) },
    { label: 'Reduced', value: countText(changes - raised) },
    ...(changes > 0
      ? [{ label: 'Average changed price', value: `${average(effect.fromCents)} to ${average(effect.toCents)}` }]
      : []),
    ...(lowest === null ? [] : [{ label: 'Lowest margin', value: `${(Math.floor(lowest / 1_000) / 10).toFixed(1)}%` }]),
    { label: 'At the minimum margin', value: countText(effect.byMargin) },
    { label: 'At MAP', value: countText(effect.byMap) },
    ...(effect.byCompetitor > 0 ? [{ label: 'Reduced to competitors', value: countText(effect.byCompetitor) }] : []),
    ...(effect.withFreight > 0 ? [{ label: 'With freight in the cost', value: countText(effect.withFreight) }] : []),
    { label: 'Without a rule', value: countText(effect.withoutRule) },
    { label: 'Without a known cost', value: countText(effect.withoutCost) },
  ]
  const other = {
    title: 'Largest changes',
    rows: largest.map(({ sku, name, fromCents, toCents, competitor }) => ({
      label: name,
      note: competitor === null ? sku : `${sku}, ${competitor.competitor} has ${formatCents(competitor.cents)}`,
      value: `${formatCents(fromCents)} to ${formatCents(toCents)}`,
    })),
  }
  return {
    rows,
    ...(effect.isPartial && { note: `Counts the first ${countOf(effect.tires, 'tire')}.` }),
    ...(largest.length > 0 && { other }),
  }
}
