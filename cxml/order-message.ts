/** The PunchOutOrderMessage that returns a cart to a purchasing system, posted by the browser. */
import {
  installationWords,
  type PunchoutCart,
  type PunchoutVisit,
} from '#domain/channels/purchasing/purchasing.server.ts'
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

/** Writes a session's message. Without a cart, the message is empty. */
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

/** Returns the data that the order must repeat (the customer, and the priced installation's place and time). */
function extrinsicsOf(cart: PunchoutCart | undefined, customerId: string | null): XmlContent {
  const installation = cart?.installation
  const said: [string, string][] = [
    ...(customerId === null ? [] : [['CustomerId', customerId] as [string, string]]),
    ...(installation ? installationWords(installation) : []),
  ]
  return said.length === 0 ? {} : { Extrinsic: said.map(([name, words]) => ({ '@name': name, '#text': words })) }
}
