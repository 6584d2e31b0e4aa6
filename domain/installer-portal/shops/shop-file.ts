/** The file of shops and vans that staff export, edit, and import. Safe in the browser. */
import type { ShopRecord } from '#domain/scheduling/installers/installers.server.ts'
import { countOf } from '#platform/count-text.ts'
import { headOf, uploadedCell } from '#platform/csv-text.ts'
import { shopServices } from './shop-services.ts'

export const maxShopFileBytes = 256 * 1024
export const maxShopFileRows = 500
export const shopFileLimits = `up to ${countOf(maxShopFileRows, 'row')} and ${maxShopFileBytes / 1024} kB`

/** The heading of each field, in the export and the import. */
export const shopFileColumns = {
  code: 'Shop',
  name: 'Name',
  version: 'Version',
  kind: 'Shop or van',
  street: 'Street address',
  city: 'City name',
  zip: 'ZIP code',
  phone: 'Phone number',
  email: 'Email',
  website: 'Website',
  about: 'About',
  services: 'Services',
  amenities: 'Amenities',
  rimMinIn: 'Smallest rim',
  rimMaxIn: 'Largest rim',
  aspectMin: 'Smallest aspect ratio',
  receivingMinutes: 'Minutes to receive',
  ownerName: 'Owner’s name',
  ownerEmail: 'Owner’s email',
} as const
export type ShopFileField = keyof typeof shopFileColumns

const fields = Object.keys(shopFileColumns) as ShopFileField[]
const requiredFields: readonly ShopFileField[] = ['code', 'name', 'kind', 'street', 'city', 'zip', 'phone']
const headings = (isRequired: boolean) =>
  fields.filter((field) => requiredFields.includes(field) === isRequired).map((field) => shopFileColumns[field])

/** The columns that a file needs, and those it may have. */
export const requiredShopColumns = headings(true)
export const optionalShopColumns = headings(false)

/** A row's fields, for the columns in its file. */
export type ShopRow = Partial<Record<ShopFileField, string>>

/** Returns the fields of a row, by `headOf` of their columns. */
export function readShopRow(cells: Readonly<Record<string, string>>): ShopRow {
  const typed = fields.flatMap((field): [ShopFileField, string][] => {
    const cell = cells[headOf(shopFileColumns[field])]
    return cell === undefined ? [] : [[field, uploadedCell(cell)]]
  })
  return Object.fromEntries(typed)
}

/** "Line 3, ZIP code: Enter a ZIP code." */
export function shopFileFault(line: number, field: ShopFileField, message: string): string {
  return `Line ${line}, ${shopFileColumns[field]}: ${message}`
}

/** Returns the fields of a shop as a row has them. Only new shops have an owner. */
export function shopFileValues(record: ShopRecord): Record<ShopFileField, string> {
  const { code, name, version, kind, street, city, zip, phone, email, website, about, services, amenities } = record
  const { rimMinIn, rimMaxIn, aspectMin, receivingMinutes } = record
  return {
    code,
    name,
    version: String(version),
    kind,
    street,
    city,
    zip,
    phone: phone.replaceAll(/\D/g, ''),
    email: email ?? '',
    website: website ?? '',
    about: about ?? '',
    services: services.join(', '),
    amenities: amenities.join(', '),
    rimMinIn: String(rimMinIn),
    rimMaxIn: String(rimMaxIn),
    aspectMin: String(aspectMin),
    receivingMinutes: String(receivingMinutes),
    ownerName: '',
    ownerEmail: '',
  }
}

/** Returns a row as the profile form has it, with each service ticked. */
export function typedProfile({ services = '', ...row }: ShopRow): Record<string, string> {
  const ticked = namesIn(services).map((name) => [`service-${name}`, '1'])
  return { ...row, ...(Object.fromEntries(ticked) as Record<string, string>) }
}

/** Returns the services of a row that don't exist. */
export function unknownServices({ services = '' }: ShopRow): string[] {
  return namesIn(services).filter((name) => !Object.hasOwn(shopServices, name))
}

const namesIn = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
