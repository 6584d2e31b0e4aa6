/** Pure planning of parcel moves out of a closing warehouse. */
import { z } from 'zod'

/** An unshipped parcel. Days are YYYY-MM-DD. */
export type UnshippedParcel = {
  id: string
  orderId: number
  zip: string
  isReleased: boolean
  /** Whether its label was bought, so that only its own warehouse can ship it. */
  isLabeled: boolean
  promisedOn: string
  expectedOn: string | null
  items: { itemId: number; sku: string; quantity: number }[]
  /** All warehouses that ship parts of the order. */
  shipsFrom: number[]
}

/** Another open warehouse of the store, with its free units by tire. */
export type OtherWarehouse = { id: number; code: string; name: string; free: ReadonlyMap<number, number> }

/** `nowhere` means that one tire is missing in every other warehouse, `split` that each has only some of the tires. */
export type NotMoved =
  | { why: 'labeled' }
  | { why: 'nowhere'; sku: string }
  | { why: 'split' }
  | { why: 'late'; code: string; arrivesOn: string }

export type PlannedParcel = UnshippedParcel & {
  to: { id: number; code: string; name: string; arrivesOn: string } | null
  notMoved: NotMoved | null
}

/**
 * Plans each parcel's new warehouse in the given order, counting each unit once. A warehouse qualifies if it has all
 * tires, ships no other part of the order, and delivers by the promised day or a later expected day. Late parcels use
 * the earliest arrival. `arrivals` returns arrival days by warehouse id.
 */
export function planReallocation(
  parcels: readonly UnshippedParcel[],
  warehouses: readonly OtherWarehouse[],
  { today, arrivals }: { today: string; arrivals: (parcel: UnshippedParcel) => ReadonlyMap<number, string> },
): PlannedParcel[] {
  const left = new Map(warehouses.map(({ id, free }) => [id, new Map(free)]))
  const leftIn = (id: number, itemId: number) => left.get(id)?.get(itemId) ?? 0
  return parcels.map((parcel): PlannedParcel => {
    const fail = (notMoved: NotMoved) => ({ ...parcel, to: null, notMoved })
    if (parcel.isLabeled) return fail({ why: 'labeled' })
    const others = warehouses.filter(({ id }) => !parcel.shipsFrom.includes(id))
    const scarce = parcel.items.find(({ itemId, quantity }) => others.every(({ id }) => leftIn(id, itemId) < quantity))
    if (scarce) return fail({ why: 'nowhere', sku: scarce.sku })
    const days = arrivals(parcel)
    const [first] = others
      .filter(({ id }) => parcel.items.every(({ itemId, quantity }) => leftIn(id, itemId) >= quantity))
      .flatMap(({ id, code, name }) => {
        const arrivesOn = days.get(id)
        return arrivesOn === undefined ? [] : [{ id, code, name, arrivesOn }]
      })
      .toSorted((a, b) => (a.arrivesOn < b.arrivesOn ? -1 : a.arrivesOn > b.arrivesOn ? 1 : a.id - b.id))
    if (!first) return fail({ why: 'split' })
    const { promisedOn, expectedOn } = parcel
    const dueOn = expectedOn !== null && expectedOn > promisedOn ? expectedOn : promisedOn
    if (first.arrivesOn > dueOn && dueOn >= today)
      return fail({ why: 'late', code: first.code, arrivesOn: first.arrivesOn })
    const units = left.get(first.id)
    for (const { itemId, quantity } of parcel.items) units?.set(itemId, leftIn(first.id, itemId) - quantity)
    return { ...parcel, to: first, notMoved: null }
  })
}

/** The number of parcels moved at a time, and the number planned, since many may have to stay. */
export const maxReallocated = 50
export const maxPlanned = 500

const move = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([1-9]\d{0,3})$/

/** The previewed moves, such as "parcel:warehouse", separated by spaces. */
export const reallocationForm = z.object({
  moves: z
    .string()
    .max(maxReallocated * 42, 'Too many packages.')
    .transform((text) =>
      text.split(' ').flatMap((each) => {
        const [, shipmentId, to] = move.exec(each) ?? []
        return shipmentId && to ? [{ shipmentId, to: Number(to) }] : []
      }),
    ),
})
