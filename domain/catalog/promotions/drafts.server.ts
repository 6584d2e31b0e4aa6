/** Drafts of promotions in the office, which are made, changed, and discarded. */
import { findCatalogIds, findOrAddFilter, lockPromotion } from '#domain/catalog/catalog/catalog.server.ts'
import { filterParts, type FilterPart, type TireFilter } from '#domain/catalog/catalog/catalog.ts'
import { recordAct, requirePermission, type Actor } from '#domain/kernel/staff/staff.server.ts'
import { listSuppliers } from '#domain/supply/stock/stock.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { draftsOf } from './draft-kind.server.ts'
import type { PromotionChange, PromotionDraft } from './promotions.ts'
import {
  deleteDraft,
  insertDraft,
  lockPlan,
  selectDraftOfForm,
  updateDraft,
  type Subject,
} from './promotions.sql.server.ts'

type Deps = { db: Database; clock: Clock }
type NotAllowed = Refused<'not-allowed'>

export const promotionDrafts = draftsOf({
  kind: 'promotion',
  noun: 'promotion draft',
  lock: lockPlan,
  isDraft: (plan) => plan.promotion_id === null,
  async save(tx, { id }, change: PromotionChange) {
    const on = await findSubject(tx, change)
    if (!on.ok) return on
    await updateDraft(tx, id, { ...change, ...on.value })
    return ok(null)
  },
  remove: deleteDraft,
  recorded: {
    name: ({ name }) => ({ name }),
    before: ({ name, headline, kind, amount }) => ({ name, headline, kind, amount }),
    after: (terms) => terms,
  },
})

/**
 * Makes a draft, and returns its id; the same form makes one only. Refuses `no-subject` for a SKU, line or brand that the
 * catalog does not have, and `no-original` for a promotion to replace that does not exist.
 */
export async function draftPromotion(
  { db, clock }: Deps,
  by: Actor,
  draft: PromotionDraft,
): Promise<Outcome<number, NotAllowed | SubjectRefusal | Refused<'no-original'>>> {
  const at = clock.now()
  return db.transaction().execute(async (tx) => {
    const permitted = await requirePermission(tx, by, 'promotions.edit', at)
    if (!permitted.ok) return permitted
    const on = await findSubject(tx, draft)
    if (!on.ok) return on
    if (draft.replaces !== null && !(await lockPromotion(tx, draft.replaces))) return refused('no-original')
    const id = await insertDraft(tx, { ...draft, ...on.value, by: by.name, at })
    if (id === undefined) return ok((await selectDraftOfForm(tx, draft.formKey)) ?? 0)
    const { formKey: _, ...after } = draft
    await recordAct(tx, { by, act: 'promotion.drafted', subject: `promotion draft ${id}`, after, at })
    return ok(id)
  })
}

/** `filter-of-one`: a single tire can't be narrowed. */
export type SubjectRefusal =
  | Refused<'no-subject'>
  | Refused<'no-filter', FilterPart>
  | Refused<'filter-of-one', FilterPart>

/** Finds the SKU, line or brand that promotions and coupons are on, and its filter; all null for every tire. */
export async function findSubject(
  tx: Tx,
  { subject, ...draft }: TireFilter & { subject: string },
): Promise<Outcome<Subject, SubjectRefusal>> {
  const found = await findCatalogIds(tx, { brand: [subject], line: [subject], size: [], item: [subject] })
  const [itemId, lineId, brandId] = [found.item.get(subject), found.line.get(subject), found.brand.get(subject)]
  if (subject !== '' && (itemId ?? lineId ?? brandId) === undefined) return refused('no-subject')
  const narrowed = filterParts.find((part) => draft[part] !== null)
  if (itemId !== undefined && narrowed) return refused('filter-of-one', narrowed)
  if (draft.supplier !== null && !(await hasSupplier(tx, draft.supplier))) return refused('no-filter', 'supplier')
  const filter = await findOrAddFilter(tx, draft)
  if (!filter.ok) return filter
  const none = { itemId: null, lineId: null, brandId: null, filterId: filter.value }
  if (itemId !== undefined) return ok({ ...none, itemId })
  return ok(lineId === undefined ? { ...none, brandId: brandId ?? null } : { ...none, lineId })
}

async function hasSupplier(tx: Tx, code: string): Promise<boolean> {
  return (await listSuppliers({ db: tx })).some((supplier) => supplier.code === code)
}
