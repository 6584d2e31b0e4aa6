import type { ExplainRow, PriceBreakdown } from './price-breakdown.ts'

/**
 * Returns messages for discounts and prices that were lost as a side effect of a cart change. What the shopper chose
 * and no longer gets, such as roadside assistance, is in `ignored` of the price after the change; what the shopper took
 * out is not dropped.
 */
export function droppedOffers(before: PriceBreakdown, after: PriceBreakdown): string[] {
  const now = new Set(after.explain.map(({ key }) => key))
  const gone = before.explain.filter(({ key, kind }) => kind === 'discount' && !now.has(key))
  const rows = gone.flatMap((row) => {
    const reason = reasonOf(row, before, after)
    return reason === null ? [] : [`${row.label} (${row.amount}) no longer applies${reason}`]
  })
  const isRetail = after.accountType === 'Retail' || after.accountType === 'none'
  const lostLabel = before.accountType !== after.accountType && isRetail && after.passedOver === null
  return lostLabel && before.accountType !== 'none' && before.accountType !== 'Retail'
    ? [...rows, 'Your account’s price no longer applies. Your cart has today’s public price.']
    : rows
}

/** The reason appended to the message; null if the shopper removed it or another note explains it. */
function reasonOf({ key, detail }: ExplainRow, before: PriceBreakdown, after: PriceBreakdown): string | null {
  if (key === 'install-discount')
    return after.lines.some(({ kind }) => kind === 'installation')
      ? `: it needs ${detail}.`
      : ': it comes with installation.'
  if (key.startsWith('program:')) {
    const { kind } = before.program
    const isExplained = after.program.kind !== 'none' || after.ignored.some(({ what }) => what === kind)
    return isExplained || kind === 'coupon' ? null : '.'
  }
  if (key.startsWith('promotion:')) {
    const line = before.lines.find(({ id }) => key.startsWith(`promotion:${id}:`))
    const left = line && after.lines.find(({ id }) => id === line.id)
    if (!left) return null
    const ignored = after.ignored.find(({ what, lineId }) => what === 'item-promotion' && lineId === left.id)
    return ignored ? `. ${ignored.text}` : ' to your cart.'
  }
  return '.'
}
