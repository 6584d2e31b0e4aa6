/** Finding orders by what a caller or an email has of them. */
import { selectOfficeOrdersById, type OfficeOrder } from '#domain/orders/office-list.sql.server.ts'
import { selectOrderIds, type SearchKey } from '#domain/orders/office-search.sql.server.ts'
import { parseOrderNumber } from '#domain/orders/orders.ts'
import { vinEnd } from '#domain/vehicles/vehicles.ts'
import type { Database } from '#platform/db.ts'
import { isPart, readSearchText } from '#platform/search-text.ts'

const perKey = 10
/** Shorter beginnings would match a large part of the orders. */
const leastLetters = 2

/**
 * Finds orders by number, email, phone, name, ZIP, purchase order, tracking number or the last eight characters of the
 * VIN. Email, phone, name and purchase order may be their beginning, a phone its last four digits or more, a name any
 * three letters of it. At most ten for each, newest first. For staff who do not see customers (`byCustomer` false),
 * nothing is found by email, phone, name or ZIP.
 */
export async function searchOrders(
  { db }: { db: Database },
  text: string,
  { byCustomer = true }: { byCustomer?: boolean } = {},
): Promise<OfficeOrder[]> {
  const keys = keysOf(text).filter(({ by }) => byCustomer || !customerKeys.has(by))
  const found = (await Promise.all(keys.map((key) => selectOrderIds(db, key, perKey)))).flat()
  // Beginnings come before what only contains the text: that is looked for where they leave room.
  const isShort = byCustomer && isName(text) && isPart(text) && found.length < perKey
  const more = isShort ? await selectOrderIds(db, { by: 'part of name', part: text }, perKey) : []
  return selectOfficeOrdersById(db, [...new Set([...found, ...more])])
}

const customerKeys: ReadonlySet<SearchKey['by']> = new Set([
  'email',
  'phone',
  'end of phone',
  'last name',
  'full name',
  'ZIP',
])

/** What `text` may be. */
function keysOf(text: string): SearchKey[] {
  const id = parseOrderNumber(text)
  const { phone, zip } = readSearchText(text)
  const end = vinEnd(text)
  if (text.length < leastLetters) return id === undefined ? [] : [{ by: 'id', id }]
  return [
    ...(id === undefined ? [] : [{ by: 'id', id } as const]),
    ...(phone === undefined
      ? []
      : [{ by: 'phone', start: phone } as const, { by: 'end of phone', part: phone } as const]),
    ...(zip === undefined ? [] : [{ by: 'ZIP', is: zip } as const]),
    ...(/^[\w.+-]+(?:@|$)/.test(text) ? [{ by: 'email', start: text } as const] : []),
    ...(isName(text) ? [{ by: 'last name', start: text } as const, { by: 'full name', start: text } as const] : []),
    { by: 'purchase order', start: text },
    { by: 'tracking number', is: text.replaceAll(/\s/g, '') },
    ...(end === undefined ? [] : [{ by: 'end of VIN', is: end } as const]),
  ]
}

function isName(text: string): boolean {
  return /\p{L}/u.test(text) && !text.includes('@')
}
