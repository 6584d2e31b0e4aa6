import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { applyAsPartner } from '#domain/customers/programs/programs.server.ts'
import { fixedClock } from '#platform/clock.testing.ts'
import { createTestDatabase, smallDataMadeAt } from '#tests/support/database.ts'

test('staff list partner applications, decide each once, and set which work emails count', async () => {
  await using database = await createTestDatabase()
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['tools/programs.ts', ...args], {
      env: { ...process.env, DATABASE_URL: database.url },
    }).catch((failure: unknown) => failure as { code: number; stdout: string; stderr: string })
  const asked = {
    name: 'Pat Lee',
    email: 'pat@example.com',
    phone: '3125550100',
    people: 40,
    site: null,
    message: 'We ride.',
    networkKey: 'x',
  }
  for (const business of ['Lakeview Riders', 'Other Club'])
    await applyAsPartner({ db: database.db, clock: fixedClock(smallDataMadeAt) }, { ...asked, business })
  const [first, second] = await database.db.selectFrom('partner_application').select('id').orderBy('id').execute()
  const { stdout } = await run('list')
  expect(stdout).toContain('Lakeview Riders, 40 people')
  expect(stdout).toMatch(/\n2 shown\.\n$/)

  expect(await run('approve', String(first?.id))).toMatchObject({
    stdout: expect.stringMatching(/^Approved \d+\. The code is [A-Z2-9]{8}\.\n$/) as string,
  })
  expect(await run('approve', String(first?.id))).toMatchObject({
    code: 1,
    stderr: `Application ${first?.id} does not wait.\n`,
  })
  expect(await run('refuse', String(second?.id))).toMatchObject({ stdout: `Refused ${second?.id}.\n` })
  expect(await run('list')).toMatchObject({ stdout: 'Nobody waits.\n' })
  const rows = await database.db
    .selectFrom('partner_application')
    .select(['state', 'network_key'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { state: 'approved', network_key: null },
    { state: 'refused', network_key: null },
  ])

  expect(await run('employer', 'Work.Example', 'Sidewall', 'Works')).toMatchObject({
    stdout: expect.stringContaining('employee prices') as string,
  })
  expect(await run('employer', 'work.example', 'Again')).toMatchObject({
    code: 1,
    stderr: 'work.example is there already.\n',
  })
  expect(await run('employer', 'Gmail.com', 'Everybody')).toMatchObject({
    code: 1,
    stderr: 'Anyone can get a mailbox at Gmail.com.\n',
  })
  expect(await database.db.selectFrom('employer_domain').select(['domain', 'employer']).execute()).toEqual([
    { domain: 'work.example', employer: 'Sidewall Works' },
  ])
  expect(await run('no-employer', 'work.example')).toMatchObject({
    stdout: expect.stringContaining('No more') as string,
  })
  expect(await run('no-employer', 'nonsense')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Say what to do:/) as string,
  })
})

test('user text cannot control the terminal or pass for our own output', async () => {
  await using database = await createTestDatabase()
  const asked = { name: 'Pat \u202eeel', email: 'pat@example.com', phone: '3125550100', people: 40, networkKey: 'x' }
  // Older rows can contain these characters. Forms and the API now remove them.
  const hostile = {
    ...asked,
    business: 'Riders\n7  Trusted Club',
    site: null,
    message: 'We ride.\x1b]0;owned\x07\n9  Another Club, 9 people\x9b31m',
  }
  await applyAsPartner({ db: database.db, clock: fixedClock(smallDataMadeAt) }, hostile)
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/programs.ts', 'list'], {
    env: { ...process.env, DATABASE_URL: database.url },
  })
  expect(stdout).toMatch(/^[\n\x20-\x7e]+$/)
  expect(stdout).toContain('Riders 7  Trusted Club, 40 people  Pat \\u{202e}eel')
  expect(stdout).toContain('  We ride.\\u{1b}]0;owned\\u{7}\n  9  Another Club, 9 people\\u{9b}31m\n')
})
