/** Charge dispute numbers and labels. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'
import type { DisputeState } from '#domain/payments/payments/provider-records.port.ts'

export const disputeStates = [
  'needs-response',
  'under-review',
  'won',
  'lost',
  'closed',
] as const satisfies DisputeState[]

export const disputeStateWords: Readonly<Record<DisputeState, string>> = {
  'needs-response': 'To answer',
  'under-review': 'With the bank',
  won: 'Won',
  lost: 'Lost',
  closed: 'Closed',
}

export const disputeKinds = { dispute: 'Dispute', inquiry: 'Inquiry', warning: 'Fraud warning' } as const
export type DisputeKind = keyof typeof disputeKinds

/** "fraudulent" as people read it: "Fraudulent". */
export function reasonWords(reason: string): string {
  const words = reason.slice(0, 100).replaceAll(/[_-]+/g, ' ').toLowerCase()
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** "D-12", as a dispute is called here. */
export function disputeNumber(id: number): string {
  return `D-${id}`
}

/** The id of "D-12"; undefined for anything else. */
export function parseDisputeNumber(text: string): number | undefined {
  const digits = /^D-([1-9]\d{0,14})$/.exec(text.slice(0, 20))?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export const longestNotes = 10_000

/** The notes on a dispute, at the top of its evidence. */
export const disputeNotesForm = z.object({
  notes: z
    .string()
    .trim()
    .max(longestNotes, `Please keep this under ${countOf(longestNotes, 'character')}.`)
    .default(''),
})
