/**
 * 10,000 products from another store's export, through the steps of an upload in the office. The file is stored, its
 * columns are matched as guessed, and it is read to its preview and published.
 */
import { sql } from 'kysely'
import {
  askImport,
  findImport,
  findUploadColumns,
  startImport,
  storeUpload,
  workOnImport,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { customerRecords } from '#domain/customers/customers/customers.server.ts'
import type { Actor } from '#domain/kernel/staff/staff.server.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase, createPool, type Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import type { Outcome, Refused } from '#platform/outcome.ts'
import type { Bench } from './bench.ts'
import { amountRow, type Row } from './report.ts'

const products = 10_000
/** A retailer imports a whole catalog within ten minutes. */
const mostMs = 10 * 60_000
const by = { via: 'command line', name: 'bench' } satisfies Actor

const sizes = ['225/65R17 102H', '235/60R18 107H', '215/55R17 94V', '205/55R16 91V', '265/70R17 115T'] as const

/** A product export of Shopify, with one size of each product. */
function shopifyExport(): string {
  const header =
    'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Variant Barcode,Image Src,Cost per item,Status,Rim width min (product.metafields.custom.rim_width_min),Rim width max (product.metafields.custom.rim_width_max),Max PSI (product.metafields.custom.max_psi),Tread depth (product.metafields.custom.tread_depth)'
  const rows = Array.from({ length: products }, (_, index) => {
    const model = `Trail ${index + 1}`
    return `brule-trail-${index + 1},"Brule ${model}","<p>Quiet, with a long life.</p>",Brule,Vehicles & Parts,All Terrain,"truck,at",TRUE,Size,${sizeOf(index)},SH-${100_000 + index},12500,16,$${120 + (index % 200)}.00,,https://cdn.example.com/${index}.jpg,90.00,active,7,8.5,51,10`
  })
  return [header, ...rows].join('\n')
}

/** A product export of WooCommerce, with one size of each product. */
function wooCommerceExport(): string {
  const header =
    'ID,Type,SKU,"GTIN, UPC, EAN, or ISBN",Name,Published,Is featured?,Visibility in catalog,In stock?,Stock,Weight (lbs),Regular price,Categories,Images,Parent,Brands,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s),Attribute 3 name,Attribute 3 value(s),Attribute 4 name,Attribute 4 value(s),Attribute 5 name,Attribute 5 value(s)'
  const rows = Array.from(
    { length: products },
    (_, index) =>
      `${index + 1},simple,WO-${100_000 + index},,Moss Track ${index + 1},1,0,visible,1,12,27.5,${120 + (index % 200)},All Terrain,,,Moss,Size,${sizeOf(index)},Max PSI,51,Tread depth,10,Rim width min,7,Rim width max,8.5`,
  )
  return [header, ...rows].join('\n')
}

const sizeOf = (index: number) => sizes[index % sizes.length] ?? sizes[0]

/** Imports each export into a separate database, and copies as many rows into a plain table. */
export async function measureImport({ addDatabase, say }: Pick<Bench, 'addDatabase' | 'say'>): Promise<Row[]> {
  const url = await addDatabase('small', 'imports')
  const [db, pool] = [createDatabase(url, { size: 4 }), createPool(url, { size: 3 })]
  const rows: Row[] = []
  for (const [name, content] of [
    ['Shopify', shopifyExport()],
    ['WooCommerce', wooCommerceExport()],
  ] as const) {
    const importMs = await timeOf(() => importProducts({ db, pool, clock: systemClock, customerRecords }, content))
    const plainMs = await timeOf(() => insertPlainly(db, content))
    const rate = Math.round(products / (importMs / 1000)).toLocaleString('en-US')
    say(`import: ${name}, ${products.toLocaleString('en-US')} products in ${seconds(importMs)}, ${rate} rows a second`)
    const what = `${products.toLocaleString('en-US')} products of a ${name} export, from upload to published, ${rate} rows a second`
    rows.push(
      amountRow(what, importMs, mostMs, seconds, { name: 'its lines inserted into a plain table', amount: plainMs }),
    )
  }
  await pool.end()
  await db.destroy()
  return rows
}

type Deps = Parameters<typeof workOnImport>[0]

async function importProducts(deps: Deps, content: string): Promise<void> {
  const runId = await previewProducts(deps, content)
  const shown = await findImport(deps, runId)
  const seen = shown?.summary.previewedAt ?? ''
  must(await askImport(deps, by, { runId, act: 'publish', seen, reason: 'A new store.' }), shown?.summary)
  await workOnImport(deps, runId)
  const done = await findImport(deps, runId)
  const added = done?.summary.difference?.find(({ kind }) => kind === 'new')?.count
  if (done?.state !== 'published' || added !== products)
    throw new Error(`The import ended as ${done?.state} with ${added} new products.`)
}

/** Uploads the file, matches its columns, and reads it to its preview. Returns the run's ID. */
async function previewProducts(deps: Deps, content: string): Promise<number> {
  const uploadId = newId()
  must(await storeUpload(deps, by, { id: uploadId, fileName: 'products.csv', bytes: chunksOf(content) }))
  const columns = await findUploadColumns(deps, by, { uploadId, kind: 'products' })
  const sources = { ...columns?.guessed, brand_tier: { text: 'mid' }, category: { text: 'all-terrain' } }
  const { runId } = must(await startImport(deps, by, { uploadId, kind: 'products', mode: 'per-row', sources }))
  if (runId === null) throw new Error('The columns did not match.')
  await workOnImport(deps, runId)
  return runId
}

function must<Value>(outcome: Outcome<Value, Refused<string, unknown>>, about?: unknown): Value {
  if (outcome.ok) return outcome.value
  throw new Error(`The import was refused: ${JSON.stringify({ ...outcome, about })}`)
}

async function* chunksOf(content: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield await Promise.resolve(bytes.subarray(at, at + 64 * 1024))
}

/** Inserts the file's lines into a table with a key, in one statement. */
async function insertPlainly(db: Database, content: string): Promise<void> {
  await sql`create table bench_line (no bigint primary key, line text not null)`.execute(db)
  await sql`insert into bench_line select no, line from regexp_split_to_table(${content}, '\n') with ordinality as lines (line, no)`.execute(
    db,
  )
  await sql`drop table bench_line`.execute(db)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
