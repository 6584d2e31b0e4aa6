import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readAdvisoryDatabase } from './advisory-database.ts'

const now = Temporal.Instant.from('2026-11-24T12:00:00Z')
const within = { days: 7, now }

const sample = {
  id: 'GHSA-aaaa-bbbb-cccc',
  modified: '2026-11-20T00:00:00Z',
  aliases: ['CVE-2026-0001'],
  summary: 'It hangs',
  affected: [
    {
      package: { ecosystem: 'npm', name: 'b' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.0.1' }] }],
      database_specific: { last_known_affected_version_range: '<= 1.0.0' },
    },
    { package: { ecosystem: 'PyPI', name: 'b' }, versions: ['1.0.0'] },
  ],
  database_specific: { severity: 'HIGH', github_reviewed: true },
}

async function database(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'advisories-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

test('records of npm packages are read from every folder, with the ids they go by', async () => {
  const folder = await database({
    'advisories/github-reviewed/2026/11/GHSA-aaaa-bbbb-cccc/GHSA-aaaa-bbbb-cccc.json': sample,
    'MAL-2026-1.json': {
      id: 'MAL-2026-1',
      modified: '2026-11-21T06:00:00Z',
      affected: [{ package: { ecosystem: 'npm', name: 'c' }, versions: ['1.0.0'] }],
    },
    'GHSA-other.json': { id: 'GHSA-other', modified: '2026-11-24T00:00:00Z', affected: [] },
    'README.md': 'about "npm"',
  })
  const { advisories, records, newest } = await readAdvisoryDatabase(folder, within)
  expect(records).toBe(2)
  expect(newest.toString()).toBe('2026-11-21T06:00:00Z')
  expect(Object.fromEntries(advisories)).toEqual({
    b: [
      {
        ids: ['GHSA-aaaa-bbbb-cccc', 'CVE-2026-0001'],
        title: 'It hangs',
        severity: 'high',
        packageName: 'b',
        versions: {
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.0.1' }] }],
          versions: [],
          narrowed: '<= 1.0.0',
        },
      },
    ],
    c: [
      {
        ids: ['MAL-2026-1'],
        title: 'no title',
        severity: 'not rated',
        packageName: 'c',
        versions: { ranges: [], versions: ['1.0.0'] },
      },
    ],
  })
})

test('a withdrawn record isn’t an advisory', async () => {
  const folder = await database({ 'a.json': { ...sample, withdrawn: '2026-11-20T00:00:00Z' } })
  const { advisories, records } = await readAdvisoryDatabase(folder, within)
  expect(advisories.size).toBe(0)
  expect(records).toBe(1)
})

test('rejects a folder without records', async () => {
  const other = { ...sample, affected: [{ package: { ecosystem: 'PyPI', name: 'b' } }] }
  for (const files of [{}, { 'a.json': other }])
    await expect(readAdvisoryDatabase(await database(files), within)).rejects.toThrow('has no record of an npm package')
  await expect(readAdvisoryDatabase('/nowhere', within)).rejects.toThrow('/nowhere cannot be read')
})

test('records that are too old are refused, unless any age will do', async () => {
  const folder = await database({ 'a.json': { ...sample, modified: '2026-11-16T11:59:59Z' } })
  await expect(readAdvisoryDatabase(folder, within)).rejects.toThrow('The newest of 1 record in')
  await expect(readAdvisoryDatabase(folder, within)).rejects.toThrow('is 8 days old, more than 7')
  expect((await readAdvisoryDatabase(folder, { days: undefined, now })).records).toBe(1)
  const week = await database({ 'a.json': { ...sample, modified: '2026-11-16T12:00:01Z' } })
  expect((await readAdvisoryDatabase(week, within)).records).toBe(1)
})

test('a record that cannot be read is no clean bill', async () => {
  const events = [{ introduced: 1 }]
  for (const content of [
    '{"id": "npm", "npm"',
    { ...sample, modified: 'yesterday' },
    { ...sample, affected: [{ package: { ecosystem: 'npm', name: 'b' }, ranges: [{ type: 'SEMVER', events }] }] },
  ])
    await expect(
      readAdvisoryDatabase(await database({ 'good.json': sample, 'bad.json': content }), within),
    ).rejects.toThrow(/bad\.json is no record/)
})
