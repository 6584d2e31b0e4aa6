import { expect, test } from 'vitest'
import { candidatesOf, makeItem } from './items.ts'
import { makeLines } from './lines.ts'
import { supplySomeOrders } from './demo-supplies.ts'
import { rowsOfOrders } from './order-rows.ts'
import { deliveryPlaces, readZips } from '#db/reference/zips.ts'
import { makeCalendars } from './sample-bookings.ts'
import { makeStories, type Ending } from './sample-orders.ts'
import { baysOf, closuresOf, hoursOf, ratesOf } from './shop-details.ts'
import { makeShops, readShopSites } from './shops.ts'
import { readSizes } from './sizes.ts'
import { readVehicles } from '#db/reference/vehicles.ts'
import { inTurn } from '../../tools/rotation.testing.ts'

const now = Temporal.Instant.from('2026-11-20T17:00:00Z')
const { vehicles, fitments } = readVehicles()
const sizes = readSizes(fitments)
const lines = makeLines()
const items = lines
  .flatMap((line) => candidatesOf(line, sizes).slice(0, 8))
  .map((candidate, index) => makeItem(candidate, index + 1, Temporal.PlainDate.from('2026-11-16')))
const places = deliveryPlaces(readZips())
const shops = makeShops(readShopSites(places), 4, places)
const busy = [...shops.slice(0, 8), ...shops.slice(-2)]
const [bays, hours, closures] = [baysOf(busy), hoursOf(busy), closuresOf(busy, Temporal.PlainDate.from('2026-11-20'))]
const storiesAt = (at: Temporal.Instant) =>
  makeStories(
    {
      vehicles,
      fitments,
      lines,
      sizes,
      items,
      calendars: makeCalendars(busy, bays, hours, closures),
      rates: Map.groupBy(ratesOf(busy), (rate) => rate.shop_id),
      keys: {
        companies: {
          marsh: { id: 'marsh', name: 'Marsh Equipment Rental', netDays: 30 },
          grant: { id: 'grant', name: 'Grant Delivery', netDays: 30 },
          livery: { id: 'livery', name: 'Lakeview Livery', netDays: 30 },
        },
        referralCodes: { 'mona@example.com': 'mwebb23456', 'paula@example.com': 'pqrtz23456' },
      },
    },
    at,
  )
const stories = storiesAt(now)
const rows = rowsOfOrders(stories, places.slice(0, 50), now)
const instant = (value: unknown): Temporal.Instant => Temporal.Instant.from(String(value))
const isBefore = (a: unknown, b: unknown): boolean => Temporal.Instant.compare(instant(a), instant(b)) < 0

test('there are orders in every state, numbered below the first real one, in the order they were placed', () => {
  expect(new Set(rows.sales_order.map((order) => order.state))).toEqual(
    new Set(['needs-confirmation', 'confirmed', 'canceled', 'returned']),
  )
  expect(new Set(rows.shipment.map((shipment) => shipment.state))).toEqual(
    new Set(['processed', 'pending-pickup', 'in-transit', 'delivered', 'canceled']),
  )
  expect(new Set(rows.booking.map((booking) => booking.state))).toEqual(
    new Set(['confirmed', 'done', 'no-show', 'canceled']),
  )
  expect(Math.max(...rows.sales_order.map((order) => Number(order.id)))).toBeLessThan(104_001)
  expect(
    rows.sales_order.filter(
      (order, index) => index > 0 && isBefore(order.placed_at, rows.sales_order[index - 1]?.placed_at),
    ),
  ).toEqual([])
  expect(rows.sales_order.filter((order) => !isBefore(order.placed_at, now))).toEqual([])
})

test('every ledger transfer balances, and receivables are settled except for uncharged orders', () => {
  const sums = [...Map.groupBy(rows.ledger_entry, (entry) => entry.transfer_id).values()].map((entries) =>
    entries.reduce((sum, entry) => sum + entry.amount_cents, 0),
  )
  expect(sums.filter((sum) => sum !== 0)).toEqual([])
  const owed = Map.groupBy(
    rows.ledger_entry.filter((entry) => entry.account === 'receivable'),
    (entry) => entry.order_id,
  )
  const open = [...owed]
    .filter(([, entries]) => entries.reduce((sum, entry) => sum + entry.amount_cents, 0) !== 0)
    .map(([id]) => id)
  const invoiced = new Set(
    rows.invoice.filter((invoice) => invoice.state === 'open').map((invoice) => invoice.order_id),
  )
  expect(invoiced.size).toBeGreaterThan(1)
  expect(open).toEqual(
    rows.sales_order
      .filter((order) => order.state === 'needs-confirmation' || invoiced.has(Number(order.id)))
      .map((order) => order.id),
  )
})

test('an order’s lines and the amounts collected for others add up to its total and its charge or invoice', () => {
  const linesOf = Map.groupBy(rows.order_line, (line) => line.order_id)
  const chargeOf = new Map([...rows.payment, ...rows.invoice].map((paid) => [paid.order_id, paid.amount_cents]))
  const wrong = rows.sales_order.filter((order) => {
    const sum = (linesOf.get(Number(order.id)) ?? []).reduce(
      (total, line) => total + line.net_cents + line.tax_cents + line.fet_cents + line.tire_fee_cents,
      0,
    )
    return sum !== order.total_cents || chargeOf.get(Number(order.id)) !== order.total_cents
  })
  expect(wrong).toEqual([])
})

test('appointments are within business hours, and no bay is double-booked', () => {
  const closed = new Set(closures.map((closure) => `${closure.shop_id} ${closure.closed_on}`))
  const outside = stories.filter(({ slot, shop }) => {
    if (!slot || !shop) return false
    const day = hours.find((row) => row.shop_id === shop.id && row.weekday === slot.start.dayOfWeek)
    const [from, to] = [slot.start, slot.end].map((time) => time.toPlainTime().toString({ smallestUnit: 'minute' }))
    return (
      !day ||
      day.opens > String(from) ||
      day.closes < String(to) ||
      closed.has(`${shop.id} ${slot.start.toPlainDate()}`)
    )
  })
  expect(outside).toEqual([])
  const overlaps = [
    ...Map.groupBy(
      stories.flatMap(({ slot }) => slot ?? []),
      (slot) => slot.bayId,
    ).values(),
  ].flatMap((slots) => {
    const sorted = slots.toSorted((a, b) => Temporal.ZonedDateTime.compare(a.start, b.start))
    return sorted.filter(
      (slot, index) => index > 0 && Temporal.ZonedDateTime.compare(slot.start, sorted[index - 1]!.end) < 0,
    )
  })
  expect(overlaps).toEqual([])
})

test('the tires arrive before the appointment', () => {
  const shipmentOf = new Map(rows.shipment.map((shipment) => [shipment.order_id, shipment]))
  const early = stories.filter(({ id, slot, ending }) => {
    const delivered = shipmentOf.get(id)?.delivered_at
    return (
      slot !== null &&
      (ending === 'done' || ending === 'no-show') &&
      (delivered == null || !isBefore(delivered, slot.start.toInstant()))
    )
  })
  expect(early).toEqual([])
  expect(
    stories.filter(
      ({ slot, placedAt, ending }) =>
        ending === 'open' && slot && isBefore(slot.start.toInstant(), placedAt.add({ hours: 59 })),
    ),
  ).toEqual([])
})

test('the demo has rare orders and a purchase order in each state at any start time', () => {
  // Nine hours apart, for eight times of day on each day of the week.
  const beginnings = Array.from({ length: 19 }, (_, index) => index * 9)
  for (const hours of inTurn(beginnings)) {
    const at = now.add({ hours })
    const told = storiesAt(at)
    const delivered = told.filter(({ buyer, referral, shop }) => !buyer && !referral && !shop)
    const count = (ending: Ending) => delivered.filter((story) => story.ending === ending).length
    expect(count('unconfirmed'), `${hours}`).toBe(3)
    expect(count('returned'), `${hours}`).toBe(3)
    expect(count('canceled'), `${hours}`).toBe(2)
    const supplies = supplySomeOrders(rowsOfOrders(told, places.slice(0, 50), at))
    expect(supplies.map(({ state }) => state).join(), `${hours}`).toBe(
      'held,released,released,rejected,accepted,accepted,accepted,canceled',
    )
  }
})
