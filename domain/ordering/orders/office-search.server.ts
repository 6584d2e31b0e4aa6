/** Finding orders by what a caller or an email has of them. */
import { selectOfficeOrdersById, type OfficeOrder } from './office-list.sql.server.ts'
import {
  byCompany,
  byNumber,
  byNumberEnd,
  byNumberStart,
  byOrderIds,
  byPart,
  byPartOfNewest,
  byPhone,
  byPlate,
  byShop,
  bySku,
  byStart,
  byTrackingNumber,
  byTypo,
  byVinEnd,
  byWhole,
  byZip,
  selectOrderMatches,
  type OrderMatch,
  type Way,
} from './office-search.sql.server.ts'
import { parseOrderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db.ts'
import { isPart, match, readSearchText, readTypos, type Match } from '#platform/search-text.ts'

/** Shorter text would match a large part of the orders. */
const minLength = 2
const minPartLength = 3
/** Fewer digits start or end too many numbers. */
const minStartDigits = 3
const minEndDigits = 4
/** With fewer orders than this, names are also looked for with a typo. */
const fewOrders = 3

/** An order that was found, with how well it matches. */
export type FoundOrder = OfficeOrder & { match: Match }

export type OrderSearch = {
  /** False for staff without customer access, who can search only by order number, SKU and `jobOrders`. */
  byCustomer: boolean
  limit: number
  /** Orders with a job that matches by DOT number or VIN, from the work orders. */
  jobOrders: readonly number[]
}

/**
 * Finds up to `limit` orders, the best matches first, then the newest. Matches any part of the name, email, company and
 * PO number; the first or last digits of the order number and phone; ZIP code, SKU and license plate; the end of a VIN
 * or tracking number; an upcoming appointment's shop; and names with one typo.
 */
export async function searchOrders(
  { db, clock }: { db: Database; clock: Clock },
  text: string,
  { byCustomer, limit, jobOrders }: OrderSearch,
): Promise<FoundOrder[]> {
  const typed = text.toLowerCase()
  const now = clock.now()
  const direct = [
    ...byAnyone(typed, { limit, jobOrders }),
    ...(byCustomer && typed.length >= minLength ? byCustomerFields(typed, { limit, now }) : []),
  ]
  let found = await selectOrderMatches(db, direct, limit)
  if (byCustomer && !isIdentified(typed, found))
    for (const way of byParts(typed, { limit }))
      if (found.length < limit) found = merge(found, await selectOrderMatches(db, [way], limit), limit)
  const spellings = byCustomer && found.length < fewOrders ? readTypos(typed) : null
  if (spellings) found = merge(found, await selectOrderMatches(db, byTypo(spellings, { limit }), limit), limit)
  const orders = new Map(
    (
      await selectOfficeOrdersById(
        db,
        found.map(({ id }) => id),
      )
    ).map((order) => [order.id, order]),
  )
  return found.flatMap((each) => {
    const order = orders.get(each.id)
    return order ? [{ ...order, match: each.match }] : []
  })
}

/**
 * A number or an email that was found whole is hardly a part of others. Partial searches on an email typed up to its @
 * are as common as its name part, and might match only unrelated orders.
 */
function isIdentified(text: string, found: readonly OrderMatch[]): boolean {
  return text.endsWith('@') || (/[\d@]/.test(text) && found.some((order) => order.match === match.whole))
}

/** What many orders contain is met among the newest. The index is for what few contain. */
function byParts(text: string, bounds: { limit: number }): Way[] {
  return [
    ...(text.length >= minPartLength ? [byPartOfNewest(text, bounds)] : []),
    ...(isPart(text) ? [byPart(text, bounds)] : []),
  ]
}

function merge(found: readonly OrderMatch[], more: readonly OrderMatch[], limit: number): OrderMatch[] {
  const known = new Set(found.map(({ id }) => id))
  return [...found, ...more.filter(({ id }) => !known.has(id))].slice(0, limit)
}

/** Searches that don't reveal customer data. */
function byAnyone(text: string, { limit, jobOrders }: { limit: number; jobOrders: readonly number[] }): Way[] {
  const id = parseOrderNumber(text)
  const digits = id === undefined ? '' : text.replaceAll(/\D/g, '')
  return [
    ...(id === undefined ? [] : [byNumber(id)]),
    ...(isDigits(digits, minStartDigits) && !digits.startsWith('0') ? [byNumberStart(digits, { limit })] : []),
    ...(isDigits(digits, minEndDigits) ? [byNumberEnd(digits, { limit })] : []),
    ...(/^[\w./-]{4,40}$/.test(text) && /\d/.test(text) && /[a-z]/.test(text) ? [bySku(text, { limit })] : []),
    ...(jobOrders.length === 0 ? [] : [byOrderIds(jobOrders, { limit })]),
  ]
}

/** Order numbers have at most nine digits. */
function isDigits(digits: string, min: number): boolean {
  return digits.length >= min && digits.length < 9
}

function byCustomerFields(text: string, { limit, now }: { limit: number; now: Temporal.Instant }): Way[] {
  const { phone, zip } = readSearchText(text)
  const compact = text.replaceAll(/[\s-]/g, '')
  const code = /^[a-z0-9]+$/.test(compact) ? compact.toUpperCase() : ''
  return [
    ...byWhole(text, { limit }),
    ...byStart(text, { limit }),
    ...(phone === undefined ? [] : byPhone(phone, { limit })),
    ...(zip === undefined ? [] : [byZip(zip, { limit })]),
    ...(isPart(text) ? [byCompany(text, { limit }), byShop(text, { limit, now })] : []),
    // A VIN ends with digits. Most of them are stored as their last eight characters.
    ...(/^[A-HJ-NPR-Z0-9]{1,14}\d{3}$/.test(code) ? [byVinEnd(code.slice(-8), { limit })] : []),
    ...(code.length >= 3 && code.length <= 8 ? [byPlate(code, { limit })] : []),
    ...(compact.length >= 4 && compact.length <= 40 && /\d/.test(compact)
      ? [byTrackingNumber(compact, { limit })]
      : []),
  ]
}
