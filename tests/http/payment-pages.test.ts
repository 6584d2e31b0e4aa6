/** Tests payment pages, with the check of a running store, browsers' reports, approvals, and the evidence on paper. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purposeOf, scriptPurposes } from '#domain/payments/payment-pages/script-purposes.ts'
import { monthText } from '#platform/day-text.ts'
import { enqueue } from '#platform/jobs.ts'
import { storeZone } from '#platform/store-zone.ts'
import { eventually } from '#tests/support/eventually.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice } from '#tests/support/visitor.ts'

const inventoryForm = z.array(
  z.object({ address: z.string(), integrity: z.string(), purpose: z.string(), pages: z.array(z.string()) }),
)

let store: RunningStore
const owner = createVisitor()
const finance = createVisitor()
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  await signInToOffice(store.origin, finance, { email: 'finance@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const address = () => `${store.origin}/office/payment-pages`
const page = async (visitor: typeof owner, url = address()) => (await visitor.ask(url)).text()

/** Runs the hourly check in the worker, and returns the findings that are still open. */
async function check(): Promise<string[]> {
  const { db } = store.database
  const count = async () => (await db.selectFrom('payment_page_check').select('id').execute()).length
  const before = await count()
  await enqueue(db, 'check-payment-pages', {})
  await eventually('the check', async () => ((await count()) > before ? true : undefined))
  const open = await db
    .selectFrom('payment_page_finding')
    .select(['kind', 'page', 'subject', 'detail'])
    .where('resolved_at', 'is', null)
    .execute()
  return open.map(({ kind, page: on, subject, detail }) => [kind, on, subject, detail].join(' | '))
}

test('the store’s own pages are as built, once an owner approved the provider’s script', async () => {
  const before = await check()
  expect(before.slice(1)).toEqual([])
  expect(before[0]).toContain('No owner has approved this script yet.')
  expect(await page(owner, `${store.origin}/office`)).toContain('Changed payment pages')
  const html = await page(owner)
  expect(html).toContain('Differences found')
  expect(html).toMatch(/\/assets\/react-[\w-]{8}\.js/)
  expect(html).toContain('Renders the page (React)')
  const script = /name="address" value="([^"]+)"/.exec(html)?.[1] ?? expect.unreachable()
  const form = { intent: 'approve', address: script, purpose: 'Short' }
  const short = await owner.ask(address(), { form })
  expect(short.status).toBe(422)
  expect(await short.text()).toContain('in at least 10 characters')
  const purpose = 'Shows the <b>card fields</b> of our provider'
  expect((await finance.ask(address(), { form: { ...form, purpose } })).status).toBe(403)
  const approved = await owner.ask(address(), { form: { ...form, purpose } })
  expect(approved.headers.get('location')).toBe('/office/payment-pages?done=approved')
  expect(await check()).toEqual([])
  const after = await page(finance)
  expect(after).toContain('As approved')
  expect(after).toContain('Shows the &lt;b&gt;card fields&lt;/b&gt; of our provider')
})

/** Without spaces, because lines of a PDF end without one. */
const dense = (text: string) => text.replaceAll(/\s/g, '')

test('the evidence lists each script with its purpose, the approval, the checks, and the questionnaire', async () => {
  const pdf = await finance.ask(`${address()}.pdf`)
  expect(pdf.headers.get('content-type')).toBe('application/pdf')
  const text = dense(readPdf(new Uint8Array(await pdf.arrayBuffer())))
  const scripts = inventoryForm.parse(JSON.parse(await readFile('build/payment-scripts.json', 'utf8')))
  expect(scripts.length).toBeGreaterThan(20)
  const html = await page(finance)
  // A long address wraps at a hyphen, after the description's first line.
  const ends = scripts
    .flatMap(({ address: path }) => [...path.matchAll(/-/g)].map(({ index }) => path.slice(index + 1)))
    // A hash can end with a hyphen, which leaves a part of all others.
    .toSorted((one, other) => other.length - one.length)
  const descriptions = ends.reduce((all, end) => all.replaceAll(end, ''), text)
  for (const script of scripts) {
    expect(script.purpose, script.address).toBe(purposeOf(script.address))
    expect(html).toContain(script.address)
    expect(descriptions).toContain(
      dense(`${script.purpose}. On: ${script.pages.join(', ')}. Integrity: ${script.integrity}`),
    )
  }
  for (const part of [
    'Payment pages, ',
    'Self-assessment questionnaire: SAQ A',
    'They never reach this store, its server, or its database.',
    'https://www.pcisecuritystandards.org/faqs/1588/',
    'Scripts of the store, approved with the release (6.4.3)',
    'Passes the page’s data to its script, so that it isn’t requested twice',
    'Scripts of others (6.4.3)',
    `The sandbox. Shows the <b>card fields</b> of our provider Approved by owner@example.com, `,
    'Checks by month (11.6.1)',
    ' checks, 0 failed checks, 1 new difference',
    `${monthText(Temporal.Now.plainDateISO(storeZone).subtract({ months: 12 }))}No checks, 0 failed checks, 0 new differences`,
    'Last checks of scripts and headers, hourly (11.6.1)',
    '7 pages, ',
    ' scripts: no differences',
    'Differences that were found in these months',
    'No owner has approved this script yet. Resolved ',
    'Browser reports about the Content Security Policy',
  ])
    expect(text).toContain(dense(part))
})

test('every declared purpose is for a script of a payment page', async () => {
  const scripts = inventoryForm.parse(JSON.parse(await readFile('build/payment-scripts.json', 'utf8')))
  const unused = new Set(Object.keys(scriptPurposes))
  for (const { address } of scripts) unused.delete(/^\/assets\/(.+)-.{8}\.js$/.exec(address)?.[1] ?? '')
  expect([...unused]).toEqual([])
})

test('the set-up page names the questionnaire with reasons and sources', async () => {
  const html = await page(owner, `${store.origin}/office/setup`)
  const panel = /<section[^>]*id="card-data"[\s\S]*?<\/section>/.exec(html)?.[0] ?? expect.unreachable()
  for (const part of [
    'Card data: SAQ A fits',
    'Customers enter card numbers in your payment provider’s frames or pages.',
    'SAQ A-EP is for stores with a page that collects card data',
    'requirement 6.4.3',
    'requirement 11.6.1',
    'href="/office/payment-pages"',
    'href="https://www.pcisecuritystandards.org/document_library/"',
    'href="https://www.pcisecuritystandards.org/faqs/1588/"',
  ])
    expect(panel).toContain(part)
})

test('browsers report what a payment page blocked; oversized and other reports have no effect', async () => {
  const cart = await fetch(`${store.origin}/cart`)
  expect(cart.headers.get('content-security-policy')).toContain('report-uri /csp-reports; report-to csp')
  expect(cart.headers.get('reporting-endpoints')).toBe('csp="/csp-reports"')
  expect((await fetch(`${store.origin}/about`)).headers.get('content-security-policy')).not.toContain('report-uri')
  const send = (body: string) =>
    fetch(`${store.origin}/csp-reports`, {
      method: 'POST',
      headers: { 'content-type': 'application/csp-report' },
      body,
    }).then(({ status }) => status)
  const report = JSON.stringify({
    'csp-report': {
      'document-uri': `${store.origin}/cart`,
      'effective-directive': 'script-src-elem',
      'blocked-uri': 'https://evil.test/skim.js',
    },
  })
  for (let times = 0; times < 2; times += 1) expect(await send(report)).toBe(204)
  for (const odd of ['', 'x', '{}', '\u0000', '[[[[']) expect(await send(odd)).toBe(204)
  expect(await send('x'.repeat(20_000))).toBe(413)
  const html = await page(owner)
  expect(html).toContain('https://evil.test')
  expect(html).not.toContain('skim.js')
  const statuses = await Promise.all(Array.from({ length: 80 }, () => send(report)))
  expect(statuses).toContain(429)
  expect((await fetch(`${store.origin}/csp-reports`)).status).toBe(404)
})

test('privacy policy and terms name the store’s own details; the accessibility statement is in the footer', async () => {
  for (const path of ['/privacy-policy', '/terms', '/sales', '/accessibility']) {
    const html = await (await fetch(store.origin + path)).text()
    expect(html, path).toContain('(800) 555-0142')
    expect(html, path).not.toMatch(/\u27e6|\{\{/)
    expect(html, path).toContain('href="/accessibility"')
    expect(html, path).not.toContain('noindex')
  }
  // An owner publishes them, no one else.
  const manager = createVisitor()
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
  const legal = `${store.origin}/office/content/terms`
  const formKey = /name="formKey" value="([^"]+)"/.exec(await page(manager, legal))?.[1] ?? ''
  const form = { intent: 'publish-released', formKey, read: 'yes' }
  expect((await manager.ask(legal, { form })).status).toBe(403)
  expect((await owner.ask(legal, { form: { ...form, read: '' } })).status).toBe(422)
  expect((await owner.ask(legal, { form })).headers.get('location')).toBe('/office/content/terms?done=published')
})
