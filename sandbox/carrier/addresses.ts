/** Addresses and their verification. A numbered street in a US state exists. */
import { z } from 'zod'

const line = z.string().trim().max(100)

/** What EasyPost takes for an address. It wants little of one that is not shipped to. */
export const address = z.strictObject({
  name: line.nullish(),
  company: line.nullish(),
  street1: line.min(1),
  street2: line.nullish(),
  city: line.min(1),
  state: z.string().regex(/^[A-Z]{2}$/, 'two capital letters'),
  zip: z.string().regex(/^\d{5}(-\d{4})?$/, '5 digits, or 5+4'),
  country: z.literal('US').optional(),
  phone: z.string().max(30).nullish(),
  email: z.string().max(200).nullish(),
})
export type Address = z.output<typeof address>

/** An address before anything is known of it. */
export const looseAddress = z.strictObject({
  ...address.shape,
  street1: line.nullish(),
  city: line.nullish(),
  state: line.nullish(),
  zip: line.nullish(),
})
export type LooseAddress = z.output<typeof looseAddress>

export type AddressFault = { code: string; field: string; message: string; suggestion: string | null }

/** Why an address cannot be delivered to; empty if it can. */
export function faultsOf(given: LooseAddress): AddressFault[] {
  const parsed = address.safeParse(given)
  if (!parsed.success || parsed.data.state === 'ZZ')
    return [{ code: 'E.ADDRESS.NOT_FOUND', field: 'address', message: 'Address not found', suggestion: null }]
  if (!/\d/.test(parsed.data.street1))
    return [{ code: 'E.HOUSE_NUMBER.MISSING', field: 'street1', message: 'House number is missing', suggestion: null }]
  return []
}

/** Returns an address in EasyPost's format. Verified addresses are uppercase and state whether they're residential. */
export function addressView(given: LooseAddress, at: string, verification?: AddressFault[]): object {
  const isVerified = verification?.length === 0
  const spell = (text: string | null | undefined) => (isVerified ? text?.toUpperCase() : text) ?? null
  return {
    id: `adr_${Buffer.from(JSON.stringify([given.name, given.street1, given.zip]))
      .toString('hex')
      .slice(0, 32)}`,
    object: 'Address',
    created_at: at,
    updated_at: at,
    name: spell(given.name),
    company: spell(given.company),
    street1: spell(given.street1),
    street2: isVerified ? (spell(given.street2) ?? '') : spell(given.street2),
    city: spell(given.city),
    state: given.state ?? null,
    zip: given.zip ?? null,
    country: 'US',
    phone: given.phone ?? null,
    email: given.email ?? null,
    mode: 'test',
    carrier_facility: null,
    residential: isVerified ? true : null,
    federal_tax_id: null,
    state_tax_id: null,
    verifications: verification ? { delivery: { success: isVerified, errors: verification, details: null } } : {},
  }
}
