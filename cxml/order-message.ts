/** The PunchOutOrderMessage with which a cart goes back to a purchasing system, posted by the browser. */
import type { PunchoutCart, PunchoutVisit } from '#domain/purchasing/purchasing.server.ts'
import {
  cxmlDocument,
  cxmlHeader,
  cxmlMoney,
  cxmlWords,
  serviceCode,
  tireCode,
  type CxmlParty,
} from '#platform/cxml.ts'
import type { XmlContent } from '#platform/xml.ts'

/** Writes the message of a visit; without a cart, it takes back nothing. */
export function orderMessage(
  { buyerCookie, operation, system, id }: Pick<PunchoutVisit, 'buyerCookie' | 'operation' | 'system' | 'id'>,
  cart: PunchoutCart | undefined,
  { from, payloadId, at }: { from: CxmlParty; payloadId: string; at: Temporal.Instant },
): string {
  const items = cart?.items ?? []
  return cxmlDocument(
    { payloadId, at, dtd: 'cXML' },
    {
      Header: cxmlHeader(from, { domain: system.domain, identity: system.identity }, null),
      Message: {
        PunchOutOrderMessage: {
          BuyerCookie: buyerCookie,
          PunchOutOrderMessageHeader: {
            '@operationAllowed': operation === 'inspect' ? 'inspect' : 'edit',
            Total: cxmlMoney(cart?.totalCents ?? 0),
            ...(cart && { Tax: { ...cxmlMoney(cart.taxCents), Description: cxmlWords('Sales tax') } }),
          },
          ...(items.length > 0 && {
            ItemIn: items.map((item, index) => ({
              '@quantity': String(item.quantity),
              '@lineNumber': String(index + 1),
              ItemID: { SupplierPartID: item.partId, SupplierPartAuxiliaryID: id },
              ItemDetail: {
                UnitPrice: cxmlMoney(item.unitCents),
                Description: cxmlWords(item.name),
                UnitOfMeasure: 'EA',
                Classification: {
                  '@domain': 'UNSPSC',
                  '#text': item.itemId === null ? serviceCode : tireCode,
                },
                ...extrinsicsOf(cart),
              },
            })),
          }),
        },
      },
    },
  )
}

/** What the order has to say again, so that the tires are installed where and when they were priced. */
function extrinsicsOf(cart: PunchoutCart | undefined): XmlContent {
  const installation = cart?.installation
  if (!installation) return {}
  const { shopCode, at, timeZone } = installation
  const time = at.toZonedDateTimeISO(timeZone).toString({ timeZoneName: 'never', smallestUnit: 'second' })
  return {
    Extrinsic: [
      { '@name': 'InstallAt', '#text': shopCode },
      { '@name': 'AppointmentAt', '#text': time },
    ],
  }
}
