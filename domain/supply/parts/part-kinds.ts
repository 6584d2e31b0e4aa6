/** The kinds of parts that are sold with tires. Safe in the browser. */

/** A field that parts of a kind have. Values outside `options` are refused. */
export type PartField = { key: string; label: string; options: readonly (readonly [value: string, label: string])[] }

/** The vehicle's facts that decide whether a part fits. Null if no source has them, or sources differ. */
export type FittedVehicle = { tpms: 'direct' | 'indirect' | 'none' | null }

/** `unknown` parts can be bought. */
export type PartFit = { result: 'fits' | 'does-not-fit' | 'unknown'; text: string }

/**
 * A kind with its name for one part and for several, a note for shoppers, the most units in an order, its fields, and
 * its fit for a vehicle, null without one.
 */
export type PartKind = {
  key: string
  one: string
  name: string
  note: string
  mostUnits: number
  fields: readonly PartField[]
  fit: (vehicle: FittedVehicle | null) => PartFit
}

/**
 * Sensors for tire pressure. A vehicle with an indirect monitor measures wheel speed instead, and has no sensors in its
 * wheels. The rule for monitors prescribes no technology (49 CFR 571.138).
 */
const sensor: PartKind = {
  key: 'tpms-sensor',
  one: 'pressure sensor',
  name: 'Pressure sensors',
  note: 'For wheels without a working sensor. The shop mounts and programs them with your tires',
  mostUnits: 8,
  fields: [
    {
      key: 'frequency',
      label: 'Frequency',
      options: [
        ['315', '315 MHz'],
        ['433', '433 MHz'],
        ['both', '315 and 433 MHz'],
      ],
    },
    {
      key: 'valve',
      label: 'Valve',
      options: [
        ['rubber', 'Rubber, snap-in'],
        ['metal', 'Metal, clamp-in'],
      ],
    },
  ],
  fit: (vehicle) =>
    vehicle?.tpms === 'indirect' || vehicle?.tpms === 'none'
      ? { result: 'does-not-fit', text: 'Your vehicle has no sensors in its wheels' }
      : { result: 'unknown', text: 'The shop confirms the sensor' },
}

/** Every kind, in the order in which pages list them. A new kind is one entry here. */
export const partKinds: readonly PartKind[] = [sensor]

/** Returns the kind with this key; undefined if it was removed. */
export function partKindOf(key: string): PartKind | undefined {
  return partKinds.find((kind) => kind.key === key)
}

/** Returns a part's facts with their labels, such as "433 MHz" and "Metal, clamp-in". Unknown facts are left out. */
export function factTexts(kind: PartKind | undefined, facts: Readonly<Record<string, string>>): string[] {
  return (kind?.fields ?? []).flatMap(({ key, options }) => options.find(([value]) => value === facts[key])?.[1] ?? [])
}
