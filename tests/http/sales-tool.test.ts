/** Tests the Sales Tool without JavaScript from the cart to the customer, including access and hostile input. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endGrant, grantType } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { systemClock } from '#platform/clock.ts'
import { newId } from '#platform/ids.ts'
import { registerVerified } from '#tests/support/company.ts'
import { linkIn, mailFor, newestMail } from '#tests/support/mailbox.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInAt, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
/** Two salespeople, and a shopper. */
let sam: Visitor
let ann: Visitor
let annId: string
let dana: Visitor
const list = '/account/sales-tool'
const making = '/account/sales-tool/new'
beforeAll(async () => {
  store = await startStore()
  ;[sam, dana] = [createVisitor(), createVisitor()]
  await signInAt(store.origin, sam, { email: 'sam@example.com' })
  await signInAt(store.origin, dana)
  ;({ visitor: ann, accountId: annId } = await registerVerified(store, 'Ann', 'ann@sales.example'))
  const deps = { db: store.database.db, clock: systemClock }
  await grantType(deps, { accountId: annId, type: 'Sales Tool', how: 'staff', until: null, by: 'a test' })
})
afterAll(() => store[Symbol.asyncDispose]())

const isRefusal = (status: number) => status >= 400 && status < 500
const at = (path: string) => `${store.origin}${path}`
const read = async (visitor: Visitor, path: string) =>
  (await (await visitor.ask(at(path))).text()).replaceAll('<!-- -->', '')

async function fillCart(visitor: Visitor): Promise<void> {
  visitor.setCookie('localhost', 'sw_zip', '60614')
  const added = await visitor.ask(at('/cart'), { form: { item: '100001', quantity: '4', axle: 'all' } })
  expect(added.status).toBe(303)
}

/** The page's form as a browser would send it. */
async function formOf(visitor: Visitor, change: Record<string, string> = {}): Promise<Record<string, string>> {
  const html = await read(visitor, `${making}?place=home`)
  const hidden = [...html.matchAll(/<input type="hidden" name="(key|place|seen)" value="([^"]*)"/g)]
  return {
    ...Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
    name: 'Rosa Whitfield',
    email: `rosa-${newId()}@example.com`,
    phone: '',
    note: 'As we said on the phone.',
    ...change,
  }
}

async function send(visitor: Visitor, change: Record<string, string> = {}): Promise<string> {
  const sent = await visitor.ask(at(making), { form: await formOf(visitor, change) })
  expect(sent.status).toBe(303)
  return (sent.headers.get('location') ?? '').replace(/\?.*$/, '')
}

test('only sales accounts have the pages and a link to them', async () => {
  expect(await read(sam, '/account')).toContain(`href="${list}"`)
  expect(await read(dana, '/account')).not.toContain(list)
  for (const path of [list, making, `${list}/2001`]) {
    expect((await dana.ask(at(path))).status, path).toBe(404)
    const pressed = await dana.ask(at(path), { form: { intent: 'withdraw' } })
    if (path !== list) expect(pressed.status, path).toBe(404)
    expect((await createVisitor().ask(at(path))).headers.get('location')).toMatch(/^\/sign-in\?back=/)
  }
  // A quote of staff is not theirs either.
  expect((await sam.ask(at(`${list}/2001`))).status).toBe(404)
})

test('a cart becomes a quote, its fate is seen step by step, and it is withdrawn', async () => {
  expect(await read(sam, making)).toContain('your cart is empty')
  await fillCart(sam)
  const shops = await read(sam, making)
  expect(shops).toMatch(/<option value="shop-\d+"/)
  const email = `rosa-${newId()}@example.com`
  const form = await formOf(sam, { email })
  const wrong = await sam.ask(at(making), { form: { ...form, email: 'rosa', name: '' } })
  const again = await wrong.text()
  expect(wrong.status).toBe(422)
  for (const said of ['Enter the customer’s name.', 'Please enter a valid email', 'value="rosa"', 'As we said on'])
    expect(again).toContain(said)
  const moved = await sam.ask(at(making), { form: { ...form, seen: '1' } })
  expect(moved.status).toBe(409)
  expect(await moved.text()).toContain('Quote Could Not Be Sent')

  const [first, second] = await Promise.all([1, 2].map(() => sam.ask(at(making), { form })))
  const page = first?.headers.get('location') ?? ''
  expect(first?.status).toBe(303)
  expect(second?.headers.get('location')).toBe(page)
  expect(await read(sam, page)).toContain('Quote Sent Successfully')
  const path = page.replace(/\?.*$/, '')
  const mail = await newestMail(store, email, 'Your quote Q-')
  expect(mail.text).toContain('As we said on the phone.')
  const link = linkIn(mail, '/quote/')
  expect(await read(sam, path)).toContain(link)
  expect(await read(sam, path)).toMatch(/<li>\d+ × [A-Z][^<]+ \d{3}\/\d{2}R\d{2}/)

  expect((await createVisitor().ask(link, { form: {} })).headers.get('location')).toBe('/cart')
  expect(await read(sam, path)).toMatch(/Opened<\/b>, The customer/)
  expect(await read(sam, `${list}?state=opened`)).toContain(path)
  expect(await read(sam, `${list}?state=ordered`)).not.toContain(path)

  const mails = /name="mails" value="(\d+)"/.exec(await read(sam, path))?.[1] ?? ''
  const presses = [1, 2].map(() => sam.ask(at(path), { form: { intent: 'again', mails } }))
  expect((await Promise.all(presses)).map(({ status }) => status)).toEqual([303, 303])
  expect((await read(sam, path)).match(/<b>Sent again/g)).toHaveLength(1)

  const unsaid = await sam.ask(at(path), { form: { intent: 'withdraw', reason: '' } })
  expect(unsaid.status).toBe(422)
  expect(await unsaid.text()).toContain('Say why.')
  expect((await sam.ask(at(path), { form: { intent: 'withdraw', reason: 'Wrong tire.' } })).status).toBe(303)
  expect(await read(sam, path)).toMatch(/Withdrawn<\/b>, You: Wrong tire\./)
  expect((await createVisitor().ask(link)).status).toBe(410)
  expect((await mailFor(store, email)).length).toBeLessThanOrEqual(2)

  const office = createVisitor()
  await signInToOffice(store.origin, office, { email: 'sales@example.com' })
  expect(await read(office, `/office/quotes?email=${email}`)).toContain('Sam Doyle (sam@example.com), Sales Tool')
})

test('one salesperson neither sees nor ends the quote of another', async () => {
  await fillCart(sam)
  const path = await send(sam)
  expect((await ann.ask(at(path))).status).toBe(404)
  for (const form of [
    { intent: 'withdraw', reason: 'Mine.' },
    { intent: 'again', mails: '1' },
  ])
    expect((await ann.ask(at(path), { form })).status).toBe(404)
  expect(await read(ann, list)).toContain('You have not sent a quote yet.')
  expect(await read(sam, path)).toContain('Withdraw the quote')
})

test('hostile addresses and fields are refused by name, never with a fault of the store', async () => {
  await fillCart(ann)
  const form = await formOf(ann)
  const addresses = ['x', '0', '-1', '%00', '99999999999999999999', "1'--", 'a'.repeat(400)]
  for (const id of addresses) {
    const asked = await ann.ask(at(`${list}/${id}`))
    const posted = await ann.ask(at(`${list}/${id}`), { form: { intent: 'withdraw', reason: 'x' } })
    expect(isRefusal(asked.status), id).toBe(true)
    expect(isRefusal(posted.status), id).toBe(true)
  }
  for (const query of ['?state=__proto__', '?state=toString&before=abc', `?before=${'9'.repeat(40)}`])
    expect((await ann.ask(at(list + query))).status).toBe(200)
  for (const place of ['shop-0', 'shop-999999999', '__proto__', 'x'.repeat(900)])
    expect((await ann.ask(at(`${making}?place=${place}`))).status).toBe(200)
  const changes: Record<string, string>[] = [
    { key: 'x' },
    { key: '' },
    { seen: '-1' },
    { seen: '1e309' },
    { seen: 'NaN' },
    { place: 'shop-0' },
    { place: 'x'.repeat(5_000) },
    { phone: '12' },
    { note: 'x'.repeat(4_000) },
    { name: '\u0000' },
    { email: `${'a'.repeat(300)}@example.com` },
  ]
  for (const change of changes)
    expect((await ann.ask(at(making), { form: { ...form, ...change } })).status, JSON.stringify(change)).toBe(422)
  const gone = { ...form, place: 'shop-999999999' }
  expect((await ann.ask(at(making), { form: gone })).status).toBe(409)
  expect(await read(ann, list)).toContain('You have not sent a quote yet.')
})

test('without the account type the pages return 404, and sent quotes remain valid', async () => {
  await fillCart(ann)
  const email = `rosa-${newId()}@example.com`
  const path = await send(ann, { email })
  const form = await formOf(ann)
  await endGrant({ db: store.database.db, clock: systemClock }, { accountId: annId, type: 'Sales Tool' })
  for (const page of [list, making, path]) expect((await ann.ask(at(page))).status, page).toBe(404)
  expect((await ann.ask(at(making), { form })).status).toBe(404)
  expect((await ann.ask(at(path), { form: { intent: 'withdraw', reason: 'x' } })).status).toBe(404)
  const link = linkIn(await newestMail(store, email, 'Your quote'), '/quote/')
  expect((await createVisitor().ask(link)).status).toBe(200)
})
