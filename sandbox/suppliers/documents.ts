/** The suppliers' cXML documents, from the received order to the sent responses. Elements are in the DTDs' order. */
import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { z } from 'zod'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  isArray: (name) => name === 'ItemOut',
})
const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: true })

const party = z.object({ Credential: z.object({ Identity: z.string().min(1).max(40) }) })
const text = z.union([z.string(), z.object({ '#text': z.string() }).transform((element) => element['#text'])])
const orderDocument = z.object({
  cXML: z.object({
    '@payloadID': z.string().min(1).max(200),
    Header: z.object({
      From: party,
      To: party,
      Sender: z.object({ Credential: z.object({ Identity: z.string(), SharedSecret: z.string() }) }),
    }),
    Request: z.object({
      OrderRequest: z.object({
        OrderRequestHeader: z.object({
          '@orderID': z.string().min(1).max(60),
          '@orderDate': z.string(),
          '@type': z.enum(['new', 'delete']),
          '@shipComplete': z.literal('yes').optional(),
          ShipTo: z.object({ Address: z.object({ Name: text }) }),
          DocumentReference: z.object({ '@payloadID': z.string() }).optional(),
        }),
        ItemOut: z
          .array(
            z.object({
              '@quantity': z.coerce.number().int().positive(),
              '@lineNumber': z.coerce.number().int(),
              ItemID: z.object({ SupplierPartID: z.string().min(1) }),
              ItemDetail: z.object({ ManufacturerPartID: z.string().optional() }).optional(),
            }),
          )
          .min(1)
          .max(200),
      }),
    }),
  }),
})

/** `part` is the brand's part number, if the order has it. */
export type OrderLine = { lineNo: number; sku: string; part?: string; quantity: number }
export type ReadOrder = {
  payloadId: string
  orderId: string
  orderDate: string
  type: 'new' | 'delete'
  /** The order that is withdrawn. */
  withdraws: string | null
  buyer: string
  supplier: string
  secret: string
  name: string
  /** Whether it is filled completely or not at all. */
  isWhole: boolean
  lines: OrderLine[]
}

/** Reads an OrderRequest; undefined for anything else, a document with declarations included. */
export function readOrder(body: string): ReadOrder | undefined {
  const plain = body.replace(/<!DOCTYPE[^<>[]*>/, '')
  if (plain.includes('<!')) return undefined
  const parsed = orderDocument.safeParse(parser.parse(plain))
  if (!parsed.success) return undefined
  const { cXML } = parsed.data
  const { OrderRequestHeader: header, ItemOut: items } = cXML.Request.OrderRequest
  return {
    payloadId: cXML['@payloadID'],
    orderId: header['@orderID'],
    orderDate: header['@orderDate'],
    type: header['@type'],
    withdraws: header.DocumentReference?.['@payloadID'] ?? null,
    buyer: cXML.Header.From.Credential.Identity,
    supplier: cXML.Header.To.Credential.Identity,
    secret: cXML.Header.Sender.Credential.SharedSecret,
    name: header.ShipTo.Address.Name,
    isWhole: header['@shipComplete'] === 'yes',
    lines: items.map((item) => ({
      lineNo: item['@lineNumber'],
      sku: item.ItemID.SupplierPartID,
      ...(item.ItemDetail?.ManufacturerPartID !== undefined && { part: item.ItemDetail.ManufacturerPartID }),
      quantity: item['@quantity'],
    })),
  }
}

/** Builds a Response with a status. Both sides answer requests with one. */
export function responseDocument(code: number, words: string, { id, at }: Stamp): string {
  const status = { '@code': String(code), '@text': code < 300 ? 'OK' : 'Error', '#text': words }
  return documentOf({ id, at }, { Response: { Status: status } }, 'cXML')
}

type Stamp = { id: string; at: Temporal.Instant }
type Envelope = Stamp & { buyer: string; supplier: string; secret: string }
type Reference = { payloadId: string; orderId: string; orderDate: string }

export type LineAnswer = OrderLine & { filled: number; rejected: number; backordered: number }

/** Returns a ConfirmationRequest with the header's `type` and the given lines. */
export function confirmationDocument(
  envelope: Envelope,
  {
    order,
    confirmId,
    type,
    lines,
    deliveryOn,
    words,
  }: {
    order: Reference
    confirmId: string
    type: 'accept' | 'reject' | 'except' | 'backordered' | 'detail'
    lines: LineAnswer[]
    deliveryOn: Temporal.PlainDate
    words: string | null
  },
): string {
  const status = (kind: string, quantity: number) => ({
    '@quantity': String(quantity),
    '@type': kind,
    ...(kind === 'reject' ? {} : { '@deliveryDate': dayTime(deliveryOn.add({ days: kind === 'accept' ? 0 : 21 })) }),
    UnitOfMeasure: 'EA',
  })
  return requestOf(envelope, {
    ConfirmationRequest: {
      ConfirmationHeader: {
        '@confirmID': confirmId,
        '@type': type,
        '@noticeDate': secondsOf(envelope.at),
        ...(words === null ? {} : { Comments: { '@xml:lang': 'en-US', '#text': words } }),
      },
      OrderReference: referenceOf(order),
      ConfirmationItem: lines.map((line) => ({
        '@quantity': String(line.quantity),
        '@lineNumber': String(line.lineNo),
        UnitOfMeasure: 'EA',
        ConfirmationStatus: [
          ...(line.filled > 0 ? [status('accept', line.filled)] : []),
          ...(line.rejected > 0 ? [status('reject', line.rejected)] : []),
          ...(line.backordered > 0 ? [status('backordered', line.backordered)] : []),
        ],
      })),
    },
  })
}

/** A ShipNoticeRequest of a whole order. */
export function shipNoticeDocument(
  envelope: Envelope,
  {
    order,
    shipmentId,
    lines,
    deliveryOn,
  }: { order: Reference; shipmentId: string; lines: OrderLine[]; deliveryOn: Temporal.PlainDate },
): string {
  return requestOf(envelope, {
    ShipNoticeRequest: {
      ShipNoticeHeader: {
        '@shipmentID': shipmentId,
        '@noticeDate': secondsOf(envelope.at),
        '@shipmentDate': secondsOf(envelope.at),
        '@deliveryDate': dayTime(deliveryOn),
      },
      ShipControl: {
        CarrierIdentifier: { '@domain': 'company', '#text': 'Sample Freight' },
        ShipmentIdentifier: `SF${shipmentId.replaceAll(/\D/g, '').slice(0, 10)}`,
      },
      ShipNoticePortion: {
        OrderReference: referenceOf(order),
        ShipNoticeItem: lines.map(({ lineNo, quantity }) => ({
          '@quantity': String(quantity),
          '@lineNumber': String(lineNo),
          UnitOfMeasure: 'EA',
        })),
      },
    },
  })
}

function referenceOf({ payloadId, orderId, orderDate }: Reference): object {
  return { '@orderID': orderId, '@orderDate': orderDate, DocumentReference: { '@payloadID': payloadId } }
}

function requestOf({ buyer, supplier, secret, ...stamp }: Envelope, request: object): string {
  const credential = (identity: string) => ({ '@domain': 'NetworkId', Identity: identity })
  return documentOf(
    stamp,
    {
      Header: {
        From: { Credential: credential(supplier) },
        To: { Credential: credential(buyer) },
        Sender: {
          Credential: { ...credential('SANDBOX-NETWORK'), SharedSecret: secret },
          UserAgent: 'Sidewall sandbox',
        },
      },
      Request: { '@deploymentMode': 'test', ...request },
    },
    'Fulfill',
  )
}

function documentOf({ id, at }: Stamp, content: object, dtd: string): string {
  const root = { cXML: { '@payloadID': id, '@timestamp': secondsOf(at), ...content } }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.063/${dtd}.dtd">\n${builder.build(root)}`
}

function secondsOf(at: Temporal.Instant): string {
  return at.toString({ smallestUnit: 'second' })
}

function dayTime(day: Temporal.PlainDate): string {
  return `${day.toString()}T17:00:00-06:00`
}
