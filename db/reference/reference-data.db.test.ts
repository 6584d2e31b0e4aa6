import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import { openCatalog } from '#domain/catalog/catalog-import/catalog-import.testing.ts'
import { referenceInvariants } from '#db/invariants/reference-invariants.ts'
import { installReferenceData } from './reference-data.ts'
import { referenceTables } from './reference-tables.ts'

const names = Object.keys(referenceTables)

test('a migrated database gets every set once, and an unchanged release installs no data again', async () => {
  await using database = await createTestDatabase()
  const installed = await installReferenceData(database.url)
  expect(installed.map(({ name }) => name)).toEqual(names)
  expect(installed.every(({ rows }) => rows > 0)).toBe(true)
  expect(await installReferenceData(database.url)).toEqual([])
})

test('two processes that install at once install each set once', async () => {
  await using database = await createTestDatabase()
  const both = await Promise.all([installReferenceData(database.url), installReferenceData(database.url)])
  expect(both.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, names.length])
})

test('an update corrects and adds rows, and leaves what the store has added or renamed', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await installReferenceData(database.url)
  const corrected = await db
    .selectFrom('oe_fitment')
    .innerJoin('vehicle', 'vehicle.id', 'vehicle_id')
    .select(['oe_fitment.id', 'vehicle_id', 'front_load_index'])
    .orderBy('oe_fitment.id')
    .limit(1)
    .executeTakeFirstOrThrow()
  await db.updateTable('oe_fitment').set({ front_load_index: 0 }).where('id', '=', corrected.id).execute()
  await db.deleteFrom('zip').where('zip', '=', '60614').execute()
  await db.updateTable('tire_type').set({ name: 'Every season' }).where('slug', '=', 'all-season').execute()
  await db
    .insertInto('category')
    .values({ slug: 'vintage', name: 'Vintage', type_slug: 'summer', definition: 'For old cars.', position: 900 })
    .execute()
  const next = await db
    .insertInto('vehicle')
    .values({
      year: 2099,
      make: 'Own',
      model: 'Car',
      trim: 'Base',
      vclass: 'car',
      make_slug: 'own',
      model_slug: 'car',
      trim_slug: 'base',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // As if an older release had installed other rows.
  await db
    .updateTable('reference_data')
    .set({ version: '0'.repeat(64) })
    .execute()

  expect(await installReferenceData(database.url)).toHaveLength(names.length)
  const [fitment, zip, type, category, vehicle] = await Promise.all([
    db.selectFrom('oe_fitment').selectAll().where('id', '=', corrected.id).executeTakeFirstOrThrow(),
    db.selectFrom('zip').select('city').where('zip', '=', '60614').executeTakeFirst(),
    db.selectFrom('tire_type').select('name').where('slug', '=', 'all-season').executeTakeFirstOrThrow(),
    db.selectFrom('category').select('name').where('slug', '=', 'vintage').executeTakeFirst(),
    db.selectFrom('vehicle').select('make').where('id', '=', next.id).executeTakeFirst(),
  ])
  expect({
    load: fitment.front_load_index,
    vehicle: fitment.vehicle_id,
    zip: zip?.city,
    type: type.name,
    category: category?.name,
    own: vehicle?.make,
  }).toEqual({
    load: corrected.front_load_index,
    vehicle: corrected.vehicle_id,
    zip: 'Chicago',
    type: 'Every season',
    category: 'Vintage',
    own: 'Own',
  })
})

test('an update leaves the vehicles that the store has imported as they are', async () => {
  await using catalog = await openCatalog('empty')
  const { db, url } = catalog.database
  await installReferenceData(url)
  const { vehicle_id: vehicleId } = await db
    .selectFrom('oe_fitment')
    .select('vehicle_id')
    .groupBy('vehicle_id')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .orderBy('vehicle_id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const { year, make, model, trim } = await db
    .selectFrom('vehicle')
    .selectAll()
    .where('id', '=', vehicleId)
    .executeTakeFirstOrThrow()
  const run = await catalog.bring(
    'fitment',
    [
      ['year', 'make', 'model', 'trim', 'class', 'front_size', 'front_load_index'],
      [year, make, model, trim, 'commercial', '225/65R17', 121],
    ],
    { isYes: true },
  )
  expect(run.state).toBe('published')
  await db
    .updateTable('reference_data')
    .set({ version: '0'.repeat(64) })
    .execute()
  await installReferenceData(url)

  const [vehicle, fitments] = await Promise.all([
    db.selectFrom('vehicle').select('vclass').where('id', '=', vehicleId).executeTakeFirstOrThrow(),
    db
      .selectFrom('oe_fitment')
      .select(['front_size', 'front_load_index'])
      .where('vehicle_id', '=', vehicleId)
      .execute(),
  ])
  expect(vehicle.vclass).toBe('commercial')
  expect(fitments).toEqual([{ front_size: '225/65R17', front_load_index: 121 }])
})

test('a new category gets a free position if the store has taken its own', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await installReferenceData(database.url)
  const taken = await db
    .deleteFrom('category')
    .where('slug', '=', 'temporary-spare')
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .insertInto('category')
    .values({ ...taken, slug: 'vintage', name: 'Vintage' })
    .execute()
  await db
    .updateTable('reference_data')
    .set({ version: '0'.repeat(64) })
    .execute()
  await installReferenceData(database.url)
  const added = await db
    .selectFrom('category')
    .select(['slug', 'position'])
    .where('slug', 'in', ['vintage', 'temporary-spare'])
    .orderBy('position')
    .execute()
  expect(added).toEqual([
    { slug: 'vintage', position: taken.position },
    { slug: 'temporary-spare', position: taken.position + 1 },
  ])
})

test('a set that was emptied is installed again by the same release', async () => {
  await using database = await createTestDatabase()
  const installed = await installReferenceData(database.url)
  await database.db.deleteFrom('oe_fitment').execute()
  await database.db.deleteFrom('model_alias').execute()
  const emptied = ['original tire sizes', 'other names of models']
  expect(await installReferenceData(database.url)).toEqual(installed.filter(({ name }) => emptied.includes(name)))
})

test('missing rows are reported by set, and the same release adds them again', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await installReferenceData(database.url)
  const { rows } = await db
    .selectFrom('reference_data')
    .select('rows')
    .where('name', '=', 'ZIP codes')
    .executeTakeFirstOrThrow()
  const statement = referenceInvariants[0]?.statement ?? expect.fail('No invariant.')
  const broken = async () => {
    const { rows: checked } = await sql.raw<{ what: string; holds: boolean }>(statement).execute(db)
    return checked.filter(({ holds }) => !holds).map(({ what }) => what)
  }
  expect(await broken()).toEqual([])

  await db.deleteFrom('zip').where('zip', 'in', ['60614', '60615']).execute()
  expect(await broken()).toEqual([`ZIP codes, ${rows - 2} of ${rows} rows (run npm run migrate)`])
  expect((await installReferenceData(database.url)).map(({ name }) => name)).toEqual(['ZIP codes'])
  expect(await broken()).toEqual([])

  await db.deleteFrom('reference_data').where('name', '=', 'vehicles').execute()
  expect(await broken()).toHaveLength(1)
})

test('a release leaves the reference data of a newer release as it is', async () => {
  await using database = await createTestDatabase()
  await sql`insert into schema_migration (name, sha256) values ('99990101000000_later.sql', '0')`.execute(database.db)
  expect(await installReferenceData(database.url)).toEqual([])
})
