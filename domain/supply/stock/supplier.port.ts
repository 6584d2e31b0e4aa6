import type { Outcome, Refused } from '#platform/outcome.ts'

/** Electronic supplier interface. Purchase orders are sent, and answers arrive asynchronously. */
export interface SupplierWire {
  /** Whether the store is on a purchasing network. Suppliers that have their own system don't need one. */
  hasNetwork: boolean
  /**
   * Places an order. Under the same payload id it is placed once, however often it is sent. `refused`: the supplier's
   * system does not take it; `unavailable`: it may later.
   */
  order(order: SupplierOrder): Promise<SupplierReply>
  /** Withdraws an order that was taken. Withdrawing again is no mistake. */
  withdraw(order: SupplierOrder): Promise<SupplierReply>
  /**
   * Reads a supplier's message. `ownOf` returns the connection for a supplier's own system, and its secret must
   * match the message. Refuses a wrong secret, and messages that aren't about a purchase order.
   */
  readMessage(
    rawBody: string,
    ownOf: (networkId: string) => SupplierConnection | 'unreadable' | null,
  ):
    | { ok: true; message: SupplierMessage }
    | { ok: false; reason: 'bad-secret' }
    | { ok: false; reason: 'unreadable' | 'not-supported'; words: string }
  /** The body that answers a message, with a status code of the protocol. */
  answerOf(answer: { code: number; words: string; at: Temporal.Instant }): string
  /**
   * Reads a supplier's new EDI files and passes the messages of each to `take`. A file is removed when `take` is done, so
   * messages can be repeated. `fault` names the failure.
   */
  collect(
    supplier: { networkId: string; connection: EdiConnection },
    take: (messages: readonly EdiMessage[]) => Promise<void>,
  ): Promise<Outcome<{ files: number }, Refused<'unavailable', { fault: string }>>>
}

/** The connection to a supplier's system. `identity` is the store's identity there. */
export type SupplierConnection = CxmlConnection | EdiConnection
export type CxmlConnection = { protocol: 'cxml'; url: string; identity: string; secret: string }

/**
 * A folder on an SFTP server. `secret` is a password or a private key in PEM, and `hostKey` the fingerprint of the
 * server's key.
 */
export type EdiConnection = {
  protocol: 'edi'
  url: string
  identity: string
  username: string
  secret: string
  hostKey: string
}

/** A purchase order as sent to its supplier. */
export type SupplierOrder = {
  /** The number that people see, such as PO-5001. */
  number: string
  /** The message id, unchanged on retries. */
  payloadId: string
  /** The supplier's identity on the network. */
  networkId: string
  /** The supplier's own system; null for one that is reached over the network. */
  own: SupplierConnection | null
  /** The time of release, used as the message's timestamp and unchanged on retries. */
  at: Temporal.Instant
  /** Whether it is filled completely or not at all. Otherwise it may come in parts. */
  isWhole: boolean
  /** What staff ask of the supplier. */
  note: string | null
  shipTo: { name: string; street: string; city: string; state: string; zip: string; phone: string }
  lines: SupplierOrderLine[]
}

export type SupplierOrderLine = {
  lineNo: number
  sku: string
  /** The brand and its part number, by which the supplier finds the tire; null for a tire without one. */
  part: { brand: string; mpn: string } | null
  name: string
  quantity: number
  unitCents: number
}

export type SupplierReply =
  | { ok: true }
  | { ok: false; reason: 'unavailable'; cause: unknown }
  | { ok: false; reason: 'refused'; words: string }

/** The content of a supplier's message about an order. */
export type MessageContent =
  | ({ kind: 'confirmation' } & SupplierConfirmation)
  | ({ kind: 'ship-notice' } & SupplierShipNotice)

/** A message that refers to the order's message. */
export type SupplierMessage = { networkId: string; payloadId: string; orderPayloadId: string } & MessageContent

/** A message in EDI, which refers to the order's number, such as PO-5001-2. */
export type EdiMessage = { networkId: string; payloadId: string; orderNumber: string } & MessageContent

/** Units by purchase order line. Unlisted lines have the state `rest`; null means not answered yet. */
export type SupplierConfirmation = {
  /** The supplier's own number. */
  reference: string | null
  lines: LineAnswer[]
  rest: 'filled' | 'rejected' | 'backordered' | null
  /** The latest day it names for a delivery. */
  deliveryOn: string | null
  words: string | null
}
export type LineAnswer = { lineNo: number; filled: number; rejected: number; backordered: number }
export type SupplierShipNotice = {
  shipmentId: string
  /** How the parcels are tracked, as the supplier writes it. */
  tracking: string | null
  deliveryOn: string | null
}
