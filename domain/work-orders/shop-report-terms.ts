/** What shops report about the pieces they receive. Safe in the browser. */

export const shopReportKinds = { short: 'Short', damaged: 'Damaged' } as const
export type ShopReportKind = keyof typeof shopReportKinds

export const shopReportStates = ['open', 'closed'] as const
export type ShopReportState = (typeof shopReportStates)[number]
export const shopReportStateWords: Readonly<Record<ShopReportState, string>> = { open: 'Open', closed: 'Closed' }

/** "R-3001". */
export function shopReportNumber(id: number): string {
  return `R-${id}`
}

/** Parses a report's number; undefined for anything else. */
export function parseShopReportNumber(text: string): number | undefined {
  const digits = /^R-([1-9]\d{0,11})$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
