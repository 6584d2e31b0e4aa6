/** Vehicle details a fleet records for an order. Safe in the browser. */

/** Fields are null until entered. */
export type FleetPacket = {
  unit: string | null
  driver: string | null
  plate: string | null
  plateState: string | null
}

export const packetWords: Readonly<Record<keyof FleetPacket | 'vin', string>> = {
  unit: 'Unit number',
  driver: 'Driver',
  vin: 'VIN, last 8 or all 17',
  plate: 'License plate',
  plateState: 'State of the plate',
}

const faults: Readonly<Record<keyof FleetPacket, string>> = {
  unit: 'Enter the unit number, up to 20 letters and digits.',
  driver: 'Enter the driver’s name, up to 60 characters.',
  plate: 'Enter the plate, up to 8 letters and digits.',
  plateState: 'Enter the two letters of the plate’s state, such as IL.',
}

/** Reads the fields of a packet by their names; empty ones are null. `errors` has a message for each invalid field. */
export function readPacket(fields: URLSearchParams): { value: FleetPacket; errors: Record<string, string> } {
  const errors: Record<string, string> = {}
  const keep = (name: keyof FleetPacket, read: string | null | undefined) => {
    if (read === undefined) errors[name] = faults[name]
    return read ?? null
  }
  const textOf = (name: keyof FleetPacket) => fields.get(name) ?? ''
  const value = {
    unit: keep('unit', readText(textOf('unit'), 20)),
    driver: keep('driver', readText(textOf('driver'), 60)),
    plate: keep('plate', readCode(textOf('plate'), /^[A-Z0-9]{1,8}$/)),
    plateState: keep('plateState', readCode(textOf('plateState'), /^[A-Z]{2}$/)),
  }
  return { value, errors }
}

const mostTyped = 200

function readText(typed: string, most: number): string | null | undefined {
  if (typed.length > mostTyped) return undefined
  const text = typed.trim().replaceAll(/\s+/g, ' ')
  if (text === '') return null
  return text.length <= most && !/[\p{C}<>{}\\]/u.test(text) ? text : undefined
}

/** Plates are written with and without spaces, dashes and dots. */
function readCode(typed: string, pattern: RegExp): string | null | undefined {
  if (typed.length > mostTyped) return undefined
  const code = typed.replaceAll(/[\s.-]/g, '').toUpperCase()
  if (code === '') return null
  return pattern.test(code) ? code : undefined
}

/** What a packet lacks, by the field that lacks it. */
export function missingInPacket(packet: FleetPacket & { vin: string | null }): { name: string; words: string }[] {
  return (['unit', 'driver', 'vin', 'plate', 'plateState'] as const).flatMap((name) =>
    packet[name] === null ? [{ name, words: packetWords[name] }] : [],
  )
}
