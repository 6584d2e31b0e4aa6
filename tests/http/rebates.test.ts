/** Rebates, as staff add, change and retire them in the back office, and what shoppers see of them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let sales: Visitor

beforeAll(async () => {
  store = await startStore()
  sales = createVisitor()
  await signInToOffice(store.origin, sales, { email: 'sales@example.com' })
})
afterAll(() => store[Symbol.asyncDispose]())

const address = (id: string) => `${store.origin}/office/rebates/${id}`
const day = (days: number) => Temporal.Now.zonedDateTimeISO('America/New_York').toPlainDate().add({ days }).toString()
const form = {
  intent: 'add',
  name: 'Kestrel $33 rebate',
  amount: '33',
  units: '4',
  paidAs: 'check',
  subject: 'kestrel',
  formUrl: 'https://kestrel.example/claim',
  mailTo: '',
  startsOn: day(-1),
  lastPurchaseOn: day(20),
  lastClaimOn: day(50),
  version: '0',
}

test('a rebate is added, shown to shoppers with its form, changed, and retired', async () => {
  const wrong = await sales.ask(address('new'), { form: { ...form, formUrl: '', name: 'A <b>' } })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('Enter the claim form’s address or a mailing address.')
  expect(again).toContain('value="A &lt;b&gt;"')
  const added = await sales.ask(address('new'), { form })
  expect(added.headers.get('location')).toBe('/office/rebates?done=added')
  const list = await (await sales.ask(`${store.origin}/office/rebates?done=added`)).text()
  expect(list).toContain('Rebate added.')
  const id = /href="\/office\/rebates\/(\d+)"[^>]*>Kestrel \$33 rebate</.exec(list)?.[1] ?? ''
  const shown = () => fetch(`${store.origin}/tire-deals/kestrel-33-rebate`)
  expect(await (await shown()).text()).toContain('https://kestrel.example/claim')
  const change = { ...form, intent: 'change', version: '1', amount: '35' }
  expect((await sales.ask(address(id), { form: change })).headers.get('location')).toBe(
    `/office/rebates/${id}?done=change`,
  )
  const late = await sales.ask(address(id), { form: { ...change, amount: '36' } })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('Saved now: 35')
  const retired = await sales.ask(address(id), { form: { intent: 'retire', version: '2' } })
  expect(retired.headers.get('location')).toBe(`/office/rebates/${id}?done=retire`)
  expect(await (await sales.ask(address(id))).text()).toContain('Claims only')
  for (const unknown of ['9999999', '0', 'x', '99999999999'])
    expect((await sales.ask(address(unknown))).status, unknown).toBe(404)
})
