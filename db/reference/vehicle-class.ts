import { readRows } from './read-data.ts'

export type VehicleClass = 'car' | 'suv' | 'truck' | 'van' | 'commercial'
export type Drive = 'fwd' | 'rwd' | 'awd' | '4wd' | 'na'

/** A year of a model as the NHTSA's catalog (vPIC) or the EPA's mileage guide lists it. */
export type ListedYear = { year: number; make: string; model: string; vclass: VehicleClass }

/** Models that vPIC files under another name; anything else it does not know counts as a car. */
const classesByHand: Record<string, VehicleClass> = {
  chevroletsilverado1500: 'truck',
  chevroletsilverado2500hd: 'truck',
  gmcsierra1500: 'truck',
  gmcsierra2500hd: 'truck',
  fordf250superduty: 'truck',
  fordf150lightning: 'truck',
  dodgeram1500: 'truck',
  ram1500classic: 'truck',
  chryslertownandcountry: 'van',
  hyundaisantafexl: 'suv',
  hyundaisantafesport: 'suv',
  toyotarav4prime: 'suv',
  chevroletequinoxev: 'suv',
  mercedesbenzgla: 'suv',
  mercedesbenzglb: 'suv',
  mercedesbenzglc: 'suv',
  mercedesbenzgle: 'suv',
  mercedesbenzglk: 'suv',
  mercedesbenzgls: 'suv',
  volvoxc90: 'suv',
}

/** Manufacturers of heavy trucks. Their vPIC rows often lack a body class. */
const heavyMakers = new Set([
  'autocar',
  'blue bird',
  'crane carrier',
  'freightliner',
  'hino',
  'ic bus',
  'international',
  'kenworth',
  'mack',
  'peterbilt',
  'sterling',
  'thomas built',
  'ud',
  'volvo truck',
  'western star',
  'workhorse',
])

/** The vPIC list with each row's class of vehicle. */
export function readListedYears(): ListedYear[] {
  return readRows<'year' | 'make' | 'model' | 'vehicle_type' | 'body_classes'>('vehicles-vpic.csv.br').map((row) => ({
    year: Number(row.year),
    make: row.make,
    model: row.model,
    vclass: classesByHand[nameKey(row.make, row.model)] ?? classOf(row.make, row.vehicle_type, row.body_classes),
  }))
}

/**
 * Class of vehicle by make and model, for rules that differ between them (a passenger tire counts for less on a truck).
 * vPIC's filings change from year to year, so the majority of a model's years decides.
 */
export function classFinder(listed: readonly ListedYear[]): (make: string, model: string) => VehicleClass {
  const votes = new Map<string, Map<VehicleClass, number>>()
  for (const { make, model, vclass } of listed) {
    const key = nameKey(make, model)
    const count = votes.get(key) ?? new Map<VehicleClass, number>()
    votes.set(key, count.set(vclass, (count.get(vclass) ?? 0) + 1))
  }
  return (make, model) => {
    const key = nameKey(make, model)
    const [best] = [...(votes.get(key) ?? [])].sort((a, b) => b[1] - a[1])
    return classesByHand[key] ?? best?.[0] ?? 'car'
  }
}

/**
 * Returns the drive by year, make, model, and trim. Uses the trim, otherwise the common value of all EPA variants of
 * that year, otherwise 'na'.
 */
export function driveFinder(): (year: number, make: string, model: string, trim: string) => Drive {
  const variants = Map.groupBy(readEpa(), (row) => `${row.year} ${nameKey(row.make, row.model)}`)
  return (year, make, model, trim) => {
    const said = driveIn(trim)
    if (said !== 'na') return said
    const drives = new Set((variants.get(`${year} ${nameKey(make, model)}`) ?? []).map((row) => driveIn(row.variant)))
    const [only] = drives
    return drives.size === 1 && only ? only : 'na'
  }
}

/** Reads the EPA's list. `model` is the base model, `variant` the name with engine and drive. */
export function readEpa(): { year: number; make: string; model: string; variant: string }[] {
  return readRows<'year' | 'make' | 'model' | 'epa_model'>('vehicles-epa.csv.br').map((row) => ({
    year: Number(row.year),
    make: row.make,
    model: row.model,
    variant: row.epa_model,
  }))
}

/** Normalizes a model's spelling: "F150 Pickup" and "F-150" are the same. */
export function nameKey(make: string, model: string): string {
  return `${make}${model}`
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/ (pickup|wagon|van|convertible)\b/g, '')
    .replace(/[^a-z0-9]/g, '')
}

/** "2WD" does not say which two wheels. */
function driveIn(text: string): Drive {
  if (/\b(4WD|4x4)\b/i.test(text)) return '4wd'
  if (/\b(AWD|xDrive|quattro|4matic)\b/i.test(text)) return 'awd'
  if (/\bFWD\b/.test(text)) return 'fwd'
  return /\bRWD\b/.test(text) ? 'rwd' : 'na'
}

function classOf(make: string, type: string, bodies: string): VehicleClass {
  if (heavyMakers.has(make.toLowerCase()) || /Tractor|Glider|Bus/.test(bodies)) return 'commercial'
  const isUtility = /Sport Utility Vehicle|Crossover/.test(bodies)
  const isCar = /Sedan|Coupe|Hatchback|Wagon|Convertible|Roadster|Limousine/.test(bodies)
  if (/Cargo Van|Minivan/.test(bodies) || (/\bVan\b/.test(bodies) && !isUtility)) return 'van'
  if (type === 'car') return isUtility && !isCar ? 'suv' : 'car'
  if (isUtility) return 'suv'
  if (/Pickup|Sport Utility Truck/.test(bodies)) return 'truck'
  if (isCar && type.includes('car')) return 'car'
  if (type.includes('truck')) return /Truck|Incomplete|Step Van/.test(bodies) ? 'commercial' : 'truck'
  return 'suv'
}
