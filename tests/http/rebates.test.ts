/** Rebates, as staff draft, schedule, and end them in the back office, and what shoppers see of them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dateText } from '#platform/day-text.ts'
import { eventually } from '#tests/support/eventually.ts'
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
}

test('a rebate is drafted, previewed, changed, scheduled, shown to shoppers, and ended', async () => {
  const wrong = await sales.ask(address('new'), { form: { ...form, formUrl: '', name: 'A <b>' } })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  expect(again).toContain('Enter the claim form’s address or a mailing address.')
  expect(again).toContain('value="A &lt;b&gt;"')
  const unknown = await sales.ask(address('new'), { form: { ...form, size: '1/2R3' } })
  expect(await unknown.text()).toContain('Enter a size of the catalog, such as 225/65R17.')
  const added = (await sales.ask(address('new'), { form: { ...form, season: 'winter' } })).headers.get('location') ?? ''
  const id = /^\/office\/rebates\/(\d+)\?done=added$/.exec(added)?.[1] ?? expect.unreachable(added)
  const drafted = await (await sales.ask(`${store.origin}${added}`)).text()
  expect(drafted).toContain('Draft saved. Check it, then schedule it.')
  expect(drafted).toContain('Kestrel, Winter')
  expect(drafted).toContain('After rebate')
  const shown = () => fetch(`${store.origin}/tire-deals/kestrel-33-rebate`)
  expect((await shown()).status).toBe(404)
  const change = { ...form, intent: 'change', version: '1', amount: '35', season: '' }
  expect((await sales.ask(address(id), { form: change })).headers.get('location')).toBe(
    `/office/rebates/${id}?done=change`,
  )
  const late = await sales.ask(address(id), { form: { ...change, amount: '36' } })
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('Saved now: 35')
  const scheduled = await sales.ask(address(id), { form: { intent: 'schedule', version: '2' } })
  expect(scheduled.headers.get('location')).toBe(`/office/rebates/${id}?done=schedule`)
  const page = await (await shown()).text()
  expect(page).toContain('https://kestrel.example/claim')
  expect(page).toContain('$35')
  const edited = await sales.ask(address(id), { form: { ...change, version: '3' } })
  expect(edited.status).toBe(409)
  const running = await (await sales.ask(address(id))).text()
  expect(running).not.toContain('Save draft')
  expect(running).toContain(dateText(form.lastClaimOn))
  const correction = { ...form, intent: 'correct', version: '3', formUrl: 'https://kestrel.example/corrected' }
  const corrected = await sales.ask(address(id), { form: correction })
  expect(corrected.headers.get('location')).toBe(`/office/rebates/${id}?done=correct`)
  await eventually('corrected rebate', async () =>
    (await (await shown()).text()).includes('https://kestrel.example/corrected'),
  )
  expect((await sales.ask(address(id), { form: correction })).status).toBe(409)
  const ended = await sales.ask(address(id), { form: { intent: 'end', reason: 'Budget spent' } })
  expect(ended.headers.get('location')).toBe(`/office/rebates/${id}?done=ended`)
  expect(await (await sales.ask(address(id))).text()).toContain('Claims only')
  for (const missing of ['9999999', '0', 'x', '99999999999'])
    expect((await sales.ask(address(missing))).status, missing).toBe(404)
})

test('the exported list goes round, and new and changed drafts are imported', async () => {
  const send = (text: string, who: Visitor = sales) => {
    const data = new FormData()
    data.append('intent', 'import')
    data.append('file', new Blob([text]), 'rebates.csv')
    return who.ask(`${store.origin}/office/rebates/import`, { form: data })
  }
  const exported = async () => (await sales.ask(`${store.origin}/office/export/rebates`)).text()
  const before = await exported()
  expect(before.split('\r\n').length).toBeGreaterThan(2)
  expect((await send(before)).headers.get('location')).toBe('/office/rebates?done=imported-same')
  const head = 'Rebate,Amount,Tires,Payment,Subject,First purchase day,Last purchase day,Last claim day,Claim form'
  const row = `From a file,44,4,check,kestrel,${day(1)},${day(20)},${day(50)},https://kestrel.example/claim`
  const drafted = await send(`${head}\n${row}\n`)
  expect(drafted.headers.get('location')).toBe('/office/rebates?done=imported')
  expect(await (await sales.ask(`${store.origin}/office/rebates?done=imported`)).text()).toContain('Rebates imported.')
  const after = await exported()
  expect((await send(after)).headers.get('location')).toBe('/office/rebates?done=imported-same')
  const rowOf = (text: string) => text.split('\r\n').find((line) => line.includes('From a file')) ?? ''
  const changed = after.replace(rowOf(after), rowOf(after).replace(',check,', ',prepaid-card,'))
  expect((await send(changed)).headers.get('location')).toBe('/office/rebates?done=imported')
  expect(rowOf(await exported())).toContain('prepaid-card')
  expect(await (await send(changed)).text()).toContain('changed after the export')
  const finance = createVisitor()
  await signInToOffice(store.origin, finance, { email: 'finance@example.com' })
  expect((await send(after, finance)).status).toBe(403)
})
