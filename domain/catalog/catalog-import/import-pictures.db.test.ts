/** Tests loading product pictures from a local HTTPS server. */
import type { RequestListener } from 'node:http'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import {
  addPicture,
  describePicture,
  listPictures,
  removePicture,
  type PictureOwner,
} from '#domain/catalog/catalog/catalog.server.ts'
import { startHttpsServer } from '#domain/catalog/supplier-feeds/file-servers.testing.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { readPicture } from '#domain/kernel/files/files.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { loadPictures, readImportPictures, rollBackImport } from './catalog-import.server.ts'
import { exportProducts, openCatalog, value, withHeader, type ProductRow } from './catalog-import.testing.ts'

const png = (shade: number) =>
  sharp({ create: { width: 32, height: 32, channels: 3, background: { r: shade, g: shade, b: shade } } })
    .png()
    .toBuffer()

/** A catalog, and a server with a picture at each path, unless `answer` takes the request. */
async function open(
  answer: (path: string) => Parameters<RequestListener>[1]['statusCode'] | Buffer | null = () => null,
) {
  const catalog = await openCatalog()
  const asked: string[] = []
  const server = await startHttpsServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const other = answer(path)
    if (typeof other === 'number') return response.writeHead(other).end()
    if (other) return response.end(other)
    png((Number.parseInt(path.replaceAll(/\D/g, ''), 10) || 0) * 16).then((bytes) => response.end(bytes), () => response.destroy()) // prettier-ignore
  })
  const deps = { ...catalog.deps, outgoing: createOutgoing({ trustedOrigin: null, trustsThisMachine: true }) }
  const kestrel = await exportProducts(catalog.database.db, 'kestrel')
  const lines = [...Map.groupBy(kestrel, ({ line }) => String(line)).values()].filter((rows) => rows.length > 1)
  const [one = [], two = []] = lines
  /** Imports the brand with these addresses by SKU. */
  const bring = (urls: Readonly<Record<string, string>>, more: readonly ProductRow[] = []) => {
    const rows = [...kestrel, ...more].map((row) => ({ ...row, picture_url: urls[String(row['sku'])] ?? '' }))
    return catalog.bring('products', withHeader(rows, Object.keys(rows[0] ?? {})), { isYes: true })
  }
  const skusOf = (rows: readonly ProductRow[]) => rows.map(({ sku }) => String(sku))
  const itemOf = async (sku: string): Promise<PictureOwner & { lineId: number }> => {
    const item = catalog.database.db.selectFrom('item').select(['id', 'product_line_id as lineId'])
    return { kind: 'item', ...(await item.where('sku', '=', sku).executeTakeFirstOrThrow()) }
  }
  return {
    ...catalog,
    db: catalog.database.db,
    deps,
    asked,
    one: skusOf(one),
    two: skusOf(two),
    row: kestrel[0],
    origin: server.origin,
    bring,
    itemOf,
    lineOf: async (sku: string): Promise<PictureOwner> => ({ kind: 'line', id: (await itemOf(sku)).lineId }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await catalog[Symbol.asyncDispose]()
    },
  }
}

const asStaff = async (shade: number) => value(await readPicture({ name: 'a.png', bytes: await png(shade) }))

test('an address shared by all rows of a line becomes a model photo, any other a tire photo, after existing photos', async () => {
  await using catalog = await open()
  const { db, deps, origin, one, two, lineOf, itemOf } = catalog
  const [line, [first = '', second = '']] = [await lineOf(one[0] ?? ''), two]
  value(await addPicture(deps, desk, { of: line, picture: await asStaff(250), description: 'Ours' }))
  const urls = { ...Object.fromEntries(one.map((sku) => [sku, `${origin}/1.png`])), [first]: `${origin}/2.png` }
  const run = await catalog.bring(urls)
  expect(run.state).toBe('published')
  const { rows: jobs } = await sql<{ key: string }>`
    select key from graphile_worker.jobs where task_identifier = 'load-import-pictures'`.execute(db)
  expect(jobs).toEqual([{ key: `load-import-pictures:${run.id}` }])
  expect(await readImportPictures(db, run.id, 9)).toMatchObject({ waiting: 2, added: 0, failed: 0 })

  await loadPictures(deps, run.id)
  const [ours, loaded] = await listPictures(deps, line)
  expect(ours?.description).toBe('Ours')
  expect(loaded?.description).toMatch(/^Kestrel \w/)
  const stored = await db.selectFrom('catalog_picture').select('bytes').where('key', '=', loaded?.key ?? '').executeTakeFirst() // prettier-ignore
  expect((await sharp(stored?.bytes).metadata()).format).toBe('webp')
  const [ofTire] = await listPictures(deps, await itemOf(first))
  expect(ofTire?.description).toMatch(/^Kestrel .* \S*\d{2}R\d{2}/)
  expect(await listPictures(deps, await itemOf(second))).toEqual([])
  expect(await listPictures(deps, await lineOf(first))).toEqual([])
  expect(await readImportPictures(db, run.id, 9)).toEqual({ waiting: 0, added: 2, failed: 0, failures: [] })

  // Neither loaded again nor added again after staff removed it.
  value(await removePicture(deps, desk, { of: line, picture: loaded?.id ?? 0 }))
  const again = await catalog.bring(urls)
  await loadPictures(deps, again.id)
  await loadPictures(deps, run.id)
  expect(catalog.asked.toSorted()).toEqual(['/1.png', '/2.png'])
  expect(await listPictures(deps, line)).toHaveLength(1)
})

test('pictures that can’t be loaded are reported, after three attempts if the server doesn’t respond', async () => {
  const answers: Readonly<Record<string, number | Buffer>> = {
    '/gone': 404,
    '/text': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    '/large': Buffer.alloc(maxAttachmentBytes + 1, 1),
    '/away': 503,
  }
  let isAway = true
  await using catalog = await open((path) => (path === '/away' && !isAway ? null : (answers[path] ?? null)))
  const { db, deps, origin, clock } = catalog
  const skus = [...catalog.one.slice(1), ...catalog.two.slice(1)]
  const paths = ['/gone', '/text', '/large', '/away']
  const urls = Object.fromEntries(paths.map((path, index) => [skus[index] ?? '', `${origin}${path}`]))
  expect(Object.keys(urls)).toHaveLength(4)
  const run = await catalog.bring(urls)
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await loadPictures(deps, run.id)
    await loadPictures(deps, run.id)
    clock.set(clock.now().add({ minutes: 11 }))
  }
  expect(catalog.asked.toSorted()).toEqual(['/away', '/away', '/away', '/gone', '/large', '/text'])
  const { failures, ...counts } = await readImportPictures(db, run.id, 9)
  expect(counts).toEqual({ waiting: 0, added: 0, failed: 4 })
  expect(new Map(failures.map(({ url, problem }) => [url.slice(origin.length), problem]))).toEqual(
    new Map([
      ['/gone', 'not-found'],
      ['/text', 'not-a-picture'],
      ['/large', 'too-large'],
      ['/away', 'unreachable'],
    ]),
  )
  // Another import of the file tries them again.
  isAway = false
  const again = await catalog.bring(urls)
  await loadPictures(deps, again.id)
  expect(await readImportPictures(db, again.id, 9)).toMatchObject({ added: 1, failed: 3 })
})

test('an address of this network is not requested', async () => {
  await using catalog = await open()
  const { db, deps, origin } = catalog
  const run = await catalog.bring({ [catalog.one[0] ?? '']: `${origin}/1.png` })
  await loadPictures({ ...deps, outgoing: createOutgoing({ trustedOrigin: null }) }, run.id)
  expect(catalog.asked).toEqual([])
  expect((await readImportPictures(db, run.id, 9)).failures).toEqual([
    { url: `${origin}/1.png`, problem: 'private-address' },
  ])
})

test('a rollback removes unchanged imported photos and new tires, and stops loading', async () => {
  await using catalog = await open()
  const { db, deps, origin, one, two, itemOf } = catalog
  const [[changed = ''], [unchanged = '', waiting = '']] = [one, two]
  const added = { ...catalog.row, sku: 'NEW-1', oe_mark: 'K9' }
  const run = await catalog.bring({ [changed]: `${origin}/1.png`, [unchanged]: `${origin}/2.png`, 'NEW-1': `${origin}/3.png` }, [added]) // prettier-ignore
  await loadPictures(deps, run.id)
  const of = await itemOf(changed)
  const [photo] = await listPictures(deps, of)
  const { id: picture = 0, mark = '' } = photo ?? {}
  value(await describePicture(deps, desk, { of, picture, mark, description: 'By staff' }))
  const later = await catalog.bring({ [waiting]: `${origin}/4.png`, 'NEW-1': `${origin}/5.png` }, [added])

  const { kept } = value(await rollBackImport(deps, { runId: run.id }))
  expect(kept).toBe(0)
  expect((await listPictures(deps, of)).map(({ description }) => description)).toEqual(['By staff'])
  expect(await listPictures(deps, await itemOf(unchanged))).toEqual([])
  expect(await db.selectFrom('item').select('id').where('sku', '=', 'NEW-1').execute()).toEqual([])
  expect(await db.selectFrom('catalog_picture').select('key').execute()).toEqual([{ key: photo?.key }])
  await loadPictures(deps, run.id)
  expect(await readImportPictures(db, run.id, 9)).toMatchObject({ waiting: 0, added: 0, failed: 0 })
  expect(await readImportPictures(db, later.id, 9)).toMatchObject({ waiting: 1, failed: 0 })
})
