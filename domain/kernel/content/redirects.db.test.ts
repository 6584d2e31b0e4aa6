/** Redirects, with old addresses, loops and chains, and files of many rows. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { violatedConstraint } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { createTestDatabase, smallDataMadeAt, type TestDatabase } from '#tests/support/database.ts'
import {
  addRedirect,
  findRedirect,
  importRedirects,
  listRedirects,
  readRedirect,
  removeRedirect,
} from './content.server.ts'
import { redirectForm } from './content.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ from: 'empty' })
})
afterAll(() => database[Symbol.asyncDispose]())

const deps = () => ({ db: database.db, clock: { now: () => smallDataMadeAt } })
const csv = (...rows: string[]) => ['From,To', ...rows].join('\r\n')
const faultsOf = async (...rows: string[]) => {
  const read = await importRedirects(deps(), desk, csv(...rows))
  return read.ok ? [] : read.reason === 'bad-file' ? read.detail : [read.reason]
}

test('an old address leads to its page until it is removed, however it is written', async () => {
  expect((await addRedirect(deps(), desk, { from: '/old-tires.html', to: '/tires', version: 0 })).ok).toBe(true)
  for (const asked of ['/old-tires.html', '/OLD-Tires.html', '/old-tires.html/'])
    expect(await findRedirect(deps(), asked), asked).toBe('/tires')
  for (const asked of ['/', '', '/old', '/old-tires.html?x', `/${'x'.repeat(5_000)}`, '//evil.test', '/%', "/'"])
    expect(await findRedirect(deps(), asked), asked).toBeUndefined()
  expect(await addRedirect(deps(), desk, { from: '/older', to: '/old-tires.html', version: 0 })).toMatchObject({
    reason: 'chain',
  })
  expect(await addRedirect(deps(), desk, { from: '/tires', to: '/find', version: 0 })).toMatchObject({
    reason: 'chain',
  })
  const stranger = { via: 'office', name: 'support@example.com', sessionId: newId(), networkKey: 'n' } as const
  expect(await addRedirect(deps(), stranger, { from: '/a', to: '/b', version: 0 })).toMatchObject({
    reason: 'not-allowed',
  })
  const changed = { from: '/old-tires.html', to: '/find' }
  for (const version of [0, 2])
    expect(await addRedirect(deps(), desk, { ...changed, version })).toMatchObject({ reason: 'changed-meanwhile' })
  expect((await addRedirect(deps(), desk, { ...changed, version: 1 })).ok).toBe(true)
  expect(await readRedirect(deps(), '/OLD-tires.html')).toEqual({ ...changed, version: 2 })
  expect(await findRedirect(deps(), '/old-tires.html')).toBe('/find')
  const { from } = changed
  expect(await removeRedirect(deps(), desk, { from, version: 1 })).toMatchObject({ reason: 'changed-meanwhile' })
  const removals = await Promise.all([1, 2].map(() => removeRedirect(deps(), desk, { from, version: 2 })))
  expect(removals.filter(({ ok }) => ok)).toHaveLength(1)
  expect(await removeRedirect(deps(), desk, { from, version: 2 })).toMatchObject({ reason: 'gone' })
  expect(await findRedirect(deps(), '/old-tires.html')).toBeUndefined()
})

test('the database itself refuses loops and chains', async () => {
  const insert = (from: string, to: string) =>
    sql`insert into address_redirect values (${from}, ${to}, now(), 'x')`
      .execute(database.db)
      .then(() => 'done', violatedConstraint)
  expect(await insert('/one', '/one')).toBe('address_redirect_no_loop')
  expect(await insert('/one', '/two')).toBe('done')
  expect(await insert('/two', '/three')).toBe('address_redirect_no_chain')
  expect(await insert('/zero', '/ONE')).toBe('address_redirect_no_chain')
  await removeRedirect(deps(), desk, { from: '/one', version: 1 })
})

test('a file with bad rows is refused as a whole, with the rows', async () => {
  await addRedirect(deps(), desk, { from: '/there', to: '/tires', version: 0 })
  expect(
    await faultsOf(
      '/good,/tires',
      'no-path,/tires',
      '/a,https://evil.test/',
      '/b?x=1,/tires',
      '/c,/C/',
      '/d,/e',
      '/e,/tires',
      '/good,/find',
      ',',
      '/f,//evil.test',
    ),
  ).toEqual([
    'Row 3: “from” must be an old address such as /old-page.',
    'Row 4: “to” must be a page of this store such as /tires.',
    'Row 5: “from” must be an old address such as /old-page.',
    'Row 6: /c leads to itself.',
    'Row 7: /e is redirected itself, in row 8. Use its target.',
    'Row 9: /good is also in row 2.',
    'Row 10: “from” must be an old address such as /old-page.',
    'Row 11: “to” must be a page of this store such as /tires.',
  ])
  expect(await faultsOf('/good,/find', '/x,/there')).toEqual([
    'Row 3: /x is part of a chain with another redirect of this store.',
  ])
  expect(await faultsOf('/tires,/find')).toEqual([
    'Row 2: /tires is part of a chain with another redirect of this store.',
  ])
  expect(await importRedirects(deps(), desk, 'a,b\n/x,/y')).toMatchObject({ reason: 'bad-file' })
  expect(await importRedirects(deps(), desk, '')).toMatchObject({ reason: 'bad-file' })
  expect(await importRedirects(deps(), desk, 'from,to\n"/x,/y')).toMatchObject({ reason: 'bad-file' })
  expect(await findRedirect(deps(), '/good')).toBeUndefined()
})

test('100,000 rows are imported at once, again with other targets, and listed page by page', async () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => `https://old.example/products/tire-${index}.html,/tires`)
  expect(await importRedirects(deps(), desk, csv(...rows, '/one-too-many,/tires'))).toMatchObject({
    detail: ['The file has more than 100,000 rows. Split it.'],
  })
  const began = performance.now()
  expect(await importRedirects(deps(), desk, csv(...rows))).toMatchObject({ ok: true, value: 100_000 })
  expect(performance.now() - began).toBeLessThan(60_000)
  expect(await findRedirect(deps(), '/products/tire-99999.html')).toBe('/tires')
  expect((await importRedirects(deps(), desk, csv(rows[0]?.replace('/tires', '/find') ?? ''))).ok).toBe(true)
  expect(await findRedirect(deps(), '/products/tire-0.html')).toBe('/find')
  const first = await listRedirects(deps(), { start: '/PRODUCTS/', after: null })
  expect(first.redirects).toHaveLength(50)
  const second = await listRedirects(deps(), { start: '/products/', after: first.next })
  expect(second.redirects[0]?.from).not.toBe(first.redirects[0]?.from)
  expect((await listRedirects(deps(), { start: '/no-such%_', after: null })).redirects).toEqual([])
})

test.for([
  [{ from: 'x', to: '/y' }, 'from'],
  [{ from: '/x', to: 'https://elsewhere.test/' }, 'to'],
  [{ from: '/x', to: '/x/' }, 'to'],
  [{ from: `/${'x'.repeat(300)}`, to: '/y' }, 'from'],
  [{ from: '/', to: '/y' }, 'from'],
] as const)('%j is refused at its field', ([typed, field]) => {
  expect(redirectForm.safeParse(typed).error?.issues.map(({ path }) => path[0])).toEqual([field])
})
