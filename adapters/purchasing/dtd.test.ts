/**
 * Every kind of document that the store sends, and the samples of those that it takes, against cXML's own DTDs.
 * Runs if CXML_DTDS names the folder they are in (docs/cxml.md).
 */
import { expect, test } from 'vitest'
import { orderMessage } from '#cxml/order-message.ts'
import { profileResponse, responseDocument, setupResponse } from '#cxml/responses.ts'
import { sampleDocument, sampleItem, sampleOrder, samplePunchout } from '#cxml/samples.testing.ts'
import { writeOrderRequest } from '#domain/channels/purchasing/order-request.ts'
import type { DocumentFacts } from '#domain/channels/purchasing/purchasing-system.port.ts'
import type { PunchoutCart, PunchoutVisit } from '#domain/channels/purchasing/purchasing.server.ts'
import { writeDocument } from './documents.ts'
import { loadDtds } from './dtd-validator.ts'

const { CXML_DTDS: folder = '' } = process.env
const check = await loadDtds(folder)
const at = Temporal.Instant.from('2026-11-20T12:00:00Z')
const made = { payloadId: 'a@sidewall', at }
const about = {
  buyerOrderId: 'PO-1',
  orderPayloadId: 'o-1@buyer.example',
  orderDate: '2026-11-20T12:00:00Z',
  orderNumber: 'S-1',
  at: '2026-11-21T12:00:00Z',
}
const lines = [{ lineNumber: 10, quantity: 4, unit: 'EA' }]
const invoiced = [{ lineNumber: 10, quantity: 4, unit: 'EA', partId: 'T-1', name: 'Tire & "more"', unitCents: 12_550 }]
const facts: DocumentFacts[] = [
  { ...about, kind: 'confirmation', deliveryOn: '2026-11-25', lines },
  { ...about, kind: 'rejection', words: 'The order was canceled.' },
  { ...about, kind: 'ship-notice', shipmentId: 's-1', carrier: 'UPS', trackingNumber: '1Z', deliveryOn: null, lines },
  {
    ...about,
    kind: 'invoice',
    lines: invoiced,
    netDays: 30,
    taxCents: 0,
    taxText: 'Sales tax',
    loweredCents: 0,
    dueCents: 50_200,
  },
  {
    ...about,
    kind: 'invoice',
    lines: invoiced,
    netDays: 30,
    taxCents: 5,
    taxText: 'Sales tax',
    loweredCents: 200,
    dueCents: 50_005,
  },
]
const sent = facts.map((each) => {
  const to = { domain: 'DUNS', identity: '1' }
  const document = { ...made, kind: each.kind, facts: each, isTest: false, to, secret: 'secret' }
  return [each.kind, writeDocument(document, { from: { domain: 'DUNS', identity: 'SIDEWALL' }, at })] as const
})
const kindOf = {
  confirmation: 'ConfirmationRequest',
  rejection: 'ConfirmationRequest',
  'ship-notice': 'ShipNoticeRequest',
  invoice: 'InvoiceDetailRequest',
}

const visit: Pick<PunchoutVisit, 'buyerCookie' | 'operation' | 'system' | 'id' | 'customerId'> = {
  customerId: 'CUST-9',
  id: '6b1c2f0e-0000-4000-8000-000000000000',
  buyerCookie: 'c',
  operation: 'create',
  system: {
    companyId: '',
    companyName: 'Acme',
    kind: 'fleet',
    isActive: true,
    channel: 'procurement',
    domain: 'DUNS',
    identity: '1',
    url: null,
    secret: null,
    bill: { name: '', street: '', city: '', state: '', zip: '' },
    phone: '',
    email: '',
  },
}
const cart: PunchoutCart = {
  items: [
    { partId: 'T-1', itemId: 1, name: 'Tire', quantity: 4, unitCents: 12_550 },
    { partId: 'INSTALLATION', itemId: null, name: 'Installation', quantity: 4, unitCents: 2_000 },
  ],
  totalCents: 58_200,
  taxCents: 300,
  taxText: 'Sales tax',
  shippingZip: '60614',
  installation: { shopCode: 'halsted', shopName: 'Halsted', at, timeZone: 'America/Chicago' },
  problems: [],
}
const message = { from: { domain: 'DUNS', identity: 'SIDEWALL' }, ...made }
const requested = writeOrderRequest({
  payloadId: 'a@sidewall',
  at,
  system: {
    ...visit.system,
    bill: { name: 'Army Exchange', street: '1 A St', city: 'Chicago', state: 'IL', zip: '60614' },
  },
  to: { domain: 'DUNS', identity: 'SIDEWALL' },
  orderId: 'X-1',
  costCenter: 'PX-7',
  origin: { id: visit.id, customerId: 'CUST <9>' },
  items: cart.items,
  taxCents: 0,
  taxText: 'Sales tax',
  contact: {
    name: 'Dana Ruiz',
    deliverTo: 'Dana Ruiz',
    street: ['1 Sample Street', 'Unit 2'],
    city: 'Chicago',
    state: 'IL',
    zip: '60614',
    vehicle: 'A blue sedan',
  },
  installation: { shopCode: 'halsted', at, timeZone: 'America/Chicago' },
})
const item = { partId: 'T-1', quantity: 4, unitCents: 12_550 }
const extrinsics = '<Extrinsic name="InstallAt">halsted</Extrinsic>'
const others: (readonly [kind: string, text: string])[] = [
  ['Response', responseDocument(made, 406, 'The Total is <wrong>.')],
  ['Response', setupResponse(made, 'https://store.example/punchout/a')],
  ['Response', profileResponse(made, 'https://store.example/cxml', ['OrderRequest', 'StatusUpdateRequest'])],
  ['PunchOutOrderMessage', orderMessage(visit, cart, message)],
  ['PunchOutOrderMessage', orderMessage({ ...visit, operation: 'inspect' }, undefined, message)],
  ['PunchOutSetupRequest', sampleDocument(samplePunchout({ operation: 'edit', items: sampleItem(item, 1) }))],
  ['OrderRequest', requested],
  ['OrderRequest', sampleDocument(sampleOrder([{ ...item, extrinsics }], { taxCents: 1, extrinsics }))],
]

const documents = [...sent.map(([kind, text]) => [kindOf[kind], text] as const), ...others]

test('what the store sends and takes is valid', () => {
  expect(check).not.toBeNull()
  for (const [kind, text] of documents) expect(check?.problemOf(text, kind), kind).toBeNull()
})

test('a document that is not valid is said to be so', () => {
  for (const [kind, text] of documents)
    expect(check?.problemOf(text.replace(/<(Request|Message|Status)\b/, '<Extrinsic/><$1'), kind)).not.toBeNull()
})
