/** A company's purchasing system, as far as the store speaks to it. */
import type { DocumentKind } from './purchasing.ts'

export type NoticeLine = { readonly lineNumber: number; readonly quantity: number; readonly unit: string }
export type InvoicedLine = NoticeLine & { readonly partId: string; readonly name: string; readonly unitCents: number }

/** A document's order, by the buyer's references. */
type About = {
  readonly buyerOrderId: string
  readonly orderPayloadId: string
  readonly orderDate: string
  readonly orderNumber: string
  /** When the event happened. */
  readonly at: string
}

export type DocumentFacts =
  | (About & {
      readonly kind: 'confirmation'
      readonly lines: readonly NoticeLine[]
      readonly deliveryOn: string | null
    })
  | (About & { readonly kind: 'rejection'; readonly words: string })
  | (About & {
      readonly kind: 'ship-notice'
      readonly shipmentId: string
      readonly carrier: string
      readonly trackingNumber: string
      readonly deliveryOn: string | null
      readonly lines: readonly NoticeLine[]
    })
  | (About & {
      readonly kind: 'invoice'
      readonly lines: readonly InvoicedLine[]
      readonly netDays: number
      readonly taxCents: number
      /** The label and the footnote of the tax. */
      readonly taxText: string
      /** What the invoice was lowered by since. */
      readonly loweredCents: number
      readonly dueCents: number
    })

export type OutgoingDocument = {
  readonly payloadId: string
  readonly kind: DocumentKind
  readonly facts: DocumentFacts
  readonly isTest: boolean
  readonly to: { readonly domain: string; readonly identity: string }
  readonly url: string
  /** What the store proves itself with there. */
  readonly secret: string
}

export interface PurchasingSystems {
  /** Sends a document. `words` is the reason it wasn't accepted, without secrets. */
  send(document: OutgoingDocument): Promise<{ ok: true } | { ok: false; words: string }>
}
