/** The statements of rebates in the back office. */
import { sql } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import { filterJson, filterLabel } from './tire-filter.sql.server.ts'
import type { TireFilter } from './tire-filter.ts'

/** A rebate as the back office shows it. `subject` is "brand" or "brand/model", by their slugs. */
export type OfficeRebate = {
  id: number
  slug: string
  /** Whether it isn't scheduled. */
  draft: boolean
  name: string
  amountCents: number
  units: number
  paidAs: 'prepaid-card' | 'check'
  brandId: number | null
  lineId: number | null
  filterId: number | null
  filter: TireFilter | null
  subject: string
  /** "Kestrel Alltide AS2, Winter" */
  subjectName: string
  formUrl: string | null
  mailTo: string | null
  startsAt: Temporal.Instant
  endsAt: Temporal.Instant
  lastClaimOn: string
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
      'draft',
      'rebate.name',
      'amount_cents as amountCents',
      'units',
      'paid_as as paidAs',
      'rebate.brand_id as brandId',
      'product_line_id as lineId',
      'filter_id as filterId',
      filterJson(sql`rebate.filter_id`).as('filter'),
      sql<string>`concat_ws('/', brand.slug, line.slug)`.as('subject'),
      sql<string>`concat_ws(', ', concat_ws(' ', brand.name, line.name), ${filterLabel(sql`rebate.filter_id`, { isForStaff: true })})`.as(
        'subjectName',
      ),
      'form_url as formUrl',
      'mail_to as mailTo',
      'starts_at as startsAt',
      'ends_at as endsAt',
      sql<string>`to_char(last_claim_on, 'YYYY-MM-DD')`.as('lastClaimOn'),
      'version',
    ])
    .$if(id !== null, (query) => query.where('rebate.id', '=', id))
    .$if(before !== null, (query) => query.where('rebate.id', '<', before))
    .orderBy('rebate.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, paidAs: row.paidAs as OfficeRebate['paidAs'] }))
}

/** The terms of a draft, as stored. */
export type RebateTerms = Omit<OfficeRebate, 'id' | 'draft' | 'filter' | 'subject' | 'subjectName' | 'version'>

type Change = { by: string; at: Temporal.Instant }

const changed = ({ by, at }: Change) => ({ changed_at: at, changed_by: by })

function stored(terms: RebateTerms) {
  return {
    slug: terms.slug,
    name: terms.name,
    amount_cents: terms.amountCents,
    units: terms.units,
    paid_as: terms.paidAs,
    brand_id: terms.brandId,
    product_line_id: terms.lineId,
    filter_id: terms.filterId,
    form_url: terms.formUrl,
    mail_to: terms.mailTo,
    starts_at: terms.startsAt,
    ends_at: terms.endsAt,
    last_claim_on: terms.lastClaimOn,
  }
}

/** Adds a draft and returns its id. Throws the violated `rebate_name_key` or `rebate_slug_key`. */
export async function insertRebate(tx: Tx, terms: RebateTerms, by: Change): Promise<number> {
  const { id } = await tx
    .insertInto('rebate')
    .values({ draft: true, ...stored(terms), ...changed(by) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks a rebate, and returns it. */
export async function lockRebate(tx: Tx, id: number): Promise<OfficeRebate | undefined> {
  await tx.selectFrom('rebate').select('id').where('id', '=', id).forUpdate().execute()
  return (await selectOfficeRebates(tx, { id, limit: 1 }))[0]
}

/** Whether a rebate other than `except` has a name or its address. */
export async function selectRebateTwin(
  tx: Tx,
  { name, slug, except }: { name: string; slug: string; except: number | null },
): Promise<boolean> {
  const twin = await tx
    .selectFrom('rebate')
    .select('id')
    .where((eb) => eb.or([eb('name', '=', name), eb('slug', '=', slug)]))
    .$if(except !== null, (query) => query.where('id', '<>', except))
    .executeTakeFirst()
  return twin !== undefined
}

type Locked = Pick<OfficeRebate, 'id' | 'version'>

/** Replaces the terms of a locked draft, and increments its version. */
export async function updateRebate(tx: Tx, { id, version }: Locked, terms: RebateTerms, by: Change): Promise<void> {
  await tx
    .updateTable('rebate')
    .set({ ...stored(terms), ...changed(by), version: version + 1 })
    .where('id', '=', id)
    .execute()
}

/** Corrects a locked rebate that started. One that ends later isn't ended early. */
export async function updateRebateCorrection(
  tx: Tx,
  { id, version, endsAt }: Locked & Pick<OfficeRebate, 'endsAt'>,
  terms: Pick<RebateTerms, 'name' | 'formUrl' | 'mailTo' | 'endsAt' | 'lastClaimOn'>,
  by: Change,
): Promise<void> {
  await tx
    .updateTable('rebate')
    .set({
      name: terms.name,
      form_url: terms.formUrl,
      mail_to: terms.mailTo,
      ends_at: terms.endsAt,
      last_claim_on: terms.lastClaimOn,
      ...(!terms.endsAt.equals(endsAt) && { retired_at: null }),
      ...changed(by),
      version: version + 1,
    })
    .where('id', '=', id)
    .execute()
}

/** Schedules a locked draft, ends a running rebate now, or makes a scheduled one a draft again. */
export async function updateRebateSchedule(
  tx: Tx,
  { id, version }: Locked,
  step: 'schedule' | 'end' | 'withdraw',
  { by, at }: Change,
): Promise<void> {
  const set = {
    schedule: { draft: false, retired_at: null },
    end: { ends_at: at, retired_at: at },
    withdraw: { draft: true },
  }[step]
  await tx
    .updateTable('rebate')
    .set({ ...set, ...changed({ by, at }), version: version + 1 })
    .where('id', '=', id)
    .execute()
}

/** Removes a draft. */
export async function deleteRebate(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('rebate').where('id', '=', id).where('draft', '=', true).execute()
}
