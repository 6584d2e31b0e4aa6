import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import {
  forgetOldProviderEvents,
  keepHandledEvent,
  keepProviderEvent,
  markProviderEvent,
} from './provider-events.sql.server.ts'

const event = { provider: 'stripe', id: 'evt_1', kind: 'payment_intent.succeeded', body: { id: 'evt_1' } }

/** Returns the partitions and bodies of an event's stored payloads. */
async function textsOf({ db }: TestDatabase, id: string): Promise<{ place: string; body: unknown }[]> {
  const { rows } = await sql<{ place: string; body: unknown }>`
    select tableoid::regclass::text as place, body from provider_event_body where id = ${id}`.execute(db)
  return rows
}

const monthOf = (at: Temporal.Instant) => `provider_event_body_${at.toString().slice(0, 7).replace('-', '')}`

test('a message that comes twice is kept once, with its text in the month in which it first came', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const at = Temporal.Now.instant()
  const inNextMonth = at.add({ hours: 24 * 32 })
  expect(await keepProviderEvent(db, event, at)).toBe(true)
  // Not handled the first time.
  expect(await keepProviderEvent(db, event, inNextMonth)).toBe(true)
  await markProviderEvent(db, event.provider, event.id, at)
  expect(await keepProviderEvent(db, event, inNextMonth)).toBe(false)
  expect(await textsOf(database, event.id)).toEqual([{ place: monthOf(at), body: event.body }])

  const handled = { ...event, provider: 'carrier', id: 'evt_2', body: { id: 'evt_2' } }
  const keep = (when: Temporal.Instant) => db.transaction().execute((tx) => keepHandledEvent(tx, handled, when))
  expect(await keep(at)).toBe(true)
  expect(await keep(inNextMonth)).toBe(false)
  expect(await textsOf(database, handled.id)).toEqual([{ place: monthOf(at), body: handled.body }])
})

test('rows stored by the previous release count and expire after their period', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const at = Temporal.Now.instant()
  await sql`insert into provider_event (provider, id, kind, body, received_at, processed_at)
    values (${event.provider}, ${event.id}, ${event.kind}, '{}', ${at}, ${at})`.execute(db)
  expect(await keepProviderEvent(db, event, at)).toBe(false)
  expect(await forgetOldProviderEvents(db, at)).toBe(0)
  expect(await forgetOldProviderEvents(db, at.add({ seconds: 1 }))).toBe(1)
  expect(await keepProviderEvent(db, event, at)).toBe(true)
})

test('texts go with their month, and messages of it that are younger are still known', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const [first, later] = [Temporal.Now.instant(), Temporal.Now.instant().add({ hours: 24 * 130 })]
  await keepProviderEvent(db, event, first)
  await keepProviderEvent(db, { ...event, id: 'evt_3' }, later)
  expect(await textsOf(database, 'evt_3')).toMatchObject([{ place: 'provider_event_body_other' }])
  await sql`select prepare_months('provider_event_body', 6)`.execute(db)
  expect(await textsOf(database, 'evt_3')).toMatchObject([{ place: monthOf(later) }])

  await forgetOldProviderEvents(db, first)
  expect(await textsOf(database, event.id)).toEqual([])
  expect(await keepProviderEvent(db, event, first)).toBe(true)
  expect(await textsOf(database, 'evt_3')).toHaveLength(1)
  await expect(sql`select drop_months('sales_order', ${later})`.execute(db)).resolves.toMatchObject({
    rows: [{ drop_months: 0 }],
  })
})

test('creating a monthly partition waits for writers without blocking them', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  await sql`select drop_months('provider_event_body', ${Temporal.Now.instant().add({ hours: 24 * 130 })})`.execute(db)
  const at = Temporal.Now.instant()
  const written = Promise.withResolvers<void>()
  const seen = Promise.withResolvers<void>()
  const writing = db.transaction().execute(async (tx) => {
    await keepHandledEvent(tx, event, at)
    written.resolve()
    await seen.promise
  })
  await written.promise
  const preparing = sql`select prepare_months('provider_event_body', 1)`.execute(db)
  const waiting = await eventually('wait for a lock', async () => {
    const { rows } = await sql<{ waits: string; holds: string[] | null }>`
      select waiting.relation::regclass::text as waits, array_agg(held.relation::regclass::text) filter (where held.relation is not null) as holds
      from pg_locks waiting left join pg_locks held on held.pid = waiting.pid and held.granted and held.mode <> 'AccessShareLock' and held.relation is not null
      where not waiting.granted and waiting.relation is not null group by 1`.execute(db)
    return rows[0]
  })
  expect(waiting).toEqual({ waits: 'provider_event', holds: null })
  seen.resolve()
  await writing
  await preparing
  expect(await textsOf(database, event.id)).toEqual([{ place: monthOf(at), body: event.body }])
})
