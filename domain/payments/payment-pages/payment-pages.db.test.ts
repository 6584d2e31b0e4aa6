/**
 * Checks of payment pages. Planted scripts and weakened headers raise alerts, and each browser report is counted once.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { desk, signInStaff } from '#domain/kernel/staff/staff.testing.ts'
import { newId } from '#platform/ids.ts'
import type { Log } from '#platform/log.ts'
import { ok, refused } from '#platform/outcome.ts'
import { createTestDatabase, smallDataMadeAt, type TestDatabase } from '#tests/support/database.ts'
import type { PaymentPageReader } from './page-reader.port.ts'
import {
  approveScript,
  checkPaymentPages,
  listOpenFindings,
  readEvidenceYear,
  readNoticedFindings,
  readPaymentEvidence,
  receiveCspReports,
  withdrawScript,
} from './payment-pages.server.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ from: 'empty' })
})
afterAll(() => database[Symbol.asyncDispose]())

const origin = 'https://store.test'
const stripe = { address: 'https://js.stripe.com/x.js', by: 'Stripe', suggestion: 'Shows the card fields' }
const built = {
  address: '/assets/cart-1a2b3c4d.js',
  integrity: 'sha384-good',
  bytes: 10,
  purpose: 'Shows the cart',
  pages: ['Cart'],
}
const headers = { 'content-security-policy': "script-src 'self'", 'x-content-type-options': 'nosniff' }

test('a planted script and a weakened header raise an alert, which ends when they are gone', async () => {
  let now = smallDataMadeAt
  const logged: unknown[] = []
  const log = { error: (line: unknown) => logged.push(line) } as unknown as Log
  const deps = { db: database.db, clock: { now: () => now }, log }
  const received = {
    html: '<script src="/assets/cart-1a2b3c4d.js"></script>',
    headers: { ...headers },
    integrity: 'sha384-good',
  }
  const reader: PaymentPageReader = {
    page: async () => (received.html === '' ? refused('unavailable') : ok({ status: 200, ...received })),
    script: async () => ok({ integrity: received.integrity }),
    inventory: async () => [built],
  }
  const check = async () => {
    now = now.add({ hours: 1 })
    return checkPaymentPages(deps, {
      reader,
      origin,
      pages: [{ path: '/cart', headers, cookies: null, opens: true }],
      skipped: 'No tire with a price is in stock.',
      others: [stripe],
    })
  }
  const open = async () =>
    (await listOpenFindings(deps, 10)).map(({ kind, subject }) => `${kind} ${subject}`).toSorted()

  await signInStaff(deps, 'owner')
  await signInStaff(deps, 'manager')
  await check()
  expect(await open()).toEqual([`script ${stripe.address}`])
  const purpose = 'Shows the card fields of our payment provider'
  const support = { via: 'office', name: 'support@example.com', sessionId: newId(), networkKey: 'n' } as const
  const approval = { address: stripe.address, purpose, others: [stripe] }
  expect(await approveScript(deps, support, approval)).toMatchObject({ reason: 'not-allowed' })
  expect(await approveScript(deps, desk, { ...approval, address: 'https://evil.test/x.js' })).toMatchObject({
    reason: 'unknown-script',
  })
  expect((await approveScript(deps, desk, approval)).ok).toBe(true)
  await check()
  expect(await open()).toEqual([])

  received.html += '<script src="https://evil.test/skim.js"></script>'
  received.headers['content-security-policy'] = "script-src 'self' https://evil.test"
  received.integrity = 'sha384-other'
  await check()
  await check()
  expect(await open()).toEqual([
    `content ${built.address}`,
    'header content-security-policy script-src',
    'script https://evil.test/skim.js',
  ])
  // Each is logged once, and the earlier one was approved.
  expect(logged).toHaveLength(4)
  // Owners get one email for each check with new findings.
  const emails = await database.db
    .selectFrom('message')
    .select(['key', 'to_address as to'])
    .orderBy('created_at')
    .execute()
  expect(emails.map(({ to }) => to)).toEqual(['owner@store.example', 'owner@store.example'])
  const noticed = await readNoticedFindings(deps, emails[1]?.key ?? '')
  expect(noticed.map(({ subject }) => subject).toSorted()).toEqual(
    [built.address, 'content-security-policy script-src', 'https://evil.test/skim.js'].toSorted(),
  )
  received.html = ''
  await check()
  expect(await open()).toContain('unreachable page')

  received.html = '<p>'
  received.headers = { ...headers }
  received.integrity = built.integrity
  await check()
  expect(await open()).toEqual([])
  const { checks, findings } = await readPaymentEvidence(deps, reader)
  expect(checks[0]).toMatchObject({
    pages: 1,
    scripts: 2,
    findings: 0,
    skipped: 'No tire with a price is in stock.',
  })
  expect(findings.every(({ resolvedAt }) => resolvedAt !== null)).toBe(true)
  expect((await withdrawScript(deps, desk, stripe.address)).ok).toBe(true)
  expect(await withdrawScript(deps, desk, stripe.address)).toMatchObject({ reason: 'gone' })
})

test('reports of browsers are counted once for each page, rule and source; anything else is ignored', async () => {
  const deps = { db: database.db, clock: { now: () => smallDataMadeAt } }
  const report = (change: object = {}) =>
    JSON.stringify({
      'csp-report': {
        'document-uri': `${origin}/order-change/abcdefghijklmnopqrstuvwxyz123456?key=secret`,
        'effective-directive': 'script-src-elem',
        'blocked-uri': 'https://evil.test/skim.js?card=4242',
        'script-sample': 'alert(1)',
        ...change,
      },
    })
  const receive = (body: string) => receiveCspReports(deps, origin, body)
  for (let times = 0; times < 3; times += 1) await receive(report())
  await receive(
    JSON.stringify([
      {
        type: 'csp-violation',
        body: { documentURL: `${origin}/cart`, effectiveDirective: 'script-src', blockedURL: 'inline', sample: null },
      },
      { type: 'deprecation', body: {} },
    ]),
  )
  for (const odd of [
    '',
    'x',
    'null',
    '[]',
    '{}',
    '[1]',
    report({ 'document-uri': 'https://elsewhere.test/' }),
    report({ 'document-uri': 'no address' }),
    report({ 'effective-directive': '<b>' }),
    JSON.stringify(Array.from({ length: 21 }, () => ({ type: 'csp-violation' }))),
  ])
    await receive(odd)
  const { reports } = await readPaymentEvidence(deps, { inventory: async () => null })
  expect(reports.map(({ page, directive, blocked, reports: count }) => [page, directive, blocked, count])).toEqual(
    expect.arrayContaining([
      ['/order-change/…', 'script-src-elem', 'https://evil.test', 3],
      ['/cart', 'script-src', 'inline', 1],
    ]),
  )
  expect(reports).toHaveLength(2)
})

test('the evidence counts checks and new findings by month for a year, and lists up to 1,000 findings', async () => {
  await using empty = await createTestDatabase({ from: 'empty' })
  let now = Temporal.Instant.from('2025-11-01T03:30:00Z')
  const log = { error() {} } as unknown as Log
  const deps = { db: empty.db, clock: { now: () => now }, log }
  const check = (html: string, pages = 1, skipped: string | null = null) =>
    checkPaymentPages(deps, {
      reader: {
        page: async () => (html === '' ? refused('unavailable') : ok({ status: 200, headers, html })),
        script: async () => ok({ integrity: built.integrity }),
        inventory: async () => [built],
      },
      origin,
      pages: Array.from({ length: pages }, (_, index) => ({
        path: `/checkout/${index}`,
        headers,
        cookies: null,
        opens: true,
      })),
      skipped,
      others: [],
    })
  const planted = Array.from({ length: 41 }, (_, index) => `<script src="https://evil.test/${index}.js"></script>`)
  // The last evening of October in the store's time zone, which is too old.
  await check('')
  now = Temporal.Instant.from('2025-11-01T04:30:00Z')
  await check('<p>')
  now = Temporal.Instant.from('2026-01-05T12:00:00Z')
  await check('')
  now = now.add({ hours: 1 })
  await check('<p>', 1, 'No tire with a price is in stock.')
  now = Temporal.Instant.from('2026-11-20T12:00:00Z')
  await check(planted.join(''), 25)
  const { months, findings, unlisted } = await readEvidenceYear(deps)
  expect(months).toHaveLength(13)
  const used = months.filter(({ checks }) => checks > 0)
  expect(used).toEqual([
    { month: '2026-11', checks: 1, failed: 0, findings: 1_025 },
    { month: '2026-01', checks: 2, failed: 2, findings: 1 },
    { month: '2025-11', checks: 1, failed: 0, findings: 0 },
  ])
  expect(findings).toHaveLength(1_000)
  // The finding of October was resolved in November.
  expect(unlisted).toBe(27)
})
