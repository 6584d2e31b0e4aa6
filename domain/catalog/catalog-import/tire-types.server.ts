/**
 * Tire types and their categories, as staff add, change, order and retire them. Each edit is in the audit log, and every
 * process shows it within a second. While an import publishes, edits are refused (`import-running`).
 */
import { isDeepStrictEqual } from 'node:util'
import {
  insertCategory,
  insertTireType,
  lockTireTypes,
  orderTireTypes,
  selectOfficeCategories,
  selectOfficeTireTypes,
  setTireTypeRetired,
  updateTireType,
  type OfficeCategory,
  type OfficeTireType,
  type TireTypeTable,
} from '#domain/catalog/catalog/catalog.server.ts'
import { maxTireTypes, type TireTypeDraft } from '#domain/catalog/catalog/catalog.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { slugOf } from '#platform/slug.ts'
import { done, editByHand, type Deps, type EditRefusal } from './edit-by-hand.server.ts'

/** Types, or categories. */
export type TireTypeLevel = 'types' | 'categories'

const tables = { types: 'tire_type', categories: 'category' } as const satisfies Record<TireTypeLevel, TireTypeTable>
const acts = { types: 'tire-type', categories: 'category' } as const

/** Types and categories in display order, each with its models and its tires for sale. */
export async function listTireTypes({
  db,
}: Pick<Deps, 'db'>): Promise<{ types: OfficeTireType[]; categories: OfficeCategory[] }> {
  const [types, categories] = await Promise.all([selectOfficeTireTypes(db), selectOfficeCategories(db)])
  return { types, categories }
}

/** A limit, or the uses of one. */
type TireTypeCount = { level: TireTypeLevel; count: number }

type SaveRefusal =
  | EditRefusal
  | Refused<'name-taken', TireTypeLevel>
  | Refused<'type-gone'>
  | Refused<'order-gone'>
  | Refused<'too-many', TireTypeCount>

/**
 * Adds a type or a category and returns its slug. The slug identifies it permanently in URLs and feeds. Refuses
 * `name-taken`, `type-gone` for a category of an unknown or retired type, `order-gone` for an unknown one in front, and
 * `too-many` with the limit.
 */
export function addTireType(
  deps: Deps,
  by: Actor,
  level: TireTypeLevel,
  draft: TireTypeDraft,
): Promise<Outcome<{ slug: string }, SaveRefusal>> {
  return editByHand<{ slug: string }, SaveRefusal>(deps, by, async (tx) => {
    await lockTireTypes(tx)
    const known = await listTireTypes({ db: tx })
    const table = tables[level]
    if (known[level].length >= maxTireTypes[table]) return refused('too-many', { level, count: maxTireTypes[table] })
    const slug = slugOf(draft.name)
    const checked = check(known, level, { draft, slug, current: undefined })
    if (!checked.ok) return checked
    if (level === 'types') await insertTireType(tx, slug, draft)
    else await insertCategory(tx, slug, draft)
    await place(tx, level, { known: known[level], slug, after: draft.after })
    return done({ slug }, { act: `${acts[level]}.added`, subject: draft.name, after: recorded(level, draft) })
  })
}

/**
 * Changes one; its slug stays. Refuses as `addTireType` does, and `changed-meanwhile` if its version is no longer the
 * one that the form was filled from.
 */
export function changeTireType(
  deps: Deps,
  by: Actor,
  level: TireTypeLevel,
  { slug, draft }: { slug: string; draft: TireTypeDraft },
): Promise<Outcome<null, SaveRefusal | Refused<'changed-meanwhile'>>> {
  return editByHand<null, SaveRefusal | Refused<'changed-meanwhile'>>(deps, by, async (tx) => {
    await lockTireTypes(tx)
    const known = await listTireTypes({ db: tx })
    const current = known[level].find((each) => each.slug === slug)
    if (!current) return refused('not-found')
    if (current.version !== draft.version) return refused('changed-meanwhile')
    const checked = check(known, level, { draft, slug, current })
    if (!checked.ok) return checked
    const isMoved = draft.after !== draft.placed
    const before = {
      ...recorded(level, { ...current, type: typeOf(current) }),
      ...(isMoved && { follows: draft.placed }),
    }
    const after = { ...recorded(level, draft), ...(isMoved && { follows: draft.after }) }
    if (isDeepStrictEqual(before, after)) return ok({ value: null, act: null })
    const { name, definition, audience, type } = draft
    await updateTireType(tx, tables[level], slug, {
      name,
      definition,
      audience,
      type: level === 'categories' ? type : undefined,
    })
    if (isMoved) await place(tx, level, { known: known[level], slug, after: draft.after })
    return done(null, { act: `${acts[level]}.changed`, subject: current.name, before, after })
  })
}

/**
 * Retires one, so that it takes no new models or categories, or restores it. Idempotent. Refuses `in-use` with the tires
 * for sale in a category, or the categories of a type, and `type-retired` for a category of a retired type.
 */
export function retireTireType(
  deps: Deps,
  by: Actor,
  level: TireTypeLevel,
  { slug, isRetired, reason }: { slug: string; isRetired: boolean; reason: string },
): Promise<Outcome<null, EditRefusal | Refused<'in-use', TireTypeCount> | Refused<'type-retired'>>> {
  return editByHand<null, EditRefusal | Refused<'in-use', TireTypeCount> | Refused<'type-retired'>>(
    deps,
    by,
    async (tx) => {
      await lockTireTypes(tx)
      const known = await listTireTypes({ db: tx })
      const current = known[level].find((each) => each.slug === slug)
      if (!current) return refused('not-found')
      if (current.isRetired === isRetired) return ok({ value: null, act: null })
      const uses =
        level === 'types'
          ? known.categories.filter((each) => each.type === slug && !each.isRetired).length
          : current.tires
      if (isRetired && uses > 0) return refused('in-use', { level, count: uses })
      const type = known.types.find((each) => each.slug === typeOf(current))
      if (!isRetired && type?.isRetired) return refused('type-retired')
      await setTireTypeRetired(tx, tables[level], { slug, isRetired })
      return done(null, {
        act: `${acts[level]}.${isRetired ? 'retired' : 'restored'}`,
        subject: current.name,
        reason,
      })
    },
  )
}

type Known = Awaited<ReturnType<typeof listTireTypes>>

function typeOf(current: OfficeTireType | OfficeCategory): string {
  return 'type' in current ? current.type : ''
}

/** Checks what only the other types and categories tell. */
function check(
  known: Known,
  level: TireTypeLevel,
  { draft, slug, current }: { draft: TireTypeDraft; slug: string; current: OfficeTireType | undefined },
): Outcome<null, SaveRefusal> {
  const others = known[level].filter((each) => each !== current)
  const named = slugOf(draft.name)
  if (others.some((each) => each.slug === named || slugOf(each.name) === named)) return refused('name-taken', level)
  if (draft.after !== '' && !others.some((each) => each.slug === draft.after)) return refused('order-gone')
  if (level === 'types') return ok(null)
  const type = known.types.find((each) => each.slug === draft.type)
  const isKept = current !== undefined && draft.type === typeOf(current)
  return type && (isKept || !type.isRetired) && slug !== '' ? ok(null) : refused('type-gone')
}

/** Moves a type or category behind another one, or to the front. */
async function place(
  tx: Tx,
  level: TireTypeLevel,
  { known, slug, after }: { known: readonly OfficeTireType[]; slug: string; after: string },
): Promise<void> {
  const others = known.map((each) => each.slug).filter((each) => each !== slug)
  await orderTireTypes(tx, tables[level], others.toSpliced(others.indexOf(after) + 1, 0, slug))
}

function recorded(
  level: TireTypeLevel,
  { name, definition, audience, type }: Omit<TireTypeDraft, 'after' | 'placed' | 'version'>,
) {
  return { name, definition, audience, ...(level === 'categories' && { type }) }
}
