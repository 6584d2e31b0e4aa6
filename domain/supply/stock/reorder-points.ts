/** Reorder points and their form. Safe in the browser. */
import { z } from 'zod'

/** A tire's available quantity in a warehouse, and its quantity on open stock orders. */
type Position = { free: number; incoming: number; reorderAt: number; orderUpTo: number }

/**
 * Returns the units to order, up to `orderUpTo`, once available and incoming units come to `reorderAt` or fewer,
 * otherwise 0. Incoming units count, to prevent duplicate orders.
 */
export function suggestedUnits({ free, incoming, reorderAt, orderUpTo }: Position): number {
  return free + incoming <= reorderAt ? orderUpTo - free - incoming : 0
}

const idField = (message: string) => z.coerce.number(message).int(message).min(1, message).max(32_767, message)
const units = (message: string) =>
  z
    .string(message)
    .trim()
    .max(5, message)
    .default('')
    .transform((text, context) => {
      if (text === '') return null
      if (/^\d{1,5}$/.test(text) && Number(text) <= 10_000) return Number(text)
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .meta({ formUnit: 'number' })

/** The reorder point of a tire in a warehouse; both numbers empty remove it. */
export const reorderPointForm = z
  .object({
    reorderWarehouse: idField('Choose a warehouse.'),
    reorderSupplier: idField('Choose a supplier.'),
    reorderAt: units('Enter 0 to 9,999 units.'),
    orderUpTo: units('Enter 1 to 10,000 units.'),
  })
  .superRefine(({ reorderAt, orderUpTo }, issues) => {
    const fault = (path: string, message: string) => issues.addIssue({ code: 'custom', path: [path], message })
    if (reorderAt === null && orderUpTo !== null) fault('reorderAt', 'Enter 0 to 9,999 units.')
    if (orderUpTo === null && reorderAt !== null) fault('orderUpTo', 'Enter 1 to 10,000 units.')
    if (reorderAt !== null && orderUpTo !== null && orderUpTo <= reorderAt)
      fault('orderUpTo', 'Enter more units than the reorder point.')
  })
