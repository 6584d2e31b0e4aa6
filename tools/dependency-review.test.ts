import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  acceptedAdvisories,
  matchAdvisories,
  readAudit,
  reviewAccepted,
  reviewAdvisories,
  reviewLock,
  type ReviewedLock,
} from './dependency-review.ts'
import type { Advisory } from './advisory-database.ts'

const integrity = `sha512-${'a'.repeat(86)}==`
const none = { scripts: {}, deprecated: {} }

test('the store’s lock file has no problems', async () => {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as ReviewedLock
  expect(Object.keys(lock.packages).length).toBeGreaterThan(500)
  expect(reviewLock(lock)).toEqual([])
})

test.each([
  ['from a repository', { resolved: 'git+ssh://git@github.com/a/b.git#1', integrity }, 'comes from git+ssh://'],
  ['from another registry', { resolved: 'https://registry.npmjs.org.example/b.tgz', integrity }, 'not the registry'],
  ['a folder', { link: true, resolved: '../b' }, 'comes from ../b'],
  ['without a hash', {}, 'no SHA-512'],
  ['with a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'no SHA-512'],
  ['with a script', { integrity, hasInstallScript: true }, 'runs a script'],
  ['given up', { integrity, deprecated: 'Use c.' }, 'given up by its authors (Use c.)'],
])('a package %s is found', (_, locked, complaint) => {
  const found = reviewLock(
    { packages: { '': {}, 'node_modules/a/node_modules/b': { version: '1.0.0', ...locked } } },
    none,
  )
  expect(found).toEqual([expect.stringMatching(/^b 1\.0\.0 /)])
  expect(found[0]).toContain(complaint)
})

test('accepted advisories aren’t reported, and unneeded acceptances are', () => {
  const packages = {
    'node_modules/@a/b': { integrity, hasInstallScript: true },
    'node_modules/c': { integrity, resolved: 'https://registry.npmjs.org/c/-/c-1.0.0.tgz', deprecated: 'no' },
  }
  const why = 'a reason'
  expect(reviewLock({ packages }, { scripts: { '@a/*': why }, deprecated: { c: why } })).toEqual([])
  expect(reviewLock({ packages }, { scripts: { '@a/b': why, d: why }, deprecated: { c: why } })).toEqual([
    'd is accepted in tools/dependency-review.ts and need not be.',
  ])
})

const via = {
  source: 1,
  name: 'b',
  dependency: 'b',
  title: 'It hangs',
  url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
  severity: 'high',
  range: '<1.0.1',
}
const printed = JSON.stringify({ auditReportVersion: 2, vulnerabilities: { a: { via: ['b'] }, b: { via: [via] } } })
const accepted = { id: 'GHSA-aaaa-bbbb-cccc', why: 'Only our own text reaches it.', until: '2026-12-31' }

const audited = readAudit(printed) ?? []

test('a known vulnerability is reported unless accepted, and a fixed one can’t stay accepted', () => {
  expect(reviewAdvisories([audited], [])).toEqual(['b <1.0.1: It hangs (high, GHSA-aaaa-bbbb-cccc).'])
  expect(reviewAdvisories([audited], [accepted])).toEqual([])
  const clean = readAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} })) ?? []
  expect(reviewAdvisories([clean], [])).toEqual([])
  expect(reviewAdvisories([clean], [accepted])).toEqual(['GHSA-aaaa-bbbb-cccc is accepted and no longer there.'])
})

test('a registry that does not answer is no clean bill', () => {
  for (const text of ['', 'npm error', '{"message":"405 Method Not Allowed","statusCode":405}'])
    expect(readAudit(text)).toBeUndefined()
})

/** `a` requires its own `b` and `c`. The store requires `a`, optionally `c`, and `d` for development. */
const packages: ReviewedLock['packages'] = {
  '': { dependencies: { a: '1' }, optionalDependencies: { c: '1' }, devDependencies: { d: '1' } },
  'node_modules/a': { version: '1.0.0', dependencies: { b: '1', c: '1' } },
  'node_modules/a/node_modules/b': { version: '1.0.0' },
  'node_modules/b': { version: '2.0.0', dev: true },
  'node_modules/c': { version: '1.0.0', optional: true },
  'node_modules/d': { version: '1.0.0', dev: true, dependencies: { b: '2' } },
  'node_modules/e': { name: 'f', version: '1.0.0' },
}

function recorded(packageName: string, fixed?: string): Advisory {
  const events = [{ introduced: '0' }, ...(fixed === undefined ? [] : [{ fixed }])]
  return {
    ids: ['GHSA-aaaa-bbbb-cccc', 'CVE-2026-0001'],
    title: 'It hangs',
    severity: 'high',
    packageName,
    versions: { ranges: [{ type: 'SEMVER', events }], versions: [] },
  }
}

function told(name: string, advisory: Advisory, dev = false): string[] {
  return matchAdvisories({ packages }, new Map([[name, [advisory, advisory]]]), { dev }).map(
    (advisory) => advisory.told,
  )
}

test('an advisory is reported with its fix and dependents', () => {
  expect(told('b', recorded('b', '1.0.1'))).toEqual([
    'b 1.0.0: It hangs (high, GHSA-aaaa-bbbb-cccc), fixed in 1.0.1; needed by a > b.',
  ])
  expect(told('b', recorded('b', '1.0.0'))).toEqual([])
  expect(told('c', recorded('c'))).toEqual([
    'c 1.0.0: It hangs (high, GHSA-aaaa-bbbb-cccc), no fix is known; needed by c.',
  ])
})

test('development-only advisories are reported on request', () => {
  expect(told('d', recorded('d'))).toEqual([])
  expect(told('d', recorded('d'), true)).toEqual([expect.stringContaining('needed by d.')])
  expect(told('b', recorded('b'), true)).toEqual([
    expect.stringContaining('needed by a > b.'),
    expect.stringContaining('needed by d > b.'),
  ])
})

test('a package installed under another name is looked up by its own', () => {
  expect(told('e', recorded('e'))).toEqual([])
  expect(told('f', recorded('f'))).toEqual([expect.stringMatching(/^f 1\.0\.0: .*nothing in the lock file/)])
})

test('an advisory in both sources is reported once and accepted by any ID', () => {
  const matched = matchAdvisories({ packages }, new Map([['b', [recorded('b', '1.0.1')]]]), { dev: false })
  expect(reviewAdvisories([matched, audited], [])).toEqual(matched.map(({ told }) => told))
  expect(reviewAdvisories([matched, audited], [accepted])).toEqual([])
  expect(reviewAdvisories([matched], [{ ...accepted, id: 'CVE-2026-0001' }])).toEqual([])
  expect(reviewAdvisories([matched], [{ ...accepted, id: 'CVE-2026-0002' }])).toHaveLength(2)
})

test('an accepted advisory ends with its day', () => {
  expect(reviewAccepted(Temporal.PlainDate.from('2026-12-31'), [accepted])).toEqual([])
  expect(reviewAccepted(Temporal.PlainDate.from('2027-01-01'), [accepted])).toEqual([
    'GHSA-aaaa-bbbb-cccc was accepted until 2026-12-31: look at it again.',
  ])
  for (const { id, why } of acceptedAdvisories) {
    expect(id).toMatch(/^GHSA-/)
    expect(why.length).toBeGreaterThan(10)
  }
})
