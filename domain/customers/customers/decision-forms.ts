/** The forms of notes, blocks, merges, and erasures of customers. */
import { z } from 'zod'
import { countOf } from '#platform/count-text.ts'

/** Days within which a merge can be undone. */
export const undoMergeDays = 30

/** The longest reason of a block, in characters. */
export const maxBlockReason = 500

/** The longest reason to erase a customer, in characters. */
export const maxErasureReason = 500

/** The longest note on a customer, in characters. */
export const maxCustomerNote = 2_000

/** The longest name of a vehicle that staff type, in characters. */
export const maxVehicleText = 120

function text(message: string, max: number) {
  return z
    .string(message)
    .trim()
    .min(1, message)
    .max(max, `Please keep this under ${countOf(max, 'character')}.`)
}

/** `once` is the form's idempotency key. */
export const customerNoteForm = z.object({ once: z.string().max(64), body: text('Write a note.', maxCustomerNote) })

/** `vehicle` is its year, make and model as staff type it. */
export const customerVehicleForm = z.object({
  vehicle: text('Enter the year, make and model.', maxVehicleText),
})

export const blockForm = z.object({ reason: text('Enter a reason for your team.', maxBlockReason) })

export const erasureForm = z.object({
  reason: text('Enter a reason, such as how the customer made the request.', maxErasureReason),
})

/** `other` is the ID of the other customer. */
export const otherCustomerForm = z.object({ other: z.string().max(64) })
