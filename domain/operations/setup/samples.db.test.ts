/** Tests loading and removing sample tires. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCatalog } from '#domain/catalog/catalog/catalog.server.ts'
import { removeSampleTires, workOnImport } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { customerRecords } from '#domain/customers/customers/customers.server.ts'
import { termsOf } from '#domain/kernel/settings/business-terms.testing.ts'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { warehouseForm } from '#domain/supply/delivery/delivery.ts'
import { addWarehouse } from '#domain/supply/delivery/delivery.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createPool } from '#platform/db.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import { closeCheckCart, loadSamples, openCheckCart, readSetupSamples } from './setup.server.ts'

/** A store with places and vehicles only. */
async function openEmptyStore() {
  const database = await createTestDatabase({ from: 'new' })
  const pool = createPool(database.url, { size: 3 })
  const { db } = database
  const clock = fixedClock(smallDataMadeAt)
  const catalog = createCatalog({ db, clock, businessTerms: termsOf({ db, clock }) })
  const deps = { db, clock, pool, catalog, customerRecords }
  return {
    deps,
    /** Runs the queued imports. */
    async work() {
      for (let step = 0; step < 10; step++) {
        const { rows } = await sql<{ id: number }>`
          delete from graphile_worker._private_jobs where key like 'import-%' returning (payload ->> 'runId')::int as id`.execute(
          db,
        )
        if (rows.length === 0) return
        // The stock first, which has to come after the tires.
        for (const { id } of rows.toSorted((one, other) => other.id - one.id)) await workOnImport(deps, id)
      }
    },
    async [Symbol.asyncDispose]() {
      await pool.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

const warehouse = { code: 'chi', name: 'Lakeview', street: '3500 N Broadway', zip: '60613', cutoff: '16:00' }
const units = (deps: { db: Parameters<typeof openCheckCart>[0]['db'] }) =>
  sql<{ tires: number; units: number; brands: number }>`
    select (select count(*)::int from item where active and listed) as tires, (select coalesce(sum(on_hand), 0)::int from stock) as units,
      (select count(*)::int from brand) as brands`
    .execute(deps.db)
    .then(({ rows }) => rows[0])

test('sample tires are loaded into an empty catalog with stock, and removed completely', async () => {
  await using store = await openEmptyStore()
  const { deps } = store
  const owner = await signInStaff(deps, 'owner')
  expect(await readSetupSamples(deps)).toMatchObject({ state: 'none', canLoad: false, hasWarehouse: false })
  expect(await loadSamples(deps, owner)).toMatchObject({ reason: 'no-warehouse' })
  expect((await addWarehouse(deps, owner, warehouseForm.parse(warehouse))).ok).toBe(true)
  expect(await readSetupSamples(deps)).toMatchObject({ state: 'none', canLoad: true })
  expect(await loadSamples(deps, await signInStaff(deps, 'support'))).toMatchObject({ reason: 'not-allowed' })
  expect(await removeSampleTires(deps, owner)).toMatchObject({ reason: 'no-samples' })

  expect((await loadSamples(deps, owner)).ok).toBe(true)
  expect(await readSetupSamples(deps)).toMatchObject({ state: 'working', canLoad: false })
  expect(await loadSamples(deps, owner)).toMatchObject({ reason: 'has-tires' })
  await store.work()
  expect(await readSetupSamples(deps)).toEqual({
    state: 'loaded',
    tires: 160,
    runId: null,
    canLoad: false,
    hasWarehouse: true,
  })
  expect(await units(deps)).toEqual({ tires: 160, units: 6_400, brands: 3 })
  expect(await loadSamples(deps, owner)).toMatchObject({ reason: 'has-tires' })

  expect((await removeSampleTires(deps, owner)).ok).toBe(true)
  expect(await removeSampleTires(deps, owner)).toMatchObject({ reason: 'no-samples' })
  await store.work()
  expect(await readSetupSamples(deps)).toMatchObject({ state: 'removed', tires: 0, canLoad: true })
  expect(await units(deps)).toEqual({ tires: 0, units: 0, brands: 0 })
  const acts = await deps.db
    .selectFrom('audit_entry')
    .select(['act', 'actor'])
    .where('act', 'like', 'samples.%')
    .execute()
  expect(acts.map(({ act, actor }) => `${act} ${actor}`)).toEqual([
    `samples.loaded ${owner.name}`,
    `samples.removed ${owner.name}`,
  ])
})

test('a sample tire in a cart stays in the catalog but is no longer for sale', async () => {
  await using store = await openEmptyStore()
  const { deps } = store
  expect((await addWarehouse(deps, desk, warehouseForm.parse(warehouse))).ok).toBe(true)
  expect((await loadSamples(deps, desk)).ok).toBe(true)
  await store.work()
  const opened = await openCheckCart(deps, { phone: '(773) 555-0110', email: 'help@lakeview.example' })
  const { cartId } = opened.ok ? opened.value : expect.unreachable(JSON.stringify(opened))
  expect((await removeSampleTires(deps, desk)).ok).toBe(true)
  await store.work()
  expect(await readSetupSamples(deps)).toMatchObject({ state: 'removed', tires: 1, canLoad: false })
  expect(await units(deps)).toMatchObject({ tires: 0, units: 0 })
  await closeCheckCart(deps, cartId)
})
