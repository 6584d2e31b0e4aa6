/**
 * The OrderRequest of an exchange's cart, as the exchange sends it to the store. Elements stand in the order of cXML.dtd.
 * http://cxml.org Pure.
 */
import {
  cxmlDocument,
  cxmlHeader,
  cxmlMoney,
  cxmlTime,
  cxmlWords,
  serviceCode,
  tireCode,
  type CxmlParty,
} from '#platform/cxml.ts'
import type { XmlContent } from '#platform/xml.ts'
import type { PurchaseItem } from './purchase-items.ts'

type Addressed = {
  name: string
  deliverTo: string | null
  street: readonly string[]
  city: string
  state: string
  zip: string
}

export type OrderRequestFacts = {
  payloadId: string
  at: Temporal.Instant
  system: CxmlParty & { bill: Omit<Addressed, 'deliverTo' | 'street'> & { street: string } }
  to: CxmlParty
  orderId: string
  costCenter: string | null
  origin: { id: string; customerId: string }
  items: readonly PurchaseItem[]
  taxCents: number
  /** The label and the footnote of the tax. */
  taxText: string
  contact: Addressed & { vehicle: string | null }
  installation: { shopCode: string; at: Temporal.Instant; timeZone: string } | null
}

/** Writes the document, without the secret that its sender proves itself with. */
export function writeOrderRequest(facts: OrderRequestFacts): string {
  const { payloadId, at, system, to, orderId, items, contact, taxCents, taxText } = facts
  const { domain, identity, bill } = system
  const totalCents = items.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0)
  return cxmlDocument(
    { payloadId, at, dtd: 'cXML' },
    {
      Header: cxmlHeader({ domain, identity }, to, null),
      Request: {
        '@deploymentMode': 'production',
        OrderRequest: {
          OrderRequestHeader: {
            '@orderID': orderId,
            '@orderDate': cxmlTime(at),
            '@type': 'new',
            Total: cxmlMoney(totalCents),
            ShipTo: addressOf(contact),
            BillTo: addressOf({ ...bill, deliverTo: null, street: [bill.street] }),
            Tax: { ...cxmlMoney(taxCents), Description: cxmlWords(taxText) },
            Extrinsic: extrinsicsOf(facts),
          },
          ItemOut: items.map((item, index) => itemOf(item, index + 1, facts.origin.id)),
        },
      },
    },
  )
}

function addressOf({ name, deliverTo, street, city, state, zip }: Addressed): XmlContent {
  return {
    Address: {
      '@isoCountryCode': 'US',
      Name: cxmlWords(name),
      PostalAddress: {
        ...(deliverTo !== null && { DeliverTo: deliverTo }),
        Street: street.map((text) => ({ '#text': text })),
        City: city,
        State: { '@isoStateCode': `US-${state}`, '#text': state },
        PostalCode: zip,
        Country: { '@isoCountryCode': 'US', '#text': 'United States' },
      },
    },
  }
}

/** What cXML has no element for. */
function extrinsicsOf({ origin, costCenter, contact, installation }: OrderRequestFacts): XmlContent[] {
  const said: [string, string | null][] = [
    ['CustomerId', origin.customerId],
    ['CostCenter', costCenter],
    ['Vehicle', contact.vehicle?.slice(0, 60) ?? null],
    ...(installation ? installationWords(installation) : []),
  ]
  return said.flatMap(([name, words]) => (words === null ? [] : [{ '@name': name, '#text': words }]))
}

/** Where and when the tires are installed, as Extrinsics. */
export function installationWords({
  shopCode,
  at,
  timeZone,
}: NonNullable<OrderRequestFacts['installation']>): [string, string][] {
  const time = at.toZonedDateTimeISO(timeZone).toString({ timeZoneName: 'never', smallestUnit: 'second' })
  return [
    ['InstallAt', shopCode],
    ['AppointmentAt', time],
  ]
}

function itemOf(item: PurchaseItem, lineNumber: number, origin: string): XmlContent {
  return {
    '@quantity': String(item.quantity),
    '@lineNumber': String(lineNumber),
    ItemID: { SupplierPartID: item.partId, SupplierPartAuxiliaryID: origin },
    ItemDetail: {
      UnitPrice: cxmlMoney(item.unitCents),
      Description: cxmlWords(item.name),
      UnitOfMeasure: 'EA',
      Classification: { '@domain': 'UNSPSC', '#text': item.itemId === null ? serviceCode : tireCode },
    },
  }
}
