/** The store's responses. Every one is a document with a Status and is sent with HTTP 200. */
import { cxmlDocument } from '#platform/cxml.ts'
import type { XmlContent } from '#platform/xml.ts'

/** The codes of the protocol that the store answers with. */
const texts = {
  200: 'OK',
  201: 'Accepted',
  400: 'Bad Request',
  401: 'Unauthorized',
  406: 'Not Acceptable',
  409: 'Conflict',
  450: 'Not Implemented',
  500: 'Internal Server Error',
  560: 'Temporary Server Error',
} as const
export type StatusCode = keyof typeof texts

type Made = { payloadId: string; at: Temporal.Instant }

/** A Response with its Status, and what else it returns. */
export function responseDocument(made: Made, code: StatusCode, words: string, content: XmlContent = {}): string {
  const Status = { '@code': String(code), '@text': texts[code], '#text': words }
  return cxmlDocument({ ...made, dtd: 'cXML' }, { Response: { Status, ...content } })
}

/** Returns the start page of a punchout session. */
export function setupResponse(made: Made, startUrl: string): string {
  return responseDocument(made, 200, 'OK', { PunchOutSetupResponse: { StartPage: { URL: startUrl } } })
}

/** Which requests are taken, and where. */
export function profileResponse(made: Made, url: string, kinds: readonly string[]): string {
  return responseDocument(made, 200, 'OK', {
    ProfileResponse: {
      '@effectiveDate': made.at.toString({ smallestUnit: 'second' }),
      Transaction: kinds.map((kind) => ({ '@requestName': kind, URL: url })),
    },
  })
}
