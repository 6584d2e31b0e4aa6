/** Reads a product page's texts and first reviews. */
import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'
import { andLine } from './brand-range.sql.server.ts'
import type { BrandRange } from './brand-range.ts'
import type { Attribute } from './items.ts'
import type { Wordmark } from './directory.sql.server.ts'

export type Review = {
  readonly id: number
  /** Stars per attribute; null if not rated. */
  readonly attributes: Readonly<Record<Attribute, number | null>>
  readonly overallHundredths: number
  readonly summary: string
  readonly comments: string
  readonly author: string
  readonly vehicle: string
  readonly milesDriven: number
  readonly drivingStyle: string
  readonly whereUsed: string
  readonly buyAgain: boolean
  readonly isVerified: boolean
  readonly isSample: boolean
  readonly helpfulCount: number
  /** YYYY-MM-DD */
  readonly writtenOn: string
}

export type Photo = { readonly key: string; readonly description: string }

export type LinePage = {
  readonly about: string
  readonly brandAbout: string
  readonly wordmark: Wordmark
  /** Photos that staff uploaded of the model, in their order. */
  readonly photos: readonly Photo[]
  /** Photos of only one item, by its id. */
  readonly itemPhotos: Readonly<Record<string, readonly Photo[]>>
  readonly reviews: readonly Review[]
}

/**
 * Returns a model's texts and its first `count` published reviews, most helpful first. Undefined for an unknown line.
 */
export async function selectLinePage(
  db: Database,
  brandSlug: string,
  lineSlug: string,
  count: number,
): Promise<LinePage | undefined> {
  const { rows } = await sql<LinePage>`
    select l.about, b.about as "brandAbout", b.wordmark,
      (select coalesce(jsonb_agg(${photoJson} order by position, id), '[]') from line_picture where product_line_id = l.id) as photos,
      (select coalesce(jsonb_object_agg(item_id, own), '{}') from (
        select item_id, jsonb_agg(${photoJson} order by position, line_picture.id) as own
        from item join line_picture on item_id = item.id where item.product_line_id = l.id group by item_id) of_items) as "itemPhotos",
      (select coalesce(jsonb_agg(${reviewJson} order by helpful_count desc, review.id desc), '[]') from (
        select * from review where product_line_id = l.id and state = 'published' order by helpful_count desc, id desc limit ${count}) review) as reviews
    from product_line l join brand b on b.id = l.brand_id
    where b.slug = ${brandSlug} and l.slug = ${lineSlug}`.execute(db)
  return rows[0]
}

const photoJson = sql`jsonb_build_object('key', picture_key, 'description', description)`

/** How many listed vehicles have each size, by designation. */
export async function selectSizePopularity(db: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('oe_fitment')
    .select((eb) => ['front_size', eb.fn.countAll<number>().as('vehicles')])
    .groupBy('front_size')
    .execute()
  return new Map(rows.map((row) => [row.front_size, row.vehicles]))
}

export type TopReview = Review & {
  readonly brandSlug: string
  readonly brandName: string
  readonly lineSlug: string
  readonly lineName: string
}

/** The most helpful reviews with four stars or more, one per line, from the index of helpfulness. */
export async function selectTopReviews(db: Database, range: BrandRange, count: number): Promise<TopReview[]> {
  const { rows } = await sql<{ review: TopReview }>`
    with helpful as (
      select * from review where state = 'published' and overall_hundredths >= 400 ${andLine(range, 'review.product_line_id')} order by helpful_count desc, id desc limit ${count * 8}),
    one_each as (select distinct on (product_line_id) * from helpful order by product_line_id, helpful_count desc, id desc)
    select ${reviewJson} || jsonb_build_object('brandSlug', b.slug, 'brandName', b.name, 'lineSlug', l.slug, 'lineName', l.name) as review
    from one_each review join product_line l on l.id = product_line_id join brand b on b.id = l.brand_id
    order by helpful_count desc, review.id desc limit ${count}`.execute(db)
  return rows.map(({ review }) => review)
}

/** A row of `review` as `Review`, also for other capabilities' statements. */
export const reviewJson = sql`jsonb_build_object(
  'id', review.id, 'overallHundredths', overall_hundredths, 'summary', summary, 'comments', comments, 'author', author_name, 'vehicle', vehicle,
  'milesDriven', miles_driven, 'drivingStyle', driving_style, 'whereUsed', where_used, 'buyAgain', buy_again, 'isVerified', verified_order_id is not null,
  'isSample', sample, 'helpfulCount', helpful_count, 'writtenOn', to_char(written_at at time zone 'UTC', 'YYYY-MM-DD'),
  'attributes', jsonb_build_object('dry', dry, 'wet', wet, 'winter', review.winter, 'comfort', comfort, 'noise', noise, 'treadwear', treadwear))`
