import { expect, test } from 'vitest'
import {
  addBusinessDays,
  federalHoliday,
  isBusinessDay,
  milesBetween,
  planShipments,
  priceShipping,
  promiseDelivery,
  rankWarehouses,
  refuseHomeDelivery,
  standardShipDays,
  standardTransit,
  type Destination,
  type StockedWarehouse,
} from './delivery.ts'
import { transitDays } from './transit.ts'
import { standardShippingRates } from '#domain/kernel/rates/rates.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const at = (text: string) => Temporal.ZonedDateTime.from(text).toInstant()

const chicago: Destination = { latitude: 41.92, longitude: -87.65, region: 'CONUS' }
const anchorage: Destination = { latitude: 61.2, longitude: -149.9, region: 'AK' }

function warehouse(
  id: number,
  place: { latitude: number; longitude: number },
  stock: [number, number][] = [],
  over: Partial<StockedWarehouse> = {},
): StockedWarehouse {
  return {
    id,
    code: `W${id}`,
    timeZone: 'America/Chicago',
    cutoff: '15:00:00',
    dayCutoffs: [],
    handlingDays: 0,
    transit: standardTransit,
    unservedZones: [],
    shipDays: standardShipDays,
    closedDays: [],
    ...place,
    stock: new Map(stock),
    ...over,
  }
}
const joliet = (stock?: [number, number][]) => warehouse(1, { latitude: 41.53, longitude: -88.08 }, stock)
const memphis = (stock?: [number, number][]) => warehouse(2, { latitude: 35.15, longitude: -90.05 }, stock)
const reno = (stock?: [number, number][]) =>
  warehouse(3, { latitude: 39.53, longitude: -119.81 }, stock, { timeZone: 'America/Los_Angeles' })
const order = { now: at('2026-11-20T10:00[America/Chicago]'), releaseAfterSeconds: 1800 }

function plan(lines: { itemId: number; quantity: number }[], warehouses: StockedWarehouse[]) {
  return planShipments(lines, rankWarehouses({ ...order, warehouses, destination: chicago }))
}

test.for([
  ['2026-01-01', "New Year's Day"],
  ['2026-01-19', 'Birthday of Martin Luther King, Jr.'],
  ['2026-02-16', "Washington's Birthday"],
  ['2026-05-25', 'Memorial Day'],
  ['2027-05-31', 'Memorial Day'],
  ['2026-06-19', 'Juneteenth National Independence Day'],
  ['2026-07-03', 'Independence Day'], // the 4th is a Saturday
  ['2027-07-05', 'Independence Day'], // the 4th is a Sunday
  ['2026-09-07', 'Labor Day'],
  ['2026-10-12', 'Columbus Day'],
  ['2026-11-11', 'Veterans Day'],
  ['2026-11-26', 'Thanksgiving Day'],
  ['2026-12-25', 'Christmas Day'],
  ['2027-12-31', "New Year's Day"], // January 1, 2028 is a Saturday
] as const)('%s is %s', ([date, name]) => {
  expect(federalHoliday(day(date))).toBe(name)
})

test.for(['2026-11-27', '2026-07-06', '2026-05-18', '2026-11-19', '2027-07-02', '2026-11-20'])(
  '%s is a regular business day',
  (date) => {
    expect(isBusinessDay(day(date))).toBe(true)
  },
)

test('for twenty years, each has eleven holidays on business days, or twelve if the next New Year is a Saturday', () => {
  for (let year = 2020; year < 2040; year += 1) {
    let count = 0
    for (let date = day(`${year}-01-01`); date.year === year; date = date.add({ days: 1 }))
      if (federalHoliday(date)) count += 1
    const borrowed = day(`${year + 1}-01-01`).dayOfWeek === 6 ? 1 : 0
    const lent = day(`${year}-01-01`).dayOfWeek === 6 ? 1 : 0
    expect(count, String(year)).toBe(11 + borrowed - lent)
  }
})

test.for([
  ['2026-11-20', 0, '2026-11-20'],
  ['2026-11-21', 0, '2026-11-23'],
  ['2026-11-20', 1, '2026-11-23'],
  ['2026-11-21', 1, '2026-11-23'],
  ['2026-11-24', 2, '2026-11-27'], // over Thanksgiving
  ['2026-12-31', 1, '2027-01-04'],
] as const)('%s plus %i business days is %s', ([from, count, to]) => {
  expect(addBusinessDays(day(from), count).toString()).toBe(to)
})

test('Chicago to Los Angeles is about 1,745 miles, and a point to itself is 0', () => {
  expect(milesBetween(chicago, { latitude: 34.05, longitude: -118.24 })).toBeCloseTo(1745, -1)
  expect(milesBetween(chicago, chicago)).toBe(0)
})

test.for([
  ['CONUS', 0, 2],
  ['CONUS', 500, 2],
  ['CONUS', 501, 3],
  ['CONUS', 1200, 3],
  ['CONUS', 2700, 4],
  ['AK', 1400, 7],
  ['HI', 2500, 7],
  ['TERRITORY', 1000, 10],
] as const)('%s at %i miles: %i business days in transit', ([region, miles, days]) => {
  expect(transitDays(region, miles, standardTransit)).toBe(days)
})

test.for([
  // released half an hour later, cutoff 3 pm in Chicago
  ['2026-11-20T10:00[America/Chicago]', '2026-11-20', '2026-11-24'],
  ['2026-11-20T14:30[America/Chicago]', '2026-11-20', '2026-11-24'],
  ['2026-11-20T14:31[America/Chicago]', '2026-11-23', '2026-11-25'],
  ['2026-11-20T23:45[America/Chicago]', '2026-11-23', '2026-11-25'],
  ['2026-11-21T09:00[America/Chicago]', '2026-11-23', '2026-11-25'],
  ['2026-11-24T18:00[America/Chicago]', '2026-11-25', '2026-11-30'], // Thanksgiving and a weekend in transit
  ['2026-11-20T13:15[America/Los_Angeles]', '2026-11-23', '2026-11-25'], // 15:45 at the warehouse
] as const)('ordered %s: ships %s, arrives %s', ([now, shipsOn, arrivesOn]) => {
  const promise = promiseDelivery({
    now: at(now),
    releaseAfterSeconds: 1800,
    warehouse: joliet(),
    destination: chicago,
  })
  expect(promise.shipsOn.toString()).toBe(shipsOn)
  expect(promise.arrivesOn.toString()).toBe(arrivesOn)
})

test.for([
  // released on Friday at 10:30 am, before the cutoff
  [0, '2026-11-20', '2026-11-24'],
  [1, '2026-11-23', '2026-11-25'], // over a weekend
  [4, '2026-11-27', '2026-12-01'], // over a weekend and Thanksgiving
  [10, '2026-12-07', '2026-12-09'],
] as const)('a warehouse with %i handling days ships on %s', ([handlingDays, shipsOn, arrivesOn]) => {
  const promise = promiseDelivery({ ...order, warehouse: { ...joliet(), handlingDays }, destination: chicago })
  expect(promise.transitDays).toBe(2)
  expect(promise.shipsOn.toString()).toBe(shipsOn)
  expect(promise.arrivesOn.toString()).toBe(arrivesOn)
})

test('a warehouse’s own transit days move the arrival and leave the ship day', () => {
  const transit = { near: 5, mid: 6, far: 8, AK: 9, HI: 11, TERRITORY: 12 }
  const arrivals = [chicago, { ...chicago, longitude: -119.78 }, anchorage].map((destination) =>
    promiseDelivery({ ...order, warehouse: { ...joliet(), transit }, destination }),
  )
  expect(arrivals.map((promise) => promise.transitDays)).toEqual([5, 8, 9])
  expect(new Set(arrivals.map(({ shipsOn }) => shipsOn.toString()))).toEqual(new Set(['2026-11-20']))
})

test('an order released after the cutoff or on a weekend is handled from the next business day', () => {
  const slow = { ...joliet(), handlingDays: 2 }
  const shipsOn = (now: string) =>
    promiseDelivery({ ...order, now: at(now), warehouse: slow, destination: chicago }).shipsOn.toString()
  expect(shipsOn('2026-11-20T14:31[America/Chicago]')).toBe('2026-11-25')
  expect(shipsOn('2026-11-21T09:00[America/Chicago]')).toBe('2026-11-25')
})

test.for([
  // released on Friday at 10:30 am, before the cutoff
  [[1, 2, 3, 4, 5], ['2026-11-20'], 0, '2026-11-23', '2026-11-25'],
  [[1, 2, 3, 4, 5], ['2026-11-23'], 1, '2026-11-24', '2026-11-27'],
  [[1, 3], [], 0, '2026-11-23', '2026-11-25'],
  [[1, 3], [], 1, '2026-11-25', '2026-11-30'],
  [[5, 6], [], 1, '2026-11-21', '2026-11-24'], // ships on Saturday, in transit from Monday
  [[4], [], 0, '2026-12-03', '2026-12-07'], // not on Thanksgiving
] as const)(
  'with ship days %j, closed on %j, and %i handling days, it ships on %s',
  ([shipDays, closedDays, handlingDays, shipsOn, arrivesOn]) => {
    const limited = { ...joliet(), shipDays, closedDays, handlingDays }
    const promise = promiseDelivery({ ...order, warehouse: limited, destination: chicago })
    expect(promise.shipsOn.toString()).toBe(shipsOn)
    expect(promise.arrivesOn.toString()).toBe(arrivesOn)
  },
)

test('the cutoff applies only on ship days', () => {
  const shipsOn = (now: string) =>
    promiseDelivery({
      ...order,
      now: at(now),
      warehouse: { ...joliet(), shipDays: [5, 1] },
      destination: chicago,
    }).shipsOn.toString()
  expect(shipsOn('2026-11-19T22:00[America/Chicago]')).toBe('2026-11-20')
  expect(shipsOn('2026-11-20T16:00[America/Chicago]')).toBe('2026-11-23')
})

test('a weekday can have another cutoff, which applies to the order and to its deadline', () => {
  const fridayNoon = { ...joliet(), dayCutoffs: [null, null, null, null, '12:00', null, null] }
  const promise = (now: string, handlingDays = 0) => {
    const warehouse = { ...fridayNoon, handlingDays }
    const { shipsOn, shipsBy } = promiseDelivery({ ...order, now: at(now), warehouse, destination: chicago })
    return [shipsOn.toString(), shipsBy.toZonedDateTimeISO('America/Chicago').toPlainTime().toString()]
  }
  // Orders are released half an hour later.
  expect(promise('2026-11-20T11:30[America/Chicago]')).toEqual(['2026-11-20', '12:00:00'])
  expect(promise('2026-11-20T11:31[America/Chicago]')).toEqual(['2026-11-23', '15:00:00'])
  expect(promise('2026-11-19T14:30[America/Chicago]')).toEqual(['2026-11-19', '15:00:00'])
  expect(promise('2026-11-19T14:30[America/Chicago]', 1)).toEqual(['2026-11-20', '12:00:00'])
})

test('within the contiguous states tires arrive 2 to 4 business days after shipping, elsewhere later', () => {
  expect(promiseDelivery({ ...order, warehouse: reno(), destination: chicago }).transitDays).toBe(4)
  expect(promiseDelivery({ ...order, warehouse: joliet(), destination: anchorage }).arrivesOn.toString()).toBe(
    '2026-12-02',
  )
})

test('prefers one warehouse with everything to a closer one with most of it', () => {
  const result = plan([{ itemId: 7, quantity: 4 }], [joliet([[7, 3]]), reno([[7, 4]])])
  expect(result).toMatchObject({
    ok: true,
    value: { shipments: [{ warehouseCode: 'W3', items: [{ itemId: 7, quantity: 4 }] }] },
  })
})

test('of several warehouses with everything, the earliest arrival ships', () => {
  const result = plan([{ itemId: 7, quantity: 4 }], [reno([[7, 40]]), memphis([[7, 4]]), joliet([[7, 4]])])
  expect(result).toMatchObject({ ok: true, value: { shipments: [{ warehouseCode: 'W1' }] } })
})

test('a split ships the largest part first and arrives with its last parcel', () => {
  const result = plan([{ itemId: 7, quantity: 4 }], [joliet([[7, 1]]), reno([[7, 3]])])
  if (!result.ok) throw new Error(result.reason)
  expect(
    result.value.shipments.map((shipment) => [shipment.warehouseCode, shipment.items, shipment.arrivesOn.toString()]),
  ).toEqual([
    ['W3', [{ itemId: 7, quantity: 3 }], '2026-11-27'],
    ['W1', [{ itemId: 7, quantity: 1 }], '2026-11-24'],
  ])
  expect(result.value.arrivesOn.toString()).toBe('2026-11-27')
})

test('front and rear articles ship together if one warehouse has both', () => {
  const lines = [
    { itemId: 7, quantity: 2 },
    { itemId: 8, quantity: 2 },
  ]
  const result = plan(lines, [
    joliet([[7, 9]]),
    memphis([
      [8, 9],
      [7, 2],
    ]),
  ])
  expect(result).toMatchObject({ ok: true, value: { shipments: [{ warehouseCode: 'W2', items: lines }] } })
})

test('two lines of one article share the same units', () => {
  const lines = [
    { itemId: 7, quantity: 2 },
    { itemId: 7, quantity: 2 },
  ]
  expect(plan(lines, [joliet([[7, 3]])])).toEqual({
    ok: false,
    reason: 'out-of-stock',
    detail: [{ itemId: 7, wanted: 4, available: 3 }],
  })
  expect(plan(lines, [joliet([[7, 4]])])).toMatchObject({
    ok: true,
    value: { shipments: [{ items: [{ itemId: 7, quantity: 4 }] }] },
  })
})

test('a plan ships exactly the demand and never more than the stock', () => {
  for (let seed = 0; seed < 500; seed += 1) {
    const draw = (n: number, salt: number) => (((seed * 7919 + salt * 104729) % 1009) * 31 + salt) % n
    const stock = (salt: number): [number, number][] => [1, 2, 3].map((itemId) => [itemId, draw(5, salt + itemId)])
    const warehouses = [joliet(stock(1)), memphis(stock(5)), reno(stock(9))]
    const lines = [1, 2, 3].map((itemId) => ({ itemId, quantity: 1 + draw(6, itemId + 20) }))
    const result = plan(lines, warehouses)
    const available = (itemId: number) => warehouses.reduce((sum, { stock }) => sum + (stock.get(itemId) ?? 0), 0)
    expect(result.ok).toBe(lines.every((line) => available(line.itemId) >= line.quantity))
    if (!result.ok) continue
    for (const { itemId, quantity } of lines) {
      expect(
        result.value.shipments
          .flatMap((shipment) => shipment.items)
          .filter((item) => item.itemId === itemId)
          .reduce((sum, item) => sum + item.quantity, 0),
      ).toBe(quantity)
    }
    for (const shipment of result.value.shipments) {
      const sender = warehouses.find((candidate) => candidate.id === shipment.warehouseId)
      for (const item of shipment.items) expect(item.quantity).toBeLessThanOrEqual(sender?.stock.get(item.itemId) ?? 0)
    }
    expect(new Set(result.value.shipments.map((shipment) => shipment.warehouseId)).size).toBe(
      result.value.shipments.length,
    )
  }
})

test.for([
  ['CONUS', [{ quantity: 4, weightLb: 80 }], { totalCents: 0 }],
  ['AK', [{ quantity: 4, weightLb: 26 }], { totalCents: 9900 }],
  ['HI', [{ quantity: 4, weightLb: 60 }], { totalCents: 11900 }],
  [
    'TERRITORY',
    [
      { quantity: 2, weightLb: 67 },
      { quantity: 2, weightLb: 30 },
    ],
    { totalCents: 17900 },
  ],
] as const)('shipping to %s', ([region, tires, price]) => {
  const priced = tires.map((tire) => ({ ...tire, unitCents: 15_000 }))
  expect(priceShipping(standardShippingRates, region, priced)).toMatchObject(price)
})

test('refuses home delivery where there is only a post office', () => {
  expect(refuseHomeDelivery({ region: 'CONUS', zipType: 'STANDARD' })).toBeUndefined()
  expect(refuseHomeDelivery({ region: 'CONUS', zipType: 'PO_BOX' })).toBe('po-box')
  expect(refuseHomeDelivery({ region: 'MILITARY', zipType: 'MILITARY' })).toBe('military')
})

test('the cheapest of the warehouses that keep the promise ships, and a later one never does', () => {
  const near = { latitude: 41.52, longitude: -88.08 }
  const far = { latitude: 34.05, longitude: -118.24 }
  const at = (id: number, place: typeof near, cents: number | null, units = 4) =>
    warehouse(id, place, [[1, units]], { landedCents: new Map(cents === null ? [] : [[1, cents]]) })
  const sender = (warehouses: StockedWarehouse[], unitCents?: number) => {
    const lines = [{ itemId: 1, quantity: 4, ...(unitCents !== undefined && { unitCents }) }]
    const plan = planShipments(lines, rankWarehouses({ ...order, warehouses, destination: chicago }))
    return plan.ok ? plan.value.shipments.map(({ warehouseId }) => warehouseId) : plan.reason
  }
  expect(sender([at(1, near, 9_000), at(2, near, 8_000), at(3, far, 1_000)])).toEqual([2])
  expect(sender([at(1, near, null), at(2, near, 8_000)])).toEqual([2])
  expect(sender([at(1, near, 8_000), at(2, near, 8_000)])).toEqual([1])
  expect(sender([at(1, near, 9_000), at(2, near, 8_000, 3)])).toEqual([1])
  expect(sender([at(1, near, 9_000), at(2, near, null)], 8_500)).toEqual([2])
  expect(sender([at(1, near, 9_000), at(2, near, 9_500)], 8_500)).toEqual([1])
})
