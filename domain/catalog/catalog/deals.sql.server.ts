/** Reads deals and rebates with their subjects. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { isDealWithin } from './brand-range.sql.server.ts'
import type { BrandRange } from './brand-range.ts'
import type { Named } from './items.ts'
import type { Promotion, Rebate } from './promotion.ts'
import { filteredTires, promotedTires, toPromotion, toRebate } from './promotion.sql.server.ts'
import { filterLabel } from './tire-filter.sql.server.ts'

/** A deal's subject is a brand, a model, or an item, each with its parents, and what narrows it. All null means every tire. */
export type Subject = {
  readonly brand: Named | null
  readonly line: Named | null
  readonly type: Named | null
  /** "225/65R17", for an article. */
  readonly size: string | null
  /** "Winter, Passenger" */
  readonly filter: string | null
}

/** The promotion with this slug, at any time. */
export async function selectPromotion(
  db: Database,
  range: BrandRange,
  slug: string,
): Promise<{ promotion: Promotion; subject: Subject } | undefined> {
  const row = await db
    .selectFrom('promotion as deal')
    .selectAll()
    .select(promotedTires)
    .where('slug', '=', slug)
    .where(isDealWithin(range, 'promotion'))
    .executeTakeFirst()
  if (!row) return undefined
  const subjects = await selectSubjects(db, 'promotion', [row.id])
  return { promotion: toPromotion(row), subject: subjects.get(row.id) ?? everyTire }
}

/** The scheduled rebate with this slug, at any time. */
export async function selectRebate(
  db: Database,
  range: BrandRange,
  slug: string,
): Promise<{ rebate: Rebate; subject: Subject } | undefined> {
  const row = await db
    .selectFrom('rebate as deal')
    .selectAll()
    .select(filteredTires)
    .where('slug', '=', slug)
    .where('draft', '=', false)
    .where(isDealWithin(range, 'rebate'))
    .executeTakeFirst()
  if (!row) return undefined
  const subjects = await selectSubjects(db, 'rebate', [row.id])
  return { rebate: toRebate(row), subject: subjects.get(row.id) ?? everyTire }
}

/** The subjects of these promotions or rebates. */
export async function selectSubjects(
  db: Database,
  of: 'promotion' | 'rebate',
  ids: readonly number[],
): Promise<Map<number, Subject>> {
  const itemId = of === 'promotion' ? sql`deal.item_id` : sql`null::integer`
  const filter = filterLabel(sql`deal.filter_id`, { isForStaff: false })
  const { rows } = await sql<Subject & { id: number }>`
    select deal.id, s.designation as size, ${filter} as filter,
      case when b.id is not null then jsonb_build_object('slug', b.slug, 'name', b.name) end as brand,
      case when l.id is not null then jsonb_build_object('slug', l.slug, 'name', l.name) end as line,
      case when t.slug is not null then jsonb_build_object('slug', t.slug, 'name', t.name) end as type
    from ${sql.table(of)} deal
    left join item i on i.id = ${itemId}
    left join size s on s.id = i.size_id
    left join product_line l on l.id = coalesce(i.product_line_id, deal.product_line_id)
    left join category c on c.slug = l.category_slug
    left join tire_type t on t.slug = c.type_slug
    left join brand b on b.id = coalesce(l.brand_id, deal.brand_id)
    where deal.id = any (${[...ids]}::int[])`.execute(db)
  return new Map(rows.map(({ id, brand, line, type, size, filter }) => [id, { brand, line, type, size, filter }]))
}

const everyTire: Subject = { brand: null, line: null, type: null, size: null, filter: null }
