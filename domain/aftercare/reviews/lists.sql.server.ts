/**
 * Reads published reviews for a model, a scope, or the whole store. Uses cursor pagination, so that every page costs
 * the same as the first.
 */
import { sql, type RawBuilder } from 'kysely'
import type { BrandRange } from '#domain/catalog/catalog/catalog.ts'
import { andBrand, andLine, reviewJson, type Review, type TopReview } from '#domain/catalog/catalog/catalog.server.ts'
import type { Database } from '#platform/db.ts'
import type { ReviewQuery, ReviewSort } from './review-query.ts'

/** One of these parts of the store, or all of it. */
export type ReviewScope = {
  readonly brand?: string | undefined
  readonly type?: string | undefined
  readonly category?: string | undefined
}

/** A page of reviews; the next one starts after `next`. */
export type Page<Row> = { readonly reviews: readonly Row[]; readonly next: number | null }

export async function selectReviewsOfLine(
  db: Database,
  lineId: number,
  query: ReviewQuery,
  count: number,
): Promise<Page<Review>> {
  const where = sql`product_line_id = ${lineId} ${matching(query)}`
  const { rows } = await sql<{ review: Review }>`
    select ${reviewJson} as review from ${page(where, query, count + 1)} review order by ${orders[query.sort].by}`.execute(
    db,
  )
  return cut(
    rows.map(({ review }) => review),
    count,
  )
}

/** Counts the reviews of a line that match stars and vehicle. */
export async function countReviewsOfLine(db: Database, lineId: number, query: ReviewQuery): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*)::int as found from review where state = 'published' and product_line_id = ${lineId} ${matching(query)}`.execute(
    db,
  )
  return rows[0]?.found ?? 0
}

/** Selects reviewers' vehicle models for a tire model, most common first. */
export async function selectModelsOfLine(
  db: Database,
  lineId: number,
  count: number,
): Promise<{ model: string; reviews: number }[]> {
  const { rows } = await sql<{ model: string; reviews: number }>`
    select vehicle_model as model, count(*)::int as reviews from review
    where state = 'published' and product_line_id = ${lineId} and vehicle_model is not null
    group by vehicle_model order by reviews desc, vehicle_model limit ${count}`.execute(db)
  return rows
}

/** A page of all reviews of the store. */
export async function selectReviewsOfStore(
  db: Database,
  range: BrandRange,
  query: Pick<ReviewQuery, 'sort' | 'after'>,
  count: number,
): Promise<Page<TopReview>> {
  const { rows } = await sql<{ review: TopReview }>`
    select ${withLine} as review from ${page(sql`true ${andLine(range, 'product_line_id')}`, query, count + 1)} review
    join product_line l on l.id = review.product_line_id join brand b on b.id = l.brand_id order by ${orders[query.sort].by}`.execute(
    db,
  )
  return cut(
    rows.map(({ review }) => review),
    count,
  )
}

/** Selects the first reviews in a scope, using each model's first reviews from their index, merged. */
export async function selectReviewsOfScope(
  db: Database,
  range: BrandRange,
  scope: ReviewScope,
  sort: ReviewSort,
  count: number,
): Promise<TopReview[]> {
  const { rows } = await sql<{ review: TopReview }>`
    select ${withLine} as review from product_line l join brand b on b.id = l.brand_id join category c on c.slug = l.category_slug
    cross join lateral ${page(sql`product_line_id = l.id`, { sort, after: null }, count)} review
    where ${within(scope)} ${andBrand(range, 'b.id')} order by ${orders[sort].by} limit ${count}`.execute(db)
  return rows.map(({ review }) => review)
}

/** The cheapest article of each of the best lines, best first: see `ranking.ts`. */
export async function selectBestLines(
  db: Database,
  range: BrandRange,
  scope: ReviewScope,
  count: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select item.id from line_rating r join product_line l on l.id = r.product_line_id join brand b on b.id = l.brand_id join category c on c.slug = l.category_slug
    cross join lateral (select id from item where product_line_id = l.id and active order by shown_cents, id limit 1) item
    where ${within(scope)} ${andBrand(range, 'b.id')} order by r.ranking desc, r.product_line_id limit ${count}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

export type ReviewSum = {
  readonly slug: string
  readonly lines: number
  readonly reviews: number
  readonly hundredths: number
}
export type ReviewSums = {
  readonly all: readonly ReviewSum[]
  readonly brands: readonly ReviewSum[]
  readonly types: readonly ReviewSum[]
  readonly categories: readonly ReviewSum[]
}

/** The totals of the ratings of lines on sale, by brand, type and category and overall. */
export async function selectReviewSums(db: Database, range: BrandRange): Promise<ReviewSums> {
  const sums = (column: string) => sql`
    (select coalesce(jsonb_agg(sum order by reviews desc, slug), '[]') from (
      select ${sql.raw(column)} as slug, count(*) as lines, sum(review_count) as reviews, round(sum(review_count * hundredths)::numeric / sum(review_count)) as hundredths
      from line group by 1) as sum)`
  const { rows } = await sql<ReviewSums>`
    with line as materialized (
      select b.slug as brand, c.type_slug as type, c.slug as category, r.review_count, r.overall_hundredths as hundredths
      from line_rating r join product_line l on l.id = r.product_line_id join brand b on b.id = l.brand_id join category c on c.slug = l.category_slug
      where exists (select from item where item.product_line_id = l.id and item.active) ${andBrand(range, 'b.id')})
    select ${sums("''")} as "all", ${sums('brand')} as brands, ${sums('type')} as types, ${sums('category')} as categories`.execute(
    db,
  )
  return rows[0] ?? { all: [], brands: [], types: [], categories: [] }
}

/** Each order has an index; `past` is the condition for the next page. */
const orders: Record<ReviewSort, { key: RawBuilder<unknown>; by: RawBuilder<unknown>; past: RawBuilder<unknown> }> = {
  helpful: { key: sql`helpful_count`, by: sql`review.helpful_count desc, review.id desc`, past: sql`<` },
  newest: { key: sql`written_at`, by: sql`review.written_at desc, review.id desc`, past: sql`<` },
  highest: { key: sql`overall_hundredths`, by: sql`review.overall_hundredths desc, review.id desc`, past: sql`<` },
  lowest: { key: sql`overall_hundredths`, by: sql`review.overall_hundredths, review.id`, past: sql`>` },
}

function page(
  where: RawBuilder<unknown>,
  { sort, after }: Pick<ReviewQuery, 'sort' | 'after'>,
  count: number,
): RawBuilder<unknown> {
  const { key, by, past } = orders[sort]
  const reviews = (bound: RawBuilder<unknown>) =>
    sql`(select * from review where state = 'published' and ${where} ${bound} order by ${by} limit ${count})`
  if (after === null) return reviews(sql``)
  return sql`(select following.* from (select ${key} as mark, id as last from review where id = ${after}) as before
    cross join lateral ${reviews(sql`and (review.${key}, review.id) ${past} (before.mark, before.last)`)} as following)`
}

function matching({ stars, vehicle }: ReviewQuery): RawBuilder<unknown> {
  // The stars shown are the overall rating rounded half up.
  const ofStars =
    stars === null ? sql`` : sql`and overall_hundredths between ${stars * 100 - 50} and ${stars * 100 + 49}`
  return vehicle === null ? ofStars : sql`${ofStars} and vehicle_model = ${vehicle}`
}

function within({ brand, type, category }: ReviewScope): RawBuilder<unknown> {
  if (brand !== undefined) return sql`b.slug = ${brand}`
  if (type !== undefined) return sql`c.type_slug = ${type}`
  return category === undefined ? sql`true` : sql`c.slug = ${category}`
}

const withLine = sql`${reviewJson} || jsonb_build_object('brandSlug', b.slug, 'brandName', b.name, 'lineSlug', l.slug, 'lineName', l.name)`

function cut<Row extends { readonly id: number }>(rows: readonly Row[], count: number): Page<Row> {
  const reviews = rows.slice(0, count)
  return { reviews, next: rows.length > count ? (reviews.at(-1)?.id ?? null) : null }
}
