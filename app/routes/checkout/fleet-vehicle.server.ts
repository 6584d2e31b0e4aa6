/** The fields of a fleet's vehicle on the payment page. */
import type { VehicleField } from '#app/routes/checkout/fleet-vehicle.tsx'
import { readFleetVehicle, saveFleetVehicle, type FleetVehicle } from '#domain/ordering/checkout/checkout.server.ts'
import { packetWords, readAnyVin, readPacket } from '#domain/ordering/orders/orders.ts'
import type { Application } from '#application'

const lengths = { unit: 20, driver: 60, vin: 40, plate: 12, plateState: 4 } as const
const names = ['unit', 'driver', 'vin', 'plate', 'plateState'] as const

/** Returns the vehicle fields for a buyer at a company with fleet work orders. Returns null for other shoppers. */
export async function vehicleFields(app: Application, cartId: string): Promise<VehicleField[] | null> {
  const vehicle = await readFleetVehicle(app, cartId)
  return (
    vehicle && names.map((name) => ({ name, label: packetWords[name], value: vehicle[name], maxLength: lengths[name] }))
  )
}

type Entered = { errors: Record<string, string>; save(): Promise<void> }

/** Reads the posted fields. Saves them only if the buyer must enter them. */
export async function readVehicleFields(app: Application, cartId: string, fields: URLSearchParams): Promise<Entered> {
  const isAsked = names.some((name) => fields.has(name)) && (await readFleetVehicle(app, cartId)) !== null
  if (!isAsked) return { errors: {}, save: async () => {} }
  const { value, errors } = readPacket(fields)
  const vin = readAnyVin(fields.get('vin') ?? '')
  const vehicle: FleetVehicle = { ...value, vin: vin.value }
  return {
    errors: vin.error === undefined ? errors : { ...errors, vin: vin.error },
    save: () => saveFleetVehicle(app, cartId, vehicle),
  }
}
