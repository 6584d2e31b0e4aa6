/**
 * The catalog as staff read and edit it. Staff edit the data that feeds don't, such as whether a tire is hidden,
 * replacement descriptions, and images. Each edit is in the audit log and seen by shoppers within seconds.
 */
import { createHash } from 'node:crypto'
import { recordAct, requirePermission, type ActWithout, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { announceCatalogChange } from './catalog-version.server.ts'
import {
  deleteLinePicture,
  deleteUnusedPicture,
  insertLinePicture,
  insertPicture,
  lockEntry,
  lockItem,
  orderLinePictures,
  selectLinePictures,
  selectLinesOfBrand,
  selectOfficeBrand,
  selectOfficeBrands,
  selectOfficeItem,
  selectOfficeItems,
  selectOfficeLine,
  setBrandAbout,
  setHidden,
  setLogo,
  setOwnAbout,
  setPictureDescription,
  type ItemQuery,
  type LinePicture,
  type OfficeBrand,
  type OfficeItem,
  type OfficeItemFacts,
  type OfficeLine,
  type Picture,
} from './office-catalog.sql.server.ts'
import { selectCategories } from './tire-types.sql.server.ts'
import { mostLinePictures } from './office-catalog.ts'

type Deps = { db: Database; clock: Clock }
type EditRefusal = Refused<'not-allowed'> | Refused<'not-found'>

const perPage = 50

/** Lists a page of items by SKU. `next` is the cursor of the following page, or null on the last one. */
export async function listOfficeItems(
  { db }: Pick<Deps, 'db'>,
  query: ItemQuery,
): Promise<{ items: OfficeItem[]; next: string | null }> {
  const found = await selectOfficeItems(db, query, perPage + 1)
  const items = found.slice(0, perPage)
  return { items, next: found.length > perPage ? (items.at(-1)?.sku ?? null) : null }
}

/** Returns an item; undefined if it doesn't exist. */
export async function findOfficeItem({ db }: Pick<Deps, 'db'>, id: number): Promise<OfficeItemFacts | undefined> {
  return selectOfficeItem(db, id)
}

/** A page of brands by name. */
export async function listOfficeBrands(
  { db }: Pick<Deps, 'db'>,
  after: string | null,
): Promise<{ brands: (OfficeBrand & { lines: number })[]; next: string | null }> {
  const found = await selectOfficeBrands(db, after, perPage + 1)
  const brands = found.slice(0, perPage)
  return { brands, next: found.length > perPage ? (brands.at(-1)?.name ?? null) : null }
}

/** A brand with a page of its lines by slug. */
export async function findOfficeBrand({ db }: Pick<Deps, 'db'>, id: number, after: string | null) {
  const brand = await selectOfficeBrand(db, id)
  if (!brand) return undefined
  const found = await selectLinesOfBrand(db, id, after, perPage + 1)
  const lines = found.slice(0, perPage)
  return { ...brand, mark: markOf(brand.about), lines, next: found.length > perPage ? lines.at(-1)?.slug : undefined }
}

/** A line with its pictures. */
export async function findOfficeLine(
  { db }: Pick<Deps, 'db'>,
  id: number,
): Promise<(OfficeLine & { mark: string; pictures: (LinePicture & { mark: string })[] }) | undefined> {
  const line = await selectOfficeLine(db, id)
  if (!line) return undefined
  const pictures = await selectLinePictures(db, id)
  return {
    ...line,
    mark: markOf(line.ownAbout ?? ''),
    pictures: pictures.map((picture) => ({ ...picture, mark: markOf(picture.description) })),
  }
}

/** The names of the categories that a model may have, by slug and in their order: those in use, and its own. */
export async function listCategories({ db }: Pick<Deps, 'db'>, own = ''): Promise<Record<string, string>> {
  return Object.fromEntries((await selectCategories(db, own)).map(({ slug, name }) => [slug, name]))
}

/** Hides a tire from sale regardless of feeds, or unhides it. Idempotent. */
export function hideItem(
  deps: Deps,
  by: Actor,
  { itemId, isHidden, reason }: { itemId: number; isHidden: boolean; reason: string },
): Promise<Outcome<null, EditRefusal>> {
  return edit(deps, by, async (tx) => {
    const item = await lockItem(tx, itemId)
    if (!item) return refused('not-found')
    if (item.hidden === isHidden) return ok(null)
    await setHidden(tx, itemId, isHidden)
    return ok({ act: isHidden ? 'item.hidden' : 'item.shown', subject: item.sku, reason })
  })
}

type DescribeRefusal = EditRefusal | Refused<'changed-meanwhile'>

/**
 * Sets a model's description in place of the feed's; an empty one restores the feed's. `mark` identifies the version
 * being replaced.
 */
export function describeLine(
  deps: Deps,
  by: Actor,
  { lineId, about, mark }: { lineId: number; about: string; mark: string },
): Promise<Outcome<null, DescribeRefusal>> {
  return edit<DescribeRefusal>(deps, by, async (tx) => {
    await lockEntry(tx, 'product_line', lineId)
    const line = await selectOfficeLine(tx, lineId)
    if (!line) return refused('not-found')
    const [now, wanted] = [line.ownAbout ?? '', about]
    if (now === wanted) return ok(null)
    if (markOf(now) !== mark) return refused('changed-meanwhile')
    await setOwnAbout(tx, lineId, wanted || null)
    const subject = `${line.brand} ${line.name}`
    return ok({ act: 'line.described', subject, before: { about: now || null }, after: { about: wanted || null } })
  })
}

/** Sets a brand's description, which belongs to the store. Feeds only set it for a new brand. */
export function describeBrand(
  deps: Deps,
  by: Actor,
  { brandId, about, mark }: { brandId: number; about: string; mark: string },
): Promise<Outcome<null, DescribeRefusal>> {
  return edit<DescribeRefusal>(deps, by, async (tx) => {
    await lockEntry(tx, 'brand', brandId)
    const brand = await selectOfficeBrand(tx, brandId)
    if (!brand) return refused('not-found')
    if (brand.about === about) return ok(null)
    if (markOf(brand.about) !== mark) return refused('changed-meanwhile')
    await setBrandAbout(tx, brandId, about)
    return ok({ act: 'brand.described', subject: brand.name, before: { about: brand.about }, after: { about } })
  })
}

/** Sets or removes a brand's logo. Without a logo, the name is rendered. */
export function setBrandLogo(
  deps: Deps,
  by: Actor,
  { brandId, picture }: { brandId: number; picture: Picture | null },
): Promise<Outcome<null, EditRefusal>> {
  return edit(deps, by, async (tx, at) => {
    await lockEntry(tx, 'brand', brandId)
    const brand = await selectOfficeBrand(tx, brandId)
    if (!brand) return refused('not-found')
    const [was, becomes] = [brand.logoKey, picture?.key ?? null]
    if (was === becomes) return ok(null)
    if (picture) await insertPicture(tx, picture, at)
    await setLogo(tx, brandId, becomes)
    if (was !== null) await deleteUnusedPicture(tx, was)
    return ok({ act: 'brand.logo-changed', subject: brand.name, before: { logo: was }, after: { logo: becomes } })
  })
}

/** Adds a photo to a model. Adding it again has no effect. Refuses `too-many`. */
export function addLinePicture(
  deps: Deps,
  by: Actor,
  { lineId, picture, description }: { lineId: number; picture: Picture; description: string },
): Promise<Outcome<null, EditRefusal | Refused<'too-many'>>> {
  return edit<EditRefusal | Refused<'too-many'>>(deps, by, async (tx, at) => {
    await lockEntry(tx, 'product_line', lineId)
    const line = await selectOfficeLine(tx, lineId)
    if (!line) return refused('not-found')
    const pictures = await selectLinePictures(tx, lineId)
    if (pictures.some(({ key }) => key === picture.key)) return ok(null)
    if (pictures.length >= mostLinePictures) return refused('too-many')
    await insertPicture(tx, picture, at)
    await insertLinePicture(tx, { lineId, key: picture.key, description })
    return ok({ act: 'line.picture-added', subject: `${line.brand} ${line.name}`, after: { description } })
  })
}

/** Moves a photo to a place among those of its model; the last one if it has fewer. Idempotent. */
export function movePicture(
  deps: Deps,
  by: Actor,
  { lineId, picture: pictureId, place }: { lineId: number; picture: number; place: number },
): Promise<Outcome<null, EditRefusal>> {
  return edit(deps, by, async (tx) => {
    const found = await lockPicture(tx, lineId, pictureId)
    if (!found) return refused('not-found')
    const { line, pictures, picture } = found
    const order = pictures.filter((each) => each !== picture).toSpliced(place - 1, 0, picture)
    const [was, becomes] = [pictures.indexOf(picture), order.indexOf(picture)]
    if (was === becomes) return ok(null)
    await orderLinePictures(
      tx,
      lineId,
      order.map(({ id }) => id),
    )
    const { description } = picture
    const [before, after] = [was, becomes].map((index) => ({ description, place: index + 1 }))
    return ok({ act: 'line.picture-moved', subject: `${line.brand} ${line.name}`, before, after })
  })
}

/** Replaces the description of a model's photo. `mark` identifies the version being replaced. */
export function describePicture(
  deps: Deps,
  by: Actor,
  {
    lineId,
    picture: pictureId,
    description,
    mark,
  }: { lineId: number; picture: number; description: string; mark: string },
): Promise<Outcome<null, DescribeRefusal>> {
  return edit<DescribeRefusal>(deps, by, async (tx) => {
    const found = await lockPicture(tx, lineId, pictureId)
    if (!found) return refused('not-found')
    const { line, picture } = found
    if (picture.description === description) return ok(null)
    if (markOf(picture.description) !== mark) return refused('changed-meanwhile')
    await setPictureDescription(tx, picture.id, description)
    const [subject, before] = [`${line.brand} ${line.name}`, { description: picture.description }]
    return ok({ act: 'line.picture-described', subject, before, after: { description } })
  })
}

/** Locks a model with its photos, and returns it with one of them; undefined if it doesn't exist. */
async function lockPicture(tx: Tx, lineId: number, pictureId: number) {
  await lockEntry(tx, 'product_line', lineId)
  const line = await selectOfficeLine(tx, lineId)
  const pictures = await selectLinePictures(tx, lineId)
  const picture = pictures.find(({ id }) => id === pictureId)
  return line && picture && { line, pictures, picture }
}

/** Removes a photo from a line. One that is gone already is no fault. */
export function removeLinePicture(
  deps: Deps,
  by: Actor,
  { lineId, pictureId }: { lineId: number; pictureId: number },
): Promise<Outcome<null, EditRefusal>> {
  return edit(deps, by, async (tx) => {
    await lockEntry(tx, 'product_line', lineId)
    const line = await selectOfficeLine(tx, lineId)
    if (!line) return refused('not-found')
    const removed = await deleteLinePicture(tx, lineId, pictureId)
    if (!removed) return ok(null)
    await deleteUnusedPicture(tx, removed.key)
    const { description } = removed
    return ok({ act: 'line.picture-removed', subject: `${line.brand} ${line.name}`, before: { description } })
  })
}

/** Runs an edit. `change` returns the audit entry, or null if the edit changed no value. */
function edit<Refusal extends Refused<string, unknown> = EditRefusal>(
  { db, clock }: Deps,
  by: Actor,
  change: (tx: Tx, at: Temporal.Instant) => Promise<Outcome<ActWithout<'by' | 'at'> | null, Refusal>>,
): Promise<Outcome<null, Refusal | Refused<'not-allowed'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx): Promise<Outcome<null, Refusal | Refused<'not-allowed'>>> => {
    const permitted = await requirePermission(tx, by, 'catalog.edit', at)
    if (!permitted.ok) return permitted
    const changed = await change(tx, at)
    if (!changed.ok) return changed
    if (changed.value === null) return ok(null)
    await recordAct(tx, { ...changed.value, by, at })
    await announceCatalogChange(tx)
    return ok(null)
  })
}

/** Recognizes a text that was shown in a form. */
export function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
