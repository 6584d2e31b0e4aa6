/** Builders of rulings, and numbers and words that rule texts share. */
import type { ConditionCode, Fault, VehicleClass } from './terms.ts'

export function refuse(text: string, short: string): Fault {
  return { level: 'does_not_fit', text, short }
}

export function ask(text: string, short: string): Fault {
  return { level: 'unknown', text, short }
}

/** `short` continues "Fits if …". */
export function onlyIf(condition: ConditionCode, text: string, short: string): Fault {
  return { level: 'fits_with_conditions', condition, text, short }
}

/** Returns whether light vehicle safety standards apply. They apply to all classes except trailers and heavy trucks. */
export function isLight(vehicleClass: VehicleClass): boolean {
  return vehicleClass !== 'trailer' && vehicleClass !== 'commercial'
}

/** "car", "SUV", "truck" … for "your …". */
export function vehicleWord(vehicleClass: VehicleClass): string {
  return vehicleClass === 'suv' ? 'SUV' : vehicleClass === 'commercial' ? 'vehicle' : vehicleClass
}

export function listOf(values: Iterable<string>, joint: 'and' | 'or'): string {
  const all = [...values]
  const last = all.pop() ?? ''
  return all.length === 0 ? last : `${all.join(', ')} ${joint} ${last}`
}
