/** Messages about vehicles found by VIN. */
import { wrongCheckDigit } from '#domain/catalog/vehicles/vehicles.ts'

/** Why a VIN led to no vehicle, by the use case's reason. */
export const vinMessages = {
  'not-a-vin': 'Enter all 17 characters of the VIN. It has no I, O or Q.',
  'wrong-check-digit': wrongCheckDigit,
  unavailable: 'We can’t look up VINs right now. Choose your vehicle by year, make and model instead.',
  unknown: 'We don’t recognize this VIN. Choose your vehicle by year, make and model instead.',
  'too-many': 'Too many VIN lookups. Try again in an hour, or choose your vehicle by year, make and model.',
} as const

/** The finder does not have the vehicle that a VIN identifies. */
export function vinNotListed(name: string): string {
  return `This VIN is for a ${name}. We don’t list its tire sizes. Find tires by the size on its door label instead.`
}
