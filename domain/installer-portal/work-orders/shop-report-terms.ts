/** Shop reports about received tires. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'

/** What a shop can say of pieces. */
export const pieceReportKinds = { short: 'Short', damaged: 'Damaged' } as const
export type PieceReportKind = keyof typeof pieceReportKinds

/** `stranded`: tires that are at a shop, or on their way to it, that refused their job; reported by the refusal itself. */
export const shopReportKinds = { ...pieceReportKinds, stranded: 'To move to another shop' } as const
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

/** In characters. */
export const longestShopReportAnswer = 1_000

/** The form of an answer, which the shop reads word for word. */
export const shopReportAnswerForm = z.object({
  answer: z
    .string('Write an answer.')
    .trim()
    .min(1, 'Write an answer.')
    .max(longestShopReportAnswer, `Please keep this under ${countOf(longestShopReportAnswer, 'character')}.`),
})
