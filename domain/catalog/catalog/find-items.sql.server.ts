/** Tires and tire models as staff find them; also those that are no longer sold. */
import { sql, type RawBuilder } from 'kysely'
import { sizeDigits } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import type { Database } from '#platform/db.ts'
import { hasPart, hasWords, isPart, readTypos } from '#platform/search-text.ts'
import { startPattern } from '#platform/start-pattern.ts'

export type FoundItem = { id: number; sku: string; name: string }

/** More words than these are ignored. */
const maxWords = 5
/** Maximum number of models to search for tires in a size. */
const maxModels = 50

/**
 * Finds up to `limit` tires with a SKU that starts with or contains the text, or that match its size, brand and model.
 */
export async function findItems({ db }: { db: Database }, text: string, limit: number): Promise<FoundItem[]> {
  const { sizes, names } = readWords(text)
  const ids = [
    sql`select id from item where lower(sku) like ${startPattern(text)} order by lower(sku)`,
    ...(isPart(text) ? [sql`select id from item where ${hasPart(sql`lower(sku)`, text)}`] : []),
    ...(sizes.length === 0 ? [] : [itemsOfSize(sizes, names)]),
  ].map((each) => sql`(${each} limit ${limit})`)
  const { rows } = await sql<FoundItem>`
    select item.id, item.sku, brand.name || ' ' || line.name || ' ' || size.designation as name
    from item join product_line line on line.id = item.product_line_id join brand on brand.id = line.brand_id join size on size.id = item.size_id
    where item.id in (${sql.join(ids, sql` union `)}) order by lower(item.sku) like ${startPattern(text)} desc, lower(item.sku) limit ${limit}`.execute(
    db,
  )
  return rows
}

export type FoundModel = { id: number; name: string; tires: number }

/**
 * Finds up to `limit` tire models with each word of the text in their brand or name, or with one typo if there are no
 * exact matches.
 */
export async function findModels({ db }: { db: Database }, text: string, limit: number): Promise<FoundModel[]> {
  const { sizes, names } = readWords(text)
  if (sizes.length > 0 || names.length === 0) return []
  const found = await selectModels(db, modelsNamed(names), limit)
  const spellings = found.length === 0 ? readTypos(names.join(' ')) : null
  return spellings ? selectModels(db, modelsSpelled(spellings), limit) : found
}

async function selectModels(db: Database, models: RawBuilder<unknown>, limit: number): Promise<FoundModel[]> {
  const { rows } = await sql<FoundModel>`
    select found.id, found.name, (select count(*)::int from item where item.product_line_id = found.id) as tires
    from (${models} order by name, id limit ${limit}) as found order by found.name, found.id`.execute(db)
  return rows
}

function readWords(text: string): { sizes: string[]; names: string[] } {
  const words = text.split(/\s+/).filter(Boolean).slice(0, maxWords)
  return {
    sizes: words.map(sizeDigits).filter((digits) => digits !== null),
    names: words.filter((word) => sizeDigits(word) === null),
  }
}

function itemsOfSize(sizes: readonly string[], names: readonly string[]): RawBuilder<unknown> {
  const conditions = sizes.map((digits) => sql`regexp_replace(designation, '[^0-9]', '', 'g') like ${`${digits}%`}`)
  const ofModel =
    names.length === 0
      ? sql``
      : sql`and product_line_id in (select id from (${modelsNamed(names)} limit ${maxModels}) as model)`
  return sql`
    select id from item where size_id in (select id from size where ${sql.join(conditions, sql` and `)}) ${ofModel}`
}

function modelsNamed(names: readonly string[]): RawBuilder<unknown> {
  const conditions = names.map((name) => sql`lower(brand.name || ' ' || line.name) like ${`%${startPattern(name)}`}`)
  return sql`
    select line.id, brand.name || ' ' || line.name as name from product_line line join brand on brand.id = line.brand_id
    where ${sql.join(conditions, sql` and `)}`
}

function modelsSpelled(spellings: readonly (readonly string[])[]): RawBuilder<unknown> {
  const words = sql`string_to_array(lower(brand.name || ' ' || line.name), ' ')`
  return sql`
    select line.id, brand.name || ' ' || line.name as name from product_line line join brand on brand.id = line.brand_id
    where ${hasWords(words, spellings)}`
}
