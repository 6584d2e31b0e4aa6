/** The form of a stored set's place. Safe in the browser. */
import { countOf } from '#platform/count-text.ts'
import { z } from 'zod'

/** The longest place, such as "Rack 4, shelf B". */
export const longestPlace = 40

/** Returns the name of a set's place field; one page lists several sets. */
export function placeField(orderId: number): string {
  return `place-${orderId}`
}

const placeInput = z
  .string()
  .trim()
  .max(longestPlace, `Use up to ${countOf(longestPlace, 'character')}.`)

/** Reads a set's order and place from a form. An empty place is null. Undefined if the form names no order. */
export function readStoredSet(
  fields: URLSearchParams,
): { orderId: number; place: { ok: true; value: string | null } | { ok: false; message: string } } | undefined {
  const order = fields.get('order') ?? ''
  if (!/^[1-9]\d{0,14}$/.test(order)) return undefined
  const orderId = Number(order)
  const read = placeInput.safeParse(fields.get(placeField(orderId)) ?? '')
  if (read.success) return { orderId, place: { ok: true, value: read.data || null } }
  return { orderId, place: { ok: false, message: read.error.issues[0]?.message ?? '' } }
}
