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
  deletePictureOf,
  deleteUnchangedPictures,
  deleteUnusedPicture,
  insertPicture,
  insertPictureOf,
  lockEntry,
  lockItem,
  orderPictures,
  selectLinesOfBrand,
  selectOfficeBrand,
  selectOfficeBrands,
  selectOfficeItem,
  selectOfficeItems,
  selectOfficeLine,
  selectPictures,
  setBrandAbout,
  setHidden,
  setLogo,
  setOwnAbout,
  setPictureDescription,
  type CatalogPicture,
  type ItemQuery,
  type OfficeBrand,
  type OfficeItem,
  type OfficeItemFacts,
  type OfficeLine,
  type Picture,
  type PictureOwner,
} from './office-catalog.sql.server.ts'
import { selectCategories } from './tire-types.sql.server.ts'
import { mostPictures } from './office-catalog.ts'

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

/** A photo for the office, with the mark of its description. */
type OfficePicture = CatalogPicture & { mark: string }

/** Lists model or tire photos in order. Empty for an unknown ID. */
export async function listPictures({ db }: Pick<Deps, 'db'>, of: PictureOwner): Promise<OfficePicture[]> {
  const pictures = await selectPictures(db, of)
  return pictures.map((picture) => ({ ...picture, mark: markOf(picture.description) }))
}

/** A line with its pictures. */
export async function findOfficeLine(
  deps: Pick<Deps, 'db'>,
  id: number,
): Promise<(OfficeLine & { mark: string; pictures: OfficePicture[] }) | undefined> {
  const line = await selectOfficeLine(deps.db, id)
  if (!line) return undefined
  return { ...line, mark: markOf(line.ownAbout ?? ''), pictures: await listPictures(deps, { kind: 'line', id }) }
}

/** The names of the categories that a model may have, by slug and in their order: those in use, and its own. */
export async function listCategories({ db }: Pick<Deps, 'db'>, own = ''): Promise<[slug: string, name: string][]> {
  return (await selectCategories(db, own)).map(({ slug, name }) => [slug, name])
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

/** Adds a photo to a model or a tire. Adding it again has no effect. Refuses `too-many`. */
export function addPicture(
  deps: Deps,
  by: Actor,
  { of, picture, description }: { of: PictureOwner; picture: Picture; description: string },
): Promise<Outcome<null, EditRefusal | Refused<'too-many'>>> {
  return edit<EditRefusal | Refused<'too-many'>>(deps, by, async (tx, at) => {
    const subject = await lockOwner(tx, of)
    if (subject === undefined) return refused('not-found')
    const pictures = await selectPictures(tx, of)
    if (pictures.some(({ key }) => key === picture.key)) return ok(null)
    if (pictures.length >= mostPictures) return refused('too-many')
    await insertPicture(tx, picture, at)
    await insertPictureOf(tx, of, { key: picture.key, description })
    return ok({ act: `${of.kind}.picture-added`, subject, after: { description } })
  })
}

/**
 * Adds an imported photo after the existing photos. Returns null if the model or tire has it already. Refuses
 * `too-many`. The caller announces the change.
 */
export async function addImportedPicture(
  tx: Tx,
  { of, picture, description, at }: { of: PictureOwner; picture: Picture; description: string; at: Temporal.Instant },
): Promise<Outcome<{ id: number; description: string; position: number } | null, Refused<'too-many'>>> {
  if ((await lockOwner(tx, of)) === undefined) return ok(null)
  const pictures = await selectPictures(tx, of)
  if (pictures.some(({ key }) => key === picture.key)) return ok(null)
  if (pictures.length >= mostPictures) return refused('too-many')
  await insertPicture(tx, picture, at)
  return ok({ ...(await insertPictureOf(tx, of, { key: picture.key, description })), description })
}

/** Removes imported photos, except moved or described ones. The caller announces the change. */
export async function removeImportedPictures(
  tx: Tx,
  added: readonly { id: number; description: string; position: number }[],
): Promise<void> {
  for (const key of await deleteUnchangedPictures(tx, added)) await deleteUnusedPicture(tx, key)
}

/** Moves a photo to a position, or to the last one if there are fewer photos. Idempotent. */
export function movePicture(
  deps: Deps,
  by: Actor,
  { of, picture: pictureId, place }: { of: PictureOwner; picture: number; place: number },
): Promise<Outcome<null, EditRefusal>> {
  return edit(deps, by, async (tx) => {
    const found = await lockPicture(tx, of, pictureId)
    if (!found) return refused('not-found')
    const { subject, pictures, picture } = found
    const order = pictures.filter((each) => each !== picture).toSpliced(place - 1, 0, picture)
    const [was, becomes] = [pictures.indexOf(picture), order.indexOf(picture)]
    if (was === becomes) return ok(null)
    await orderPictures(
      tx,
      of,
      order.map(({ id }) => id),
    )
    const { description } = picture
    const [before, after] = [was, becomes].map((index) => ({ description, place: index + 1 }))
    return ok({ act: `${of.kind}.picture-moved`, subject, before, after })
  })
}

/** Replaces a photo description. `mark` identifies the version being replaced. */
export function describePicture(
  deps: Deps,
  by: Actor,
  {
    of,
    picture: pictureId,
    description,
    mark,
  }: { of: PictureOwner; picture: number; description: string; mark: string },
): Promise<Outcome<null, DescribeRefusal>> {
  return edit<DescribeRefusal>(deps, by, async (tx) => {
    const found = await lockPicture(tx, of, pictureId)
    if (!found) return refused('not-found')
    const { subject, picture } = found
    if (picture.description === description) return ok(null)
    if (markOf(picture.description) !== mark) return refused('changed-meanwhile')
    await setPictureDescription(tx, picture.id, description)
    const before = { description: picture.description }
    return ok({ act: `${of.kind}.picture-described`, subject, before, after: { description } })
  })
}

/** Removes a photo from a model or tire. One that is gone already is no fault. */
export function removePicture(
  deps: Deps,
  by: Actor,
  { of, picture }: { of: PictureOwner; picture: number },
): Promise<Outcome<null, EditRefusal>> {
  return edit(deps, by, async (tx) => {
    const subject = await lockOwner(tx, of)
    if (subject === undefined) return refused('not-found')
    const removed = await deletePictureOf(tx, of, picture)
    if (!removed) return ok(null)
    await deleteUnusedPicture(tx, removed.key)
    const { description } = removed
    return ok({ act: `${of.kind}.picture-removed`, subject, before: { description } })
  })
}

/** Locks a model or tire and returns its name in the audit log; undefined if it doesn't exist. */
async function lockOwner(tx: Tx, { kind, id }: PictureOwner): Promise<string | undefined> {
  if (kind === 'item') return (await lockItem(tx, id))?.sku
  await lockEntry(tx, 'product_line', id)
  const line = await selectOfficeLine(tx, id)
  return line && `${line.brand} ${line.name}`
}

/** Locks a model or tire with its photos, and returns one of them; undefined if it doesn't exist. */
async function lockPicture(tx: Tx, of: PictureOwner, pictureId: number) {
  const subject = await lockOwner(tx, of)
  const pictures = await selectPictures(tx, of)
  const picture = pictures.find(({ id }) => id === pictureId)
  return subject !== undefined && picture ? { subject, pictures, picture } : undefined
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
