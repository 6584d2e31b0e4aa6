import { expect, test } from 'vitest'
import { sql } from 'kysely'
import { createTestDatabase } from '#tests/support/database.ts'
import { followPrimary, openReplica } from './replica.ts'

const whichDatabase = sql<{ name: string }>`select current_database() as name`

test('a server without a primary, such as a replaced primary, serves no queries', async () => {
  await using primary = await createTestDatabase()
  await using other = await createTestDatabase()
  const replica = openReplica(primary.db, { url: other.url, size: 2, lagSeconds: 5 })
  replica.notePosition('0/10', true)
  const { rows } = await whichDatabase.execute(replica.readings)
  expect(rows).toEqual([{ name: new URL(primary.url).pathname.slice(1) }])
  expect(await replica.look()).toEqual({ lagSeconds: expect.any(Number) as number, isUsed: false })
  expect(replica.counts()).toEqual({ replica: 0, primary: 1 })
  await replica.close()
})

test('without the replica the primary answers and reports query errors', async () => {
  await using primary = await createTestDatabase()
  const replica = openReplica(primary.db, { url: 'postgres://nobody@127.0.0.1:1/none', size: 2, lagSeconds: 5 })
  replica.notePosition('0/10', true)
  expect((await whichDatabase.execute(replica.readings)).rows).toHaveLength(1)
  expect(await replica.look()).toEqual({ lagSeconds: null, isUsed: false })
  await expect(sql`select no_such_column`.execute(replica.readings)).rejects.toThrow('no_such_column')
  expect(replica.counts()).toEqual({ replica: 0, primary: 2 })
  await replica.close()
})

test('readings have no transactions', async () => {
  await using primary = await createTestDatabase()
  const replica = openReplica(primary.db, { url: primary.url, size: 2, lagSeconds: 5 })
  await expect(replica.readings.transaction().execute((tx) => whichDatabase.execute(tx))).rejects.toThrow(
    'Readings have no transactions.',
  )
  await replica.close()
})

test('a replica must have replayed the last change and be within the lag bound', () => {
  let ms = 0
  const primary = followPrimary(2_000, () => ms)
  expect(primary.needed()).toBeUndefined()
  primary.note(100n, true)
  expect(primary.needed()).toBe(100n)
  for (ms = 500; ms <= 1_500; ms += 500) primary.note(100n + BigInt(ms), false)
  expect(primary.needed()).toBe(100n)
  ms = 2_500
  primary.note(2_600n, false)
  expect(primary.needed()).toBe(600n)
  expect(primary.behind(600n)).toBe(1_500)
  expect(primary.behind(2_600n)).toBe(0)
  primary.note(2_700n, true)
  expect(primary.needed()).toBe(2_700n)
})

test('an unreachable primary isn’t replaced, and another one starts over', () => {
  let ms = 0
  const primary = followPrimary(2_000, () => ms)
  primary.note(500n, true)
  ms = 2_001
  expect(primary.needed()).toBeUndefined()
  primary.note(300n, false)
  expect(primary.needed()).toBe(300n)
})
