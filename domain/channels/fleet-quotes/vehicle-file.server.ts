/** Parses a vehicle list with VIN, unit, plate and state, from a CSV file or pasted text. */
import { parse } from 'csv-parse/sync'
import { isVinChecked, readPacket, readVin } from '#domain/ordering/orders/orders.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { mostFleetFileBytes, mostFleetVehicles } from './fleet-quotes.ts'
import { uploadedCsv } from '#platform/csv-text.ts'
import { countOf } from '#platform/count-text.ts'

export type ListedVehicle = {
  /** In the file, from 1. */
  line: number
  vin: string
  unit: string | null
  plate: string | null
  plateState: string | null
}

const columns = {
  vin: /^vin\b|^vehicle identification/,
  unit: /^unit/,
  plateState: /state/,
  plate: /plate|^tag$|license/,
}
type Column = keyof typeof columns
const inOrder: readonly Column[] = ['vin', 'unit', 'plate', 'plateState']
const mostColumns = 40
const longestLine = 2_000

/** Decodes a file's bytes as text. Refuses, with messages, files that are too large or not UTF-8. */
export function readListBytes(bytes: Uint8Array): Outcome<string, Refused<'faults', string[]>> {
  if (bytes.length > mostFleetFileBytes)
    return refused('faults', [`The file is larger than ${mostFleetFileBytes / 1024} kB. Split it.`])
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const save = 'Save it as “CSV UTF-8” and choose it again.'
  if (isWide) return refused('faults', [`The file is in UTF-16. ${save}`])
  if (bytes.includes(0)) return refused('faults', [`This is not a text file. ${save}`])
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return refused('faults', [`The file is not in UTF-8. ${save}`])
  }
}

/**
 * Parses a list with or without a header. Without one, the columns are VIN, unit, plate and state. Refuses an empty,
 * too long or invalid list, with every error by line.
 */
export function readVehicleList(text: string): Outcome<ListedVehicle[], Refused<'faults', string[]>> {
  const rows = readRows(text)
  if (!rows.ok) return rows
  const [first] = rows.value
  if (!first) return refused('faults', ['The list is empty.'])
  const header = headerOf(first.cells)
  if (header && !header.includes('vin')) return refused('faults', ['No column is named VIN.'])
  const lines = header ? rows.value.slice(1) : rows.value
  if (lines.length === 0) return refused('faults', ['The list has no vehicle below its header.'])
  if (lines.length > mostFleetVehicles)
    return refused('faults', [`The list has more than ${countOf(mostFleetVehicles, 'vehicle')}. Split it.`])
  const faults: string[] = []
  const seen = new Map<string, number>()
  const vehicles = lines.flatMap(({ cells, line }) => {
    const read = readVehicle(cells, header ?? inOrder)
    const known = read.value && seen.get(read.value.vin)
    if (known !== undefined) read.faults.push(`This VIN is on line ${known}, too.`)
    faults.push(...read.faults.map((fault) => `Line ${line}: ${fault}`))
    if (!read.value || read.faults.length > 0) return []
    seen.set(read.value.vin, line)
    return { ...read.value, line }
  })
  return faults.length > 0 ? refused('faults', faults) : ok(vehicles)
}

type Row = { cells: string[]; line: number }

function readRows(text: string): Outcome<Row[], Refused<'faults', string[]>> {
  const head = text.slice(0, longestLine).split(/\r?\n/, 1)[0] ?? ''
  const delimiter = ['\t', ';'].find((sign) => head.includes(sign)) ?? ','
  try {
    const records = parse(text, {
      ...uploadedCsv,
      trim: true,
      info: true,
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: longestLine,
      to: mostFleetVehicles + 2,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    const rows = records.map(({ record, info }) => ({ cells: record, line: info.lines }))
    const wide = rows.find(({ cells }) => cells.length > mostColumns)
    if (wide) return refused('faults', [`Line ${wide.line} has more than ${countOf(mostColumns, 'column')}.`])
    return ok(rows.filter(({ cells }) => cells.some((cell) => cell !== '')))
  } catch (error) {
    const line = error instanceof Error && 'lines' in error ? Number(error.lines) : 0
    return refused('faults', [`The list cannot be read as CSV${line > 0 ? ` from line ${line}` : ''}.`])
  }
}

/** Returns each cell's column if this is a header, meaning that no cell is a VIN and one is a column name. */
function headerOf(cells: readonly string[]): (Column | undefined)[] | undefined {
  if (cells.some((cell) => readVin(cell) !== undefined)) return undefined
  const named = cells.map((cell) => {
    const name = cell
      .toLowerCase()
      .replaceAll(/[^a-z]+/g, ' ')
      .trim()
    return (Object.keys(columns) as Column[]).find((column) => columns[column].test(name))
  })
  return named.some((name) => name !== undefined) ? named : undefined
}

function readVehicle(
  cells: readonly string[],
  header: readonly (Column | undefined)[],
): { value?: Omit<ListedVehicle, 'line'>; faults: string[] } {
  const cellOf = (column: Column) => cells[header.indexOf(column)] ?? ''
  const typed = cellOf('vin')
  const vin = typed.length > 40 ? undefined : readVin(typed)
  const shown = typed.slice(0, 40)
  const faults: string[] = []
  if (vin === undefined)
    faults.push(typed === '' ? 'There is no VIN.' : `“${shown}” is not a VIN of 17 characters without I, O and Q.`)
  else if (!isVinChecked(vin)) faults.push(`The VIN ${vin} has a wrong check digit. Read it again.`)
  const others = (['unit', 'plate', 'plateState'] as const).map((name) => [name, cellOf(name)])
  const packet = readPacket(new URLSearchParams(others))
  faults.push(...Object.values(packet.errors))
  const { unit, plate, plateState } = packet.value
  return vin === undefined ? { faults } : { value: { vin, unit, plate, plateState }, faults }
}
