/** The PunchOutOrderMessage with which a cart goes back to a purchasing system, posted by the browser. */
import { installationWords, type PunchoutCart, type PunchoutVisit } from '#domain/purchasing/purchasing.server.ts'
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
  {
    buyerCookie,
    operation,
    system,
    id,
    customerId,
  }: Pick<PunchoutVisit, 'buyerCookie' | 'operation' | 'system' | 'id' | 'customerId'>,
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
            ...(cart && { Tax: { ...cxmlMoney(cart.taxCents), Description: cxmlWords(cart.taxText) } }),
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
                ...extrinsicsOf(cart, customerId),
              },
            })),
          }),
        },
      },
    },
  )
}

/** What the order has to say again: for whom it is, and where and when the tires were priced to be installed. */
function extrinsicsOf(cart: PunchoutCart | undefined, customerId: string | null): XmlContent {
  const installation = cart?.installation
  const said: [string, string][] = [
    ...(customerId === null ? [] : [['CustomerId', customerId] as [string, string]]),
    ...(installation ? installationWords(installation) : []),
  ]
  return said.length === 0 ? {} : { Extrinsic: said.map(([name, words]) => ({ '@name': name, '#text': words })) }
}
