/** Tests the fitment results of the tires that the demo catalog offers for each vehicle. */
import { expect, test } from 'vitest'
import { judgeFitment, type Level, type OfferedTire } from '#domain/catalog/fitment/fitment.ts'
import { isLoadRange, parseTireSize, type SpeedSymbol } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { requirementFor, toSizedVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { makeItem } from './items.ts'
import { makeLines } from './lines.ts'
import { randomStream } from './random.ts'
import { promisedItems, selectItems } from './select-items.ts'
import { readSizes } from './sizes.ts'
import { readVehicles, type Fitment } from '#db/reference/vehicles.ts'
import { crowdSize } from '../../tools/rotation.testing.ts'

const { vehicles, fitments } = readVehicles()

/** A set on a card. It is one item, or a front and a rear item. */
type Set = readonly [front: OfferedTire, rear?: OfferedTire]

test(
  'sampled vehicles find at least eight tires each, or eight pairs where front and rear differ, that are not refused',
  { timeout: 60_000 },
  () => {
    const sizes = readSizes(fitments)
    const lines = makeLines()
    const articles = Array.from(
      selectItems(lines, sizes, promisedItems(lines, sizes, fitments), 15_000),
      (candidate, index) => {
        const {
          product_line_id: line,
          load_index,
          speed,
          load_class,
          load_range,
          run_flat,
        } = makeItem(candidate, index, Temporal.PlainDate.from('2026-11-16'))
        const tire: OfferedTire = {
          size: parseTireSize(candidate.size.designation),
          loadIndex: load_index,
          speed: speed as SpeedSymbol,
          loadClass: (load_class ?? undefined) as OfferedTire['loadClass'],
          loadRange: typeof load_range === 'string' && isLoadRange(load_range) ? load_range : undefined,
          runFlat: run_flat === true,
          winter: candidate.line.winter,
        }
        return { line, tire, size: candidate.size.designation }
      },
    )
    const bySize = Map.groupBy(articles, ({ size }) => size)
    const fitmentsOf = Map.groupBy(fitments, ({ vehicle_id }) => vehicle_id)
    const setsFor = ({ front_size, rear_size }: Fitment): Set[] => {
      const fronts = bySize.get(front_size) ?? []
      if (front_size === rear_size) return fronts.map(({ tire }): Set => [tire])
      return fronts.flatMap((front) =>
        (bySize.get(rear_size) ?? [])
          .filter(({ line }) => line === front.line)
          .map(({ tire }): Set => [front.tire, tire]),
      )
    }

    const few = randomStream('sampled vehicles')
      .shuffled(vehicles)
      .slice(0, crowdSize(500))
      .flatMap((vehicle) => {
        const listed = fitmentsOf.get(vehicle.id) ?? []
        const requirement = requirementFor([toSizedVehicle(vehicle, listed)], {
          fitmentId: null,
          confirmed: false,
          label: null,
        })
        const offered = listed
          .flatMap(setsFor)
          .filter(
            ([front, rear]) =>
              judgeFitment({ requirement, candidate: { front, rear }, context: { quantity: 4 } }).verdict !==
              'does_not_fit',
          )
        return offered.length >= 8
          ? []
          : [`${vehicle.year} ${vehicle.make} ${vehicle.model} ${vehicle.trim}: ${offered.length}`]
      })
    expect(few).toEqual([])
  },
)

test('for every staggered row the listed pair fits; reversed, or on all wheels, it never plainly does, and mixed rims are refused', () => {
  const staggered = fitments.filter(({ front_size, rear_size }) => front_size !== rear_size)
  const byId = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]))
  let mixedRims = 0
  const wrong = staggered.flatMap((fitment) => {
    const vehicle = byId.get(fitment.vehicle_id)
    const requirement =
      vehicle &&
      requirementFor([toSizedVehicle(vehicle, [{ ...fitment, source: 'catalog' }])], {
        fitmentId: fitment.id,
        confirmed: true,
        label: null,
      })
    const { front, rear } = requirement?.configurations[0] ?? {}
    if (!requirement || !front || !rear) return [`${fitment.id} belongs to nothing`]
    const verdictOn = (...[first, second]: Set): Level =>
      judgeFitment({ requirement, candidate: { front: first, rear: second }, context: { quantity: 4 } }).verdict
    const listed = verdictOn(front, rear)
    const others = [verdictOn(rear, front), verdictOn(front), verdictOn(rear)]
    const isMixed = front.size?.rimIn !== rear.size?.rimIn
    if (isMixed) mixedRims += 1
    const isRight =
      listed === 'fits' && others.every((other) => (isMixed ? other === 'does_not_fit' : other !== 'fits'))
    return isRight
      ? []
      : [
          `${vehicle.year} ${vehicle.make} ${vehicle.model} ${fitment.front_size} ${fitment.rear_size}: ${listed}, ${others.join()}`,
        ]
  })
  expect(wrong).toEqual([])
  expect(staggered.length).toBeGreaterThan(400)
  expect(mixedRims).toBeGreaterThan(20)
})
