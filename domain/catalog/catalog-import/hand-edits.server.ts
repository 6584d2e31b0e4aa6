/**
 * Brands, models and tires that staff add, change and retire by hand, by the rules of a products feed. Each edit is in the
 * audit log, and every process shows it within a second. While an import publishes, edits are refused (`import-running`).
 */
import {
  insertBrand,
  insertItem,
  insertLine,
  lockBrandCells,
  lockCategories,
  lockLineCells,
  lockMinimums,
  lockTireCells,
  markOf,
  selectBrandCells,
  selectLineCells,
  selectTireCells,
  setMapPrices,
  setRetired,
  updateBrand,
  updateItem,
  updateLine,
  upsertSize,
  type StoredLine,
  type StoredTire,
} from '#domain/catalog/catalog/catalog.server.ts'
import { requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { BelowMinimum } from '#domain/catalog/promotions/promotions.ts'
import { longestDescription } from '#domain/catalog/catalog/catalog.ts'
import { countOf } from '#platform/count-text.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { done, editByHand, type Deps, type EditRefusal } from './edit-by-hand.server.ts'
import {
  readBrandCells,
  readLineCells,
  readTireCells,
  type BrandTyped,
  type FieldFaults,
  type LineTyped,
  type NewBrand,
  type NewTire,
  type TireRow,
  type TireTyped,
} from './hand-cells.ts'
import type { Cells, TireField } from './tire-fields.ts'
import { weighTirePrice } from './hand-prices.server.ts'
import { takeItemNumber } from './publish-products.sql.server.ts'

type SaveRefusal = EditRefusal | Refused<'invalid', FieldFaults> | Refused<'changed-meanwhile'>

/** What a form of a brand, model or tire is filled with, and what recognizes these values. */
type Filled<Stored> = Stored & { mark: string }

const filled = <Stored extends { cells: object }>(stored: Stored | undefined): Filled<Stored> | undefined =>
  stored && { ...stored, mark: cellsMark(stored.cells) }

/** Returns a brand's form values; undefined if it doesn't exist. */
export async function findBrandCells({ db }: Pick<Deps, 'db'>, id: number) {
  return filled(await selectBrandCells(db, id))
}

/** Returns a model's form values; undefined if it doesn't exist. */
export async function findLineCells({ db }: Pick<Deps, 'db'>, id: number) {
  return filled(await selectLineCells(db, id))
}

/** Returns a tire's form values; undefined if it doesn't exist. */
export async function findTireCells({ db }: Pick<Deps, 'db'>, id: number) {
  return filled(await selectTireCells(db, id))
}

type Taken = Refused<'name-taken'>

/** Adds a brand and returns its id. Refuses with `invalid` and messages by field, or with `name-taken`. */
export function addBrand(
  deps: Deps,
  by: Actor,
  { cells }: NewBrand,
): Promise<Outcome<{ id: number }, SaveRefusal | Taken>> {
  return editByHand<{ id: number }, SaveRefusal | Taken>(deps, by, async (tx) => {
    const read = readBrandCells(cells)
    const faults = { ...(!read.ok && read.faults), ...aboutFaults(cells.about) }
    if (!read.ok || Object.keys(faults).length > 0) return refused('invalid', faults)
    const { name, slug, tier } = read.value
    const id = await insertBrand(tx, { name, slug, tier, about: cells.about })
    return done({ id }, { act: 'brand.added', subject: name, after: { brand: name, brand_tier: tier } })
  })
}

const aboutFaults = (about: string): FieldFaults =>
  about.length > longestDescription
    ? { about: `Please keep this under ${countOf(longestDescription, 'character')}.` }
    : {}

type Renamed = Refused<'other-address'>

/**
 * Changes the name and tier of a brand. A name may be spelled differently, but stays at its address, by which feeds find
 * the brand: else refuses `other-address`.
 */
export function changeBrand(
  deps: Deps,
  by: Actor,
  brandId: number,
  { cells, mark }: BrandTyped,
): Promise<Outcome<null, SaveRefusal | Taken | Renamed>> {
  return editByHand<null, SaveRefusal | Taken | Renamed>(deps, by, async (tx) => {
    const brand = await lockBrandCells(tx, brandId)
    if (!brand) return refused('not-found')
    const read = readBrandCells(cells)
    if (!read.ok) return refused('invalid', read.faults)
    const wanted = { brand: read.value.name, brand_tier: read.value.tier }
    const difference = differenceOf(brand.cells, wanted)
    if (!difference) return ok({ value: null, act: null })
    if (cellsMark(brand.cells) !== mark) return refused('changed-meanwhile')
    if (read.value.slug !== brand.slug) return refused('other-address')
    await updateBrand(tx, brandId, { name: read.value.name, tier: read.value.tier })
    return done(null, { act: 'brand.changed', subject: brand.cells.brand, ...difference })
  })
}

/** Adds a model to a brand and returns its id. Refuses as `addBrand` does. */
export function addLine(
  deps: Deps,
  by: Actor,
  brandId: number,
  { cells }: Pick<LineTyped, 'cells'>,
): Promise<Outcome<{ id: number }, SaveRefusal | Taken>> {
  return editByHand<{ id: number }, SaveRefusal | Taken>(deps, by, async (tx) => {
    const brand = await lockBrandCells(tx, brandId)
    if (!brand) return refused('not-found')
    const read = readLineCells(cells, await lockCategories(tx))
    if (!read.ok) return refused('invalid', read.faults)
    const id = await insertLine(tx, { ...read.value, brand_id: brandId })
    return done(
      { id },
      { act: 'line.added', subject: `${brand.cells.brand} ${read.value.name}`, after: typedOnly(cells) },
    )
  })
}

/**
 * Changes a model. Refuses as `changeBrand` does, and with `graded` for a winter model with graded tires, because
 * winter tires have no grades by law (49 CFR 575.104).
 */
export function changeLine(
  deps: Deps,
  by: Actor,
  lineId: number,
  { cells, mark }: LineTyped,
): Promise<Outcome<null, SaveRefusal | Taken | Renamed | Refused<'graded', number>>> {
  return editByHand<null, SaveRefusal | Taken | Renamed | Refused<'graded', number>>(deps, by, async (tx) => {
    const line = await lockLineCells(tx, lineId)
    if (!line) return refused('not-found')
    const read = readLineCells(cells, await lockCategories(tx, line.cells.category))
    if (!read.ok) return refused('invalid', read.faults)
    const difference = differenceOf(line.cells, cells)
    if (!difference) return ok({ value: null, act: null })
    if (cellsMark(line.cells) !== mark) return refused('changed-meanwhile')
    const { slug, ...row } = read.value
    if (slug !== line.slug) return refused('other-address')
    if (row.winter && line.graded > 0) return refused('graded', line.graded)
    await updateLine(tx, lineId, row)
    return done(null, { act: 'line.changed', subject: `${line.brand} ${line.cells.line}`, ...difference })
  })
}

type TireRefusal =
  | SaveRefusal
  | Refused<'sku-taken'>
  | Refused<'gtin-taken'>
  | Refused<'same-tire'>
  | Refused<'map-not-allowed'>
  | Refused<'below-map', BelowMinimum>
  | Refused<'needs-yes', readonly string[]>
  | Refused<'needs-publisher'>

/**
 * Adds a tire to a model and returns its number. Refuses `invalid`, `sku-taken`, `gtin-taken` and `same-tire`; a price below
 * its minimum, unless the store shows such prices in the cart (`below-map`); and a minimum price of staff who may not set
 * it (`map-not-allowed`).
 */
export function addTire(
  deps: Deps,
  by: Actor,
  lineId: number,
  typed: NewTire,
): Promise<Outcome<{ id: number }, TireRefusal>> {
  return editByHand<{ id: number }, TireRefusal>(deps, by, async (tx, at) => {
    const line = await lockLineCells(tx, lineId)
    if (!line) return refused('not-found')
    const read = readTireOf(line, typed, at)
    if (!read.ok) return refused('invalid', read.faults)
    const sizeId = await upsertSize(tx, read.value.size)
    const id = await takeItemNumber(tx)
    await insertItem(tx, {
      ...rowOf(read.value),
      id,
      product_line_id: lineId,
      size_id: sizeId,
      hidden: typed.isHidden,
    })
    const prices = await savePrices(tx, { id, before: null, tire: read.value, typed, by, clock: deps.clock })
    if (!prices.ok) return prices
    const after = { ...typedOnly(typed.cells), status: typed.isHidden ? 'hidden' : 'on sale', ...prices.value }
    return done({ id }, { act: 'item.added', subject: read.value.facts.sku ?? '', after })
  })
}

/**
 * Changes a tire. Refuses as `addTire` does, and a price that moves far or a minimum above the price until it is accepted
 * (`needs-yes`) by staff who may publish imports with warnings (`needs-publisher`).
 */
export function changeTire(
  deps: Deps,
  by: Actor,
  itemId: number,
  typed: TireTyped,
): Promise<Outcome<null, TireRefusal>> {
  return editByHand<null, TireRefusal>(deps, by, async (tx, at) => {
    const shown = await selectTireCells(tx, itemId)
    await lockMinimums(tx)
    const line = shown && (await lockLineCells(tx, shown.lineId))
    const tire = line && (await lockTireCells(tx, itemId))
    if (!line || !tire) return refused('not-found')
    const read = readTireOf(line, typed, at)
    if (!read.ok) return refused('invalid', read.faults)
    const before = cellsOf(tire)
    if (!differenceOf(before, typed.cells)) return ok({ value: null, act: null })
    if (cellsMark(before) !== typed.mark) return refused('changed-meanwhile')
    await updateItem(tx, itemId, { ...rowOf(read.value), size_id: await upsertSize(tx, read.value.size) })
    const prices = await savePrices(tx, { id: itemId, before: tire, tire: read.value, typed, by, clock: deps.clock })
    if (!prices.ok) return prices
    const saved = await selectTireCells(tx, itemId)
    const difference = saved && differenceOf(before, cellsOf(saved))
    if (!difference) return ok({ value: null, act: null })
    const after = { ...difference.after, ...prices.value }
    return done(null, { act: 'item.changed', subject: before.sku, before: difference.before, after })
  })
}

function readTireOf(line: StoredLine, { cells }: Pick<TireTyped, 'cells'>, at: Temporal.Instant) {
  return readTireCells(cells, {
    brand: line.brand,
    line: line.cells,
    today: at.toZonedDateTimeISO('UTC').toPlainDate(),
  })
}

function rowOf({ facts, retailCents, costCents }: TireRow) {
  return { ...facts, sku: facts.sku ?? '', retail_cents: retailCents, cost_cents: costCents } as Omit<
    Parameters<typeof insertItem>[1],
    'id' | 'product_line_id' | 'size_id'
  >
}

/** Saves the minimum price of a tire that is locked, and weighs its prices. Returns what the audit log adds. */
async function savePrices(
  tx: Tx,
  {
    id,
    before,
    tire: { facts, retailCents, mapCents },
    typed,
    by,
    clock,
  }: {
    id: number
    before: StoredTire | null
    tire: TireRow
    typed: Pick<TireTyped, 'accepts'>
    by: Actor
    clock: Clock
  },
): Promise<Outcome<{ accepted?: string }, TireRefusal>> {
  const sku = facts.sku ?? ''
  const at = clock.now()
  if (mapCents !== (before?.mapCents ?? null)) {
    if (!(await requirePermission(tx, by, 'promotions.edit', at)).ok) return refused('map-not-allowed')
    await setMapPrices(tx, [{ sku, mapCents }], () => at)
  }
  const { below, warnings, note } = await weighTirePrice(tx, { id, at, before, retailCents, mapCents })
  if (below) return refused('below-map', below)
  if (warnings.length === 0) return ok(note === null ? {} : { accepted: note })
  if (!typed.accepts) return refused('needs-yes', warnings)
  if (!(await requirePermission(tx, by, 'catalog.publish', at)).ok) return refused('needs-publisher')
  return ok({ accepted: [...(note === null ? [] : [note]), ...warnings].join('; ') })
}

/** Hides a brand's current and future tires from sale, or unhides them. Idempotent. */
export function retireBrand(
  deps: Deps,
  by: Actor,
  { id, isRetired, reason }: { id: number; isRetired: boolean; reason: string },
): Promise<Outcome<null, EditRefusal>> {
  return editByHand<null, EditRefusal>(deps, by, async (tx) => {
    const brand = await lockBrandCells(tx, id)
    if (!brand) return refused('not-found')
    if (brand.isRetired === isRetired) return ok({ value: null, act: null })
    await setRetired(tx, 'brand', { id, isRetired })
    return done(null, { act: isRetired ? 'brand.retired' : 'brand.restored', subject: brand.cells.brand, reason })
  })
}

/** The same for a model. */
export function retireLine(
  deps: Deps,
  by: Actor,
  { id, isRetired, reason }: { id: number; isRetired: boolean; reason: string },
): Promise<Outcome<null, EditRefusal>> {
  return editByHand<null, EditRefusal>(deps, by, async (tx) => {
    const line = await lockLineCells(tx, id)
    if (!line) return refused('not-found')
    if (line.isRetired === isRetired) return ok({ value: null, act: null })
    await setRetired(tx, 'product_line', { id, isRetired })
    const subject = `${line.brand} ${line.cells.line}`
    return done(null, { act: isRetired ? 'line.retired' : 'line.restored', subject, reason })
  })
}

/** Recognizes cells, in whatever order a database returns them. */
function cellsMark(cells: object): string {
  return markOf(JSON.stringify(Object.entries(cells).toSorted(([one], [other]) => (one < other ? -1 : 1))))
}

const cellsOf = ({ cells }: StoredTire) => cells as Cells<TireField>

type Texts<Field extends string> = Readonly<Partial<Record<Field, string>>>

/** Returns the differing cells, before and after; undefined if equal. */
function differenceOf<Field extends string>(
  before: Cells<Field>,
  after: Texts<Field>,
): { before: Texts<Field>; after: Texts<Field> } | undefined {
  const names = (Object.keys(before) as Field[]).filter((name) => before[name] !== after[name])
  const only = (of: Texts<Field>) => Object.fromEntries(names.map((name) => [name, of[name] ?? ''])) as Texts<Field>
  return names.length === 0 ? undefined : { before: only(before), after: only(after) }
}

const typedOnly = <Field extends string>(cells: Cells<Field>) =>
  Object.fromEntries(Object.entries(cells).filter(([, text]) => text !== '')) as Texts<Field>
