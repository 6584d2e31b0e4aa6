/**
 * PIES 7.x files (Product Information Exchange Standard) as rows of item data, one per item. Structure:
 * https://www.autocare.org/data-and-information/data-standards
 */
import type { Transform } from 'node:stream'
import { CURRENCY } from '#platform/business-constants.ts'
import { itemDataColumns } from './item-data-feed.ts'
import { maxItemPrices, noDay } from './item-prices.ts'
import { makeXmlReader, xmlRows, type Attributes, type Fault, type RowReader } from './xml-rows.server.ts'

/** Reads text and emits the header of an item data file and a row per item. Ends after a checked trailer. */
export function piesRows(): Transform {
  return xmlRows(itemDataColumns, createReader())
}

type Cells = Partial<Record<(typeof itemDataColumns)[number], string>>
type Element = { value: string; attributes: Attributes; line: number }
type Header = { language: string; brand_code: string; currency: string }
/**
 * An item so far, and the package and the price that are being read. `extended` is a description that counts without a marketing text.
 * `lines` has the line of each cell.
 */
type Item = {
  cells: Cells
  lines: Partial<Record<string, number>>
  line: number
  header: Header
  extended: string
  hasCountries: boolean
  pack: { eaches: string; weight: string; unit: string; line: number }
  price: Price
  priceCount: number
  isPriceFaulty: boolean
}
type Price = {
  amount: string
  unit: string
  currency: string
  from: string
  until: string
  hasBreak: boolean
  line: number
}

/** The parts of a file in order. */
const parts: readonly string[] = ['Header', 'PriceSheets', 'MarketingCopy', 'Items', 'Trailer']
const headerFields: ReadonlySet<string> = new Set([
  'PIESVersion',
  'SubmissionType',
  'BrandOwnerAAIAID',
  'LanguageCode',
  'CurrencyCode',
])

function createReader(): RowReader {
  const given: Record<string, string> = {}
  let rows: string[][] = []
  let header: Header | null = null
  let item: Item | null = null
  let items = 0
  let part = -1
  let isClosed = false
  const reader = makeXmlReader({
    standard: 'PIES',
    maxDepth: 8,
    rowNo: () => items + 2,
    opened({ name, attributes, path, line }) {
      if (path.length === 0 && name !== 'PIES') throw fault(`the file is ${name.slice(0, 40)}, not PIES`, 'a PIES file')
      if (path.length === 1) openPart(name)
      if (path.length !== 2 || path[1] !== 'Items') return
      if (name !== 'Item') throw fault(`Items has an element ${name.slice(0, 40)} in line ${line}`, 'Item')
      if (header) item = startItem(header, attributes, line)
    },
    closed({ name, path, ...element }) {
      const [, within] = path
      if (within === 'Header' && path.length === 2 && headerFields.has(name)) given[name] = element.value
      else if (within === 'Trailer' && name === 'ItemCount') checkCount(element.value)
      else if (within === 'Items' && item) readElement(item, [...path.slice(3), name].join('/'), element)
      if (within === 'Items' && path.length === 2) closeItem()
      if (path.length === 1) closePart(name)
    },
  })
  const { fault } = reader

  function openPart(name: string): void {
    const index = parts.indexOf(name)
    if (index === -1) throw fault(`has an element ${name.slice(0, 40)}`, `one of ${parts.join(', ')}`)
    if (index <= part) throw fault(`has ${name} after ${parts[part]}`, `the order ${parts.join(', ')}`)
    if (name !== 'Header' && !header) throw fault('has no header before its items', 'a Header first')
    if (name === 'Trailer' && items === 0) throw fault('has no items before its trailer', 'Items with an Item')
    part = index
  }

  function closePart(name: string): void {
    if (name === 'Header') header = readHeader(given, fault)
    if (name === 'Trailer') isClosed = true
  }

  function closeItem(): void {
    if (!item) return
    items++
    rows.push(rowOf(item))
    item = null
  }

  function checkCount(value: string): void {
    if (value !== String(items))
      throw fault(
        `the trailer counts ${value.slice(0, 20) || 'no'} items, and the file has ${items}`,
        'the number of items in the file: it may be cut off',
      )
  }

  return {
    take(more) {
      reader.write(more)
      const read = rows
      rows = []
      return read
    },
    end() {
      if (!isClosed) throw fault('the file ends without a trailer', 'a Trailer with the number of items')
      reader.close()
    },
  }
}

function readHeader(given: Readonly<Record<string, string>>, fault: Fault): Header {
  const {
    PIESVersion: version = '',
    SubmissionType = '',
    BrandOwnerAAIAID = '',
    LanguageCode = '',
    CurrencyCode = '',
  } = given
  if (!/^7\.\d{1,2}$/.test(version))
    throw fault(`the PIESVersion is ${version.slice(0, 20) || 'missing'}`, 'PIES of version 7')
  if (!['FULL', 'UPDATE'].includes(SubmissionType.toUpperCase()))
    throw fault(`the SubmissionType is ${SubmissionType.slice(0, 20) || 'missing'}`, 'FULL or UPDATE')
  return { language: LanguageCode || english, brand_code: BrandOwnerAAIAID, currency: CurrencyCode || dollars }
}

const english = 'EN'
const dollars = CURRENCY.code
/** Units of one tire, in a price. */
const eaches: ReadonlySet<string> = new Set(['', 'PE', 'EA'])

function startItem(header: Header, { MaintenanceType = '' }: Attributes, line: number): Item {
  return {
    cells: { maintenance: MaintenanceType, brand_code: header.brand_code },
    lines: {},
    line,
    header,
    extended: '',
    hasCountries: false,
    pack: noPackage(),
    price: noPrice(),
    priceCount: 0,
    isPriceFaulty: false,
  }
}

const noPackage = () => ({ eaches: '', weight: '', unit: '', line: 0 })
const noPrice = (): Price => ({ amount: '', unit: '', currency: '', from: '', until: '', hasBreak: false, line: 0 })

function rowOf({ cells, extended, lines, line }: Item): string[] {
  const others = Object.entries(lines).filter(([, at]) => at !== line)
  const whole: Cells = {
    ...cells,
    about: cells.about ?? extended,
    line: [line, ...others.map(([column, at]) => `${column}=${at}`)].join(' '),
  }
  return itemDataColumns.map((column) => whole[column] ?? '')
}

const readers: Readonly<Record<string, (item: Item, element: Element) => void>> = {
  PartNumber({ cells }, { value }) {
    cells.part = value
  },
  BrandAAIAID({ cells }, { value }) {
    if (value !== '') cells.brand_code = value
  },
  BrandLabel({ cells }, { value }) {
    cells.brand = value
  },
  ItemLevelGTIN({ cells }, { value }) {
    // Files fill in zeros for items without one.
    if (!/^0+$/.test(value)) cells.gtin = value
  },
  'Descriptions/Description'(item, { value, line, attributes: { DescriptionCode, LanguageCode } }) {
    if ((LanguageCode ?? item.header.language).toUpperCase() !== english) return
    if (DescriptionCode === 'MKT') item.cells.about ??= value
    if (DescriptionCode === 'EXT' && item.extended === '') {
      item.extended = value
      item.lines['about'] ??= line
    }
  },
  'ExtendedInformation/ExtendedProductInformation'(item, { value, attributes: { EXPICode } }) {
    if (EXPICode !== 'CTO' || item.hasCountries) return
    item.hasCountries = item.cells.origin_country !== undefined && item.cells.origin_country !== value
    item.cells.origin_country = item.hasCountries ? '' : value
  },
  'Prices/Pricing/Price'({ price }, { value, line, attributes: { UOM = '' } }) {
    price.amount = value
    price.unit = UOM
    price.line = line
  },
  'Prices/Pricing/CurrencyCode'({ price }, { value }) {
    price.currency = value
  },
  'Prices/Pricing/EffectiveDate'({ price }, { value }) {
    price.from = value
  },
  'Prices/Pricing/ExpirationDate'({ price }, { value }) {
    price.until = value
  },
  'Prices/Pricing/PriceBreak'({ price }, { value }) {
    price.hasBreak = value !== '' && value !== '1'
  },
  'Packages/Package/QuantityofEaches'({ pack }, { value }) {
    pack.eaches = value
  },
  'Packages/Package/Weights/Weight'({ pack }, { value, line }) {
    pack.weight = value
    pack.line = line
  },
  'Packages/Package/Weights'({ pack }, { attributes: { UOM = '' } }) {
    pack.unit = UOM
  },
}

/** Adds a closed element of an item. `place` is its path within the item. Data that a file deletes isn't read. */
function readElement(item: Item, place: string, element: Element): void {
  const isDeleted = element.attributes['MaintenanceType'] === 'D'
  if (!isDeleted && Object.hasOwn(readers, place)) {
    const before = { ...item.cells }
    readers[place]?.(item, element)
    for (const column of itemDataColumns) if (item.cells[column] !== before[column]) item.lines[column] = element.line
  }
  if (place === 'Prices/Pricing') closePrice(item, element)
  if (place !== 'Packages/Package') return
  const { eaches, weight, unit, line } = item.pack
  item.pack = noPackage()
  if (isDeleted || eaches !== '1' || weight === '' || item.cells.weight !== undefined) return
  item.cells.weight = weight
  item.cells.weight_unit = unit
  item.lines['weight'] = line
  item.lines['weight_unit'] = line
}

const pricePattern = /^\d{1,7}(?:\.\d{1,4})?$/

/** Adds a price of one tire in US dollars. A cell with too many prices, or one that can't be read, is rejected later. */
function closePrice(item: Item, { attributes: { MaintenanceType, PriceType = '' } }: Element): void {
  const { amount, unit, currency, from, until, hasBreak, line } = item.price
  item.price = noPrice()
  const isRead = amount !== '' && !hasBreak && eaches.has(unit) && (currency || item.header.currency) === dollars
  if (MaintenanceType === 'D' || !isRead || item.priceCount > maxItemPrices) return
  item.priceCount++
  const cell = `${PriceType} ${amount} ${from || noDay} ${until || noDay}`.replaceAll(';', ',').slice(0, 60)
  const before = item.cells.prices
  item.cells.prices = before === undefined ? cell : `${before}; ${cell}`
  // The line of the first price that can't be read.
  if (item.lines['prices'] === undefined || !item.isPriceFaulty) item.lines['prices'] = line
  item.isPriceFaulty ||= !pricePattern.test(amount)
}
