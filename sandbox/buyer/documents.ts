/** The cXML documents that a purchasing system sends and reads. Elements are in the order of cXML.dtd. */
import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { z } from 'zod'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  isArray: (name) => name === 'ItemIn' || name === 'Extrinsic',
})
const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: true })

const text = z.union([z.string(), z.object({ '#text': z.string() }).transform((element) => element['#text'])])
const money = z.object({ Money: z.object({ '@currency': z.literal('USD'), '#text': z.string() }) })
const extrinsic = z.object({ '@name': z.string(), '#text': z.string() })

const line = z.object({
  '@quantity': z.string(),
  ItemID: z.object({ SupplierPartID: z.string(), SupplierPartAuxiliaryID: z.string().optional() }),
  ItemDetail: z.object({ UnitPrice: money, Description: text, Extrinsic: z.array(extrinsic).default([]) }),
})
const message = z.object({
  cXML: z.object({
    Message: z.object({
      PunchOutOrderMessage: z.object({
        BuyerCookie: z.string(),
        PunchOutOrderMessageHeader: z.object({ Total: money, Tax: money.optional() }),
        ItemIn: z.array(line).max(100).default([]),
      }),
    }),
  }),
})

export type BuyerLine = z.infer<typeof line>
export type CartBack = { cookie: string; total: string; tax: string | null; lines: BuyerLine[] }

/** Reads a cart that comes back. */
export function readMessage(document: string): CartBack | undefined {
  const read = message.safeParse(parsed(document))
  if (!read.success) return undefined
  const {
    BuyerCookie: cookie,
    PunchOutOrderMessageHeader: header,
    ItemIn: lines,
  } = read.data.cXML.Message.PunchOutOrderMessage
  return { cookie, total: header.Total.Money['#text'], tax: header.Tax?.Money['#text'] ?? null, lines }
}

const response = z.object({
  cXML: z.object({
    Response: z.object({
      Status: z.object({ '@code': z.string(), '@text': z.string(), '#text': z.string().default('') }),
      PunchOutSetupResponse: z.object({ StartPage: z.object({ URL: z.string() }) }).optional(),
    }),
  }),
})

/** Reads what the store answered. */
export function readResponse(document: string): { code: number; words: string; startUrl: string | null } {
  const read = response.safeParse(parsed(document))
  if (!read.success) return { code: 0, words: 'The store answered no cXML.', startUrl: null }
  const { Status: status, PunchOutSetupResponse: setup } = read.data.cXML.Response
  return {
    code: Number(status['@code']),
    words: status['#text'] || status['@text'],
    startUrl: setup?.StartPage.URL ?? null,
  }
}

const notice = z.object({
  cXML: z.object({
    '@payloadID': z.string(),
    Header: z.object({ Sender: z.object({ Credential: z.object({ SharedSecret: z.string() }) }) }),
    Request: z.record(z.string(), z.unknown()),
  }),
})

export type Notice = { payloadId: string; secret: string; kind: string; orderId: string }

/** Reads which document the store sent, and about which order. */
export function readNotice(document: string): Notice | undefined {
  const read = notice.safeParse(parsed(document))
  if (!read.success) return undefined
  const { '@payloadID': payloadId, Header, Request } = read.data.cXML
  const kind = Object.keys(Request).find((name) => name.endsWith('Request'))
  const orderId = /<OrderReference orderID="([^"]{1,60})"/.exec(document)?.[1]
  if (kind === undefined || orderId === undefined) return undefined
  return { payloadId, kind, orderId, secret: Header.Sender.Credential.SharedSecret }
}

function parsed(document: string): unknown {
  try {
    return parser.parse(document)
  } catch {
    return undefined
  }
}

type Envelope = { payloadId: string; at: Temporal.Instant; from: { domain: string; identity: string }; secret: string }

const address = {
  Address: {
    '@isoCountryCode': 'US',
    Name: { '@xml:lang': 'en-US', '#text': 'Sandbox Fleet' },
    PostalAddress: {
      DeliverTo: 'Dana Reyes',
      Street: '1430 N Halsted St',
      City: 'Chicago',
      State: 'IL',
      PostalCode: '60614',
      Country: { '@isoCountryCode': 'US', '#text': 'United States' },
    },
  },
}

/** A request for a visit. */
export function setupDocument(
  envelope: Envelope,
  { cookie, returnUrl }: { cookie: string; returnUrl: string },
): string {
  return requestDocument(envelope, {
    PunchOutSetupRequest: {
      '@operation': 'create',
      BuyerCookie: cookie,
      BrowserFormPost: { URL: returnUrl },
      ShipTo: address,
    },
  })
}

/** An order of a cart, as it came back. */
export function orderDocument(envelope: Envelope, { orderId, cart }: { orderId: string; cart: CartBack }): string {
  const money = (amount: string) => ({ Money: { '@currency': 'USD', '#text': amount } })
  return requestDocument(envelope, {
    OrderRequest: {
      OrderRequestHeader: {
        '@orderID': orderId,
        '@orderDate': envelope.at.toString({ smallestUnit: 'second' }),
        '@type': 'new',
        Total: money(cart.total),
        ShipTo: address,
        BillTo: { Address: { '@isoCountryCode': 'US', Name: { '@xml:lang': 'en-US', '#text': 'Sandbox Fleet' } } },
        ...(cart.tax !== null && {
          Tax: { ...money(cart.tax), Description: { '@xml:lang': 'en-US', '#text': 'Sales tax' } },
        }),
        Extrinsic: { '@name': 'CostCenter', '#text': 'FLEET-1' },
      },
      ItemOut: cart.lines.map(({ '@quantity': quantity, ItemID, ItemDetail }, index) => ({
        '@quantity': quantity,
        '@lineNumber': String(index + 1),
        ItemID,
        ItemDetail: {
          UnitPrice: ItemDetail.UnitPrice,
          Description: { '@xml:lang': 'en-US', '#text': ItemDetail.Description },
          UnitOfMeasure: 'EA',
          Classification: { '@domain': 'UNSPSC', '#text': '25172504' },
          ...(ItemDetail.Extrinsic.length > 0 && { Extrinsic: ItemDetail.Extrinsic }),
        },
      })),
    },
  })
}

function requestDocument({ payloadId, at, from, secret }: Envelope, request: object): string {
  const credential = { '@domain': from.domain, Identity: from.identity }
  const body = builder.build({
    cXML: {
      '@payloadID': payloadId,
      '@timestamp': at.toString({ smallestUnit: 'second' }),
      '@xml:lang': 'en-US',
      Header: {
        From: { Credential: credential },
        To: { Credential: { '@domain': 'DUNS', Identity: 'SIDEWALL' } },
        Sender: { Credential: { ...credential, SharedSecret: secret }, UserAgent: 'Sidewall sandbox' },
      },
      Request: { '@deploymentMode': 'test', ...request },
    },
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.063/cXML.dtd">\n${body}`
}

/** What this system answers. */
export function statusDocument(code: number, { payloadId, at }: { payloadId: string; at: Temporal.Instant }): string {
  const words: Record<number, string> = { 200: 'OK', 401: 'Unauthorized', 406: 'Not Acceptable' }
  return builder.build({
    cXML: {
      '@payloadID': payloadId,
      '@timestamp': at.toString({ smallestUnit: 'second' }),
      Response: { Status: { '@code': String(code), '@text': words[code] ?? 'Error' } },
    },
  })
}
