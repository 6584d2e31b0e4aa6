/**
 * Runs catalog edits by staff. Checks the permission, refuses while an import publishes, adds an audit entry, and
 * announces the change.
 */
import { announceCatalogChange } from '#domain/catalog/catalog/catalog.server.ts'
import { recordAct, requirePermission, type ActWithout, type Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Clock } from '#platform/clock.ts'
import { violatedConstraint, type Database, type Tx } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { holdPublishing } from './publish.sql.server.ts'

export type Deps = { db: Database; clock: Clock }
export type EditRefusal = Refused<'not-allowed'> | Refused<'import-running'> | Refused<'not-found'>

type Done<Value> = { value: Value; act: ActWithout<'by' | 'at'> | null }

export function done<Value>(value: Value, act: ActWithout<'by' | 'at'>): Outcome<Done<Value>> {
  return ok({ value, act })
}

/** Carries a refusal out of a transaction that must be rolled back. */
class RefusedEdit extends Error {
  readonly refusal: Refused<string, unknown>
  constructor(refusal: Refused<string, unknown>) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

const takenKeys: Readonly<Record<string, string>> = {
  brand_name_key: 'name-taken',
  brand_slug_key: 'name-taken',
  product_line_brand_id_slug_key: 'name-taken',
  item_sku_key: 'sku-taken',
  item_gtin_key: 'gtin-taken',
  item_product_line_id_size_id_load_index_speed_load_class_lo_key: 'same-tire',
}

/**
 * Runs an edit in a transaction that a refusal rolls back. `change` returns the value and the audit entry, or null if
 * the values are unchanged.
 */
export async function editByHand<Value, Refusal extends Refused<string, unknown>>(
  { db, clock }: Deps,
  by: Actor,
  change: (tx: Tx, at: Temporal.Instant) => Promise<Outcome<Done<Value>, Refusal>>,
  permission: 'catalog.edit' | 'catalog.publish' = 'catalog.edit',
): Promise<Outcome<Value, Refusal>> {
  const at = clock.now()
  try {
    return await db.transaction().execute(async (tx) => {
      const permitted = await requirePermission(tx, by, permission, at)
      if (!permitted.ok) throw new RefusedEdit(permitted)
      if (!(await holdPublishing(tx))) throw new RefusedEdit(refused('import-running'))
      const changed = await change(tx, at)
      if (!changed.ok) throw new RefusedEdit(changed)
      const { value, act } = changed.value
      if (act !== null) {
        await recordAct(tx, { ...act, by, at })
        await announceCatalogChange(tx)
      }
      return ok(value)
    })
  } catch (error) {
    if (error instanceof RefusedEdit) return error.refusal as Refusal
    const taken = takenKeys[violatedConstraint(error) ?? '']
    if (taken !== undefined) return refused(taken) as Refusal
    throw error
  }
}
