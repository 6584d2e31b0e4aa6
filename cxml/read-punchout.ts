/** Reading a PunchOutSetupRequest and a StatusUpdateRequest. Elements and attributes: cXML.dtd. http://cxml.org */
import { z } from 'zod'
import { punchoutOperations, type PunchoutSetup } from '#domain/channels/purchasing/purchasing.server.ts'
import { countsPieces } from '#platform/cxml.ts'
import { childAt, childrenOf, type XmlElement } from '#platform/xml.ts'
import { extrinsicsOf, textAt, unitRefusal, units, word } from './read-values.ts'

const mostLines = 50

const setup = z.object({
  operation: z.enum(punchoutOperations),
  buyerCookie: z.string().min(1).max(1_000),
  // Its origin is used in a header of the page that posts to it.
  returnUrl: z
    .string()
    .trim()
    .max(1_000)
    .refine((url) => URL.canParse(url) && /^[a-z0-9.-]{1,253}$/.test(new URL(url).hostname)),
  zip: z
    .string()
    .trim()
    .regex(/^\d{5}(?:-?\d{4})?$/)
    .transform((zip) => zip.slice(0, 5))
    .nullable()
    .catch(null),
  customerId: word(60).nullable(),
  lines: z.array(z.object({ partId: word(60), quantity: units })).max(mostLines),
})

type Read = { ok: true; setup: PunchoutSetup } | { ok: false; words: string }

/** Parses a punchout setup request. `trustedOrigin` can be without TLS. */
export function readPunchout(element: XmlElement, trustedOrigin: string | null): Read {
  const items = childrenOf(element, 'ItemOut')
  const unitOf = (item: XmlElement) => textAt(item, 'ItemDetail', 'UnitOfMeasure')
  const other = items.findIndex((item) => !countsPieces(unitOf(item)))
  const counted = items[other]
  if (counted) return { ok: false, words: unitRefusal(`ItemOut ${other + 1}`, unitOf(counted)) }
  const lines = items.map((item) => ({
    partId: textAt(item, 'ItemID', 'SupplierPartID'),
    quantity: item.attributes['quantity'],
  }))
  const read = setup.safeParse({
    operation: element.attributes['operation'],
    buyerCookie: childAt(element, 'BuyerCookie')?.text,
    returnUrl: textAt(element, 'BrowserFormPost', 'URL'),
    zip: textAt(element, 'ShipTo', 'Address', 'PostalAddress', 'PostalCode') ?? null,
    customerId: extrinsicsOf([element]).get('CustomerId') ?? null,
    lines,
  })
  if (!read.success) {
    const what = String(read.error.issues[0]?.path[0] ?? 'request')
    return { ok: false, words: `The PunchOutSetupRequest cannot be read: ${what}.` }
  }
  const { protocol, origin } = new URL(read.data.returnUrl)
  return protocol === 'https:' || origin === trustedOrigin
    ? { ok: true, setup: read.data }
    : { ok: false, words: 'The address of BrowserFormPost is not https.' }
}

/** Returns the message of a StatusUpdateRequest, or undefined if it is empty. */
export function readStatusUpdate(element: XmlElement): string | undefined {
  const status = childAt(element, 'Status')
  const code = /^\d{3}$/.exec(status?.attributes['code'] ?? '')?.[0]
  if (!status || code === undefined) return undefined
  const about = childAt(element, 'DocumentReference')?.attributes['payloadID']?.slice(0, 255)
  const words = [code, status.attributes['text'] ?? '', status.text.trim()].join(' ').replaceAll(/\s+/g, ' ').trim()
  return `${words.slice(0, 300)}${about === undefined ? '' : ` (${about})`}`
}
