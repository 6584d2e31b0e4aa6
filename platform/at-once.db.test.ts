import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { atOnce } from './at-once.ts'
import { sendWithNext, type Database } from './db.ts'
import { statementsSoFar, withRequestId } from './request-scope.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table noted (text text primary key)`.execute(database.db)
})
afterAll(() => database[Symbol.asyncDispose]())

const note = (db: Database, text: string) => sql`insert into noted values (${text})`.execute(db)
const said = async (db: Database, text: string) => {
  await Promise.resolve()
  return (await sql<{ text: string }>`select ${text} || count(*) as text from noted`.execute(db)).rows[0]?.text
}
const noted = async () =>
  (await sql<{ text: string }>`select text from noted order by text`.execute(database.db)).rows.map(({ text }) => text)

test('pieces are sent in one packet, in their order, and each gets its own answer', async () => {
  await withRequestId('one-packet', async () => {
    const answers = await atOnce(database.db, [
      (db) => said(db, 'before: '),
      (db) => note(db, 'a'),
      () => 'without a statement',
      async (db) => said(db, `after: ${await said(db, 'then: ')} `),
    ])
    expect(answers.toSpliced(1, 1)).toEqual(['before: 0', 'without a statement', 'after: then: 1 1'])
    expect(statementsSoFar()).toEqual({ statements: 4, roundTrips: 2 })
  })
})

test('a transaction begins with its first statements and is committed with its last', async () => {
  await withRequestId('whole-transaction', async () => {
    await database.db.transaction().execute(async (tx) => {
      await atOnce(tx, [(own) => note(own, 'b'), (own) => note(own, 'c')])
      await sendWithNext(tx, sql`insert into noted values ('d')`)
    })
    expect(statementsSoFar()).toEqual({ statements: 4, roundTrips: 2 })
  })
  expect(await noted()).toEqual(['a', 'b', 'c', 'd'])
})

test('throws the first failure after all queries end, and rolls the transaction back', async () => {
  const work = database.db.transaction().execute((tx) =>
    atOnce(tx, [
      async (own) => {
        await note(own, 'e')
        await note(own, 'f')
      },
      (own) => note(own, 'a'),
    ]),
  )
  await expect(work).rejects.toMatchObject({ constraint: 'noted_pkey' })
  expect(await noted()).not.toContain('e')
})

test('a statement that is sent with the commit fails the transaction', async () => {
  const work = database.db.transaction().execute(async (tx) => {
    await note(tx, 'g')
    await sendWithNext(tx, sql`insert into noted values ('a')`)
  })
  await expect(work).rejects.toMatchObject({ constraint: 'noted_pkey' })
  expect(await noted()).not.toContain('g')
})

test('pending work is dropped on rollback', async () => {
  const work = database.db.transaction().execute(async (tx) => {
    await sendWithNext(tx, sql`insert into noted values ('h')`)
    throw new Error('changed my mind')
  })
  await expect(work).rejects.toThrow('changed my mind')
  expect(await noted()).not.toContain('h')
})

test('a piece cannot start a transaction', async () => {
  await expect(atOnce(database.db, [(db) => db.transaction().execute((tx) => note(tx, 'i'))])).rejects.toThrow(
    'can’t start a transaction',
  )
  expect(await noted()).not.toContain('i')
})
