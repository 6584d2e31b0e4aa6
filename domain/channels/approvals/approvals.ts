/** Terms and forms for orders pending their company's approval. Safe in the browser. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'

export type ApprovalState = 'waiting' | 'approved' | 'refused' | 'withdrawn' | 'expired'

export const approvalStateNames: Readonly<Record<ApprovalState, string>> = {
  waiting: 'Waiting',
  approved: 'Approved',
  refused: 'Not approved',
  withdrawn: 'Taken back',
  expired: 'Expired',
}

export const mostReasonLetters = 500

/** Why an order is not approved; the requester reads it. */
export const refuseForm = z.object({
  reason: z
    .string('Say why, in a few words.')
    .trim()
    .min(1, 'Say why, in a few words.')
    .max(mostReasonLetters, `Please keep this under ${countOf(mostReasonLetters, 'character')}.`),
})
