import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planShipments, standardShipDays, standardTransit } from '#domain/supply/delivery/delivery.ts'
import { arrivalFrom } from './arrival.ts'

const day = (number: number) => Temporal.PlainDate.from('2026-11-20').add({ days: number })

test('the listing and the delivery plan agree on the date', () => {
  const warehouses = fc
    .array(
      fc.record({
        days: fc.integer({ min: 1, max: 6 }),
        units: fc.integer({ min: 0, max: 5 }),
        cents: fc.option(fc.integer({ min: 1, max: 9 })),
      }),
      { maxLength: 5 },
    )
    .map((all) => all.toSorted((a, b) => a.days - b.days))
  fc.assert(
    fc.property(warehouses, fc.integer({ min: 1, max: 8 }), (ranked, units) => {
      const promises = new Map(ranked.map(({ days }, id) => [id, { arrivesOn: day(days) }]))
      const plan = planShipments(
        [{ itemId: 1, quantity: units, unitCents: 6 }],
        ranked.map(({ days, units: onHand, cents }, id) => ({
          warehouse: {
            id,
            code: `W${id}`,
            timeZone: 'America/Chicago',
            cutoff: '14:00',
            dayCutoffs: [],
            handlingDays: 0,
            transit: standardTransit,
            unservedZones: [],
            shipDays: standardShipDays,
            closedDays: [],
            latitude: 0,
            longitude: 0,
            stock: new Map([[1, onHand]]),
            landedCents: new Map(cents === null ? [] : [[1, cents]]),
          },
          promise: {
            shipsOn: day(0),
            shipsBy: day(0).toZonedDateTime('UTC').toInstant(),
            arrivesOn: day(days),
            transitDays: days,
            miles: id,
          },
        })),
      )
      const stock = ranked.map(({ units: onHand }, id) => [id, onHand] as const).filter(([, onHand]) => onHand > 0)
      expect(arrivalFrom(promises)(stock, units)).toBe(plan.ok ? plan.value.arrivesOn.toString() : null)
    }),
  )
})

test('ignores a warehouse that cannot deliver to the ZIP', () => {
  expect(arrivalFrom(new Map([[1, { arrivesOn: day(3) }]]))([[2, 40]], 4)).toBeNull()
})
