/** Messages about vehicles found by VIN or license plate. */
import { wrongCheckDigit, type PlateRefusal, type VinRefusal } from '#domain/catalog/vehicles/vehicles.ts'

/** Why a VIN led to no vehicle, by the use case's reason. */
export const vinMessages = {
  'not-a-vin': 'Enter all 17 characters of the VIN. It has no I, O or Q.',
  'wrong-check-digit': wrongCheckDigit,
  unavailable: 'We can’t look up VINs right now. Choose your vehicle by year, make and model instead.',
  unknown: 'We don’t recognize this VIN. Choose your vehicle by year, make and model instead.',
  'too-many': 'Too many VIN lookups. Try again in an hour, or choose your vehicle by year, make and model.',
} as const

/** Why a VIN led to no vehicle; the finder may not have it. */
export function vinRefusalText(refusal: VinRefusal): string {
  return refusal.reason === 'not-listed' ? notListed('VIN', refusal.detail.name) : vinMessages[refusal.reason]
}

/** Why a license plate led to no vehicle, by the use case's reason. */
export const plateMessages = {
  'not-a-plate': 'Enter the plate’s letters and numbers, up to 8.',
  'not-a-state': 'Choose the state on the plate.',
  'not-offered': 'We can’t look up license plates. Choose your vehicle by year, make and model instead.',
  unavailable: 'We can’t look up license plates right now. Choose your vehicle by year, make and model instead.',
  unknown: 'We didn’t find this plate. Check it and its state, or enter the VIN instead.',
  'too-many': 'Too many license plate lookups. Enter the VIN, or choose your vehicle by year, make and model.',
} as const

/** The same for a shop's technician, at a form with a field for the vehicle. */
export const shopPlateMessages = {
  ...plateMessages,
  'not-offered': 'We can’t look up license plates. Enter the vehicle instead.',
  unavailable: 'We can’t look up license plates right now. Enter the vehicle instead.',
  unknown: 'We didn’t find this plate. Check it and its state, or enter the vehicle instead.',
  'too-many': 'Too many license plate lookups today. Enter the vehicle instead.',
} as const

/** Why a license plate led to no vehicle; the finder may not have it. */
export function plateRefusalText(refusal: PlateRefusal): string {
  return refusal.reason === 'not-listed' ? notListed('plate', refusal.detail.name) : plateMessages[refusal.reason]
}

function notListed(by: 'VIN' | 'plate', name: string): string {
  return `This ${by} is for a ${name}. We don’t list its tire sizes. Find tires by the size on its door label instead.`
}
