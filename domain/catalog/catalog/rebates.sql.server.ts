/** The statements of rebates in the back office. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'

/** A rebate as the back office shows it. `subject` is "brand" or "brand/model", by their slugs. */
export type OfficeRebate = {
  id: number
  slug: string
  name: string
  amountCents: number
  units: number
  paidAs: 'prepaid-card' | 'check'
  subject: string
  subjectName: string
  formUrl: string | null
  mailTo: string | null
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
  lastClaimOn: string
  retiredAt: Temporal.Instant | null
  version: number
}

/** Up to `limit` rebates, newest first, older than `before`; only the one of `id` if it is given. */
export async function selectOfficeRebates(
  db: Database,
  { id = null, before = null, limit }: { id?: number | null; before?: number | null; limit: number },
): Promise<OfficeRebate[]> {
  const rows = await db
    .selectFrom('rebate')
    .leftJoin('product_line as line', 'line.id', 'rebate.product_line_id')
    .innerJoin('brand', (join) => join.on(sql<boolean>`brand.id = coalesce(line.brand_id, rebate.brand_id)`))
    .select([
      'rebate.id',
      'rebate.slug',
      'rebate.name',
      'amount_cents as amountCents',
      'units',
      'paid_as as paidAs',
      sql<string>`concat_ws('/', brand.slug, line.slug)`.as('subject'),
      sql<string>`concat_ws(' ', brand.name, line.name)`.as('subjectName'),
      'form_url as formUrl',
      'mail_to as mailTo',
      'starts_at as startsAt',
      'ends_at as endsAt',
      sql<string>`to_char(last_claim_on, 'YYYY-MM-DD')`.as('lastClaimOn'),
      'retired_at as retiredAt',
      'version',
    ])
    .$if(id !== null, (query) => query.where('rebate.id', '=', id))
    .$if(before !== null, (query) => query.where('rebate.id', '<', before))
    .orderBy('rebate.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, paidAs: row.paidAs as OfficeRebate['paidAs'] }))
}

/** The stored fields of a rebate except its slug. */
export type RebateRow = Omit<OfficeRebate, 'id' | 'slug' | 'subject' | 'subjectName' | 'retiredAt' | 'version'> & {
  brandId: number | null
  lineId: number | null
  by: string
  at: Temporal.Instant
}

function stored(row: RebateRow) {
  return {
    name: row.name,
    amount_cents: row.amountCents,
    units: row.units,
    paid_as: row.paidAs,
    brand_id: row.brandId,
    product_line_id: row.lineId,
    form_url: row.formUrl,
    mail_to: row.mailTo,
    starts_at: row.startsAt,
    ends_at: row.endsAt,
    last_claim_on: row.lastClaimOn,
    changed_at: row.at,
    changed_by: row.by,
  }
}

/**
 * Adds a rebate and returns its id. Throws the violated `rebate_name_key`, `rebate_slug_key` or
 * `promotion_slug_is_free`.
 */
export async function insertRebate(tx: Tx, slug: string, row: RebateRow): Promise<number> {
  const { id } = await tx
    .insertInto('rebate')
    .values({ slug, ...stored(row) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks a rebate and returns its version; undefined if not found. */
export async function lockRebate(tx: Tx, id: number): Promise<number | undefined> {
  const row = await tx.selectFrom('rebate').select('version').where('id', '=', id).forUpdate().executeTakeFirst()
  return row?.version
}

/** Changes a locked rebate. */
export async function updateRebate(tx: Tx, { id, version }: { id: number; version: number }, row: RebateRow) {
  await tx
    .updateTable('rebate')
    .set({ ...stored(row), version: version + 1 })
    .where('id', '=', id)
    .execute()
}

/** Ends the purchases of a locked rebate at `at`; one that has not started never does. */
export async function updateRetiredRebate(
  tx: Tx,
  { id, version }: { id: number; version: number },
  { by, at }: { by: string; at: Temporal.Instant },
): Promise<void> {
  const when = sql<Temporal.Instant>`${at.toString()}::timestamptz`
  await tx
    .updateTable('rebate')
    .set({
      retired_at: at,
      ends_at: sql<Temporal.Instant>`case when starts_at < ${when} then least(ends_at, ${when}) else ends_at end`,
      version: version + 1,
      changed_at: at,
      changed_by: by,
    })
    .where('id', '=', id)
    .execute()
}
