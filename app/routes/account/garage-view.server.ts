/** A saved vehicle as its page shows it. */
import type { Visitor } from '#http/visitor.ts'
import { rotationMiles, rotationMonths } from '#domain/customers/accounts/accounts.ts'
import type { GarageVehicle } from '#domain/customers/accounts/accounts.server.ts'
import {
  encodeChosenVehicle,
  fitmentText,
  sizesNotListed,
  type ChosenVehicle,
} from '#domain/catalog/vehicles/vehicles.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { dayText } from '#platform/day-text.ts'
import { storeDay } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

export type VehicleView = {
  id: string
  name: string
  sizes: string
  readings: { mileage: string; rotatedOn: string; rotatedMileage: string }
  rotation: { text: string; isDue: boolean }
  wantsReminder: boolean
  /** Whether it is the vehicle selected in this browser. */
  isInUse: boolean
}

/** Looks up the vehicle again, for the sizes listed now. */
export async function garageView(app: Application, visitor: Visitor, kept: GarageVehicle): Promise<VehicleView> {
  const { vehicle, next } = kept
  const today = storeDay(app.clock.now())
  return {
    id: kept.id,
    name: vehicle.name,
    sizes: await sizesOf(app, vehicle),
    readings: {
      mileage: milesText(kept.mileage),
      rotatedOn: typedDay(kept.rotatedOn),
      rotatedMileage: milesText(kept.rotatedMileage),
    },
    rotation: rotationOf(next, today),
    wantsReminder: kept.wantsReminder,
    isInUse: visitor.vehicle === encodeChosenVehicle(vehicle),
  }
}

function rotationOf(next: GarageVehicle['next'], today: Temporal.PlainDate): VehicleView['rotation'] {
  if (next === null) return { isDue: false, text: 'Log the last rotation, and we work out the next one.' }
  const isDue = Temporal.PlainDate.compare(next.on, today) <= 0
  const after = next.because === 'months' ? countOf(rotationMonths, 'month') : countOf(rotationMiles, 'mile')
  return {
    isDue,
    text: `${isDue ? 'Rotate now: due since' : 'Next rotation by'} ${dayText(next.on)}, ${after} after the last.`,
  }
}

async function sizesOf(app: Application, vehicle: ChosenVehicle): Promise<string> {
  if (vehicle.label) {
    const { front, rear } = vehicle.label
    return `${front === rear ? front : `${front} front, ${rear} rear`}, from your door label`
  }
  const found = await findChosenVehicle(app, vehicle)
  if (!found.ok || found.value.kind === 'known') return sizesNotListed
  const fitments = found.value.trims
    .flatMap((trim) => trim.fitments)
    .filter(({ id }) => vehicle.fitmentId === null || id === vehicle.fitmentId)
  const texts = [...new Set(fitments.map(fitmentText))]
  const [only] = texts
  if (texts.length === 1 && only)
    return vehicle.confirmed
      ? `${only}, as on your door label`
      : `${only}, the factory size. Confirm it on your door label`
  return `Listed: ${texts.slice(0, 4).join(' or ')}. Check your door label`
}

function milesText(miles: number | null): string {
  return miles === null ? '' : miles.toLocaleString('en-US')
}

/** As typed: MM/DD/YYYY. */
function typedDay(day: string | null): string {
  return day === null ? '' : day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1')
}
