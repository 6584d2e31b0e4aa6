/** Tests documents refused before and during parsing, and the parsing of accepted ones. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { childAt, parseXml } from '#platform/xml.ts'
import { mostBytes, precheck } from './precheck.ts'
import { readDocument } from './read-document.ts'
import { orderTypeOf, readOrder } from './read-order.ts'
import { readPunchout, readStatusUpdate } from './read-punchout.ts'
import { rootPart } from './related-parts.ts'
import { sampleDocument, sampleItem, sampleOrder, samplePunchout } from './samples.testing.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const check = (text: string, contentType = 'text/xml; charset=utf-8') => precheck(encode(text), contentType)
const lines = [
  { partId: 'TIRE-1', quantity: 4, unitCents: 12_550 },
  { partId: 'TIRE-FEE', quantity: 4, unitCents: 250 },
]
const order = sampleDocument(sampleOrder(lines, { taxCents: 100 }))

test.each([
  ['entities', '<!DOCTYPE cXML [<!ENTITY a "b">]><cXML/>', /Declarations/],
  ['an internal subset', '<!DOCTYPE cXML SYSTEM "x" [ ]><cXML/>', /Declarations/],
  ['a parameter entity', '<!DOCTYPE cXML [<!ENTITY % a SYSTEM "file:///etc/passwd">%a;]><cXML/>', /Declarations/],
  ['two document types', '<!DOCTYPE a><!DOCTYPE b><a/>', /Declarations/],
  ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><cXML/>', /UTF-8/],
  ['an encoding in quotes', "<?xml version='1.0' encoding='ISO-8859-1'?><cXML/>", /UTF-8/],
  ['depth', '<a>'.repeat(31) + '</a>'.repeat(31), /deeper/],
  ['too many elements', `<a>${'<b/>'.repeat(5_001)}</a>`, /more than/],
  ['a long tag', `<a b="${'c'.repeat(5_000)}"/>`, /too long/],
  ['an unfinished tag', '<a', /ends within/],
  ['an unfinished comment', '<!-- a', /ends within/],
  ['a null character', '<a>\0</a>', /characters/],
])('a document with %s is refused before it is parsed', (_, text, words) => {
  expect(check(text)).toMatchObject({ ok: false, detail: { words: expect.stringMatching(words) } })
})

test('other encodings and large documents are refused by their bytes', () => {
  expect(precheck(new Uint8Array([0xff, 0xfe, 0x3c, 0x00]), 'text/xml')).toMatchObject({ ok: false })
  expect(precheck(new Uint8Array([0x3c, 0xc3, 0x28]), 'text/xml')).toMatchObject({ ok: false })
  expect(check('<a/>', 'text/xml; charset=iso-8859-1')).toMatchObject({ ok: false })
  expect(precheck(new Uint8Array(mostBytes + 1).fill(0x20), 'text/xml')).toMatchObject({ ok: false })
  expect(check(order)).toMatchObject({ ok: true })
  expect(check(order, 'text/xml')).toMatchObject({ ok: true })
})

function read(text: string) {
  const checked = check(text)
  if (!checked.ok) expect.unreachable(checked.detail.words)
  const document = readDocument(checked.value)
  if (!document.ok) expect.unreachable(document.words)
  return document.document
}

test('the envelope identifies its sender and type', () => {
  expect(read(order)).toMatchObject({
    payloadId: 'p-1@buyer.example',
    from: [{ domain: 'DUNS', identity: '080000001' }],
    to: [{ domain: 'DUNS', identity: 'SIDEWALL' }],
    secret: 'secret',
    isTest: false,
    kind: 'OrderRequest',
  })
  expect(read(sampleDocument('<ProfileRequest/>', { mode: 'test' }))).toMatchObject({ isTest: true })
})

test.each([
  ['no cXML', '<html/>'],
  ['no payload id', '<cXML timestamp="x"><Header/><Request><ProfileRequest/></Request></cXML>'],
  ['two requests', sampleDocument('<ProfileRequest/><ProfileRequest/>')],
  ['no request', sampleDocument('')],
  ['an undeclared entity', sampleDocument('<ProfileRequest>&a;</ProfileRequest>').replace('</cXML>', '')],
])('a document with %s is no request', (_, text) => {
  expect(readDocument(text)).toMatchObject({ ok: false })
})

test('reads an order with its lines, address, and comments', () => {
  const extrinsics =
    '<Extrinsic name="CostCenter">CC-1</Extrinsic><Extrinsic name="InstallAt">halsted</Extrinsic><Extrinsic name="AppointmentAt">2026-12-01T09:30:00-06:00</Extrinsic><Extrinsic name="CustomerId">C-9</Extrinsic>'
  const { request } = read(sampleDocument(sampleOrder(lines, { taxCents: 100, extrinsics })))
  expect(orderTypeOf(request)).toBe('new')
  const found = readOrder(request, { payloadId: 'p', isTest: false })
  if (!found.ok) expect.unreachable(found.words)
  expect(found.request).toMatchObject({
    orderId: 'PO-1001',
    orderDate: '2026-11-20T18:00:00Z',
    totalCents: 51_200,
    taxCents: 100,
    billToName: 'Acme Plumbing AP',
    costCenter: 'CC-1',
    customerId: 'C-9',
    installAt: 'halsted',
    shipTo: { deliverTo: ['Dana Reyes', 'Dock 4'], street: ['1430 N Halsted St'], state: 'IL', zip: '60614' },
    lines: [
      { lineNumber: 1, partId: 'TIRE-1', quantity: 4, unit: 'EA', unitCents: 12_550 },
      { lineNumber: 2, partId: 'TIRE-FEE', quantity: 4, unit: 'EA', unitCents: 250 },
    ],
  })
  expect(found.request.appointmentAt?.toString()).toBe('2026-12-01T15:30:00Z')
})

test.each([
  ['quantity="4"', 'quantity="0"', /ItemOut 1/],
  ['quantity="4"', 'quantity="4.5"', /ItemOut 1/],
  ['quantity="4"', 'quantity="1e9"', /ItemOut 1/],
  ['currency="USD">125.50', 'currency="EUR">125.50', /ItemOut 1/],
  ['currency="USD">125.50', 'currency="USD">NaN', /ItemOut 1/],
  ['lineNumber="2"', 'lineNumber="1"', /same lineNumber/],
  ['<UnitOfMeasure>EA', '<UnitOfMeasure>PR', /ItemOut 1 counts in PR/],
  ['<UnitOfMeasure>EA', '<UnitOfMeasure>SET', /ItemOut 1 counts in SET/],
  ['<UnitOfMeasure>EA', '<UnitOfMeasure>4EA', /ItemOut 1 counts in 4EA/],
  ['<State isoStateCode="US-IL">IL', '<State isoStateCode="US-ON">Ontario', /ShipTo/],
  ['<State isoStateCode="US-IL">IL</State>', '', /ShipTo/],
  ['isoCountryCode="US">United', 'isoCountryCode="CA">United', /ShipTo/],
  ['<PostalCode>60614', '<PostalCode>K1A', /ShipTo/],
  ['orderID="PO-1001"', 'orderID=""', /OrderRequestHeader/],
  ['orderDate="2026-11-20T12:00:00-06:00"', 'orderDate="yesterday"', /OrderRequestHeader/],
  ['<SupplierPartID>TIRE-1', `<SupplierPartID>${'T'.repeat(61)}`, /ItemOut 1/],
])('an order with %s as %s is refused in words', (before, after, words) => {
  const { request } = read(order.replace(before, after))
  expect(readOrder(request, { payloadId: 'p', isTest: false })).toMatchObject({
    ok: false,
    words: expect.stringMatching(words),
  })
})

test.each([
  '<State isoStateCode="US-IL">IL',
  '<State isoStateCode="IL">Illinois',
  '<State>Illinois',
  '<State> ILLINOIS ',
  '<State isoStateCode="">IL',
  '<State isoStateCode="US-XX">il',
])('a state written as %s is read as its code', (state) => {
  const { request } = read(order.replace('<State isoStateCode="US-IL">IL', state))
  expect(readOrder(request, { payloadId: 'p', isTest: false })).toMatchObject({
    ok: true,
    request: { shipTo: { state: 'IL' } },
  })
})

test.each(['EA', 'ea', 'C62', 'PCE'])('a quantity in %s counts tires', (unit) => {
  const { request } = read(order.replace('<UnitOfMeasure>EA', `<UnitOfMeasure>${unit}`))
  expect(readOrder(request, { payloadId: 'p', isTest: false })).toMatchObject({
    ok: true,
    request: { lines: [{ quantity: 4, unit }, { quantity: 4 }] },
  })
})

test('a visit that changes pairs is refused', () => {
  const items = sampleItem({ partId: 'TIRE-1', quantity: 2, unitCents: 100 }, 1).replace('>EA<', '>PR<')
  const { request } = read(sampleDocument(samplePunchout({ operation: 'edit', items })))
  expect(readPunchout(request, null)).toEqual({
    ok: false,
    words: 'ItemOut 1 counts in PR. Order single tires with UnitOfMeasure EA.',
  })
})

test.each([
  ['<?xml-stylesheet type="text/xsl" href="po.xsl"?>'],
  ['<!-- PO-1001 --><?xml-stylesheet href="<po>.xsl"?>\n<?other?>'],
])('a document with %s before its document type is read', (between) => {
  expect(read(order.replace('<!DOCTYPE', `${between}<!DOCTYPE`))).toMatchObject({ kind: 'OrderRequest' })
  const first = order.replace(/<\?xml [^>]*>\n/, '')
  expect(read(first.replace('<!DOCTYPE', `${between}<!DOCTYPE`))).toMatchObject({ kind: 'OrderRequest' })
})

/** Parts as mail programs and purchasing systems write them. */
function related(
  parts: readonly string[],
  { start = '', end = '\r\n' } = {},
): { bytes: Uint8Array; contentType: string } {
  const body = [...parts.map((part) => `--b=_1${end}${part}${end}`), `--b=_1--${end}`].join('')
  return {
    bytes: encode(body),
    contentType: `multipart/related; boundary="b=_1"; type="text/xml"${start && `; start="${start}"`}`,
  }
}
const xmlPart = (encoding: string, content: string, end = '\r\n') =>
  [
    `Content-Type: text/xml; charset=UTF-8`,
    'Content-ID: <po@buyer>',
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    content,
  ].join(end)
const drawing =
  'Content-Type: image/png\r\nContent-ID: <drawing@buyer>\r\nContent-Transfer-Encoding: binary\r\n\r\n\u0000<!DOCTYPE>'

test.each([
  ['in binary', related([xmlPart('binary', order), drawing])],
  ['with other line ends', related([xmlPart('8bit', order, '\n'), 'A: b\n\nc'], { end: '\n' })],
  [
    'as base64',
    related([
      xmlPart(
        'base64',
        (
          Buffer.from(order)
            .toString('base64')
            .match(/.{1,76}/g) ?? []
        ).join('\r\n'),
      ),
      drawing,
    ]),
  ],
  [
    'as quoted-printable',
    related([
      xmlPart('Quoted-Printable', order.replaceAll('=', '=3D').replaceAll('<Request', '=\r\n<Request')),
      drawing,
    ]),
  ],
  ['named by start', related([drawing, xmlPart('7bit', order)], { start: '<po@buyer>' })],
])('a document with attachments %s is read', (_case, body) => {
  const root = rootPart(body)
  if (!root.ok) expect.unreachable(root.detail.words)
  const checked = precheck(root.value.bytes, root.value.contentType)
  if (!checked.ok) expect.unreachable(checked.detail.words)
  expect(readDocument(checked.value)).toMatchObject({ ok: true, document: { kind: 'OrderRequest' } })
})

test.each([
  ['another kind of parts', { bytes: encode('--b\r\n\r\nx\r\n--b--'), contentType: 'multipart/form-data; boundary=b' }],
  ['no boundary', { bytes: encode(order), contentType: 'multipart/related' }],
  ['no such boundary', { bytes: encode(order), contentType: 'multipart/related; boundary=c' }],
  [
    'a part that breaks off',
    { bytes: encode(`--b\r\nA: b\r\n\r\n${order}`), contentType: 'multipart/related; boundary=b' },
  ],
  ['a part without headers', related([order])],
  ['no part that start names', related([drawing], { start: '<po@buyer>' })],
  ['too many parts', related(Array.from({ length: 21 }, () => drawing))],
  ['an unknown encoding', related([xmlPart('x-uuencode', order)])],
])('a body with %s is refused in words', (_case, body) => {
  expect(rootPart(body)).toMatchObject({ ok: false, detail: { words: expect.stringMatching(/.{20}/) } })
})

test('a document in a part is held to the limits of any document', () => {
  const root = rootPart(related([xmlPart('binary', `<a>${'x'.repeat(mostBytes)}</a>`), drawing]))
  if (!root.ok) expect.unreachable(root.detail.words)
  expect(precheck(root.value.bytes, root.value.contentType)).toMatchObject({ ok: false })
})

test('a visit is read with where it returns to and the tires to change', () => {
  const items = sampleItem({ partId: 'TIRE-1', quantity: 2, unitCents: 100 }, 1)
  const { request } = read(sampleDocument(samplePunchout({ operation: 'edit', items, customerId: 'CUST-9' })))
  expect(readPunchout(request, null)).toEqual({
    ok: true,
    setup: {
      operation: 'edit',
      buyerCookie: 'cookie-1',
      returnUrl: 'https://buyer.example/return',
      zip: '60614',
      customerId: 'CUST-9',
      lines: [{ partId: 'TIRE-1', quantity: 2 }],
    },
  })
})

test.each([
  'javascript:alert(1)',
  'http://buyer.example/',
  'https://a;script-src/',
  'not an address',
  'data:text/html,a',
])('a visit that returns to %s is refused', (returnUrl) => {
  const { request } = read(sampleDocument(samplePunchout({ returnUrl })))
  expect(readPunchout(request, 'http://localhost:4000')).toMatchObject({ ok: false })
})

test('a status of a document is said in words', () => {
  const update = parseXml(
    '<R><StatusUpdateRequest><DocumentReference payloadID="d@sidewall"/><Status code="423" text="Rejected">No match</Status></StatusUpdateRequest></R>',
  )
  const found = childAt(update, 'StatusUpdateRequest')
  if (!found) expect.unreachable()
  expect(readStatusUpdate(found)).toBe('423 Rejected No match (d@sidewall)')
})

test('reads or rejects thousands of random documents without failing', () => {
  const parts = [
    '<',
    '>',
    '/',
    '&',
    ';',
    '"',
    '!',
    '[',
    ']',
    '--',
    '<![CDATA[',
    ']]>',
    '<?xml',
    '?>',
    '&#0;',
    '&#xD800;',
    '&lt;',
    '\u0000',
    '\uFFFE',
    '</cXML>',
    '<cXML>',
    'payloadID=',
    '𝟘',
    '-1',
    '1e400',
    '2026-13-99T99:99:99Z',
    '<Extrinsic name="InstallAt">',
    '%',
    'quantity="',
  ]
  const mutation = fc.record({
    at: fc.nat(order.length),
    cut: fc.nat(40),
    put: fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 8, unit: 'binary' })),
  })
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
      let text = order
      for (const { at, cut, put } of mutations) text = text.slice(0, at) + put + text.slice(at + cut)
      const checked = precheck(encode(text), 'text/xml')
      if (!checked.ok) return checked.detail.words.length > 0
      const document = readDocument(checked.value)
      if (!document.ok) return document.words.length > 0
      const found = readOrder(document.document.request, { payloadId: 'p', isTest: false })
      if (!found.ok) return found.words.length > 0
      return found.request.lines.every(({ quantity, unitCents }) => Number.isInteger(quantity * unitCents))
    }),
    { numRuns: 3_000 },
  )
})
