/** Tests the customer import in the back office. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { linkIn, newestMail } from '#tests/support/mailbox.ts'
import { createVisitor, registerAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const [clerk, manager]: [Visitor, Visitor] = [createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, clerk, { email: 'catalog@example.com' })
  await signInToOffice(store.origin, manager, { email: 'manager@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => new URL(path, store.origin).href
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')

async function send(visitor: Visitor, kind: 'customers' | 'orders' = 'customers') {
  const content = await readFile(
    new URL(`../../domain/catalog/catalog-import/fixtures/shopify-${kind}.csv`, import.meta.url),
    'utf8',
  )
  const form = new FormData()
  for (const [name, value] of Object.entries({ key: newId(), kind, mode: 'per-row' })) form.set(name, value)
  form.set('file', new File([content], `${kind}_export.csv`, { type: 'text/csv' }))
  return (await visitor.ask(at('/office/imports'), { form })).headers.get('location') ?? ''
}

/** The columns that are chosen on the page. */
function chosenIn(page: string): Record<string, string> {
  const selects = page.matchAll(/<select[^>]* name="(from\.[a-z0-9_]+)"[^>]*>(.*?)<\/select>/gs)
  return Object.fromEntries(
    [...selects].map(([, name = '', options = '']) => [
      name,
      /<option value="([^"]*)" selected=""/.exec(options)?.[1] ?? '',
    ]),
  )
}

test('a manager imports customers of Shopify, and staff without customer data see rows only', async () => {
  const columns = await send(manager)
  expect(columns).toContain('kind=customers')
  const page = await read(manager, columns)
  expect(page).toContain('Customers in customers_export.csv')
  const started = await manager.ask(at(columns), { form: chosenIn(page) })
  const run = started.headers.get('location') ?? ''
  expect(run).toMatch(/^\/office\/imports\/\d+\?done=uploaded$/)
  await expect.poll(() => read(manager, run), { timeout: 30_000 }).toContain('Ready to publish')
  const seenByClerk = await read(clerk, run)
  expect(seenByClerk).toContain('New customers')
  expect(seenByClerk).toContain('is not an email address')
  expect(seenByClerk).not.toMatch(/nadia|ferrell|not an email</i)

  const path = run.replace(/\?.*/, '')
  const seen = /name="seen" value="([^"]*)"/.exec(await read(manager, path))?.[1] ?? ''
  expect((await clerk.ask(at(path), { form: { intent: 'publish', seen, reason: '' } })).status).toBe(403)
  await manager.ask(at(path), { form: { intent: 'publish', seen, reason: '' } })
  await expect.poll(() => read(manager, path), { timeout: 30_000 }).toContain('Published')
  expect(await read(manager, path)).not.toContain('Roll back')

  const list = await read(manager, '/office/customers?q=nadia.ferrell%40example.com')
  const customer = /href="(\/office\/customers\/[-0-9a-f]{36})[^"]*"[^>]*>Nadia Ferrell</.exec(list)?.[1] ?? ''
  const profile = await read(manager, customer)
  expect(profile).toContain('418 W Wrightwood Ave, Apt 2')
  expect(profile).toContain('Tags: fleet, repeat')
  expect(profile).not.toContain('Imported orders')

  const orderColumns = await send(manager, 'orders')
  const matched = chosenIn(await read(manager, orderColumns))
  const form = { ...matched, 'text.store': 'Shopify' }
  const orders = ((await manager.ask(at(orderColumns), { form })).headers.get('location') ?? '').replace(/\?.*/, '')
  await expect.poll(() => read(manager, orders), { timeout: 30_000 }).toContain('Ready to publish')
  expect(await read(clerk, orders)).not.toMatch(/nadia|ferrell|owen/i)
  const shown = /name="seen" value="([^"]*)"/.exec(await read(manager, orders))?.[1] ?? ''
  await manager.ask(at(orders), { form: { intent: 'publish', seen: shown, reason: '' } })
  await expect.poll(() => read(manager, orders), { timeout: 30_000 }).toContain('Published')
  const withOrders = await read(manager, customer)
  expect(withOrders).toContain('Imported orders')
  expect(withOrders).toContain('4 × TPMS service kit, $10.00')
  expect(withOrders).not.toContain('#1002')

  const found = (visitor: Visitor, q: string) =>
    read(visitor, `/office/search/found?${new URLSearchParams({ q }).toString()}`)
  for (const text of ['#1001', '1001', 'nadia.ferr']) {
    expect(await found(manager, text), text).toContain('#1001 · ')
    expect(await found(clerk, text), text).not.toContain('#1001')
  }
  // The customer sees them once the account's email is verified.
  const nadia = createVisitor()
  await registerAt(store.origin, nadia, 'Nadia', { email: 'nadia.ferrell@example.com' })
  expect(await read(nadia, '/account/my-orders')).toMatch(/as soon as the email is verified(?!.*previous store)/s)
  await nadia.ask(linkIn(await newestMail(store, 'nadia.ferrell@example.com'), 'verify-email'))
  await nadia.ask(at('/account/my-orders'), { form: {} })
  const inAccount = await read(nadia, '/account/my-orders')
  expect(inAccount).toContain('Orders from our previous store')
  for (const text of ['#1001', 'Mar 2, 2024', '4 × TPMS service kit', '$697.60'])
    expect(inAccount, text).toContain(text)
  expect(inAccount).not.toContain('#1002')

  // Of a customer who is not in the store.
  expect(await read(manager, '/office/search?q=5550187&kind=past-orders')).toContain('#1004')
})
