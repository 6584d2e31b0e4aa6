/**
 * Tests coverage claims over HTTP without JavaScript, including other visitors, hostile fields and files, and the
 * office.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffCan, staffRoles } from '#domain/kernel/staff/staff.ts'
import { photo } from '#domain/ordering/returns/returns.testing.ts'
import { eventually } from '#tests/support/eventually.ts'
import { placeHomeOrder, placeOnTerms } from '#tests/support/order-by-api.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
let sol: Visitor
let orderId: number
const email = 'sol@example.com'
beforeAll(async () => {
  store = await startStore({ env: { RELEASE_AFTER_SECONDS: '0', SANDBOX_CARRIER_PACE_SECONDS: '1' } })
  sol = createVisitor()
  await signInAt(store.origin, sol, { email })
  orderId = await placeOnTerms(store, sol)
})
afterAll(() => store[Symbol.asyncDispose]())

const page = '/coverage-claim'
const at = (path: string) => `${store.origin}${path}`
const typed = (fields: Record<string, string> = {}) => ({
  orderNumber: `S-${orderId}`,
  tires: '1',
  kind: 'replacement',
  cause: 'pothole',
  happenedOn: '11/01/2026',
  ...fields,
})

async function send(visitor: Visitor, fields: Record<string, string>, file?: { name: string; bytes: Uint8Array }) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file) form.append('attachment', new File([new Uint8Array(file.bytes)], file.name))
  const answer = await visitor.ask(at(page), { form })
  return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() }
}

test('the page is shareable and has the plan’s table and form', async () => {
  const answer = await createVisitor().ask(at(page))
  const html = await answer.text()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('public, s-maxage=600')
  for (const words of ['$400', '$200', '$100', '$25', 'Nail or screw', 'File claim']) expect(html).toContain(words)
})

test('an uncovered claim is rejected at its field with the input retained', async () => {
  const refused = await send(sol, typed({ cause: 'collision', words: 'Keep <this> & that' }))
  expect(refused.status).toBe(422)
  for (const words of [
    'This order has neither replacement coverage nor a road hazard plan.',
    'Coverage leaves out collisions.',
    'Keep &lt;this&gt; &amp; that',
  ])
    expect(refused.html).toContain(words)
})

test('a guest verifies the order by email or ZIP, and sees no details without it', async () => {
  const stranger = createVisitor()
  for (const [proof, words] of [
    [{}, 'Enter the email or the ZIP code of this order too'],
    [{ zip: '99501' }, 'Please review. Order ID &amp; ZIP Code do not match.'],
    [{ email: 'me@example.com' }, 'Please review. Order ID &amp; email do not match.'],
  ] as const) {
    const answer = await send(stranger, typed(proof))
    expect(answer.status).toBe(422)
    expect(answer.html).toContain(words)
    expect(answer.html).not.toContain('no replacement coverage')
  }
  const proven = await send(stranger, typed({ email }))
  expect(proven.status).toBe(422)
  expect(proven.html).toContain('This order has neither replacement coverage nor a road hazard plan.')
})

test('hostile fields are refused by their field, and a program is thanked', async () => {
  for (const [field, value] of [
    ['orderNumber', '9'.repeat(24)],
    ['orderNumber', '\u0000'],
    ['tires', '-1'],
    ['tires', '1e3'],
    ['kind', '__proto__'],
    ['cause', 'constructor'],
    ['happenedOn', '02/30/2026'],
    ['item', '1 or 1=1'],
    ['tin', '<script>'],
    ['words', 'x'.repeat(1001)],
    ['paid', '-1'],
  ] as const)
    expect((await send(sol, typed({ [field]: value }))).status, `${field} ${value.slice(0, 20)}`).toBe(422)
  const large = await send(sol, typed(), { name: 'large.jpg', bytes: new Uint8Array(1024 * 1024 + 1) })
  expect(large.status).toBe(422)
  expect(large.html).toContain('File size is greater than 1MB')
  const program = await send(createVisitor(), { ...typed(), website: 'x' }, await photo())
  expect(program.status).toBe(303)
  expect(program.location).toBe('/coverage-claim/thanks')
  expect(await store.database.db.selectFrom('coverage_claim').select('id').execute()).toEqual([])
})

test('a claim is filed with a picture, decided by authorized roles, and paid', async () => {
  const guest = createVisitor()
  const covered = await placeHomeOrder(store, guest, { email: 'nail@example.com' }, { hasCoverage: true })
  await eventually('the last parcel', async () => {
    const parcels = await store.database.db
      .selectFrom('shipment')
      .select('state')
      .where('order_id', '=', covered)
      .execute()
    return parcels.length > 0 && parcels.every(({ state }) => state === 'delivered')
  })
  const { year, month, day } = Temporal.Now.plainDateISO('America/Chicago')
  const claim = typed({ orderNumber: `S-${covered}`, happenedOn: `${month}/${day}/${year}`, words: 'On Damen Ave' })
  const bare = await send(guest, claim)
  expect(bare.status).toBe(422)
  expect(bare.html).toContain('Please attach a photo of the damage.')
  const filed = await send(guest, claim, await photo('nail.png'))
  const number = `C-${new URL(filed.location ?? '', store.origin).searchParams.get('claim')}`
  expect(filed.status).toBe(303)
  expect(number).toMatch(/^C-\d+$/)
  expect(await (await guest.ask(at(filed.location ?? ''))).text()).toContain(number)
  const path = `/office/claims/${number}`
  for (const role of staffRoles) {
    const visitor = createVisitor()
    await signInToOffice(store.origin, visitor, { email: `${role}@example.com` })
    const [mayRead, mayDecide] = [staffCan([role], 'claims.read'), staffCan([role], 'claims.decide')]
    const list = await visitor.ask(at('/office/claims'))
    expect(list.status, role).toBe(mayRead ? 200 : 403)
    expect((await list.text()).includes(number), role).toBe(mayRead)
    expect((await visitor.ask(at(`${path}/file`))).status, role).toBe(mayRead ? 200 : 403)
    const high = await visitor.ask(at(path), { form: { intent: 'approve', amount: '400.01' } })
    expect(high.status, role).toBe(mayDecide ? 409 : 403)
    for (const missing of ['/office/claims/C-999999', '/office/claims/C-999999/file', '/office/claims/x'])
      expect((await visitor.ask(at(missing))).status, `${role} ${missing}`).toBe(mayRead ? 404 : 403)
  }
  const support = createVisitor()
  await signInToOffice(store.origin, support, { email: 'support@example.com' })
  const approved = await support.ask(at(path), { form: { intent: 'approve', amount: '120.00' } })
  expect(approved.status).toBe(303)
  expect(approved.headers.get('location')).toBe(`${path}?done=approved`)
  const twice = await support.ask(at(path), { form: { intent: 'refuse', reason: 'Worn.' } })
  expect(twice.status).toBe(409)
  expect(await twice.text()).toContain('Another team member already decided this claim')
  await eventually('the refund', () =>
    store.database.db
      .selectFrom('charge_refund')
      .select('id')
      .where('key', '=', `coverage:${number.slice(2)}`)
      .where('state', '=', 'done')
      .executeTakeFirst(),
  )
  expect(await (await support.ask(at(path))).text()).toContain('$120.00')
})
