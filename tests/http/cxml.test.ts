/**
 * Tests companies that buy with cXML over HTTP: credentials issued by staff, a punchout that returns its cart, purchase
 * order documents, and responses to broken or hostile documents.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleDocument, sampleOrder, samplePunchout, type Sample, type SampleLine } from '#cxml/samples.testing.ts'
import { setTerms } from '#domain/customers/companies/companies.server.ts'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { systemClock } from '#platform/clock.ts'
import { childAt, childrenOf, parseXml, type XmlElement } from '#platform/xml.ts'
import { verify } from '#tests/support/invariants.ts'
import { giveCompany, registerVerified } from '#tests/support/company.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startStore, type RunningStore } from '#tests/support/store.ts'
import { createVisitor, signInToOffice, type Visitor } from '#tests/support/visitor.ts'

let store: RunningStore
const owner: Visitor = createVisitor()
let companyId = ''
let secret = ''
let path = ''

beforeAll(async () => {
  store = await startStore()
  await signInToOffice(store.origin, owner, { email: 'owner@example.com' })
  const { email } = await registerVerified(store, 'Olga')
  companyId = await giveCompany(store.database.db, email)
  path = `/office/companies/${companyId}/purchasing`
  const deps = { db: store.database.db, clock: systemClock }
  await setTerms(deps, { by: desk, id: companyId, terms: { netDays: 30, creditLimitCents: 1_000_000 } })
  secret = await setUp()
})
afterAll(() => store[Symbol.asyncDispose]())

const system = {
  intent: 'system',
  channel: 'procurement',
  domain: 'DUNS',
  identity: '080000001',
  url: '',
  secret: '',
  billName: 'Acme Plumbing AP',
  billStreet: '20 Ledger Lane',
  billCity: 'Chicago',
  billState: 'IL',
  billZip: '60614',
  phone: '312 555 0142',
  email: 'ap@acme.example',
}

const at = (address: string) => `${store.origin}${address}`

/** Sets the system of the company as staff do, and returns the secret that is shown once. */
async function setUp(): Promise<string> {
  const saved = await owner.ask(at(path), { form: system })
  expect(saved.headers.get('location')).toBe(`${path}?done=system`)
  const issued = await (await owner.ask(at(path), { form: { intent: 'secret' } })).text()
  const shown = /<code>([\w-]{43})<\/code>/.exec(issued)?.[1]
  if (shown === undefined) throw new Error('No secret was shown.')
  expect(await (await owner.ask(at(path))).text()).not.toContain(shown)
  return shown
}

async function post(body: string | Uint8Array<ArrayBuffer>, contentType = 'text/xml; charset=utf-8') {
  const response = await fetch(at('/cxml'), { method: 'POST', body, headers: { 'content-type': contentType } })
  const text = await response.text()
  return { status: response.status, text, root: parseXml(text) }
}

/** Posts a request in its envelope, and returns the Status that it is answered with. */
async function send(request: string, envelope: Sample = {}) {
  const { status, root, text } = await post(sampleDocument(request, { secret, ...envelope }))
  expect(status).toBe(200)
  const found = childAt(root, 'Response', 'Status')
  return { code: found?.attributes['code'], words: found?.text ?? '', root, text }
}

/** A tire that is there four times and more. */
async function tireInStock(): Promise<number> {
  const item = await store.database.db
    .selectFrom('stock')
    .innerJoin('item', 'item.id', 'stock.item_id')
    .select('item.id')
    .where('item.active', '=', true)
    .where('on_hand', '>', 20)
    .orderBy('item.id')
    .executeTakeFirstOrThrow()
  return item.id
}

/** Requests a punchout and opens its link in a new browser. */
async function visit(
  setup: Parameters<typeof samplePunchout>[0],
  envelope: Sample,
): Promise<{ visitor: Visitor; response: Response }> {
  const { root } = await send(samplePunchout(setup), envelope)
  const url = childAt(root, 'Response', 'PunchOutSetupResponse', 'StartPage', 'URL')?.text ?? ''
  expect(url).toContain(at('/punchout/'))
  const visitor = createVisitor()
  return { visitor, response: await visitor.ask(url) }
}

/** Opens a punchout, adds four tires to its cart, and returns the resulting message. */
async function shop(
  payloadId: string,
  envelope: Sample = {},
  asked: Parameters<typeof samplePunchout>[0] = {},
): Promise<{ visitor: Visitor; message: XmlElement; lines: SampleLine[]; page: string }> {
  const { visitor, response: opened } = await visit(asked, { payloadId, ...envelope })
  expect(opened.headers.get('location')).toBe('/')
  await visitor.ask(at('/cart'), { form: { item: String(await tireInStock()), quantity: '4' } })
  expect(await (await visitor.ask(at('/cart'))).text()).toContain('Send to your purchasing system')
  return { visitor, ...(await takeBack(visitor)) }
}

/** Takes the cart of a visit back, and reads what its purchasing system gets. */
async function takeBack(visitor: Visitor): Promise<{ message: XmlElement; lines: SampleLine[]; page: string }> {
  const response = await visitor.ask(at('/punchout/return'))
  expect(response.headers.get('content-security-policy')).toContain('https://buyer.example')
  const page = await response.text()
  expect(page).toContain('action="https://buyer.example/return"')
  const encoded = /name="cxml-base64" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const root = parseXml(Buffer.from(encoded, 'base64').toString())
  const message = childAt(root, 'Message', 'PunchOutOrderMessage')
  if (!message) throw new Error('The page has no message.')
  const lines = childrenOf(message, 'ItemIn').map((each) => ({
    partId: childAt(each, 'ItemID', 'SupplierPartID')?.text ?? '',
    quantity: Number(each.attributes['quantity']),
    unitCents: Math.round(Number(childAt(each, 'ItemDetail', 'UnitPrice', 'Money')?.text) * 100),
  }))
  return { message, lines, page }
}

test('a visit takes its cart back, and its lines are placed as an order, once', async () => {
  const { visitor, message, lines } = await shop('visit-1')
  expect(childAt(message, 'BuyerCookie')?.text).toBe('cookie-1')
  expect(lines[0]).toMatchObject({ quantity: 4 })
  // What is to be approved is not paid here.
  for (const step of ['/checkout/payments', '/checkout/order-summary', '/checkout/shipping-confirmation'])
    expect((await visitor.ask(at(step))).headers.get('location')).toBe('/punchout/return')

  const order = sampleOrder(lines, { orderId: 'PO-2001' })
  const placed = await send(order, { payloadId: 'order-1' })
  expect(placed.code).toBe('200')
  expect(placed.words).toMatch(/^Order S-\d+ is placed\.$/)
  expect((await send(order, { payloadId: 'order-1' })).text).toBe(placed.text)
  expect(await send(order, { payloadId: 'order-2' })).toMatchObject({ code: '409' })
  const orders = await store.database.db
    .selectFrom('sales_order')
    .select(['id', 'buyer_id', 'company_id'])
    .where('company_id', '=', companyId)
    .execute()
  expect(orders).toMatchObject([{ buyer_id: null }])
  const [first] = lines
  const short = sampleOrder(first ? [first] : [], { orderId: 'PO-2002', totalCents: 1 })
  const refused = await send(short, { payloadId: 'order-3' })
  expect(refused.code).toBe('406')
  expect(refused.words).toMatch(/is missing|The Total is/)
  expect(await verify(store.database.db, systemClock.now())).toEqual([])
  const page = await (await owner.ask(at(path))).text()
  for (const words of ['OrderRequest', 'PunchOutSetupRequest', '409']) expect(page).toContain(words)
})

test('a link opens one visit, and an ended visit shows no company data', async () => {
  const setup = await send(samplePunchout({ operation: 'create' }), { payloadId: 'visit-2' })
  const url = childAt(setup.root, 'Response', 'PunchOutSetupResponse', 'StartPage', 'URL')?.text ?? ''
  const visitor = createVisitor()
  await visitor.ask(url)
  const second = createVisitor()
  expect((await second.ask(url)).headers.get('location')).toBe('/punchout/return')
  expect(await (await second.ask(at('/punchout/return'))).text()).toContain('This visit is over')
  expect(await (await visitor.ask(at('/punchout/return'))).text()).toContain('Acme Plumbing')
  expect((await visitor.ask(at('/punchout/leave'), { form: {} })).status).toBe(303)
  expect(await (await visitor.ask(at('/punchout/return'))).text()).toContain('This visit is over')
})

test('an order that is looked at again brings its tires', async () => {
  const { lines } = await shop('visit-3')
  const [tire] = lines
  const items = `<ItemOut quantity="2"><ItemID><SupplierPartID>${tire?.partId}</SupplierPartID></ItemID></ItemOut>`
  const setup = await send(samplePunchout({ operation: 'inspect', items }), { payloadId: 'visit-4' })
  const url = childAt(setup.root, 'Response', 'PunchOutSetupResponse', 'StartPage', 'URL')?.text ?? ''
  const visitor = createVisitor()
  const { response } = await visitor.follow(url)
  const page = await response.text()
  expect(page).toContain('Tires in your order')
  expect(page).toContain(`${tire?.partId}, 2 at`)
})

/** A military exchange, set up by staff with an address for documents; returns what its documents carry. */
async function openExchange(): Promise<Sample> {
  const { email } = await registerVerified(store, 'Ellis')
  const id = await giveCompany(store.database.db, email, { name: 'Army Exchange' })
  const terms = { netDays: 30, creditLimitCents: 1_000_000 }
  await setTerms({ db: store.database.db, clock: systemClock }, { by: desk, id, terms })
  const office = at(`/office/companies/${id}/purchasing`)
  const documents = { url: `${store.sandboxOrigin}/buyer/cxml`, secret: 'sandbox-buyer-secret' }
  const asked = { channel: 'military-exchange', identity: 'EXCHANGE', billName: 'Army Exchange' }
  expect((await owner.ask(office, { form: { ...system, ...documents, ...asked } })).status).toBe(303)
  const issued = await (await owner.ask(office, { form: { intent: 'secret' } })).text()
  return { identity: 'EXCHANGE', secret: /<code>([\w-]{43})<\/code>/.exec(issued)?.[1] ?? '' }
}

const extrinsicOf = (element: XmlElement | undefined, name: string) =>
  childrenOf(element, 'Extrinsic').find(({ attributes }) => attributes['name'] === name)?.text

test('an exchange’s visit uses its price label, can be edited and inspected, and its order names the customer', async () => {
  const exchange = await openExchange()
  const first = await shop('exchange-1', exchange, { customerId: 'CUST-9' })
  expect(await (await first.visitor.ask(at('/cart'))).text()).toContain('Military exchange price')
  expect(childAt(first.message, 'PunchOutOrderMessageHeader', 'Tax', 'Money')?.text).toBe('0.00')
  const [tire] = first.lines
  if (!tire) expect.unreachable()

  const items = `<ItemOut quantity="4"><ItemID><SupplierPartID>${tire.partId}</SupplierPartID></ItemID></ItemOut>`
  const customerId = 'CUST-9'
  const edited = await visit({ operation: 'edit', items, customerId }, { ...exchange, payloadId: 'exchange-2' })
  expect(edited.response.headers.get('location')).toBe('/cart')
  await edited.visitor.ask(at('/cart'), { form: { item: String(await tireInStock()), quantity: '1' } })
  const changed = await takeBack(edited.visitor)
  expect(changed.lines[0]).toMatchObject({ partId: tire.partId, quantity: 5 })
  const allowed = (message: XmlElement) =>
    childAt(message, 'PunchOutOrderMessageHeader')?.attributes['operationAllowed']
  expect(allowed(changed.message)).toBe('edit')
  const looked = await visit({ operation: 'inspect', items, customerId }, { ...exchange, payloadId: 'exchange-3' })
  expect(looked.response.headers.get('location')).toBe('/punchout/return')
  const inspected = await takeBack(looked.visitor)
  expect(allowed(inspected.message)).toBe('inspect')
  expect(inspected.page).toContain('Tires in your order')

  const item = childrenOf(changed.message, 'ItemIn')[0]
  expect(extrinsicOf(childAt(item, 'ItemDetail'), 'CustomerId')).toBe(customerId)
  const origin = childAt(item, 'ItemID', 'SupplierPartAuxiliaryID')?.text ?? ''
  const orderOf = (customer: string) =>
    sampleOrder(changed.lines, {
      orderId: 'PX-1',
      taxCents: 0,
      billTo: 'Army Exchange',
      extrinsics: `<Extrinsic name="CustomerId">${customer}</Extrinsic>`,
    }).replaceAll('</SupplierPartID>', `$&<SupplierPartAuxiliaryID>${origin}</SupplierPartAuxiliaryID>`)
  expect(await send(orderOf('CUST-8'), { ...exchange, payloadId: 'px-0' })).toMatchObject({ code: '406' })
  const placed = await send(orderOf(customerId), { ...exchange, payloadId: 'px-1' })
  expect(placed.code).toBe('200')
  expect(placed.words).toMatch(/^Order S-\d+ is placed\.$/)
  const number = /S-(\d+)/.exec(placed.words)?.[1] ?? ''
  const page = await (await owner.ask(at(`/office/orders/${number}`))).text()
  for (const words of ['Military exchange', 'Army Exchange', 'CUST-9', 'PX-1']) expect(page).toContain(words)
  const file = await (await owner.ask(at(`/office/orders.csv?order=S-${number}`))).text()
  expect(file).toContain('Military exchange,CUST-9')
  const board = createVisitor()
  const told = async () =>
    /ConfirmationRequest[^]*PX-1|PX-1[^]*ConfirmationRequest/.test(
      await (await board.ask(`${store.sandboxOrigin}/buyer`)).text(),
    ) || undefined
  expect(await eventually('confirmation', told)).toBe(true)
})

test('the sandbox’s purchasing system shops, orders, and gets notifications', async () => {
  const { email } = await registerVerified(store, 'Rolf')
  const id = await giveCompany(store.database.db, email, { name: 'Sandbox Fleet' })
  const terms = { netDays: 30, creditLimitCents: 1_000_000 }
  await setTerms({ db: store.database.db, clock: systemClock }, { by: desk, id, terms })
  const office = at(`/office/companies/${id}/purchasing`)
  const documents = { url: `${store.sandboxOrigin}/buyer/cxml`, secret: 'sandbox-buyer-secret' }
  const saved = await owner.ask(office, { form: { ...system, ...documents, identity: 'SANDBOX-BUYER' } })
  expect(saved.status).toBe(303)
  const issued = await (await owner.ask(office, { form: { intent: 'secret' } })).text()
  const board = `${store.sandboxOrigin}/buyer`
  const clerk = createVisitor()
  await clerk.ask(`${board}/secret`, { form: { secret: /<code>([\w-]{43})<\/code>/.exec(issued)?.[1] ?? '' } })
  await clerk.ask(`${board}/open`, { form: {} })
  const start = /href="([^"]+\/punchout\/[^"]+)"/.exec(await (await clerk.ask(board)).text())?.[1] ?? ''
  await clerk.ask(start)
  await clerk.ask(at('/cart'), { form: { item: String(await tireInStock()), quantity: '4' } })
  const page = await (await clerk.ask(at('/punchout/return'))).text()
  const encoded = /name="cxml-base64" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const back = await clerk.ask(`${board}/return`, {
    form: { 'cxml-base64': encoded },
    headers: { origin: store.origin },
  })
  expect(back.status).toBe(303)
  const order = /action="(\/buyer\/order\/[^"]+)"/.exec(await (await clerk.ask(board)).text())?.[1] ?? ''
  await clerk.ask(store.sandboxOrigin + order, { form: {} })
  expect(await (await clerk.ask(board)).text()).toMatch(/200 Order S-\d+ is placed/)
  const told = async () => ((await (await clerk.ask(board)).text()).includes('ConfirmationRequest') ? true : undefined)
  expect(await eventually('confirmation', told)).toBe(true)
})

test('wrong credentials, other recipients and other requests are refused by their code', async () => {
  const ask = '<ProfileRequest/>'
  expect(await send(ask, { secret: 'wrong' })).toMatchObject({ code: '401' })
  expect(await send(ask, { identity: 'nobody' })).toMatchObject({ code: '401' })
  expect(await send(ask, { to: 'ELSEWHERE' })).toMatchObject({ code: '401' })
  expect(await send(ask, { payloadId: 'profile' })).toMatchObject({ code: '200' })
  expect(await send('<CatalogUploadRequest/>', { payloadId: 'catalog' })).toMatchObject({ code: '450' })
  const change = sampleOrder([{ partId: 'A', quantity: 1, unitCents: 1 }], { type: 'delete' })
  expect(await send(change, { payloadId: 'delete' })).toMatchObject({ code: '450' })
  const update =
    '<StatusUpdateRequest><DocumentReference payloadID="d"/><Status code="423" text="Rejected"/></StatusUpdateRequest>'
  expect(await send(update, { payloadId: 'update' })).toMatchObject({ code: '200' })
  expect(await (await owner.ask(at(path))).text()).toContain('423 Rejected')
  expect((await fetch(at('/cxml'))).status).toBe(405)
})

test('hostile and malformed documents get cXML responses without server errors', async () => {
  const whole = sampleDocument(sampleOrder([{ partId: 'A', quantity: 1, unitCents: 1 }]), { secret })
  const laughs = whole.replace('SYSTEM "', '[<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">] SYSTEM "')
  const outside = whole.replace(/<!DOCTYPE[^>]+>/, '<!DOCTYPE cXML [<!ENTITY x SYSTEM "file:///etc/passwd">]>')
  const documents: (string | Uint8Array<ArrayBuffer>)[] = [
    '',
    'hello',
    '<cXML/>',
    laughs,
    outside,
    '<a>'.repeat(100_000),
    `<a ${'b="c" '.repeat(150_000)}/>`,
    'x'.repeat(1_100_000),
    new Uint8Array([0xff, 0xfe, 0x3c, 0x00, 0x61, 0x00]),
    whole.replace('UTF-8', 'UTF-7'),
  ]
  for (const document of documents) {
    const { status, root } = await post(document)
    expect(status).toBe(200)
    expect(childAt(root, 'Response', 'Status')?.attributes['code']).toBe('406')
  }
  const part = fc.record({
    at: fc.nat(whole.length),
    cut: fc.nat(30),
    put: fc.string({ maxLength: 6, unit: 'binary' }),
  })
  // A correct secret resets its count. Truncated ones are rate-limited after a while, but don't cause errors.
  for (const cuts of fc.sample(fc.array(part, { minLength: 1, maxLength: 3 }), 60)) {
    let text = whole
    for (const { at: place, cut, put } of cuts) text = text.slice(0, place) + put + text.slice(place + cut)
    const { status, root } = await post(text)
    const code = Number(childAt(root, 'Response', 'Status')?.attributes['code'])
    expect(status).toBe(200)
    expect([401, 406, 409, 450, 560]).toContain(code)
  }
})
