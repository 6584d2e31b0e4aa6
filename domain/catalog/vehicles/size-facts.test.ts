/** Compares the bundled original sizes with `size-facts.csv`, which only this test reads. docs/data.md has the figures. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { readKnownModels, readVehicles } from '#db/reference/vehicles.ts'
import { judgeFitment, type OfferedTire } from '#domain/catalog/fitment/fitment.ts'
import { isAsFast, parseTire, sizeDesignation, speedOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { slugOf } from '#platform/slug.ts'
import { requirementFor, toSizedVehicle, type FitmentOption, type SizedVehicle } from './vehicles.ts'

type Row = Record<
  | 'year_from'
  | 'year_to'
  | 'make'
  | 'model'
  | 'trim'
  | 'front'
  | 'rear'
  | 'service'
  | 'source'
  /** manual, maker, or label for pages by the maker; press or other for pages by others. */
  | 'kind'
  /** Whether the page lists all sizes of the vehicle, or only some. */
  | 'sizes',
  string
>

/** The statements on one page about one model year. */
type Page = {
  readonly year: number
  readonly make: string
  readonly model: string
  readonly trim: string
  readonly isMakers: boolean
  readonly isWhole: boolean
  readonly tires: readonly Pair[]
}
type Pair = { readonly front: OfferedTire; readonly rear: OfferedTire }

const rows = parse<Row>(readFileSync(join(import.meta.dirname, 'size-facts.csv')), { columns: true })
const pages = readPages()
const models = readModels()
const known = new Set(
  readKnownModels(readVehicles().vehicles).flatMap(({ make, model, first_year, last_year }) =>
    Array.from({ length: last_year - first_year + 1 }, (_, index) => modelKey(first_year + index, make, model)),
  ),
)

function readPages(): Page[] {
  const byPage = Map.groupBy(rows, (row) =>
    [row.year_from, row.year_to, row.make, row.model, row.trim, row.source].join('|'),
  )
  return [...byPage.values()].flatMap((lines) => {
    const [first] = lines
    if (!first) return []
    const from = Number(first.year_from)
    const page = {
      make: first.make,
      model: first.model,
      trim: first.trim,
      isMakers: ['manual', 'maker', 'label'].includes(first.kind),
      isWhole: first.sizes === 'all',
      tires: lines.map(pairOf),
    }
    return Array.from({ length: Number(first.year_to) - from + 1 }, (_, index) => ({ ...page, year: from + index }))
  })
}

/** "91V / 94V" describes the front and the rear tire; "91V" describes both. */
function pairOf({ front, rear, service }: Row): Pair {
  const [ofFront = '', ofRear = ofFront] = service.split('/').map((text) => text.trim())
  return { front: tireOf(`${front} ${ofFront}`), rear: tireOf(`${rear} ${ofRear}`) }
}

function tireOf(text: string): OfferedTire {
  const tire = parseTire(text.trim())
  if (!tire) throw new Error(`${text} is not a tire`)
  return tire
}

function modelKey(year: number, make: string, model: string): string {
  return `${year} ${slugOf(make)} ${slugOf(model)}`
}

function readModels(): Map<string, SizedVehicle[]> {
  const { vehicles, fitments } = readVehicles()
  const byVehicle = Map.groupBy(fitments, (fitment) => fitment.vehicle_id)
  const sized = vehicles.map((row) => toSizedVehicle(row, byVehicle.get(row.id) ?? []))
  return Map.groupBy(sized, ({ vehicle }) => modelKey(vehicle.year, vehicle.make, vehicle.model))
}

/** The trims that a page is about. A trim that it names can have a longer name in the store ("Hybrid Blue"). */
function trimsOf(page: Page): SizedVehicle[] {
  const all = models.get(modelKey(page.year, page.make, page.model)) ?? []
  if (page.trim === '') return all
  const exact = all.filter(({ vehicle }) => vehicle.trim === page.trim)
  const longer = all.filter(({ vehicle }) => vehicle.trim.startsWith(`${page.trim} `))
  return page.isWhole && exact.length > 0 ? exact : [...exact, ...longer]
}

function sizesOf({ front, rear }: Pair): string {
  return [front, rear].map(({ size }) => size && sizeDesignation(size)).join(' ')
}

function listedPair({ front, rear }: FitmentOption): Pair {
  const textOf = (tire: FitmentOption['front']) => `${tire.size} ${tire.loadIndex ?? ''}${tire.speed ?? ''}`
  return { front: tireOf(textOf(front)), rear: tireOf(textOf(rear)) }
}

type Match = {
  readonly page: Page
  readonly trim: SizedVehicle
  readonly option: FitmentOption
  readonly stated: Pair[]
}

/** Every listed choice of sizes of a trim that a page is about, with the tires in these sizes that the page states. */
const matches = pages.flatMap((page) =>
  trimsOf(page).flatMap((trim) =>
    trim.fitments.map((option): Match => {
      const sizes = sizesOf(listedPair(option))
      return { page, trim, option, stated: page.tires.filter((tires) => sizesOf(tires) === sizes) }
    }),
  ),
)

const nameOf = ({ page: { year, make, model }, trim, option }: Match): string =>
  `${year} ${make} ${model} ${trim.vehicle.trim} ${option.front.size} ${option.front.loadIndex}${option.front.speed}`
const unique = (names: readonly string[]): string[] => [...new Set(names)].toSorted()

/** The stated tire, completed with the listed one. */
function filled(stated: OfferedTire, listed: OfferedTire): OfferedTire {
  const known = Object.entries(stated).filter(([, value]) => value !== undefined)
  return { ...listed, ...Object.fromEntries(known) }
}

/** Whether the store requires less of a tire than the page states. */
function isLower(listed: OfferedTire, stated: OfferedTire): boolean {
  const speed = speedOf(listed.speed)
  const needed = speedOf(stated.speed)
  const isSlower = speed !== undefined && needed !== undefined && !isAsFast(speed, needed)
  return (listed.loadIndex ?? 0) < (stated.loadIndex ?? 0) || isSlower
}

const isListedLower = ({ option, stated }: Match): boolean => {
  const listed = listedPair(option)
  return (
    stated.length > 0 && stated.every(({ front, rear }) => isLower(listed.front, front) || isLower(listed.rear, rear))
  )
}

/** The verdict on four such tires. `isConfirmed` means that the door label has these sizes. */
function verdictOn({ trim, option }: Match, { front, rear }: Pair, isConfirmed: boolean) {
  const settled = { fitmentId: isConfirmed ? option.id : null, confirmed: isConfirmed, label: null }
  const requirement = requirementFor([trim], settled)
  return judgeFitment({ requirement, candidate: { front, rear }, context: { quantity: 4 } }).verdict
}

test('the figures in docs/data.md are current', () => {
  const modelYears = unique(pages.map(({ year, make, model }) => modelKey(year, make, model)))
  const sized = modelYears.filter((key) => models.has(key))
  const lines = pages
    .filter((page) => trimsOf(page).length > 0)
    .flatMap((page) => page.tires.map((tires) => ({ page, sizes: sizesOf(tires) })))
  const listed = lines.filter(({ page, sizes }) =>
    matches.some((match) => match.page === page && sizesOf(listedPair(match.option)) === sizes),
  )
  const whole = matches.filter(({ page }) => page.isWhole)
  expect({
    facts: rows.length,
    modelYears: modelYears.length,
    withSizes: sized.length,
    askForLabel: modelYears.filter((key) => !models.has(key) && known.has(key)).length,
    unknown: modelYears.filter((key) => !models.has(key) && !known.has(key)).length,
    statedSizes: lines.length,
    statedSizesListed: listed.length,
    choicesOnWholePages: whole.length,
    choicesRight: whole.filter(({ stated }) => stated.length > 0).length,
  }).toEqual({
    facts: 411,
    modelYears: 161,
    withSizes: 143,
    askForLabel: 18,
    unknown: 0,
    statedSizes: 371,
    statedSizesListed: 291,
    choicesOnWholePages: 250,
    choicesRight: 242,
  })
})

/** The Elantra's manual leaves the N Line out. The Nissans are in transcripts of manuals, and may be mistakes there. */
const unsettled = [
  '2015 Nissan Sentra SV 205/55R16 91H',
  '2019 Nissan Sentra SV 205/55R16 91H',
  '2020 Nissan Pathfinder Platinum 235/55R20 102H',
  '2020 Nissan Pathfinder SL 235/65R18 106T',
  '2020 Nissan Rogue SV 225/65R17 102H',
  '2020 Nissan Sentra SV 205/60R16 92H',
  '2021 Hyundai Elantra N Line 235/40R18 95V',
  '2022 Nissan Pathfinder SL 255/60R18 108H',
]

test('every other listed size is one that the page has, if the page has all of them', () => {
  const whole = matches.filter(({ page }) => page.isWhole)
  expect(unique(whole.filter(({ stated }) => stated.length === 0).map(nameOf))).toEqual(unsettled)
})

test('no listed load index or speed is below what the maker states', () => {
  const lower = matches.filter((match) => match.page.isMakers && isListedLower(match))
  expect(unique(lower.map(nameOf))).toEqual([])
})

test('only three vehicles are listed below what others state', () => {
  const lower = matches.filter((match) => !match.page.isMakers && isListedLower(match))
  expect(
    unique(lower.map(({ trim, option }) => `${trim.vehicle.make} ${trim.vehicle.trim} ${option.front.size}`)),
  ).toEqual(['Mazda i 195/65R15', 'Rivian Road 21in 275/55R21', 'Subaru Wilderness 225/60R17'])
})

test('a tire as the maker states it is not refused once the size is confirmed', () => {
  const refused = matches.filter(
    (match) =>
      match.page.isMakers &&
      match.stated.length > 0 &&
      match.stated.every((tires) => {
        const listed = listedPair(match.option)
        const whole = { front: filled(tires.front, listed.front), rear: filled(tires.rear, listed.rear) }
        return verdictOn(match, whole, true) === 'does_not_fit'
      }),
  )
  expect(unique(refused.map(nameOf))).toEqual([])
})

const symbols = ['Q', 'S', 'T', 'H', 'V', 'W', 'Y'] as const

/** Every stated tire with one load index less, and with every lower speed. Its other value is high. */
function lowerThan({ front, rear }: Pair, listed: Pair): Pair[] {
  const [whole, other] = [filled(front, listed.front), filled(rear, listed.rear)]
  const less = (tire: OfferedTire): OfferedTire => ({ ...tire, loadIndex: (tire.loadIndex ?? 0) - 1, speed: 'Y' })
  const slow = (tire: OfferedTire, speed: (typeof symbols)[number]): OfferedTire => ({ ...tire, loadIndex: 130, speed })
  const slower = symbols.filter((speed) => isLower({ speed }, { speed: front.speed }))
  return [
    ...(front.loadIndex === undefined ? [] : [{ front: less(whole), rear: less(other) }]),
    ...slower.map((speed) => ({ front: slow(whole, speed), rear: slow(other, speed) })),
  ]
}

/** The tires that are lower than every tire that the page states in these sizes. */
const lowerThanAll = (stated: readonly Pair[], listed: Pair): Pair[] =>
  stated
    .flatMap((tires) => lowerThan(tires, listed))
    .filter((tires) => stated.every(({ front, rear }) => isLower(tires.front, front) || isLower(tires.rear, rear)))

test('no tire below a stated one, and no size that the page lacks, gets a plain "fits"', () => {
  const offered = [...new Map(pages.flatMap(({ tires }) => tires).map((tires) => [sizesOf(tires), tires])).values()]
  const strong = ({ size }: OfferedTire): OfferedTire => ({ size, loadIndex: 130, speed: 'Y' })
  const cases = matches.flatMap((match) => {
    const listed = listedPair(match.option)
    const known = new Set([...match.page.tires, listed].map(sizesOf))
    const others = offered
      .filter((tires) => !known.has(sizesOf(tires)))
      .map(({ front, rear }) => ({ front: strong(front), rear: strong(rear) }))
    const lower = match.page.isMakers ? lowerThanAll(match.stated, listed) : []
    return [...others, ...lower].map((tires) => ({ match, tires }))
  })
  const unsafe = cases.filter(({ match, tires }) =>
    [false, true].some((isConfirmed) => verdictOn(match, tires, isConfirmed) === 'fits'),
  )
  expect(cases.length).toBeGreaterThan(20_000)
  expect(unique(unsafe.map(({ match, tires }) => `${nameOf(match)}: ${sizesOf(tires)}`))).toEqual([])
})
