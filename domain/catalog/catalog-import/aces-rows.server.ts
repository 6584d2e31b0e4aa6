/**
 * ACES 4.x catalogs (Aftermarket Catalog Exchange Standard) as rows of a brand fitment file, one per application.
 * Structure: https://www.autocare.org/data-and-information/data-standards
 */
import type { Transform } from 'node:stream'
import { brandFitmentColumns } from './brand-fitment-feed.ts'
import { makeXmlReader, xmlRows, type Attributes, type Fault, type RowReader } from './xml-rows.server.ts'

/** Reads text and emits the header of a brand fitment file and a row per application. Ends after a checked footer. */
export function acesRows(): Transform {
  return xmlRows(brandFitmentColumns, createReader())
}

type Cells = Partial<Record<(typeof brandFitmentColumns)[number], string>>
/** An application so far. `terms` are its qualifiers, notes, and limits to versions of the vehicle. */
type Application = { cells: Cells; terms: string[] }

/** Elements of an application with a number of a licensed list, and perhaps its name. */
const coded: Readonly<Record<string, [code: keyof Cells, name: keyof Cells]>> = {
  Make: ['make_code', 'make'],
  Model: ['model_code', 'model'],
  SubModel: ['submodel_code', 'submodel'],
  Position: ['position_code', 'position'],
}
/** Elements that don't limit the vehicle. */
const withoutEffect: ReadonlySet<string> = new Set([
  'Qual',
  'PartType',
  'VehicleType',
  'MfrLabel',
  'DisplayOrder',
  'AssetName',
  'AssetItemOrder',
  'AssetItemRef',
])
const ofEquipment: ReadonlySet<string> = new Set(['EquipmentBase', 'EquipmentModel', 'Mfr'])
const parts: ReadonlySet<string> = new Set(['Header', 'App', 'Asset', 'DigitalAsset', 'Footer'])

function createReader(): RowReader {
  const header: Record<string, string> = {}
  let rows: string[][] = []
  let application: Application | null = null
  let applications = 0
  let assets = 0
  let source: Cells | null = null
  let isClosed = false
  const reader = makeXmlReader({
    standard: 'ACES',
    maxDepth: 6,
    rowNo: () => applications + 2,
    opened({ name, attributes, path }) {
      if (path.length === 0) checkRoot(name, attributes, fault)
      if (path.length === 1) openPart(name, attributes)
    },
    closed({ name, value, attributes, path }) {
      const [, part] = path
      if (part === 'Header' && path.length === 2) header[name] = value
      else if (part === 'Footer' && name === 'RecordCount') checkCount(value)
      else if (part === 'App' && application) readElement(application, path.slice(2), { name, value, attributes })
      if (path.length === 1) closePart(name)
    },
  })
  const { fault } = reader

  function openPart(name: string, given: Attributes): void {
    checkPart(name, { hasHeader: source !== null, isClosed, fault })
    if (name === 'App') application = { cells: { ...source, action: given['action'] ?? '' }, terms: [] }
    if (name === 'Asset') assets++
  }

  function closePart(name: string): void {
    if (name === 'Header') source = readHeader(header, fault)
    if (name === 'Footer' && !isClosed) throw fault('the footer has no RecordCount', 'the number of applications')
    if (name !== 'App' || !application) return
    applications++
    rows.push(rowOf(application))
    application = null
  }

  /** Files differ in whether they count assets, too. */
  function checkCount(value: string): void {
    if (value !== String(applications) && value !== String(applications + assets))
      throw fault(
        `the footer counts ${value.slice(0, 20) || 'no'} records, and the file has ${applications}`,
        'the number of applications in the file: it may be cut off',
      )
    isClosed = true
  }

  return {
    take(more) {
      reader.write(more)
      const read = rows
      rows = []
      return read
    },
    end() {
      if (!isClosed) throw fault('the file ends without a footer', 'a Footer with the number of records')
      reader.close()
    },
  }
}

function rowOf({ cells, terms }: Application): string[] {
  const whole: Cells = { ...cells, terms: terms.join('; ') }
  return brandFitmentColumns.map((column) => whole[column] ?? '')
}

function checkPart(
  name: string,
  { hasHeader, isClosed, fault }: { hasHeader: boolean; isClosed: boolean; fault: Fault },
): void {
  if (!parts.has(name)) throw fault(`has an element ${name.slice(0, 40)}`, `one of ${[...parts].join(', ')}`)
  if (isClosed) throw fault('has elements after its footer', 'the footer last')
  if (name !== 'Header' && !hasHeader) throw fault('has no header before its applications', 'a Header first')
}

function checkRoot(name: string, { version = '' }: Attributes, fault: Fault): void {
  if (name !== 'ACES') throw fault(`the file is ${name.slice(0, 40)}, not ACES`, 'an ACES file of version 4')
  if (!/^4\.\d{1,2}$/.test(version)) throw fault(`the file is ACES ${version.slice(0, 20)}`, 'ACES of version 4')
}

/** The cells that all applications of a file share. */
function readHeader(header: Readonly<Record<string, string>>, fault: Fault): Cells {
  const { Company = '', TransferDate = '', SubmissionType = '', BrandAAIAID = '' } = header
  if (Company === '') throw fault('the header names no Company', 'the company of the catalog')
  if (!/^\d{4}-\d\d-\d\d$/.test(TransferDate))
    throw fault('the header has no TransferDate', 'a date such as 2026-11-20')
  const submission = SubmissionType.toUpperCase()
  if (submission !== 'FULL' && submission !== 'UPDATE')
    throw fault(`the SubmissionType is ${SubmissionType.slice(0, 20) || 'missing'}`, 'FULL or UPDATE')
  return { company: Company, transferred_on: TransferDate, submission, brand_code: BrandAAIAID }
}

type Element = { value: string; attributes: Attributes }

const readers: Readonly<Record<string, (application: Application, element: Element) => void>> = {
  BaseVehicle({ cells }, { attributes }) {
    cells.base_vehicle = attributes['id'] ?? ''
  },
  Years({ cells }, { attributes }) {
    cells.first_year = attributes['from'] ?? ''
    cells.last_year = attributes['to'] ?? ''
  },
  Part({ cells }, { value, attributes }) {
    cells.part = value
    // An item of another brand in the same file.
    const { BrandAAIAID: brand } = attributes
    if (brand !== undefined) cells.brand_code = brand
  },
  Qty({ cells }, { value }) {
    cells.quantity = value
  },
  Note({ terms }, { value }) {
    if (value !== '') terms.push(value)
  },
}

/** Adds a closed element of an application. `within` are the elements between them. */
function readElement(
  application: Application,
  within: readonly string[],
  { name, ...element }: Element & { name: string },
): void {
  const { cells, terms } = application
  if (within.length > 0) {
    if (within[0] === 'Qual' && name === 'text' && element.value !== '') terms.push(element.value)
    return
  }
  const names = Object.hasOwn(coded, name) ? coded[name] : undefined
  if (names) {
    cells[names[0]] = element.attributes['id'] ?? ''
    cells[names[1]] = element.value
  } else if (Object.hasOwn(readers, name)) readers[name]?.(application, element)
  else if (ofEquipment.has(name)) cells.equipment = name
  else if (!withoutEffect.has(name)) terms.push(versionText(name, element.value))
}

/** A limit to versions of a vehicle: "DriveType" → "drive type AWD", or only that there is one. */
function versionText(name: string, value: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return value === '' ? `only with a certain ${words}` : `${words} ${value}`
}
