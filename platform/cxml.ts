/** The common parts of cXML 1.2 documents: envelope, sender, amounts, and text. http://cxml.org */
import { CURRENCY } from './business-constants.ts'
import { writeXml, type XmlContent } from './xml.ts'

/** The version that our documents name. */
const version = '1.2.063'

/** The DTD files. Each is self-contained. */
export type CxmlDtd = 'cXML' | 'Fulfill' | 'InvoiceDetail'

/** Tires for cars and light trucks. https://www.unspsc.org */
export const tireCode = '25172504'
/** Repair and maintenance of vehicles, for services on the tires. */
export const serviceCode = '78181500'

/** A document's party, given by an identity within a shared domain, such as `DUNS` or `NetworkId`. */
export type CxmlParty = { readonly domain: string; readonly identity: string }

/** Writes a whole document. `body` is its Request, Response or Message, with the Header before it where it has one. */
export function cxmlDocument(
  { payloadId, at, dtd }: { payloadId: string; at: Temporal.Instant; dtd: CxmlDtd },
  body: XmlContent,
): string {
  return writeXml(
    {
      cXML: {
        '@payloadID': payloadId,
        '@timestamp': cxmlTime(at),
        '@xml:lang': 'en-US',
        ...body,
      },
    },
    `http://xml.cxml.org/schemas/cXML/${version}/${dtd}.dtd`,
  )
}

/** The Header of a document that one party sends to another; with a secret where it is posted by a server. */
export function cxmlHeader(from: CxmlParty, to: CxmlParty, secret: string | null): XmlContent {
  const credential = ({ domain, identity }: CxmlParty) => ({ '@domain': domain, Identity: identity })
  return {
    From: { Credential: credential(from) },
    To: { Credential: credential(to) },
    Sender: {
      Credential: { ...credential(from), ...(secret !== null && { SharedSecret: secret }) },
      UserAgent: 'Sidewall',
    },
  }
}

/** An instant as cXML writes it, in UTC. */
export function cxmlTime(at: Temporal.Instant): string {
  return at.toString({ smallestUnit: 'second' })
}

export function cxmlMoney(cents: number): { Money: XmlContent } {
  return { Money: { '@currency': CURRENCY.code, '#text': cxmlAmount(cents) } }
}

/** Cents as dollars: 1250 is "12.50". */
export function cxmlAmount(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** Words in English, as a text of the document. */
export function cxmlWords(words: string): XmlContent {
  return { '@xml:lang': 'en-US', '#text': words }
}

/** Codes of UN/ECE recommendation 20 and of X12 that all mean a single piece. */
const eachCodes = new Set(['EA', 'C62', 'H87', 'PCE', 'PC', 'UN', 'UNT'])

/**
 * Whether a UnitOfMeasure counts single pieces. A pair (PR), a set (SET) or a box would be another quantity at another
 * price. A line without a unit counts pieces.
 */
export function countsPieces(unit: string | undefined): boolean {
  return unit === undefined || eachCodes.has(unit.trim().toUpperCase())
}
