/** Tests taxes and fees in the office. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '#tests/support/eventually.ts'
import { formFields } from '#tests/support/form-fields.ts'
import { fillHomeCart } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const [finance, support, owner] = [createVisitor(), createVisitor(), createVisitor()]
beforeAll(async () => {
  store = await startStore()
  await store.revive('second')
  await signInToOffice(store.origin, finance, { email: 'finance@example.com' })
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  await signInToOffice(store.origin, owner)
})
afterAll(() => store[Symbol.asyncDispose]())

const address = (state = 'IL') => `${store.origin}/office/taxes/${state}`
const read = async (visitor: Visitor, url: string) => (await (await visitor.ask(url)).text()).replaceAll('<!-- -->', '')
const formOf = async () => ({ ...formFields(await read(finance, address()), 'change'), intent: 'change' })
const checked = { source: 'Illinois Department of Revenue, ST-8', checkedOn: '2026-11-01', isVerified: '1' }

test('the list says which states are unverified, and the setup links to them', async () => {
  const list = await read(finance, `${store.origin}/office/taxes`)
  expect(list).toContain('Mississippi')
  expect(list).toContain('$1.00 below 24 in; $2.00')
  expect(list).not.toContain('general knowledge')
  const setup = await read(owner, `${store.origin}/office/setup`)
  expect(setup).toMatch(/Tax rates and fees of \d+ states are unverified/)
  expect(setup).toContain('href="/office/taxes?state=unverified"')
})

test('an invalid field is refused at the field, and the input is kept', async () => {
  const wrong = await finance.ask(address(), {
    form: { ...(await formOf()), rate: 'six', tireFee: '2; 1', source: 'A <b> page' },
  })
  expect(wrong.status).toBe(422)
  const again = await wrong.text()
  for (const text of ['Enter a percentage such as 6.25.', 'Enter an amount such as 2.50']) expect(again).toContain(text)
  expect(again).toContain('value="A &lt;b&gt; page"')
  const unchecked = await finance.ask(address(), { form: { ...(await formOf()), isVerified: '1', checkedOn: '' } })
  expect(await unchecked.text()).toContain('Enter the day that you checked it.')
  const past = await finance.ask(address(), { form: { ...(await formOf()), startsOn: '2020-01-01' } })
  expect(past.status).toBe(422)
  for (const state of ['ZZ', 'il', 'x', 'A'.repeat(300)])
    expect((await finance.ask(address(state))).status, state).toBe(404)
})

test('only finance and above change a state, and a second tab gets a conflict', async () => {
  const form = await formOf()
  expect((await support.ask(address(), { form })).status).toBe(403)
  const saved = await finance.ask(address(), { form: { ...form, ...checked, tireFee: '3.10' } })
  expect(saved.headers.get('location')).toBe('/office/taxes/IL?done=saved')
  const late = await finance.ask(address(), { form: { ...form, ...checked, tireFee: '9.99' } })
  expect(late.status).toBe(409)
  const conflict = await late.text()
  expect(conflict).toContain('value="9.99"')
  expect(conflict).toContain('Saved now: $3.10')
  const list = await read(finance, `${store.origin}/office/taxes?state=verified`)
  expect(list).toContain('Illinois')
  expect(list).not.toContain('Mississippi')
  const audit = await read(owner, `${store.origin}/office/audit`)
  expect(audit).toContain('Changed a state’s taxes and fees')
})

test('a changed state shows its built-in values, and returns to them', async () => {
  const before = await read(finance, address('OH'))
  expect(before).not.toContain('Built-in taxes and fees')
  const form = { ...formFields(before, 'change'), intent: 'change', rate: '6.5' }
  expect((await finance.ask(address('OH'), { form })).status).toBe(303)
  const page = await read(finance, address('OH'))
  for (const text of ['Built-in taxes and fees', '5.75%', 'Jan 1, 2025']) expect(page).toContain(text)
  expect(page).not.toContain('changed after you set yours')
  expect((await support.ask(address('OH'), { form: formFields(page, 'reset') })).status).toBe(403)
  const reset = { ...formFields(page, 'reset'), intent: 'reset' }
  expect((await finance.ask(address('OH'), { form: reset })).headers.get('location')).toBe(
    '/office/taxes/OH?done=reset',
  )
  expect((await finance.ask(address('OH'), { form: reset })).status).toBe(409)
  expect(await read(finance, address('OH'))).toMatch(/value="5.75"[\s\S]*Built-in/)
})

test('every process charges the change within a second, under the name that receipts show', async () => {
  const shopper = createVisitor()
  await fillHomeCart(store, shopper, { contact: { email: 'fee@example.com' } })
  const form = { ...(await formOf()), ...checked, tireFee: '5.00', tireFeeName: 'Used tire user fee' }
  expect((await finance.ask(address(), { form })).status).toBe(303)
  for (const origin of [store.origin, store.secondOrigin])
    expect(
      await eventually(
        'changed fee',
        async () => {
          const answer = await fetch(`${origin}/api/cart/price`, {
            headers: { cookie: shopper.cookieFor(store.origin) },
          })
          const text = await answer.text()
          return text.includes('Used tire user fee') && text
        },
        1,
      ),
    ).toContain('"amountCents":2000')
})

test('the exported list is edited and imported, and a file with errors names their lines', async () => {
  const page = `${store.origin}/office/taxes/import`
  const send = async (visitor: Visitor, text: string) => {
    const form = new FormData()
    form.append('intent', 'import')
    form.append('file', new Blob([text]), 'taxes.csv')
    return visitor.ask(page, { form })
  }
  const exported = await (await finance.ask(`${store.origin}/office/export/taxes`)).text()
  const same = await send(finance, exported)
  expect(same.headers.get('location')).toBe('/office/taxes?done=imported-same')
  const lines = exported.split('\r\n')
  const edit = (code: string, text: string, by: string) =>
    lines.map((line) => (line.includes(`,${code},`) ? line.replace(text, by) : line)).join('\r\n')
  const wrong = await send(finance, edit('OH', '5.75%', 'much'))
  expect(wrong.status).toBe(422)
  expect(await wrong.text()).toMatch(/Line \d+, State rate: Enter a percentage such as 6\.25\./)
  const large = await send(finance, 'x'.repeat(300 * 1024))
  expect(await large.text()).toContain('The file is larger than 256 kB.')
  expect((await send(support, exported)).status).toBe(403)
  const saved = await send(finance, edit('OH', '5.75%', '5.8%'))
  expect(saved.headers.get('location')).toBe('/office/taxes?done=imported')
  const list = await read(finance, `${store.origin}/office/taxes?done=imported`)
  expect(list).toContain('Taxes and fees imported.')
  expect(await read(finance, address('OH'))).toContain('5.8%')
  const stale = await send(finance, edit('OH', '5.75%', '5.9%'))
  expect(await stale.text()).toContain('OH was changed after the export. Export the file again.')
})
