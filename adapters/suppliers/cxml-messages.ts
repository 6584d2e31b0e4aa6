/**
 * Reading what suppliers send in cXML 1.2: ConfirmationRequest and ShipNoticeRequest (Fulfill.dtd). http://cxml.org
 */
import type {
  LineAnswer,
  SupplierConfirmation,
  SupplierMessage,
  SupplierWire,
} from '#domain/supply/stock/supplier.port.ts'
import { countsPieces } from '#platform/cxml.ts'
import { childAt, childrenOf, parseXml, type XmlElement } from '#platform/xml.ts'

type Read = ReturnType<SupplierWire['readMessage']>

const mostLines = 200
const maxUnits = 10_000
const unreadable = (words: string): Read => ({ ok: false, reason: 'unreadable', words })
const notSupported = (words: string): Read => ({ ok: false, reason: 'not-supported', words })

/** Whom the messages of a sender have to be for, and what compares the secret they prove themselves with. */
type Recipient = { ourIdentity: string; isSecret(given: string): boolean }

/** Reads a message. `recipientOf` finds its sender by identity, or returns null for a sender without a secret. */
export function readCxmlMessage(rawBody: string, recipientOf: (networkId: string) => Recipient | null): Read {
  const root = parseXml(rawBody)
  const header = childAt(root, 'Header')
  if (root?.name !== 'cXML' || !header) return unreadable('This is not a cXML document that can be read.')
  const networkId = identityOf(childAt(header, 'From'))
  const recipient = recipientOf(networkId)
  // Before anything else of it is looked at.
  if (!recipient?.isSecret(secretIn(header))) return { ok: false, reason: 'bad-secret' }
  if (identityOf(childAt(header, 'To')) !== recipient.ourIdentity)
    return unreadable('It is addressed to another buyer.')
  const payloadId = root.attributes['payloadID'] ?? ''
  if (networkId === '' || payloadId === '' || payloadId.length > 200 || networkId.length > 40)
    return unreadable('It has no payloadID or no sender.')
  const request = childAt(root, 'Request')
  const confirmation = childAt(request, 'ConfirmationRequest')
  if (confirmation) return readConfirmation(confirmation, { networkId, payloadId })
  const notice = childAt(request, 'ShipNoticeRequest')
  return notice
    ? readShipNotice(notice, { networkId, payloadId })
    : notSupported('Only ConfirmationRequest and ShipNoticeRequest are taken.')
}

function secretIn(header: XmlElement): string {
  return childAt(header, 'Sender', 'Credential', 'SharedSecret')?.text.trim() ?? ''
}

function identityOf(party: XmlElement | undefined): string {
  const credentials = childrenOf(party, 'Credential')
  const onNetwork = credentials.find(({ attributes }) => attributes['domain'] === 'NetworkId') ?? credentials[0]
  return childAt(onNetwork, 'Identity')?.text.trim() ?? ''
}

type From = Pick<SupplierMessage, 'networkId' | 'payloadId'>

/** The answer for lines without an entry in the confirmation, by its header's type. */
const restOf: Readonly<Record<string, SupplierConfirmation['rest']>> = {
  accept: 'filled',
  except: 'filled',
  allDetail: null,
  detail: null,
  backordered: 'backordered',
  reject: 'rejected',
}
const answerOf: Readonly<Record<string, 'filled' | 'rejected' | 'backordered' | null>> = {
  accept: 'filled',
  allDetail: 'filled',
  detail: 'filled',
  backordered: 'backordered',
  reject: 'rejected',
  unknown: null,
}

function readConfirmation(confirmation: XmlElement, from: From): Read {
  const header = childAt(confirmation, 'ConfirmationHeader')
  const orderPayloadId = orderOf(confirmation)
  const type = header?.attributes['type'] ?? ''
  const rest = Object.hasOwn(restOf, type) ? restOf[type] : undefined
  if (rest === undefined) return notSupported(`A confirmation of type "${type.slice(0, 40)}" is not taken.`)
  if (!header || orderPayloadId === undefined) return unreadable('It names no order.')
  const items = childrenOf(confirmation, 'ConfirmationItem')
  const lines = items.length > mostLines ? undefined : linesIn(items)
  if (!lines) return unreadable('The lines of it cannot be read.')
  const statuses = items.flatMap((item) => childrenOf(item, 'ConfirmationStatus'))
  const words = [header, ...statuses].flatMap((each) => childrenOf(each, 'Comments')).map(({ text }) => text.trim())
  const kept = statuses.filter(({ attributes }) => answerOf[attributes['type'] ?? ''] === 'filled')
  return {
    ok: true,
    message: {
      ...from,
      orderPayloadId,
      kind: 'confirmation',
      reference: shortText(header.attributes['confirmID'], 60),
      lines,
      rest,
      deliveryOn: latestDay(kept.map(({ attributes }) => attributes['deliveryDate'])),
      words: shortText(words.join(' '), 200),
    },
  }
}

function linesIn(items: readonly XmlElement[]): LineAnswer[] | undefined {
  const lines: LineAnswer[] = []
  for (const item of items) {
    const line = { lineNo: Number(item.attributes['lineNumber']), filled: 0, rejected: 0, backordered: 0 }
    if (!Number.isInteger(line.lineNo) || line.lineNo < 0) return undefined
    for (const status of childrenOf(item, 'ConfirmationStatus')) {
      const { attributes } = status
      // Our orders count single tires, so an answer in pairs would be a different quantity.
      if (!countsPieces(childAt(status, 'UnitOfMeasure')?.text)) return undefined
      const [units, type] = [Number(attributes['quantity']), attributes['type'] ?? '']
      const answer = Object.hasOwn(answerOf, type) ? answerOf[type] : undefined
      if (answer === undefined || !Number.isInteger(units) || units < 0 || units > maxUnits) return undefined
      if (answer !== null) line[answer] += units
    }
    lines.push(line)
  }
  return lines
}

function readShipNotice(notice: XmlElement, from: From): Read {
  const header = childAt(notice, 'ShipNoticeHeader')
  const shipmentId = shortText(header?.attributes['shipmentID'], 60)
  if (header?.attributes['operation'] === 'delete') return notSupported('A ship notice cannot be taken back.')
  const orders = new Set(childrenOf(notice, 'ShipNoticePortion').map((portion) => orderOf(portion)))
  const [orderPayloadId] = orders
  if (orders.size !== 1 || orderPayloadId === undefined || shipmentId === null)
    return unreadable('A ship notice is of one order, and has a number.')
  const control = childAt(notice, 'ShipControl')
  const tracking = [childAt(control, 'CarrierIdentifier'), childAt(control, 'ShipmentIdentifier')]
  return {
    ok: true,
    message: {
      ...from,
      orderPayloadId,
      kind: 'ship-notice',
      shipmentId,
      tracking: shortText(tracking.map((each) => each?.text.trim() ?? '').join(' '), 60),
      deliveryOn: latestDay([header?.attributes['deliveryDate']]),
    },
  }
}

function orderOf(element: XmlElement): string | undefined {
  return childAt(element, 'OrderReference', 'DocumentReference')?.attributes['payloadID']
}

function shortText(text: string | undefined, most: number): string | null {
  return text?.trim().slice(0, most) || null
}

/** Returns the latest date in each location's own format. Returns null if no date is valid. */
function latestDay(instants: readonly (string | undefined)[]): string | null {
  const days = instants.flatMap((text) => {
    const day = /^(\d{4}-\d\d-\d\d)(?:T|$)/.exec(text ?? '')?.[1]
    return day !== undefined && isDay(day) ? [day] : []
  })
  return days.toSorted().at(-1) ?? null
}

function isDay(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
