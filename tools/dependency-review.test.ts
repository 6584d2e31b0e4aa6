import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  acceptedAdvisories,
  reviewAccepted,
  reviewAdvisories,
  reviewLock,
  type ReviewedLock,
} from './dependency-review.ts'

const integrity = `sha512-${'a'.repeat(86)}==`
const none = { scripts: {}, deprecated: {} }

test('the lock file of the store has nothing against it', async () => {
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

test('what is accepted is not told, and what need not be accepted is', () => {
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

test('a known fault is told unless it is accepted, and one that is gone is not accepted any longer', () => {
  expect(reviewAdvisories(printed, [])).toEqual(['b <1.0.1: It hangs (high, GHSA-aaaa-bbbb-cccc).'])
  expect(reviewAdvisories(printed, [accepted])).toEqual([])
  const clean = JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} })
  expect(reviewAdvisories(clean, [])).toEqual([])
  expect(reviewAdvisories(clean, [accepted])).toEqual(['GHSA-aaaa-bbbb-cccc is accepted and no longer there.'])
})

test('a registry that does not answer is no clean bill', () => {
  for (const text of ['', 'npm error', '{"message":"405 Method Not Allowed","statusCode":405}'])
    expect(reviewAdvisories(text, [])).toBeUndefined()
})

test('an accepted fault ends with its day', () => {
  expect(reviewAccepted(Temporal.PlainDate.from('2026-12-31'), [accepted])).toEqual([])
  expect(reviewAccepted(Temporal.PlainDate.from('2027-01-01'), [accepted])).toEqual([
    'GHSA-aaaa-bbbb-cccc was accepted until 2026-12-31: look at it again.',
  ])
  for (const { id, why } of acceptedAdvisories)
    expect([id, why.length > 10]).toEqual([expect.stringMatching(/^GHSA-/), true])
})
