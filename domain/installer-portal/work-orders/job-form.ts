/** A technician's job form, with tires by position, odometer, completion code and signature. */
import { parseOrderCode, readAnyVin, readPacket, type FleetPacket } from '#domain/ordering/orders/orders.ts'
import { countOf } from '#platform/count-text.ts'
import { readSignature } from './signature.ts'
import { parseTin, tinFault, tinWeek, whyNotTin, type TinFault } from './tin.ts'
import { wheelPositions, type TireSlot } from './wheel-positions.ts'

/** A tire as entered; null for missing values. */
export type TireInput = {
  lineNo: number
  nth: number
  position: string
  tin: string | null
  oldTread32: number | null
}

export type JobInput = {
  tires: TireInput[]
  odometerMiles: number | null
  /** Torque of the wheel nuts as the technician set it. Shops may leave it empty. */
  torqueLbFt: number | null
  code: string | null
  signedName: string | null
  /** As drawn; null for a name that was only typed. */
  signature: string | null
  /** The last eight characters of the car's VIN. */
  vinEnd: string | null
  /** The fleet's vehicle details; null for other jobs. */
  packet: FleetPacket | null
}

/** The fields of a tire. */
export function tireFields({ lineNo, nth }: Pick<TireInput, 'lineNo' | 'nth'>): {
  tin: string
  tread: string
  position: string
} {
  const key = `${lineNo}-${nth}`
  return { tin: `tin-${key}`, tread: `tread-${key}`, position: `position-${key}` }
}

/** Returns the name of the checkbox that applies the first tire's TIN to every unit of a line. */
export function sameTinField(lineNo: number): string {
  return `same-tin-${lineNo}`
}

/** Returns a tire's entered TIN. If empty, uses the TIN of the line's first tire if the line's box is checked. */
function typedTin(
  fields: URLSearchParams,
  slot: TireSlot,
  slots: readonly TireSlot[],
): { typed: string; isOwn: boolean } {
  const textOf = (each: TireSlot) => (fields.get(tireFields(each).tin) ?? '').trim()
  const own = textOf(slot)
  const first = slots.find(({ lineNo }) => lineNo === slot.lineNo)
  if (own !== '' || !first || fields.get(sameTinField(slot.lineNo)) !== 'yes') return { typed: own, isOwn: true }
  return { typed: textOf(first), isOwn: first === slot }
}

/**
 * Parses a job form; empty fields are missing. `day` is today at the shop, `maxAgeYears` the maximum tire age that the
 * order was placed under, and `knownVinEnd` is the order's VIN data. A job with fleet details includes their fields.
 */
export function readJobForm(
  fields: URLSearchParams,
  slots: readonly TireSlot[],
  {
    day,
    maxAgeYears,
    knownVinEnd,
    hasPacket,
  }: { day: Temporal.PlainDate; maxAgeYears: number; knownVinEnd: string | null; hasPacket: boolean },
): { ok: true; value: JobInput } | { ok: false; errors: Record<string, string> } {
  const errors: Record<string, string> = {}
  const textOf = (name: string) => (fields.get(name) ?? '').trim()
  const tires = slots.map((slot): TireInput => {
    const names = tireFields(slot)
    const { typed, isOwn } = typedTin(fields, slot, slots)
    const tin = readTin(typed, day, maxAgeYears)
    // A wrong TIN is reported once, where it was typed.
    if (tin.error !== undefined && isOwn) errors[names.tin] = tin.error
    const oldTread32 = readWhole(textOf(names.tread).replaceAll(/\s/g, '').replace(/\/32$/, ''), 32)
    if (oldTread32 === undefined) errors[names.tread] = 'Enter 32nds of an inch, from 0 to 32.'
    const asked = slot.isFixed ? slot.position : textOf(names.position) || slot.position
    if (!wheelPositions.includes(asked)) errors[names.position] = 'Choose where this tire goes.'
    return { ...slot, position: asked, tin: tin.value, oldTread32: oldTread32 ?? null }
  })
  for (const [index, { position, ...tire }] of tires.entries())
    if (tires.findIndex((each) => each.position === position) < index)
      errors[tireFields(tire).position] = 'Another tire is at this position.'
  const odometerMiles = readWhole(textOf('odometer').replaceAll(/[,\s]|mi$/gi, ''), 999_999)
  if (odometerMiles === undefined) errors['odometer'] = 'Enter whole miles, such as 41,836.'
  const torqueLbFt = readTorque(textOf('torque'))
  if (torqueLbFt === undefined) errors['torque'] = `Enter whole lb-ft, from ${torqueLimits.min} to ${torqueLimits.max}.`
  const code = parseOrderCode(textOf('code'))
  if (textOf('code') !== '' && code === undefined) errors['code'] = 'The code has 6 digits.'
  const { signedName, signature, ...wrong } = readSigned(textOf, fields.get('signed') === 'yes')
  Object.assign(errors, wrong.errors)
  const vin = readCarVin(textOf('vin'), knownVinEnd)
  if (vin.error !== undefined) errors['vin'] = vin.error
  const packet = hasPacket ? readPacket(fields) : null
  Object.assign(errors, packet?.errors)
  if (Object.keys(errors).length > 0) return { ok: false, errors }
  return {
    ok: true,
    value: {
      tires: tires.map(({ lineNo, nth, position, tin, oldTread32 }) => ({ lineNo, nth, position, tin, oldTread32 })),
      odometerMiles: odometerMiles ?? null,
      torqueLbFt: torqueLbFt ?? null,
      code: code ?? null,
      signedName,
      signature,
      vinEnd: vin.value,
      packet: packet && packet.value,
    },
  }
}

/** Returns the signer and how they signed (with a drawing, or a typed name with a confirmation box). */
function readSigned(
  textOf: (name: string) => string,
  isChecked: boolean,
): Pick<JobInput, 'signedName' | 'signature'> & { errors: Record<string, string> } {
  const errors: Record<string, string> = {}
  const [name, signature] = [textOf('signedName'), readSignature(textOf('signature'))]
  if (name !== '' && (name.length < 2 || name.length > 60))
    errors['signedName'] = 'Enter the customer’s name, up to 60 characters.'
  if (signature === undefined) errors['signature'] = 'Sign with the whole name.'
  if (signature && name === '') errors['signedName'] = 'Enter the name of who signs.'
  if (name !== '' && !signature && !isChecked)
    errors['signed'] = 'The customer signs or checks this themselves, or shows the code.'
  return { signedName: name || null, signature: signature ?? null, errors }
}

/** The VIN of the car in front of the technician, whole or its last eight; it must be the car of the order. */
function readCarVin(typed: string, known: string | null): { value: string | null; error?: string } {
  const vin = readAnyVin(typed)
  if (vin.value === null) return vin
  const end = vin.value.slice(-8)
  if (known !== null && end !== known)
    return { value: null, error: `The order is for the car with the VIN that ends in ${known}. Is this the right car?` }
  return { value: end }
}

function readTin(
  typed: string,
  day: Temporal.PlainDate,
  maxAgeYears: number,
): { value: string | null; error?: string } {
  if (typed === '') return { value: null }
  const tin = parseTin(typed)
  if (tin === undefined) return { value: null, error: tinFaultTexts[tinFault(typed)](typed) }
  const { week, year } = tinWeek(tin)
  switch (whyNotTin(tin, day, maxAgeYears)) {
    case 'future':
      return { value: null, error: `Week ${week} of ${year} is in the future. ${readDateAgain}` }
    case 'too-old':
      return {
        value: null,
        error: `Do not mount. Made in week ${week} of ${year}. We do not sell tires older than ${countOf(maxAgeYears, 'year')}.`,
      }
    case undefined:
      return { value: tin }
  }
}

const readDateAgain = 'Enter the last four digits as week and year.'

const tinFaultTexts: Record<TinFault, (typed: string) => string> = {
  week: (typed) => `Week ${typed.replaceAll(/\D/g, '').slice(-4, -2)} doesn’t exist. ${readDateAgain}`,
  date: () => 'The last four characters are the week and year in digits, such as 3426.',
  letters: () => 'TINs don’t use the letters I, O and Q. Read the code again. It may be a 1 or a 0.',
  length: () => 'Enter all 8 to 13 characters after DOT. The last four are week and year.',
}

/** Torque that wheel nuts can have, in pound-feet. The constraint of the column has the same limits. */
const torqueLimits = { min: 20, max: 700 }

/** Parses a torque in pound-feet; null if empty, undefined if invalid. */
function readTorque(typed: string): number | null | undefined {
  const torque = readWhole(typed.replaceAll(/\s|lb|ft|[-.·]/gi, ''), torqueLimits.max)
  return torque != null && torque < torqueLimits.min ? undefined : torque
}

/** Parses an integer; null if empty, undefined if invalid. */
function readWhole(typed: string, most: number): number | null | undefined {
  if (typed === '') return null
  return /^\d{1,6}$/.test(typed) && Number(typed) <= most ? Number(typed) : undefined
}
