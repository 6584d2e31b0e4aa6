import { isLoadRange, rangeOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { federalExciseTaxCents } from '#domain/pricing/pricing/pricing.ts'
import type { Row } from '#db/insert-rows.ts'
import type { Line } from './lines.ts'
import { isPassenger, rimWidths, usualPrice, weightOf } from './physics.ts'
import { hashOf, randomStream, type Random } from './random.ts'
import type { Size, Strength } from './sizes.ts'
import { chooseSpeed, chooseStrength, kmh, poundsOf, suitability } from './suitability.ts'

export type Item = Row<'item'> & { load_index: number; speed: string }

/** A model's possible item. Those with the lowest `key` are generated. More common tires tend to have lower keys. */
export type Candidate = {
  line: Line
  size: Size
  strength: Strength
  speed: string
  runFlat: boolean
  key: number
  mark?: string | null
}

/** Items that pages, guides and tests mention, always in stock (stock.ts). Brand, line, size, load index, speed. */
const namedItems: readonly (readonly [string, string, string, number, string])[] = [
  ['Kestrel', 'Alltide AS2', '225/65R17', 102, 'H'],
  ['Kestrel', 'Alltide AS2', '225/60R18', 100, 'H'],
  ['Kestrel', 'Alltide AS2', '235/55R19', 101, 'V'],
  ['Kestrel', 'Alltide AS2', '235/60R18', 103, 'H'],
  ['Kestrel', 'Alltide AS2', '235/65R17', 104, 'H'],
  ['Alder & Stone', 'Greyline CX', '225/65R17', 102, 'V'],
  ['Alder & Stone', 'Greyline CX', '235/60R18', 103, 'V'],
  ['Alder & Stone', 'Vantage RS', '295/30R20', 101, 'Y'],
  ['Tarn', 'Fellgrip AW', '225/65R17', 102, 'H'],
  ['Tarn', 'Fellgrip AW', '235/60R18', 103, 'H'],
  ['Tarn', 'Fellgrip W3', '225/65R17', 102, 'T'],
  ['Tarn', 'Fellgrip W3', '235/60R18', 103, 'T'],
  ['Northpass', 'Meridian HT', '225/65R17', 102, 'H'],
  ['Northpass', 'Meridian HT', '275/65R18', 116, 'T'],
  ['Northpass', 'Scree AT', '35X12.50R17LT', 121, 'R'],
  ['Northpass', 'Scree AT', 'LT275/70R18', 125, 'S'],
  ['Beckett', 'Longhaul 80', '225/65R17', 102, 'H'],
  ['Beckett', 'Longhaul 80', '235/60R18', 103, 'H'],
  ['Corvane', 'Passage', '225/65R17', 102, 'T'],
]
const namedByLine = Map.groupBy(namedItems, ([brand, line]) => `${brand} ${line}`)

/** Returns a model's possible items in these sizes. Deterministic. */
export function candidatesOf(line: Line, sizes: readonly Size[]): Candidate[] {
  const random = randomStream(`items ${line.brand.slug} ${line.slug}`)
  const found = sizes.flatMap((size) => candidatesIn(size, line, random))
  return withoutTwins([...found, ...namedCandidates(line, sizes)])
}

/**
 * Returns the model's candidates in one size. The usual load and speed come first, then the next ones, those that meet
 * a listed requirement, and run-flat.
 */
function candidatesIn(size: Size, line: Line, random: Random): Candidate[] {
  const home = suitability(line.profile.slug, size)
  if (home === 0) return []
  const symbols = isPassenger(size) ? line.profile.speeds : line.profile.heavySpeeds
  const speed = chooseSpeed(size, symbols, random)
  const strength = chooseStrength(size, line.profile.slug, random)
  if (speed === undefined || strength === undefined) return []
  const weight = home * line.reach * demandFor(size)
  const base = { line, size, strength, speed, runFlat: false }
  const found: Candidate[] = [{ ...base, key: race(weight, random) }]
  const other = size.strengths[size.strengths.indexOf(strength) === 0 ? 1 : 0]
  if (other) found.push({ ...base, strength: other, key: race(weight * 0.3, random) })
  const faster = symbols[symbols.indexOf(speed) + 1]
  if (faster) found.push({ ...base, speed: faster, key: race(weight * 0.25, random) })
  for (const requirement of size.requirements) {
    // A few also meet rare requirements.
    const meeting = {
      strength: size.strengths.find((made) => made.loadIndex >= requirement.loadIndex),
      speed: symbols.find((symbol) => kmh(symbol) >= kmh(requirement.speed)),
    }
    if (meeting.strength && meeting.speed)
      found.push({ ...base, strength: meeting.strength, speed: meeting.speed, key: race(weight * 0.08, random) })
  }
  if (line.runFlat && size.rim >= 17 && size.aspect <= 55)
    found.push({ ...base, runFlat: true, key: race(weight * 0.6, random) })
  return found
}

/** Returns the model's named items. Their key sorts them first. */
function namedCandidates(line: Line, sizes: readonly Size[]): Candidate[] {
  const named = namedByLine.get(`${line.brand.name} ${line.name}`) ?? []
  return named.flatMap(([, , designation, loadIndex, speed]) => {
    const size = sizes.find((candidate) => candidate.designation === designation)
    const strength = size?.strengths.find((made) => made.loadIndex === loadIndex)
    if (size === undefined || strength === undefined) return []
    return [{ line, size, strength, speed, runFlat: false, key: -1 }]
  })
}

/** Whether pages, guides, and tests mention the item. */
export function isNamed({ key }: Candidate): boolean {
  return key < 0
}

/** The item of a candidate under article number `id`; `thisWeek` is the Monday of the current week. */
export function makeItem(candidate: Candidate, id: number, thisWeek: Temporal.PlainDate): Item {
  const { line, size, strength, speed, runFlat } = candidate
  const random = randomStream(`item ${line.brand.slug} ${line.slug} ${nameOf(candidate)}`)
  const [rimMin, rimMax] = rimWidths(size)
  const maxLoad = poundsOf(strength.loadIndex)
  const [shallow, deep] = line.profile.depth
  const item = {
    id,
    product_line_id: line.id,
    size_id: size.id,
    sku: `${line.brand.slug.replaceAll('-', '').slice(0, 4).toUpperCase()}-${id}`,
    load_index: strength.loadIndex,
    dual_load_index: strength.dualLoadIndex,
    speed,
    load_class: strength.loadClass,
    load_range: strength.loadRange,
    ply_rating:
      strength.loadRange !== null && isLoadRange(strength.loadRange) ? rangeOf(strength.loadRange).plyRating : 4,
    max_load_lb: maxLoad,
    max_psi: strength.maxPsi,
    measured_width_mm: Math.round(size.width * random.normal(1, 0.006)),
    measured_diameter_mm: Math.round(size.diameter * random.normal(1, 0.003)),
    rim_width_min_in: rimMin,
    rim_width_max_in: rimMax,
    tread_depth_32nds: Math.round((shallow + (deep - shallow) * random.next()) * 2) / 2,
    weight_lb: Math.round(weightOf(size, strength, line.profile, runFlat) * random.normal(1, 0.008) * 10) / 10,
    ...gradesOf(line, size, speed),
    run_flat: runFlat,
    sidewall: sidewallOf(line, size, random),
    oe_mark: candidate.mark ?? null,
    mpn: partNumber(line, id),
    warranty_miles: warrantyOf(line, size, speed),
    oldest_dot_week: oldestWeek(thisWeek, random),
    retail_cents: retailCents(candidate, random),
    fet_cents: federalExciseTaxCents(
      { maxLoadLb: maxLoad, construction: 'radial', supplierCents: null, forDefenseUse: false },
      thisWeek,
    ),
    listed: true,
  }
  return { ...item, cost_cents: costCents(item.retail_cents, line) }
}

/** The brand's part number, such as KES-912919-DEMO. Unique among a million consecutive article numbers. */
function partNumber({ brand }: Line, id: number): string {
  const letters = brand.slug.replaceAll('-', '').slice(0, 3).toUpperCase()
  return `${letters}-${String((id * 7_919) % 1_000_000).padStart(6, '0')}-DEMO`
}

/** "225/65R17 102H SL": distinguishes items of one line. */
export function nameOf({ size, strength, speed, runFlat }: Candidate): string {
  return `${size.designation} ${strength.loadIndex}${speed} ${strength.loadClass ?? strength.loadRange ?? ''}${runFlat ? ' RF' : ''}`
}

/** Removes candidates with duplicate names and retains the most likely one. */
function withoutTwins(candidates: readonly Candidate[]): Candidate[] {
  const byName = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const name = nameOf(candidate)
    const twin = byName.get(name)
    if (twin === undefined || candidate.key < twin.key) byName.set(name, candidate)
  }
  return [...byName.values()]
}

/** Popular sizes are made by nearly every brand, rare ones by few. */
function demandFor(size: Size): number {
  if (['ST', 'T', 'COMMERCIAL'].includes(size.kind)) return 4
  if (!isPassenger(size) && size.vehicles === 0) return 0.8
  return 0.16 + Math.sqrt(size.vehicles) / 16
}

/** Samples by weight without replacement. The smallest exponential time comes first. */
function race(weight: number, random: Random): number {
  return -Math.log(1 - random.next()) / weight
}

/**
 * Returns treadwear, traction, and temperature grades. Empty if the law doesn't require them (49 CFR 575.104 covers
 * only passenger tires, not winter-type tires or spares).
 */
function gradesOf(
  line: Line,
  size: Size,
  speed: string,
): Pick<Item, 'utqg_treadwear' | 'utqg_traction' | 'utqg_temperature'> {
  if (!isPassenger(size) || line.treadwear === null)
    return { utqg_treadwear: null, utqg_traction: null, utqg_temperature: null }
  const { traction: usual } = line.profile
  const isBetter = usual === 'A' && line.quality > 0.5 && kmh(speed) >= kmh('V')
  const traction = isBetter ? 'AA' : usual === 'AA' && line.brand.tier === 'value' ? 'A' : usual
  return {
    utqg_treadwear: line.treadwear,
    utqg_traction: traction,
    utqg_temperature: kmh(speed) >= kmh('H') ? 'A' : 'B',
  }
}

/** W-rated and faster sizes of a touring line have a shorter warranty, and so do its light-truck sizes. */
function warrantyOf(line: Line, size: Size, speed: string): number | null {
  if (line.warranty_miles === null) return null
  const isShorter = isPassenger(size)
    ? kmh(speed) >= kmh('W') && line.warranty_miles > 50_000
    : line.warranty_miles > 45_000 && line.profile.slug !== 'commercial-light-truck'
  return line.warranty_miles - (isShorter ? 5_000 : 0)
}

function sidewallOf(line: Line, size: Size, random: Random): 'BSW' | 'OWL' | 'VSB' {
  const isRugged = ['all-terrain', 'rugged-terrain', 'mud-terrain'].includes(line.profile.slug)
  if (!isRugged || (isPassenger(size) && size.aspect < 60)) return 'BSW'
  return random.chance(0.3) ? 'OWL' : random.chance(0.06) ? 'VSB' : 'BSW'
}

/** Mostly within nine months, occasionally older, as in any warehouse. */
function oldestWeek(thisWeek: Temporal.PlainDate, random: Random): string {
  const weeks = random.chance(0.86)
    ? random.between(3, 36)
    : random.chance(0.8)
      ? random.between(37, 60)
      : random.between(61, 100)
  return thisWeek.subtract({ weeks }).toString()
}

/** The store's cost: 68 to 79 % of retail, the same share for a whole line. */
function costCents(retail: number, line: Line): number {
  return Math.round((retail * (68 + (hashOf(line.slug) % 12))) / 100)
}

/** Whole dollars, or a cent less, by brand. */
function retailCents(candidate: Candidate, random: Random): number {
  const { line, size, strength, runFlat } = candidate
  const tier = { value: 0.72, mid: 1, premium: 1.35 }[line.brand.tier]
  const dollars = Math.round(
    usualPrice(size, strength, line.profile, runFlat) *
      tier *
      line.priceFactor *
      (candidate.key < 0 ? 1 : random.normal(1, 0.012)),
  )
  return dollars * 100 - (hashOf(line.brand.slug) % 3 === 0 || line.brand.tier === 'premium' ? 0 : 1)
}
