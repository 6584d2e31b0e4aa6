/** Tests that a buyer submits an order above the owner's limit for approval, without JavaScript. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, fillHomeCart } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let felix: Visitor
let tilda: Visitor
let vic: Visitor
let sol: Visitor
beforeAll(async () => {
  store = await startStore()
  const signedIn = async (name: string) => {
    const visitor = createVisitor()
    await signInAt(store.origin, visitor, { email: `${name}@example.com` })
    return visitor
  }
  felix = await signedIn('felix')
  tilda = await signedIn('tilda')
  vic = await signedIn('vic')
  sol = await signedIn('sol')
}, 180_000)
afterAll(() => store[Symbol.asyncDispose]())

const at = (path: string) => `${store.origin}${path}`
const read = async (answer: Response | Promise<Response>) => (await (await answer).text()).replaceAll('<!-- -->', '')
const approvals = '/account/company/approvals'

/** Fills Tilda's cart on net terms, and submits it on the page; where that leads. */
async function submit(): Promise<string> {
  const contact = { firstName: 'Tilda', lastName: 'Grant', email: 'tilda@example.com', phoneType: 'work' }
  const { agreedPrice } = await fillHomeCart(store, tilda, { contact, billing: { poNumber: 'GD-7' } })
  await callApi(store, tilda, 'POST', '/cart/payment', { flow: 'net-terms' })
  const body = { agreedPrice, termsAccepted: true, conditionsAccepted: true }
  const refused = await callApi(store, tilda, 'POST', '/orders', body)
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({ code: 'ApprovalNeeded', data: { limitCents: 10_000, mayAsk: true } })
  const shown = await tilda.ask(at('/checkout/order-summary'))
  expect(shown.status).toBe(200)
  expect(shown.headers.get('location')).toBeNull()
  const page = await read(shown)
  expect(page).toContain('Send for approval')
  expect(page).not.toContain('>Place order')
  const form = { agreed: agreedPrice, terms: '1', conditions: '1', ask: '1' }
  // A page loaded before the limit doesn't request approval.
  const older = await tilda.ask(at('/checkout/order-summary'), { form: { ...form, ask: '' } })
  expect(older.status).toBe(403)
  expect(await read(older)).toContain('above $100.00')
  const [first, second] = await Promise.all([
    tilda.ask(at('/checkout/order-summary'), { form }),
    tilda.ask(at('/checkout/order-summary'), { form }),
  ])
  expect(first.status).toBe(303)
  expect(second.status).toBe(303)
  const path = first.headers.get('location') ?? ''
  expect(second.headers.get('location')).toBe(path)
  expect(path).toMatch(/^\/account\/company\/approvals\/[0-9a-f-]{36}$/)
  return path
}

test('owners and staff set limits; wrong ones are said by their field and kept', async () => {
  expect(await read(felix.ask(at(approvals)))).toContain('Spending limits by role')
  const wrong = await felix.ask(at(approvals), { form: { intent: 'limits', owner: '', buyer: 'lots' } })
  const html = await read(wrong)
  expect(wrong.status).toBe(422)
  expect(html).toContain('Enter an amount')
  expect(html).toContain('value="lots"')
  for (const visitor of [tilda, vic])
    expect((await visitor.ask(at(approvals), { form: { intent: 'limits', owner: '', buyer: '' } })).status).toBe(403)
  expect(await read(tilda.ask(at(approvals)))).not.toContain('Spending limits by role')
  const set = await felix.ask(at(approvals), { form: { intent: 'limits', owner: '', buyer: '100' } })
  expect(set.status).toBe(303)
  expect(set.headers.get('location')).toBe(`${approvals}?done=limits`)
  expect(await read(tilda.ask(at(approvals)))).toContain('up to $100.00 an order')
  for (const value of ["';--", '\0', 'x'.repeat(5_000), '-1', '1e9', '99999999999'])
    for (const name of ['owner', 'buyer', 'member', 'amount', 'rule'])
      for (const intent of ['limits', 'member', value]) {
        const { status } = await felix.ask(at(approvals), { form: { intent, owner: '', buyer: '100', [name]: value } })
        expect(status, `${name} ${intent.slice(0, 9)}`).toBeLessThan(500)
      }
  const desk = createVisitor()
  await signInToOffice(store.origin, desk, { email: 'owner@example.com' })
  const { id } = await store.database.db
    .selectFrom('company')
    .select('id')
    .where('name', '=', 'Grant Delivery')
    .executeTakeFirstOrThrow()
  const path = `/office/companies/${id}`
  expect(await read(desk.ask(at(path)))).toContain('value="100.00"')
  const byStaff = await desk.ask(at(path), { form: { intent: 'limits', owner: '9000', buyer: '100.00' } })
  expect(byStaff.status).toBe(303)
  expect(byStaff.headers.get('location')).toBe(`${path}?done=limits`)
  const own = await felix.ask(at(approvals), { form: { intent: 'limits', owner: '', buyer: '100' } })
  expect(own.status).toBe(403)
  expect(await read(own)).toContain('You cannot raise your own limit')
})

test('above the limit a cart is sent for approval, seen by those it concerns, and placed once', async () => {
  const path = await submit()
  const form = await read(felix.ask(at(path)))
  for (const words of ['Approve and place the order', 'GD-7', 'Net 30']) expect(form).toContain(words)
  expect(await read(felix.ask(at(approvals)))).toContain(path)
  for (const [visitor, status] of [
    [tilda, 200],
    [vic, 404],
    [sol, 404],
  ] as const)
    expect((await visitor.ask(at(path))).status).toBe(status)
  expect(await read(tilda.ask(at(path)))).not.toContain('Approve and place')
  const agreed = /name="agreed" value="([^"]+)"/.exec(form)?.[1] ?? ''
  expect((await vic.ask(at(path), { form: { intent: 'approve', agreed } })).status).toBe(404)
  expect((await tilda.ask(at(path), { form: { intent: 'approve', agreed } })).status).toBe(404)
  const stale = await felix.ask(at(path), { form: { intent: 'approve', agreed: 'x' } })
  expect(stale.status).toBe(409)
  expect(await read(stale)).toContain('The price changed')
  const empty = await felix.ask(at(path), { form: { intent: 'refuse', reason: ' ' } })
  expect(empty.status).toBe(422)
  expect(await read(empty)).toContain('Say why')
  const [one, two] = await Promise.all([
    felix.ask(at(path), { form: { intent: 'approve', agreed } }),
    felix.ask(at(path), { form: { intent: 'approve', agreed } }),
  ])
  expect(one.status).toBe(303)
  expect(two.status).toBe(303)
  const done = await read(tilda.ask(at(path)))
  expect(done).toMatch(/approved it on/)
  expect(done).toMatch(/Open order/)
})

test('a returned request shows the reason and links to its cart', async () => {
  const path = await submit()
  expect((await tilda.ask(at(path), { form: { intent: 'reopen' } })).status).toBe(404)
  const reason = 'Take <b>cheaper</b> ones'
  const sent = await felix.ask(at(path), { form: { intent: 'refuse', reason } })
  expect(sent.status).toBe(303)
  expect(sent.headers.get('location')).toBe(`${approvals}?done=refused`)
  expect(await read(tilda.ask(at(path)))).toContain('Take &lt;b&gt;cheaper&lt;/b&gt; ones')
  const back = await tilda.ask(at(path), { form: { intent: 'reopen' } })
  expect(back.status).toBe(303)
  expect(back.headers.get('location')).toBe('/cart')
  expect(await read(tilda.ask(at('/cart')))).not.toContain('Your cart is empty')
  const late = await felix.ask(at(path), { form: { intent: 'approve', agreed: 'x' } })
  expect(late.status).toBe(409)
  expect(await read(late)).toContain('This request is already closed')
})
