/** The states of a case, which is a request that a shopper files and staff decide once. Safe in the browser. */
import type { Transitions } from '#platform/transitions.ts'

export const caseStates = ['open', 'approved', 'refused'] as const
export type CaseState = (typeof caseStates)[number]
export const caseLife: Transitions<CaseState> = { open: ['approved', 'refused'], approved: [], refused: [] }
