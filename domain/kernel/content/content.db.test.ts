/** Content pages are written, published immediately or on schedule, rolled back, and never edited. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint, type Database } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'
import {
  createLiveContent,
  discardContent,
  draftContent,
  findContentVersion,
  listContentVersions,
  publishContent,
  rollBackContent,
  takeContentDown,
  withdrawContent,
} from './content.server.ts'
import { pageTextForm } from './content.ts'

const path = 'pages/about'
const text = { title: 'About us', description: 'What is new at this store this winter.', body: 'Come **in**.' }

/** The use cases at a time that the test moves. */
function at(db: Database) {
  let now = smallDataMadeAt
  const deps = { db, clock: { now: () => now } }
  const draft = async (title: string) => {
    const made = await draftContent(deps, desk, { path, formKey: randomUUID(), text: { ...text, title } })
    return made.ok ? made.value : expect.unreachable(made.reason)
  }
  return { deps, draft, later: (minutes: number) => (now = now.add({ minutes })), now: () => now }
}

test('a draft is published once, replaces the text before, and is rolled back to any earlier one', async () => {
  await using database = await createTestDatabase({ from: 'empty' })
  const { deps, draft, later } = at(database.db)
  const live = createLiveContent(deps)
  let changes = 0
  live.onChange(() => changes++)
  const shown = async () => {
    await live.read()
    return live.current.get(path)?.title ?? null
  }
  const one = await draft('One')
  expect(await shown()).toBeNull()
  expect(changes).toBe(0)
  const presses = await Promise.all(
    Array.from({ length: 20 }, () => publishContent(deps, desk, { id: one, startsAt: null })),
  )
  expect(presses.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await shown()).toBe('One')
  expect(await shown()).toBe('One')
  expect(changes).toBe(1)

  later(1)
  const two = await draft('Two')
  expect((await publishContent(deps, desk, { id: two, startsAt: null })).ok).toBe(true)
  expect(await shown()).toBe('Two')
  later(1)
  const formKey = randomUUID()
  for (let press = 0; press < 5; press++)
    expect((await rollBackContent(deps, desk, { path, formKey, versionId: one })).ok).toBe(true)
  expect(await shown()).toBe('One')
  later(1)
  expect((await rollBackContent(deps, desk, { path, formKey: randomUUID(), versionId: null })).ok).toBe(true)
  expect(await shown()).toBeNull()
  expect((await listContentVersions(deps, path)).map(({ state }) => state)).toEqual([
    'published',
    'replaced',
    'replaced',
    'replaced',
  ])
  const acts = await database.db.selectFrom('audit_entry').select('act').orderBy('id').execute()
  expect(acts.map(({ act }) => act)).toEqual([
    'content.drafted',
    'content.published',
    'content.drafted',
    'content.published',
    'content.rolled-back',
    'content.rolled-back',
  ])
})

test('a scheduled version is published automatically and can be withdrawn before', async () => {
  await using database = await createTestDatabase({ from: 'empty' })
  const { deps, draft, later, now } = at(database.db)
  const live = createLiveContent(deps)
  const id = await draft('Later')
  const startsAt = now().add({ minutes: 30 })
  const schedule = (version = id, start = startsAt) => publishContent(deps, desk, { id: version, startsAt: start })
  expect(await schedule(id, now().subtract({ seconds: 1 }))).toMatchObject({ reason: 'starts-in-past' })
  expect((await schedule()).ok).toBe(true)
  expect(await schedule(await draft('Same time'))).toMatchObject({ reason: 'start-taken' })
  expect((await findContentVersion(deps, path, String(id)))?.state).toBe('scheduled')
  expect((await withdrawContent(deps, desk, id)).ok).toBe(true)
  expect(await withdrawContent(deps, desk, id)).toMatchObject({ reason: 'other-state' })
  expect((await schedule()).ok).toBe(true)
  expect(await discardContent(deps, desk, id)).toMatchObject({ reason: 'other-state' })

  later(29)
  await live.read()
  expect(live.current.size).toBe(0)
  later(1)
  await live.read()
  expect(live.current.get(path)).toMatchObject({ title: 'Later', versionId: id, publishedAt: startsAt })
})

test('a banner ends automatically at its scheduled time', async () => {
  await using database = await createTestDatabase({ from: 'empty' })
  const { deps, later, now } = at(database.db)
  const live = createLiveContent(deps)
  const banner = 'parts/home-banner'
  const made = await draftContent(deps, desk, { path: banner, formKey: randomUUID(), text })
  const id = made.ok ? made.value : expect.unreachable(made.reason)
  expect((await publishContent(deps, desk, { id, startsAt: null })).ok).toBe(true)
  const startsAt = now().add({ minutes: 30 })
  expect((await takeContentDown(deps, desk, { path: banner, formKey: randomUUID(), startsAt })).ok).toBe(true)
  later(29)
  await live.read()
  expect(live.current.get(banner)).toMatchObject({ title: text.title })
  later(1)
  await live.read()
  expect(live.current.get(banner)).toBeUndefined()
})

test('rejects unauthorized and missing content, and the schema rejects edits', async () => {
  await using database = await createTestDatabase({ from: 'empty' })
  const { deps, draft } = at(database.db)
  const stranger = { via: 'office', name: 'support@example.com', sessionId: newId(), networkKey: 'n' } as const
  expect(await draftContent(deps, stranger, { path, formKey: randomUUID(), text })).toMatchObject({
    reason: 'not-allowed',
  })
  const id = await draft('Mine')
  expect(await publishContent(deps, stranger, { id, startsAt: null })).toMatchObject({ reason: 'not-allowed' })
  expect(await publishContent(deps, desk, { id: 999_999, startsAt: null })).toMatchObject({ reason: 'gone' })
  // A draft was never published, so it can't be rolled back to.
  expect(await rollBackContent(deps, desk, { path, formKey: randomUUID(), versionId: id })).toMatchObject({
    reason: 'gone',
  })
  expect(await findContentVersion(deps, 'pages/other', String(id))).toBeUndefined()
  const refusalOf = (statement: Promise<unknown>) => statement.then(() => 'done', violatedConstraint)
  const { db } = database
  expect(await refusalOf(sql`update content_version set body = 'x' where id = ${id}`.execute(db))).toBe(
    'content_version_never_edited',
  )
  expect(await refusalOf(sql`update content_version set starts_at = now() where id = ${id}`.execute(db))).toBe(
    'content_version_published_by',
  )
  expect((await discardContent(deps, desk, id)).ok).toBe(true)
  expect(await discardContent(deps, desk, id)).toMatchObject({ reason: 'gone' })
})

test('the form has a limit for every field', () => {
  const parse = (change: object) => pageTextForm.safeParse({ formKey: randomUUID(), ...text, ...change })
  expect(parse({ body: 'a\r\n\r\nb ' }).data?.body).toBe('a\n\nb')
  for (const change of [
    { body: 'x'.repeat(20_001) },
    { body: ' \n ' },
    { title: 'x'.repeat(81) },
    { description: 'short' },
    { description: 'x'.repeat(161) },
    { formKey: '1' },
  ])
    expect(parse(change).success, JSON.stringify(change)).toBe(false)
})
