/**
 * The order documents for a purchasing system: ConfirmationRequest and ShipNoticeRequest (Fulfill.dtd), and
 * InvoiceDetailRequest (InvoiceDetail.dtd). Elements are in the DTD's order. http://cxml.org
 */
import type { DocumentFacts, NoticeLine, OutgoingDocument } from '#domain/channels/purchasing/purchasing-system.port.ts'
import { cxmlDocument, cxmlHeader, cxmlMoney, cxmlWords, type CxmlDtd, type CxmlParty } from '#platform/cxml.ts'
import type { XmlContent } from '#platform/xml.ts'

const dtdOf: Readonly<Record<DocumentFacts['kind'], CxmlDtd>> = {
  confirmation: 'Fulfill',
  rejection: 'Fulfill',
  'ship-notice': 'Fulfill',
  invoice: 'InvoiceDetail',
}

/** Writes a document that is posted, at `at`. */
export function writeDocument(
  { payloadId, facts, isTest, to, secret }: Omit<OutgoingDocument, 'url'>,
  { from, at }: { from: CxmlParty; at: Temporal.Instant },
): string {
  return cxmlDocument(
    { payloadId, at, dtd: dtdOf[facts.kind] },
    {
      Header: cxmlHeader(from, to, secret),
      Request: { '@deploymentMode': isTest ? 'test' : 'production', ...requestOf(facts) },
    },
  )
}

function requestOf(facts: DocumentFacts): XmlContent {
  switch (facts.kind) {
    case 'confirmation':
      return confirmation(facts)
    case 'rejection':
      return rejection(facts)
    case 'ship-notice':
      return shipNotice(facts)
    case 'invoice':
      return invoice(facts)
  }
}

type Of<Kind extends DocumentFacts['kind']> = Extract<DocumentFacts, { kind: Kind }>

function orderReference({ buyerOrderId, orderPayloadId, orderDate }: DocumentFacts): XmlContent {
  return {
    '@orderID': buyerOrderId,
    '@orderDate': orderDate,
    DocumentReference: { '@payloadID': orderPayloadId },
  }
}

/** Returns the end of a day in UTC as a cXML datetime. */
function dayEnd(day: string): string {
  return `${day}T23:59:59Z`
}

function confirmation(facts: Of<'confirmation'>): XmlContent {
  const { lines, orderNumber, at, deliveryOn } = facts
  return {
    ConfirmationRequest: {
      ConfirmationHeader: { '@confirmID': orderNumber, '@operation': 'new', '@type': 'allDetail', '@noticeDate': at },
      OrderReference: orderReference(facts),
      ConfirmationItem: lines.map(({ lineNumber, quantity, unit }) => ({
        '@quantity': String(quantity),
        '@lineNumber': String(lineNumber),
        UnitOfMeasure: unit,
        ConfirmationStatus: {
          '@quantity': String(quantity),
          '@type': 'accept',
          ...(deliveryOn !== null && { '@deliveryDate': dayEnd(deliveryOn) }),
          UnitOfMeasure: unit,
        },
      })),
    },
  }
}

function rejection(facts: Of<'rejection'>): XmlContent {
  return {
    ConfirmationRequest: {
      ConfirmationHeader: {
        '@confirmID': `${facts.orderNumber}-X`,
        '@operation': 'new',
        '@type': 'reject',
        '@noticeDate': facts.at,
        Comments: cxmlWords(facts.words),
      },
      OrderReference: orderReference(facts),
    },
  }
}

function shipNotice(facts: Of<'ship-notice'>): XmlContent {
  const { shipmentId, carrier, trackingNumber, deliveryOn, lines, at } = facts
  return {
    ShipNoticeRequest: {
      ShipNoticeHeader: {
        '@shipmentID': shipmentId,
        '@operation': 'new',
        '@noticeDate': at,
        '@shipmentDate': at,
        ...(deliveryOn !== null && { '@deliveryDate': dayEnd(deliveryOn) }),
        '@shipmentType': 'actual',
      },
      ShipControl: {
        CarrierIdentifier: { '@domain': 'companyName', '#text': carrier },
        ShipmentIdentifier: trackingNumber,
      },
      ShipNoticePortion: {
        OrderReference: orderReference(facts),
        ...(lines.length > 0 && { ShipNoticeItem: lines.map(shippedItem) }),
      },
    },
  }
}

function shippedItem({ lineNumber, quantity, unit }: NoticeLine): XmlContent {
  return { '@quantity': String(quantity), '@lineNumber': String(lineNumber), UnitOfMeasure: unit }
}

function invoice(facts: Of<'invoice'>): XmlContent {
  const { lines, taxCents, taxText, loweredCents, dueCents, netDays, orderNumber, at } = facts
  const goodsCents = lines.reduce((sum, line) => sum + line.quantity * line.unitCents, 0)
  return {
    InvoiceDetailRequest: {
      InvoiceDetailRequestHeader: {
        '@invoiceID': orderNumber,
        '@purpose': 'standard',
        '@operation': 'new',
        '@invoiceDate': at,
        InvoiceDetailHeaderIndicator: '',
        InvoiceDetailLineIndicator: '',
        PaymentTerm: { '@payInNumberOfDays': String(netDays) },
      },
      InvoiceDetailOrder: {
        InvoiceDetailOrderInfo: { OrderReference: orderReference(facts) },
        InvoiceDetailItem: lines.map((line, index) => ({
          '@invoiceLineNumber': String(index + 1),
          '@quantity': String(line.quantity),
          UnitOfMeasure: line.unit,
          UnitPrice: cxmlMoney(line.unitCents),
          InvoiceDetailItemReference: {
            '@lineNumber': String(line.lineNumber),
            ItemID: { SupplierPartID: line.partId },
            Description: cxmlWords(line.name),
          },
          SubtotalAmount: cxmlMoney(line.quantity * line.unitCents),
        })),
      },
      InvoiceDetailSummary: {
        SubtotalAmount: cxmlMoney(goodsCents),
        Tax: { ...cxmlMoney(taxCents), Description: cxmlWords(taxText) },
        GrossAmount: cxmlMoney(goodsCents + taxCents),
        ...(loweredCents > 0 && { InvoiceDetailDiscount: cxmlMoney(loweredCents) }),
        NetAmount: cxmlMoney(goodsCents + taxCents - loweredCents),
        DueAmount: cxmlMoney(dueCents),
      },
    },
  }
}
