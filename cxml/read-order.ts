/** Reading an OrderRequest. Elements and attributes: cXML.dtd. http://cxml.org */
import { z } from 'zod'
import type { PurchaseRequest, RequestedAddress, RequestedLine } from '#domain/channels/purchasing/purchasing.server.ts'
import { countsPieces } from '#platform/cxml.ts'
import { childAt, childrenOf, type XmlElement } from '#platform/xml.ts'
import {
  cents,
  centsIn,
  extrinsicsOf,
  instant,
  lineNumber,
  state,
  textAt,
  unitRefusal,
  units,
  word,
} from './read-values.ts'

const mostLines = 50

const header = z.object({
  orderId: word(40),
  orderDate: instant,
  billTo: word(100),
})
const line = z.object({
  lineNumber,
  partId: word(60),
  quantity: units,
  unit: word(10),
  unitCents: cents,
})
const address = z.object({
  name: word(100),
  deliverTo: z.array(word(100)).max(5),
  street: z.array(word(100)).min(1).max(4),
  city: word(60),
  state,
  zip: z
    .string()
    .trim()
    .regex(/^\d{5}(?:-?\d{4})?$/)
    .transform((zip) => zip.slice(0, 5)),
  country: z.literal('US'),
})
const optionalWord = word(60).nullable()

type Read = { ok: true; request: PurchaseRequest } | { ok: false; words: string }

const wrong = (words: string): { ok: false; words: string } => ({ ok: false, words })

/** Returns the type of an OrderRequest. `new` places an order. */
export function orderTypeOf(request: XmlElement): string {
  return childAt(request, 'OrderRequestHeader')?.attributes['type'] ?? 'new'
}

/** Returns the number of an OrderRequest, or undefined if it's missing. */
export function orderIdOf(request: XmlElement): string | undefined {
  return word(40).safeParse(childAt(request, 'OrderRequestHeader')?.attributes['orderID']).data
}

/** Parses an OrderRequest that places an order, or returns a message about its error. */
export function readOrder(element: XmlElement, { payloadId, isTest }: { payloadId: string; isTest: boolean }): Read {
  const top = childAt(element, 'OrderRequestHeader')
  const head = header.safeParse({
    orderId: top?.attributes['orderID'],
    orderDate: top?.attributes['orderDate'],
    billTo: textAt(top, 'BillTo', 'Address', 'Name'),
  })
  if (!head.success) return wrong('The OrderRequestHeader has no orderID, orderDate or BillTo that can be read.')
  const totalCents = centsIn(childAt(top, 'Total'))
  if (totalCents === undefined || totalCents < 0) return wrong('The Total is no amount in USD.')
  const tax = childAt(top, 'Tax')
  const taxCents = tax ? centsIn(tax) : null
  if (taxCents === undefined) return wrong('The Tax is no amount in USD.')
  const items = childrenOf(element, 'ItemOut')
  if (items.length === 0 || items.length > mostLines) return wrong(`An order has 1 to ${mostLines} ItemOut.`)
  const lines = linesIn(items)
  if (typeof lines === 'string') return wrong(lines)
  const shipTo = shipToOf(top, items)
  if (shipTo === 'unreadable')
    return wrong('The ShipTo is no address in the US with Name, Street, City, State and PostalCode.')
  const said = saidIn(top, items)
  if (typeof said === 'string') return wrong(said)
  const { orderId, orderDate, billTo: billToName } = head.data
  const origin =
    items.flatMap((item) => textAt(item, 'ItemID', 'SupplierPartAuxiliaryID') ?? [])[0]?.slice(0, 100) ?? null
  const request = { ...said, origin, payloadId, isTest, orderId, totalCents, taxCents, shipTo, billToName, lines }
  return { ok: true, request: { ...request, orderDate: orderDate.toString({ smallestUnit: 'second' }) } }
}

function linesIn(items: readonly XmlElement[]): RequestedLine[] | string {
  const lines: RequestedLine[] = []
  for (const [index, item] of items.entries()) {
    const price = childAt(item, 'ItemDetail', 'UnitPrice', 'Money')
    const unit = textAt(item, 'ItemDetail', 'UnitOfMeasure')
    if (!countsPieces(unit)) return unitRefusal(`ItemOut ${index + 1}`, unit)
    const read = line.safeParse({
      lineNumber: item.attributes['lineNumber'] ?? String(index + 1),
      partId: textAt(item, 'ItemID', 'SupplierPartID'),
      quantity: item.attributes['quantity'],
      unit: unit ?? 'EA',
      unitCents: price?.attributes['currency'] === 'USD' ? price.text : undefined,
    })
    if (!read.success) {
      const what = read.error.issues[0]?.path[0] ?? 'line'
      return `ItemOut ${index + 1} cannot be read: ${String(what)}.`
    }
    lines.push(read.data)
  }
  const numbers = new Set(lines.map((each) => each.lineNumber))
  return numbers.size < lines.length ? 'Two ItemOut have the same lineNumber.' : lines
}

/** The address of the order, or the one of its lines if all have the same. */
function shipToOf(top: XmlElement | undefined, items: readonly XmlElement[]): RequestedAddress | null | 'unreadable' {
  const ofLines = items.map((item) => childAt(item, 'ShipTo', 'Address')).filter((each) => each !== undefined)
  const found = childAt(top, 'ShipTo', 'Address') ?? ofLines[0]
  if (!found) return null
  if (ofLines.some((each) => JSON.stringify(each) !== JSON.stringify(found))) return 'unreadable'
  const post = childAt(found, 'PostalAddress')
  const read = address.safeParse({
    name: textAt(found, 'Name'),
    deliverTo: childrenOf(post, 'DeliverTo').flatMap(({ text }) => text.trim() || []),
    street: childrenOf(post, 'Street').flatMap(({ text }) => text.trim() || []),
    city: textAt(post, 'City'),
    state: stateIn(childAt(post, 'State')),
    zip: textAt(post, 'PostalCode'),
    country: childAt(post, 'Country')?.attributes['isoCountryCode'],
  })
  return read.success ? read.data : 'unreadable'
}

/** The attribute where it names a state, or else the text. */
function stateIn(element: XmlElement | undefined): string | undefined {
  const code = element?.attributes['isoStateCode']
  return state.safeParse(code).success ? code : element?.text
}

/** Returns the data without a cXML element: Extrinsics of the header or of the lines. */
function saidIn(
  top: XmlElement | undefined,
  items: readonly XmlElement[],
): Pick<PurchaseRequest, 'costCenter' | 'customerId' | 'vehicle' | 'installAt' | 'appointmentAt'> | string {
  const said = extrinsicsOf([top, ...items.map((item) => childAt(item, 'ItemDetail'))])
  const wordOf = (name: string) => optionalWord.safeParse(said.get(name) ?? null)
  const [costCenter, customerId, vehicle, installAt] = [
    optionalWord.safeParse(said.get('CostCenter') ?? costCenterOf(items) ?? null),
    wordOf('CustomerId'),
    wordOf('Vehicle'),
    wordOf('InstallAt'),
  ]
  if (!costCenter.success || !customerId.success || !vehicle.success || !installAt.success)
    return 'An Extrinsic is longer than 60 characters.'
  const time = said.get('AppointmentAt')
  const appointmentAt = time === undefined ? null : instant.safeParse(time).data
  return appointmentAt === undefined
    ? 'AppointmentAt is no time with its zone, such as 2026-12-01T09:30:00-06:00.'
    : {
        costCenter: costCenter.data,
        customerId: customerId.data,
        vehicle: vehicle.data,
        installAt: installAt.data,
        appointmentAt,
      }
}

/** The account that the lines are charged to. */
function costCenterOf(items: readonly XmlElement[]): string | undefined {
  return items.flatMap(
    (item) => childAt(item, 'Distribution', 'Accounting', 'AccountingSegment')?.attributes['id'] ?? [],
  )[0]
}
