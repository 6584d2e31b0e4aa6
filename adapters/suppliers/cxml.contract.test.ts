/** Holds the adapter and the sandbox's suppliers to cXML 1.2, and the adapter to reading hostile XML without harm. */
import { expect, test } from 'vitest'
import type { SupplierMessage, SupplierOrder } from '#domain/supply/stock/supplier.port.ts'
import { supplierNames } from '#sandbox/suppliers/suppliers.ts'
import { startReceiver, startTestSandbox, testSecrets, type TestSandbox } from '#sandbox/test-sandbox.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { sampleOrder } from './sample-order.testing.ts'
import { createCxmlSuppliers } from './cxml.ts'
import { dtdFaults } from './cxml-models.testing.ts'
import { createOutgoing } from '#platform/outgoing-http.ts'
import { parseXml } from '#platform/xml.ts'

const [port = 0] = await freePorts(3)

const config = {
  identity: 'SIDEWALL-TEST',
  secret: testSecrets.supplierSecret,
  callbackSecret: testSecrets.supplierCallbackSecret,
  isTest: true,
}
const outgoing = createOutgoing({ trustedOrigin: null, trustsThisMachine: true })
const rest = { store: { name: 'Sidewall', address: '100 Sample Street, Chicago, IL 60601' }, outgoing }

const order = sampleOrder('RIDGEWAY', 'Ann <Smith> & "Co"')
const toName = (name: string, id?: number) => sampleOrder('RIDGEWAY', name, id)

const suppliersAt = ({ origin }: { origin: string }, change: Partial<typeof config> = {}) =>
  createCxmlSuppliers({ ...config, ...change, url: `${origin}/cxml` }, rest)

/** Problem with a document by the DTDs. */
function faultsOf(body: string): string[] {
  const root = parseXml(body)
  return root ? dtdFaults(root) : ['malformed']
}

async function ordersAt({ origin }: TestSandbox) {
  const answer = await fetch(`${origin}/suppliers/orders.json`)
  return (await answer.json()) as {
    orders: { payloadId: string; state: string; times: number; name: string; lines: unknown }[]
    posts: { lastAnswer: string | null }[]
  }
}

test('orders and withdrawals have the elements and attributes of the DTD, in its order', async () => {
  await using receiver = await startReceiver(port + 2)
  const suppliers = createCxmlSuppliers({ ...config, url: `http://127.0.0.1:${port + 2}/cxml` }, rest)
  await suppliers.order(order)
  await suppliers.order(order)
  await suppliers.withdraw({ ...order, shipTo: { ...order.shipTo, phone: '' } })
  const [first, again, withdrawal] = receiver.received.map(({ body }) => body)
  expect(receiver.received.map(({ body }) => faultsOf(body))).toEqual([[], [], []])
  expect(again).toBe(first)
  expect(first).toContain('<Money currency="USD">398.00</Money>')
  expect(first?.match(/<ManufacturerPartID>.*?<\/ManufacturerName>/g)).toEqual([
    '<ManufacturerPartID>KT-22565</ManufacturerPartID><ManufacturerName xml:lang="en-US">Kestrel</ManufacturerName>',
  ])
  expect(first).toContain('Ann &lt;Smith&gt; &amp; &quot;Co&quot;')
  expect(withdrawal).toContain('<DocumentReference payloadID="PO-5001-1@sidewall"')
  // The schemas detect the error.
  expect(faultsOf(first?.replace(/<City>.*?<\/City>/, '') ?? '')).toHaveLength(1)
  expect(faultsOf(first?.replace(' orderID="PO-5001"', '') ?? '')).toEqual([
    'cXML/Request/OrderRequest/OrderRequestHeader: no orderID',
  ])
})

test('an order is taken once however often it is sent, and its number by one message', async () => {
  await using sandbox = await startTestSandbox(port)
  const suppliers = suppliersAt(sandbox)
  for (let count = 0; count < 3; count++) expect(await suppliers.order(order)).toEqual({ ok: true })
  expect((await ordersAt(sandbox)).orders).toMatchObject([
    { times: 3, name: 'Ann <Smith> & "Co"', lines: [{ quantity: 4 }, { lineNo: 2 }] },
  ])
  expect(await suppliers.order({ ...order, payloadId: 'PO-5001-2@sidewall' })).toMatchObject({ reason: 'refused' })
  expect(await suppliers.withdraw(order)).toEqual({ ok: true })
  expect(await suppliers.withdraw(order)).toEqual({ ok: true })
  expect((await ordersAt(sandbox)).orders).toMatchObject([{ state: 'withdrawn' }])
  expect(await suppliers.withdraw(toName('Ann', 5002))).toMatchObject({ reason: 'refused', words: /^409/ })
})

test('retries a network that is unavailable or rejects our identity, but not a final rejection', async () => {
  await using sandbox = await startTestSandbox(port)
  expect(await suppliersAt(sandbox).order(toName(supplierNames.down))).toMatchObject({ reason: 'unavailable' })
  expect(await suppliersAt(sandbox, { secret: 'wrong' }).order(order)).toMatchObject({ reason: 'unavailable' })
  expect(await suppliersAt(sandbox).order(toName(supplierNames.refuses))).toMatchObject({ reason: 'refused' })
  expect(await suppliersAt({ origin: `http://127.0.0.1:${port + 2}` }).order(order)).toMatchObject({
    reason: 'unavailable',
  })
})

const played = [
  ['Ann', ['filled']],
  [supplierNames.rejects, ['rejected']],
  [supplierNames.backorders, ['backordered']],
  [supplierNames.partly, ['partly']],
  [supplierNames.twice, ['filled', 'filled', 'filled']],
  [supplierNames.changes, ['filled', 'rejected']],
  [supplierNames.silent, []],
] as const

test.for(played)('%s is answered in the form of the DTD, and read', async ([name, answers]) => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { supplierUrl: `http://127.0.0.1:${port + 2}/webhooks` })
  const suppliers = suppliersAt(sandbox)
  await suppliers.order(toName(name))
  await sandbox.pass({ seconds: 3 })
  expect(receiver.received.map(({ body }) => faultsOf(body))).toEqual(answers.map(() => []))
  expect(receiver.received.map(({ body }) => saidIn(suppliers.readMessage(body, () => null)))).toEqual(answers)
})

function saidIn(read: ReturnType<ReturnType<typeof suppliersAt>['readMessage']>): string {
  if (!read.ok || read.message.kind !== 'confirmation') return 'unread'
  const { lines, rest } = read.message
  if (lines.length === 0) return rest ?? 'nothing'
  return lines.some(({ filled }) => filled > 0)
    ? 'partly'
    : lines.every((line) => line.rejected > 0)
      ? 'rejected'
      : 'backordered'
}

test('a ship notice has the form of the DTD, and is read', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { supplierUrl: `http://127.0.0.1:${port + 2}/webhooks` })
  const suppliers = suppliersAt(sandbox)
  await suppliers.order(order)
  await sandbox.pass({ seconds: 3 })
  await fetch(`${sandbox.origin}/suppliers/advance/${encodeURIComponent(order.payloadId)}`, { method: 'POST' })
  await sandbox.catchUp()
  const notice = receiver.received[1]?.body ?? ''
  expect(faultsOf(notice)).toEqual([])
  const read = suppliers.readMessage(notice, () => null)
  expect(read).toMatchObject({
    ok: true,
    message: {
      kind: 'ship-notice',
      networkId: 'RIDGEWAY',
      orderPayloadId: order.payloadId,
      tracking: /^Sample Freight SF/,
      deliveryOn: '2026-06-17',
    } satisfies Partial<Record<keyof SupplierMessage | 'tracking' | 'deliveryOn', unknown>>,
  })
})

test('an order that may come in parts is answered and shipped by line, in the form of the DTD', async () => {
  await using receiver = await startReceiver(port + 2)
  await using sandbox = await startTestSandbox(port, { supplierUrl: `http://127.0.0.1:${port + 2}/webhooks` })
  const stock: SupplierOrder = {
    ...order,
    number: 'SPO-1001',
    payloadId: 'SPO-1001-1@sidewall',
    isWhole: false,
    note: 'Dock <4>',
    shipTo: { ...order.shipTo, name: supplierNames.partly, phone: '' },
    lines: order.lines.map((line) => ({ ...line, quantity: 10_000 })),
  }
  const sent = createCxmlSuppliers({ ...config, url: `http://127.0.0.1:${port + 2}/cxml` }, rest)
  await sent.order(stock)
  await sent.order({ ...stock, note: null })
  const [first = '', plain = ''] = receiver.received.map(({ body }) => body)
  expect([first, plain].map(faultsOf)).toEqual([[], []])
  expect(first).toContain('<Comments xml:lang="en-US">Dock &lt;4&gt;</Comments>')
  expect(plain).not.toContain('<Comments')
  expect(first).not.toContain('shipComplete')

  const suppliers = suppliersAt(sandbox)
  await suppliers.order(stock)
  await sandbox.pass({ seconds: 3 })
  await fetch(`${sandbox.origin}/suppliers/advance/${encodeURIComponent(stock.payloadId)}`, { method: 'POST' })
  await sandbox.catchUp()
  const [answer = '', notice = ''] = receiver.received.slice(2).map(({ body }) => body)
  expect([answer, notice].map(faultsOf)).toEqual([[], []])
  expect(suppliers.readMessage(answer, () => null)).toMatchObject({
    message: {
      orderPayloadId: stock.payloadId,
      rest: null,
      deliveryOn: '2026-06-17',
      lines: [1, 2].map((lineNo) => ({ lineNo, filled: 5_000, rejected: 5_000, backordered: 0 })),
    },
  })
  expect(notice).toContain('quantity="5000"')
})

test('an answer to a message has the form of the DTD', () => {
  const suppliers = suppliersAt({ origin: 'http://127.0.0.1' })
  for (const code of [200, 400, 401, 406, 409, 450])
    expect(faultsOf(suppliers.answerOf({ code, words: 'Words <of> ours', at: order.at }))).toEqual([])
})

/** A confirmation that is read, to be spoiled. */
const confirmation = (change: (body: string) => string = (body) => body) =>
  change(`<?xml version="1.0"?><!DOCTYPE cXML SYSTEM "http://127.0.0.1:9/Fulfill.dtd">
<cXML payloadID="m1" timestamp="2026-06-15T12:00:00Z"><Header><From><Credential domain="NetworkId"><Identity>RIDGEWAY</Identity></Credential></From><To><Credential domain="NetworkId"><Identity>SIDEWALL-TEST</Identity></Credential></To><Sender><Credential domain="NetworkId"><Identity>HUB</Identity><SharedSecret>${config.callbackSecret}</SharedSecret></Credential><UserAgent>x</UserAgent></Sender></Header><Request><ConfirmationRequest><ConfirmationHeader type="accept" noticeDate="2026-06-15T12:00:00Z"/><OrderReference><DocumentReference payloadID="PO-5001-1@sidewall"/></OrderReference></ConfirmationRequest></Request></cXML>`)

const read = (body: string) => suppliersAt({ origin: 'http://127.0.0.1' }).readMessage(body, () => null)

test('rejects hostile, malformed, and misaddressed documents without fetching their URLs', async () => {
  await using receiver = await startReceiver(port + 2)
  const there = `http://127.0.0.1:${port + 2}`
  expect(read(confirmation((body) => body.replace('http://127.0.0.1:9', there)))).toMatchObject({ ok: true })
  const declares = (declarations: string, use = '&a;') =>
    confirmation((body) =>
      body.replace(/<!DOCTYPE[^>]*>/, `<!DOCTYPE cXML [${declarations}]>`).replace('>RIDGEWAY<', `>${use}<`),
    )
  const hostile = [
    '',
    '<',
    'x'.repeat(200_000),
    '<a>'.repeat(50_000),
    `${'<a>'.repeat(2_000)}${'</a>'.repeat(2_000)}`,
    '<cXML/><cXML/>',
    '<__proto__><Header/></__proto__>',
    confirmation((body) => body.slice(0, -8)),
    confirmation((body) => body.replace('RIDGEWAY', 'A&#0;B')),
    confirmation((body) => body.replace('RIDGEWAY', '\u0001')),
    declares(`<!ENTITY a SYSTEM "file:///etc/passwd">`),
    declares(`<!ENTITY a SYSTEM "${there}/entity">`),
    declares(`<!ENTITY % a SYSTEM "${there}/parameter"> %a;`, 'x'),
    declares('<!ENTITY a "RIDGEWAY">'),
    declares(
      `<!ENTITY z "ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n} "${`&${n === 0 ? 'z' : `a${n - 1}`};`.repeat(10)}">`).join('')}`,
      '&a8;',
    ),
    confirmation((body) => body.replace('<Header>', '<!ENTITY a "x"><Header>')),
    confirmation((body) => body.replace('SIDEWALL-TEST', 'SOMEONE-ELSE')),
    confirmation((body) => body.replace('payloadID="m1"', '')),
    confirmation((body) => body.replace('type="accept"', 'type="constructor"')),
    confirmation((body) => body.replace('<OrderReference>', '<Other>').replace('</OrderReference>', '</Other>')),
    confirmation((body) => body.replaceAll('ConfirmationRequest', 'StatusUpdateRequest')),
  ]
  expect(hostile.map((body) => read(body).ok)).toEqual(hostile.map(() => false))
  expect(receiver.received).toEqual([])
})

test('a supplier with its own system proves itself with its own secret alone, and only for itself', async () => {
  await using receiver = await startReceiver(port + 2)
  const own = {
    protocol: 'cxml' as const,
    url: `http://127.0.0.1:${port + 2}/orders`,
    identity: 'STORE-88',
    secret: 'secret of ridgeway',
  }
  const alone = createCxmlSuppliers(null, rest)
  await alone.order({ ...order, own })
  const [sent] = receiver.received.map(({ body }) => body)
  expect(sent && faultsOf(sent)).toEqual([])
  expect(sent).toContain('<SharedSecret>secret of ridgeway</SharedSecret>')
  expect(sent).toContain('<Identity>STORE-88</Identity>')
  const says = (secret: string, to: string, from = 'RIDGEWAY') =>
    confirmation((body) =>
      body
        .replace(config.callbackSecret, secret)
        .replace('>SIDEWALL-TEST<', `>${to}<`)
        .replace('>RIDGEWAY<', `>${from}<`),
    )
  const ownOf = (networkId: string) => (networkId === 'RIDGEWAY' ? own : null)
  const both = suppliersAt({ origin: 'http://127.0.0.1' })
  for (const suppliers of [alone, both]) {
    expect(suppliers.readMessage(says(own.secret, 'STORE-88'), ownOf)).toMatchObject({ ok: true })
    expect(suppliers.readMessage(says(own.secret, 'STORE-88', 'OTHER'), ownOf)).toMatchObject({ reason: 'bad-secret' })
    expect(suppliers.readMessage(says(config.callbackSecret, 'SIDEWALL-TEST'), ownOf)).toMatchObject({
      reason: 'bad-secret',
    })
    expect(suppliers.readMessage(says('', 'STORE-88'), () => 'unreadable')).toMatchObject({ reason: 'bad-secret' })
  }
  expect(both.readMessage(says(config.callbackSecret, 'SIDEWALL-TEST', 'OTHER'), ownOf)).toMatchObject({ ok: true })
  // Staff enter the address. It is never one of the store's own network.
  const guarded = createCxmlSuppliers(null, { ...rest, outgoing: createOutgoing({ trustedOrigin: null }) })
  expect(await guarded.order({ ...order, own })).toMatchObject({ reason: 'unavailable' })
  expect(receiver.received).toHaveLength(1)
})

test('a wrong secret is refused before the rest is looked at', () => {
  for (const secret of ['', 'x', `${config.callbackSecret}x`])
    expect(read(confirmation((body) => body.replace(config.callbackSecret, secret)))).toEqual({
      ok: false,
      reason: 'bad-secret',
    })
  expect(read(confirmation((body) => body.replace(/<SharedSecret>.*<\/SharedSecret>/, '')))).toMatchObject({
    reason: 'bad-secret',
  })
})

test('lines with impossible numbers are refused', () => {
  const withItem = (line: string, units: string, unit = 'EA') =>
    read(
      confirmation((body) =>
        body.replace(
          '</OrderReference>',
          `</OrderReference><ConfirmationItem lineNumber="${line}" quantity="4"><UnitOfMeasure>EA</UnitOfMeasure><ConfirmationStatus type="accept" quantity="${units}"><UnitOfMeasure>${unit}</UnitOfMeasure></ConfirmationStatus></ConfirmationItem>`,
        ),
      ),
    )
  expect(withItem('1', '4.0')).toMatchObject({ ok: true, message: { lines: [{ lineNo: 1, filled: 4 }] } })
  expect(withItem('1', '2', 'PR')).toMatchObject({ ok: false, reason: 'unreadable' })
  for (const [line, units] of [
    ['1', '-4'],
    ['1', '1e9'],
    ['1', '2.5'],
    ['1', 'x'],
    ['x', '4'],
    ['-1', '4'],
    ['', 'Infinity'],
  ] as const)
    expect(withItem(line, units).ok, `${line} ${units}`).toBe(false)
})
