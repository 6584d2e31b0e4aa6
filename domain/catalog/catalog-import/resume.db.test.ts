import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { takeStock } from '#domain/supply/delivery/delivery.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { unreachableStates } from '#platform/transitions.testing.ts'
import { importLife, maxStagedRefusals } from './catalog-import.ts'
import {
  discardImport,
  importFeed,
  listImports,
  resumeImport,
  type FeedSource,
  type ImportProgress,
} from './catalog-import.server.ts'
import { lockPublishing } from './publish.sql.server.ts'
import { planBelowMinimum } from './minimums.sql.server.ts'
import { mergePrices, stagedPrices } from './publish-prices.sql.server.ts'
import { feedOf, openCatalog, value, type TestCatalog } from './catalog-import.testing.ts'

/** A count of every tire in every warehouse: 18,000 rows, four batches. */
async function countEverything({ database: { db } }: TestCatalog): Promise<unknown[][]> {
  const { rows } = await sql<{ sku: string; code: string; units: number }>`
    select sku, code, (item.id % 50)::int as units from item cross join warehouse order by item.id, code`.execute(db)
  return [['sku', 'warehouse', 'on_hand'], ...rows.map(({ sku, code, units }) => [sku, code, units])]
}

/** The same bytes, but the disk fails after this many. */
function brokenAfter(rows: unknown[][], bytes: number) {
  const whole = feedOf(rows)
  let opened = 0
  return {
    name: whole.name,
    open: () => {
      opened++
      // The first pass reads the whole file to identify it.
      return opened === 1 ? whole.open() : Readable.from(broken(whole.open(), bytes), { objectMode: false })
    },
  }
}

/** The same bytes, once `moment` has passed. `opened` resolves when the import starts to read them. */
function heldUntil(moment: Promise<void>, whole: FeedSource) {
  const opened = Promise.withResolvers<void>()
  async function* held(stream: Readable): AsyncGenerator<Buffer> {
    opened.resolve()
    await moment
    yield* stream as AsyncIterable<Buffer>
  }
  const source = { name: whole.name, open: () => Readable.from(held(whole.open()), { objectMode: false }) }
  return { source, opened: opened.promise }
}

/** The same bytes; the second time, when they are staged, only once `moment` has passed. */
function heldWhileStaged(moment: Promise<void>, whole: FeedSource) {
  const { source, opened } = heldUntil(moment, whole)
  let count = 0
  return { source: { name: whole.name, open: () => (++count === 1 ? whole : source).open() }, opened }
}

async function* broken(stream: Readable, bytes: number): AsyncGenerator<Buffer> {
  for await (const piece of stream as AsyncIterable<Buffer>) {
    for (let at = 0; at < bytes; at += 1_000) yield piece.subarray(at, at + 1_000)
    throw new Error('the disk is gone')
  }
}

test('every state of a run is reachable', () => {
  expect(unreachableStates(importLife, 'reading')).toEqual([])
})

test('an interrupted run resumes after the last staged row, and stages each row once', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  await sql`truncate stock_allocation`.execute(db)
  const rows = await countEverything(catalog)
  const count = rows.length - 1
  await expect(catalog.bring('stock', rows, { source: brokenAfter(rows, 300_000) })).rejects.toThrow('the disk is gone')
  const [run] = await db.selectFrom('import_run').selectAll().execute()
  // Whole batches, but not all of them.
  const staged = run?.row_count ?? 0
  expect([5_000, 10_000, 15_000]).toContain(staged)
  expect(run).toMatchObject({ state: 'reading', read_to: staged + 1 })
  const runId = run?.id ?? 0
  expect(await resumeImport(catalog.deps, { runId, source: feedOf(rows.slice(0, -1)), isYes: false })).toMatchObject({
    ok: false,
    reason: 'another-file',
  })

  const heard: ImportProgress[] = []
  const done = value(
    await resumeImport(catalog.deps, {
      runId,
      source: feedOf(rows),
      isYes: false,
      say: (progress) => void heard.push(progress),
    }),
  )
  expect(done).toMatchObject({ state: 'published', rowCount: count, refusedCount: 0 })
  expect(heard[0]).toEqual({ step: 'reading', rows: Math.min(staged + 5_000, count) })
  expect(heard.at(-1)).toEqual({ step: 'publishing', rows: count })
  const { rows: wrong } = await sql`
    select item.id from item cross join warehouse left join stock on item_id = item.id and warehouse_id = warehouse.id
    where on_hand is distinct from item.id % 50`.execute(db)
  expect(wrong).toEqual([])
  expect(await resumeImport(catalog.deps, { runId, source: feedOf(rows), isYes: false })).toMatchObject({
    reason: 'over',
    detail: { state: 'published' },
  })
  expect(await resumeImport(catalog.deps, { runId: 99, source: feedOf(rows), isYes: false })).toMatchObject({
    reason: 'not-found',
  })
})

test('a run killed between reading and publishing is published', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const { sku } = await db.selectFrom('item').select('sku').orderBy('id').executeTakeFirstOrThrow()
  await sql
    .raw(`create function crash() returns trigger language plpgsql as $$ begin raise exception 'crash'; end $$;
    create trigger crash before update on item for each row execute function crash()`)
    .execute(db)
  const rows = [
    ['sku', 'price_cents'],
    [sku, 4_321],
  ]
  await expect(catalog.bring('prices', rows, { isYes: true })).rejects.toThrow('crash')
  const [run] = await listImports(catalog.deps)
  expect(run).toMatchObject({ state: 'read' })
  await sql`drop trigger crash on item`.execute(db)
  const resumed = value(await resumeImport(catalog.deps, { runId: run?.id ?? 0, source: feedOf([]), isYes: true }))
  expect(resumed).toMatchObject({ state: 'published', summary: { changes: [{ count: 1 }] } })
})

test('of two simultaneous imports one runs and the other is refused', async () => {
  await using catalog = await openCatalog()
  const { sku, retail_cents } = await catalog.database.db
    .selectFrom('item')
    .select(['sku', 'retail_cents'])
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const source = feedOf([
    ['sku', 'price_cents'],
    [sku, retail_cents + 1],
  ])
  const request = { kind: 'prices', mode: 'per-row', isDry: false, isYes: false } as const
  // The first server leaves the file open until the second gets its response. Otherwise it might finish before the
  // second one starts.
  const answered = Promise.withResolvers<void>()
  const slow = heldUntil(answered.promise, source)
  const first = importFeed(catalog.deps, { ...request, source: slow.source })
  await slow.opened
  expect(await importFeed(catalog.deps, { ...request, source })).toMatchObject({ ok: false, reason: 'busy' })
  answered.resolve()
  expect(value(await first)).toMatchObject({ state: 'published' })
})

test('while a million prices are being published, tires can be put in carts and sold', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const at = catalog.clock.now()
  const tire = await db
    .selectFrom('stock')
    .select(['item_id', 'warehouse_id', 'on_hand'])
    .where('on_hand', '>', 4)
    .executeTakeFirstOrThrow()
  const order = await db.selectFrom('sales_order').select('id').executeTakeFirstOrThrow()
  const cartId = newId()
  await db.insertInto('cart').values({ id: cartId, created_at: at, updated_at: at }).execute()
  const run = await db
    .insertInto('import_run')
    .values({
      kind: 'prices',
      mode: 'per-row',
      dry: false,
      state: 'read',
      file_name: 'x',
      file_sha256: '0'.repeat(64),
      started_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into import_price (run_id, row_no, refused, sku, retail_cents) select ${run.id}, id, false, sku, retail_cents + 100 from item`.execute(
    db,
  )

  await db.transaction().execute(async (publishing) => {
    await planBelowMinimum(publishing, stagedPrices(run.id), at)
    await mergePrices(publishing, run.id)
    // Every tire has an uncommitted new price. Order operations on a tire must not block on it.
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = '2s'`.execute(tx)
      await tx
        .insertInto('cart_line')
        .values({ cart_id: cartId, item_id: tire.item_id, axle: 'all', quantity: 4, seen_unit_cents: 1, added_at: at })
        .execute()
      const shipment = {
        id: newId(),
        warehouseId: tire.warehouse_id,
        promisedOn: '2026-11-24',
        items: [{ itemId: tire.item_id, quantity: 4, lineNo: 90 }],
      }
      expect(await takeStock(tx, [shipment], { cartId: null, at: Temporal.Instant.from('2026-11-20T16:00:00Z') })).toBe(
        true,
      )
      await sql`
        insert into order_line (order_id, line_no, kind, item_id, axle, description, quantity, unit_cents, gross_cents, discount_cents, net_cents, tax_cents, fet_cents, tire_fee_cents)
        values (${order.id}, 90, 'tire', ${tire.item_id}, 'all', 'x', 1, 1, 1, 0, 1, 0, 0, 0)`.execute(tx)
    })
  })
  expect(
    await db
      .selectFrom('stock')
      .select('on_hand')
      .where('item_id', '=', tire.item_id)
      .where('warehouse_id', '=', tire.warehouse_id)
      .executeTakeFirst(),
  ).toEqual({
    on_hand: tire.on_hand - 4,
  })
})

test('a file with too many bad rows is refused in every mode, and stores only the first of them', async () => {
  await using catalog = await openCatalog()
  const { db } = catalog.database
  const { sku } = await db.selectFrom('item').select('sku').orderBy('id').executeTakeFirstOrThrow()
  const bad = Array.from({ length: maxStagedRefusals + 50 }, () => [sku, 'free'])
  const run = await catalog.bring('prices', [['sku', 'price'], ...bad, [sku, '100']], { mode: 'per-row' })
  expect(run).toMatchObject({ state: 'refused', rowCount: bad.length + 1, refusedCount: bad.length })
  const report = await catalog.report(run)
  expect(report[0]).toContain('the file has more than 10,000 bad rows')
  expect(report).toHaveLength(maxStagedRefusals + 1)
  expect(await db.selectFrom('import_price').selectAll().execute()).toEqual([])
})

test('canceling an import while it reads the file leaves no data', async () => {
  await using catalog = await openCatalog()
  const rows = await countEverything(catalog)
  const moment = Promise.withResolvers<void>()
  const { source, opened } = heldWhileStaged(moment.promise, feedOf(rows))
  const importing = catalog.bring('stock', rows, { source })
  await opened
  const [run] = await listImports(catalog.deps)
  expect(run).toMatchObject({ state: 'reading' })
  expect(await discardImport(catalog.deps, desk, { runId: run?.id ?? 0, reason: 'Wrong file.' })).toMatchObject({
    ok: true,
    value: 'discarded',
  })
  moment.resolve()
  expect(await importing).toMatchObject({ state: 'discarded' })
  await expectNothingStaged(catalog)
})

test.each(['before the rows are checked', 'while the difference is computed'])(
  'an import is canceled %s, although its run is locked',
  async (when) => {
    await using catalog = await openCatalog()
    const { db } = catalog.database
    const { sku } = await db.selectFrom('item').select('sku').orderBy('id').executeTakeFirstOrThrow()
    // Stops the import where it first touches what the other transaction holds.
    const held = Promise.withResolvers<void>()
    const holding = Promise.withResolvers<void>()
    const holder = db.transaction().execute(async (tx) => {
      if (when === 'before the rows are checked') await lockPublishing(tx)
      else await sql`select from item for update`.execute(tx)
      holding.resolve()
      await held.promise
    })
    await holding.promise
    const importing = catalog.bring(
      'prices',
      [
        ['sku', 'price'],
        [sku, '4321'],
      ],
      { isYes: true },
    )
    const runId = await eventually('the import waits', async () => {
      const { rows } = await sql<{ id: number }>`
        select import_run.id from import_run where state = 'read' and exists (
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`.execute(db)
      return rows[0]?.id
    })
    expect(await discardImport(catalog.deps, desk, { runId, reason: 'Wrong file.' })).toMatchObject({
      ok: true,
      value: 'requested',
    })
    held.resolve()
    await holder
    expect(await importing).toMatchObject({ state: 'discarded' })
    await expectNothingStaged(catalog)
    const price = await db.selectFrom('item').select('retail_cents').where('sku', '=', sku).executeTakeFirstOrThrow()
    expect(price.retail_cents).not.toBe(432_100)
  },
)

async function expectNothingStaged({ database: { db } }: TestCatalog): Promise<void> {
  for (const table of ['import_price', 'import_stock', 'import_upload_part'] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  const entries = await db
    .selectFrom('audit_entry')
    .select(['act', 'reason'])
    .where('act', 'like', 'import.%')
    .execute()
  expect(entries).toEqual([{ act: 'import.discarded', reason: 'Wrong file.' }])
}
