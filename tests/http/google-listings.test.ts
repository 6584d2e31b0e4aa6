/** Tests products at Google in the back office, sent to the sandbox by the worker. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const [clerk, support, finance]: [Visitor, Visitor, Visitor] = [createVisitor(), createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore({ env: { GOOGLE_MERCHANT_DAILY_CALLS: '1000000' } })
  await signInToOffice(store.origin, clerk, { email: 'catalog@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  await signInToOffice(store.origin, finance, { email: 'finance@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (query = '') => `${store.origin}/office/google-listings${query}`
const read = async (visitor: Visitor, url: string) => (await (await visitor.ask(url)).text()).replaceAll('<!-- -->', '')
const send = (visitor: Visitor) => visitor.ask(at(), { form: { intent: 'send-again' } })
type Stored = { products: { offerId: string; disapproval: string | null }[] }
const products = async () =>
  ((await (await fetch(`${store.sandboxOrigin}/google/products.json`)).json()) as Stored).products
const factOf = (html: string, label: string) => new RegExp(`<dt>${label}</dt><dd>([^<]*)`).exec(html)?.[1]

test('the worker sends products, and the page shows progress and what Google reports', async () => {
  expect((await support.ask(at())).status).toBe(403)
  expect((await send(clerk)).headers.get('location')).toBe('/office/google-listings?done=sent-again')
  const sent = await eventually('products at Google', async () => {
    const found = await products()
    return found.length > 100 ? found : undefined
  })
  // One in a hundred is disapproved.
  const itemId = sent.find(({ offerId }) => Number(offerId) % 100 === 0)?.offerId ?? ''
  const html = await eventually('a problem', async () => {
    const page = await read(clerk, at())
    return page.includes('Disapproved: Invalid image [image link]') ? page : undefined
  })
  expect(factOf(html, 'Status')).toBe('On')
  expect(Number(factOf(html, 'Disapproved'))).toBeGreaterThan(0)
  expect(html).toContain('Replace the image with one that meets the requirements.')
  expect(html).toContain(`href="/office/catalog/items/${itemId}"`)
  const file = await (await clerk.ask(`${store.origin}/office/export/google-listings`)).text()
  expect(file).toContain('Disapproved: Invalid image [image link]')
  // Google received it, but does not show it.
  expect(file).toMatch(/,Disapproved,/)
  const log = await store.database.db.selectFrom('audit_entry').select(['act', 'actor']).orderBy('id').execute()
  expect(log.at(-1)?.act).toBe('list.exported')
  expect(log).toContainEqual({ act: 'google-listings.sent-again', actor: 'catalog@example.com' })
})

test('a refusal and a pause are shown in Google’s words', async () => {
  const form = { status: '503', calls: '1000', retryAfter: '600' }
  await fetch(`${store.sandboxOrigin}/google/faults`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  await send(clerk)
  const html = await eventually('a pause', async () => {
    const page = await read(clerk, at())
    return factOf(page, 'Status')?.startsWith('Paused until') ? page : undefined
  })
  expect(html).toContain('The service is currently unavailable.')
  expect(await read(clerk, at('?state=waiting'))).toContain('Waiting')
})

test('only staff who edit the catalog send products', async () => {
  for (const visitor of [support, finance]) {
    expect((await visitor.ask(at())).status).toBe(403)
    expect((await send(visitor)).status).toBe(403)
  }
})
