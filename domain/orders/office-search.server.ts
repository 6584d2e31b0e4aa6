/** Finding orders by what a caller or an email has of them. */
import { selectOfficeOrdersById, type OfficeOrder } from '#domain/orders/office-list.sql.server.ts'
import { selectOrderIds, type SearchKey } from '#domain/orders/office-search.sql.server.ts'
import { parseOrderNumber } from '#domain/orders/orders.ts'
import { vinEnd } from '#domain/vehicles/vehicles.ts'
import type { Database } from '#platform/db.ts'

const perKey = 10
/** Shorter beginnings would match a large part of the orders. */
const leastLetters = 2
const leastDigits = 4

/**
 * Finds orders by number, email, phone, name, purchase order, tracking number or the last eight characters of the VIN:
 * whole values first, then how all but number, tracking number and VIN begin. At most ten for each, newest first. For staff
 * who do not see customers (`byCustomer` false), nothing is found by email, phone or name.
 */
export async function searchOrders(
  { db }: { db: Database },
  text: string,
  { byCustomer = true }: { byCustomer?: boolean } = {},
): Promise<OfficeOrder[]> {
  const keys = keysOf(text).filter(({ by }) => byCustomer || !customerKeys.has(by))
  const found = await Promise.all(keys.map((key) => selectOrderIds(db, key, perKey)))
  return selectOfficeOrdersById(db, [...new Set(found.flat())])
}

const customerKeys: ReadonlySet<SearchKey['by']> = new Set(['email', 'phone', 'last name', 'full name'])

/** What `text` may be. */
function keysOf(text: string): SearchKey[] {
  const id = parseOrderNumber(text)
  const digits = text.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  const isPhone = /^[\d\s().+-]+$/.test(text) && digits.length >= leastDigits && digits.length <= 10
  const end = vinEnd(text)
  if (text.length < leastLetters) return id === undefined ? [] : [{ by: 'id', id }]
  return [
    ...(id === undefined ? [] : [{ by: 'id', id } as const]),
    ...(isPhone ? [{ by: 'phone', start: digits } as const] : []),
    ...(/^[\w.+-]+(?:@|$)/.test(text) ? [{ by: 'email', start: text } as const] : []),
    ...(/\p{L}/u.test(text) && !text.includes('@')
      ? [{ by: 'last name', start: text } as const, { by: 'full name', start: text } as const]
      : []),
    { by: 'purchase order', start: text },
    { by: 'tracking number', is: text.replaceAll(/\s/g, '') },
    ...(end === undefined ? [] : [{ by: 'end of VIN', is: end } as const]),
  ]
}
