/** Prices of competitors, as staff see and remove them. Files add and change them. */
import { sql } from 'kysely'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import type { Database, Tx } from '#platform/db.ts'
import { refused, type Outcome } from '#platform/outcome.ts'
import { slugOf } from '#platform/slug.ts'
import { done, editByHand, type Deps, type EditRefusal } from './edit-by-hand.server.ts'

/** A tire's latest price at a competitor in cents. `seenOn` is a date such as 2026-11-19, `runId` its import. */
export type CompetitorPrice = {
  readonly id: number
  readonly itemId: number
  readonly sku: string
  readonly tire: string
  readonly competitor: string
  readonly cents: number
  readonly seenOn: string
  readonly runId: number | null
}

/** Returns the prices of SKUs and competitors that start with these texts, the last added first, and the next cursor. */
export async function listPricesOfCompetitors(
  { db }: Pick<Deps, 'db'>,
  { sku, competitor, before, limit }: { sku: string; competitor: string; before: number | null; limit: number },
): Promise<{ prices: CompetitorPrice[]; next: number | null }> {
  const found = await selectPrices(
    db,
    sql`(${before}::int is null or price.id < ${before}) and starts_with(upper(item.sku), ${sku.toUpperCase()})
      and starts_with(price.competitor_slug, ${slugOf(competitor)})`,
    limit + 1,
  )
  const prices = found.slice(0, limit)
  return { prices, next: found.length > limit ? (prices.at(-1)?.id ?? null) : null }
}

/** Returns one price; undefined if it was removed. */
export async function findPriceOfCompetitor(db: Database | Tx, id: number): Promise<CompetitorPrice | undefined> {
  return (await selectPrices(db, sql`price.id = ${id}`, 1))[0]
}

/** Removes a price, so that price rules don't match it. Rollbacks of imports don't restore it. */
export function removeCompetitorPrice(deps: Deps, by: Actor, id: number): Promise<Outcome<null, EditRefusal>> {
  return editByHand<null, EditRefusal>(
    deps,
    by,
    async (tx) => {
      await sql`select from competitor_price where id = ${id} for update`.execute(tx)
      const price = await findPriceOfCompetitor(tx, id)
      if (!price) return refused('not-found')
      await sql`update import_change set undone = true where not undone and entity = 'competitor_price' and id = ${id}`.execute(
        tx,
      )
      await tx.deleteFrom('competitor_price').where('id', '=', id).execute()
      const before = { price: price.cents, listedOn: price.seenOn }
      return done(null, { act: 'competitor-price.removed', subject: `${price.sku} at ${price.competitor}`, before })
    },
    'catalog.publish',
  )
}

async function selectPrices(
  db: Database | Tx,
  where: ReturnType<typeof sql<boolean>>,
  limit: number,
): Promise<CompetitorPrice[]> {
  const { rows } = await sql<CompetitorPrice>`
    select price.id, item_id as "itemId", item.sku, brand.name || ' ' || line.name as tire, price.competitor, price.price_cents as cents,
      to_char(seen_on, 'YYYY-MM-DD') as "seenOn",
      (select max(run_id) from import_change where entity = 'competitor_price' and id = price.id and not undone) as "runId"
    from competitor_price as price join item on item.id = item_id
      join product_line as line on line.id = product_line_id join brand on brand.id = brand_id
    where ${where} order by price.id desc limit ${limit}`.execute(db)
  return rows
}
