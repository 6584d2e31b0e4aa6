/** What members see of a fleet quote. */
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import {
  countTires,
  groupKey,
  pricesSeen,
  type FleetQuoteCase,
  type FleetVehicle,
} from '#domain/channels/fleet-quotes/fleet-quotes.server.ts'
import { readQuoteStates } from '#domain/ordering/quotes/quotes.server.ts'
import { dateText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeDay } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

/** "Unit 117", or the end of the VIN. */
function vehicleTitle({ unit, vin }: Pick<FleetVehicle, 'unit' | 'vin'>): string {
  return unit === null ? `VIN …${vin.slice(-8)}` : `Unit ${unit}`
}

function sumOf(vehicles: readonly FleetVehicle[], front: number, rear: number): number {
  return vehicles.reduce((sum, vehicle) => {
    const count = countTires(vehicle)
    return sum + count.front * front + count.rear * rear
  }, 0)
}

/** How many tires these vehicles take, front and rear. */
function tiresOf(vehicles: readonly FleetVehicle[]): number {
  return sumOf(vehicles, 1, 1)
}

export async function fleetQuoteView(app: Application, found: FleetQuoteCase) {
  const { quote, vehicles, asked, groups, held } = found
  const ids = new Set(held.flatMap(({ frontItemId, rearItemId }) => [String(frontItemId), String(rearItemId)]))
  const offers = await findOffers(app.retailCatalog, [...ids])
  const names = new Map(offers.map(({ items: [item], line }) => [item.id, `${line.brand.name} ${line.name}`]))
  const salesQuotes = vehicles.flatMap(({ salesQuoteId }) => salesQuoteId ?? [])
  const states = await readQuoteStates(app.db, salesQuotes)
  const heldFor = (of: { front: string | null; rear: string | null }) =>
    held.find(({ front, rear }) => front === of.front && rear === of.rear)
  const today = storeDay(app.clock.now())
  const heldRows = held.map((tire) => {
    const same = groups.find(({ front, rear }) => front === tire.front && rear === tire.rear)?.vehicles ?? []
    return { tire, vehicles: same, cents: sumOf(same, tire.frontUnitCents, tire.rearUnitCents) }
  })
  return {
    isHeld: quote.heldAt !== null,
    isOver: quote.goodThrough !== null && Temporal.PlainDate.compare(quote.goodThrough, today) < 0,
    goodThrough: quote.goodThrough && dateText(quote.goodThrough.toString()),
    seen: pricesSeen(groups),
    open: vehicles.filter(({ front }) => front === null).length,
    asked: asked.map(({ line, decoded, options, ...vehicle }) => ({
      line,
      title: vehicleTitle(vehicle),
      words: `${vehicle.vin}${decoded === null ? '' : `, ${decoded}`}`,
      options: options.map(({ key, text }) => ({ key, text })),
    })),
    groups: groups.map(({ front, rear, vehicles: same, choices }) => ({
      key: groupKey({ front, rear }),
      sizes: sizesText(front, rear),
      count: `${countOf(same.length, 'vehicle')}, ${countOf(tiresOf(same), 'tire')}`,
      vehicles: same.map((vehicle) => ({
        line: vehicle.line,
        words: `${vehicleTitle(vehicle)}: ${vehicle.vehicle?.name ?? vehicle.decoded ?? vehicle.vin}`,
      })),
      choices: choices.map(({ key, name, frontUnitCents, rearUnitCents }) => ({
        key,
        words: `${name}, ${priceText(frontUnitCents, rearUnitCents)}`,
      })),
    })),
    held: heldRows.map(({ tire, vehicles: same, cents }) => ({
      sizes: sizesText(tire.front, tire.rear),
      name: names.get(tire.frontItemId) ?? 'A tire that is no longer sold',
      price: priceText(tire.frontUnitCents, tire.rearUnitCents),
      count: `${countOf(same.length, 'vehicle')}, ${countOf(tiresOf(same), 'tire')}`,
      total: formatCents(cents),
    })),
    total: formatCents(heldRows.reduce((sum, { cents }) => sum + cents, 0)),
    vehicles: vehicles.map((vehicle) => ({
      line: vehicle.line,
      title: vehicleTitle(vehicle),
      words: [vehicle.vehicle?.name ?? vehicle.decoded, `VIN ${vehicle.vin}`, plateText(vehicle)]
        .filter(Boolean)
        .join(', '),
      tires: vehicle.front && vehicle.rear ? sizesText(vehicle.front, vehicle.rear) : null,
      isHeld: heldFor(vehicle) !== undefined,
      order: orderState(vehicle.salesQuoteId === null ? undefined : states.get(vehicle.salesQuoteId)),
    })),
  }
}

export type FleetQuoteView = Awaited<ReturnType<typeof fleetQuoteView>>

function orderState(state: string | undefined): 'new' | 'begun' | 'ordered' | 'over' {
  if (state === undefined) return 'new'
  if (state === 'ordered') return 'ordered'
  return state === 'sent' || state === 'opened' ? 'begun' : 'over'
}

function sizesText(front: string, rear: string): string {
  return front === rear ? front : `${front} front, ${rear} rear`
}

function priceText(front: number, rear: number): string {
  const each = (cents: number) => `${formatCents(cents)} each`
  return front === rear ? each(front) : `${each(front)} front, ${each(rear)} rear`
}

function plateText({ plate, plateState }: Pick<FleetVehicle, 'plate' | 'plateState'>): string | null {
  return plate === null ? null : `plate ${plate}${plateState === null ? '' : ` ${plateState}`}`
}
