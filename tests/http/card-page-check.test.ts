/**
 * Tests the hourly check of the card page and a wallet's page. A gateway between the store and browsers plants a script
 * and weakens a header there, as a compromised proxy could.
 */
import { createServer, request } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueue } from '#platform/jobs.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

const cardPage = '/checkout/payments/card'
const walletPage = '/checkout/payments/google-pay'
const planted = '<script src="https://evil.test/skim.js"></script>'

let store: RunningStore
/** What the gateway does to both pages. */
const faults = { plants: false, weakens: false }
/** The statuses of both pages that passed the gateway. */
const answered: string[] = []
const [gatewayPort = 0] = await freePorts(1)
const origin = `http://localhost:${gatewayPort}`
const gateway = createServer((asked, answer) => {
  const { url = '/', method } = asked
  const { 'accept-encoding': _, ...headers } = asked.headers
  const onward = request(store.origin + url, { method, headers }, (got) => {
    const parts: Buffer[] = []
    got.on('data', (part: Buffer) => parts.push(part))
    got.on('end', () => {
      const received = { ...got.headers }
      let body = Buffer.concat(parts)
      if (url === cardPage || url === walletPage) {
        answered.push(`${got.statusCode} ${url}`)
        const policy = String(received['content-security-policy'])
        if (faults.weakens)
          received['content-security-policy'] = policy.replace(
            "script-src 'self'",
            "script-src 'self' https://evil.test",
          )
        if (faults.plants) body = Buffer.from(body.toString('utf8').replace('</head>', `${planted}</head>`))
        delete received['content-length']
        delete received['transfer-encoding']
      }
      answer.writeHead(got.statusCode ?? 502, received)
      answer.end(body)
    })
  })
  asked.pipe(onward)
})
const owner = createVisitor()
beforeAll(async () => {
  store = await startStore({ env: { PUBLIC_ORIGIN: origin, STORE_ORIGIN: origin } })
  await new Promise<void>((listening) => gateway.listen(gatewayPort, listening))
  await signInToOffice(origin, owner, { email: 'owner@example.com' })
})
afterAll(async () => {
  gateway.closeAllConnections()
  gateway.close()
  await store[Symbol.asyncDispose]()
})

/** Runs the hourly check in the worker. Returns the open findings about pages, and what the check skipped. */
async function check(): Promise<{ found: string[]; skipped: string | null }> {
  const { db } = store.database
  const last = async () =>
    db.selectFrom('payment_page_check').select(['id', 'skipped']).orderBy('id', 'desc').limit(1).executeTakeFirst()
  const before = await last()
  await enqueue(db, 'check-payment-pages', {})
  const done = await eventually('the check', async () => {
    const now = await last()
    return now?.id === before?.id ? undefined : now
  })
  // The job deletes its cart after it records the check.
  const left = sql`select from graphile_worker.jobs where task_identifier = 'check-payment-pages'`
  await eventually('end of the check', async () => (await left.execute(db)).rows.length === 0)
  const open = await db
    .selectFrom('payment_page_finding')
    .select(['kind', 'page', 'subject'])
    .where('resolved_at', 'is', null)
    .where('page', '<>', 'every payment page')
    .orderBy('id')
    .execute()
  return { found: open.map(({ kind, page, subject }) => `${kind} ${page} ${subject}`), skipped: done.skipped }
}

const officePage = async () => (await owner.ask(`${origin}/office/payment-pages`)).text()

test('the check opens the card page and wallets with its own cart, and reports a planted script and a weaker header there', async () => {
  expect(await check()).toEqual({ found: [], skipped: null })
  expect(answered.toSorted()).toEqual([`200 ${cardPage}`, `200 ${walletPage}`])

  faults.plants = true
  faults.weakens = true
  expect(await check()).toEqual({
    found: [
      ...[cardPage, walletPage].map((page) => `header ${page} content-security-policy script-src`),
      ...[cardPage, walletPage].map((page) => `script ${page} https://evil.test/skim.js`),
    ],
    skipped: null,
  })
  const html = await officePage()
  expect(html).toContain('Differences found')
  expect(html).toContain('https://evil.test/skim.js (/checkout/payments/card)')

  faults.plants = false
  faults.weakens = false
  expect(await check()).toEqual({ found: [], skipped: null })
})

test('the check leaves no cart, no held tires, and no appointment', async () => {
  const { db } = store.database
  const count = async (table: 'cart' | 'cart_contact' | 'stock_hold' | 'booking') =>
    Number(
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<string>().as('rows'))
          .executeTakeFirstOrThrow()
      ).rows,
    )
  const state = async () => [
    await count('cart'),
    await count('cart_contact'),
    await count('stock_hold'),
    await count('booking'),
  ]
  const before = await state()
  expect((await check()).skipped).toBe(null)
  expect(await state()).toEqual(before)
})
