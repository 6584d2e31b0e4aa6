/** A request for an approval as its page shows it, at the price of now. */
import { summaryRows } from '#app/ui/order-summary.tsx'
import { lineViews } from '#app/views/checkout.server.ts'
import { problemText } from '#content/messages/cart.ts'
import { approvalStateNames } from '#domain/channels/approvals/approvals.ts'
import { asRequester, type SeenRequest } from '#domain/channels/approvals/approvals.server.ts'
import { findChosenTime } from '#domain/scheduling/booking/booking.server.ts'
import type { ChosenTime } from '#domain/scheduling/booking/booking.ts'
import { readCart } from '#domain/payments/cart/cart.server.ts'
import type { Cart } from '#domain/payments/cart/cart.ts'
import {
  agreementKey,
  judgeCart,
  quoteCart,
  readCreditLine,
  readDetails,
  type CartQuote,
  type CartVerdict,
  type SavedContact,
} from '#domain/ordering/checkout/checkout.server.ts'
import { isInstallation } from '#domain/supply/delivery/delivery.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { cityLine, holdText } from '#domain/ordering/orders/orders.ts'
import { formatCents } from '#platform/money.ts'
import { storeDateText } from '#platform/store-zone.ts'
import type { Application } from '#application'

/** A row of the list. */
export function approvalRow({ request, isOwn }: SeenRequest) {
  return {
    id: request.id,
    who: isOwn ? 'You' : (request.requester ?? 'Someone who left'),
    total: formatCents(request.totalCents),
    state: approvalStateNames[request.state],
    isWaiting: request.state === 'waiting',
    asked: storeDateText(request.requestedAt),
    until: storeDateText(request.expiresAt),
    order: request.orderId === null ? null : orderNumber(request.orderId),
  }
}

/** Returns the outcome as a sentence, or null while it is pending. */
function outcomeWords({ request }: SeenRequest): string | null {
  const when = request.decidedAt ? storeDateText(request.decidedAt) : ''
  const who = request.decider ?? 'Someone who left'
  switch (request.state) {
    case 'waiting':
      return null
    case 'approved':
      return `${who} approved it on ${when}.`
    case 'refused':
      return `${who} did not approve it on ${when}: ${request.reason ?? ''}`
    case 'withdrawn':
      return `It was taken back on ${when}.`
    case 'expired':
      return `It wasn’t approved by ${storeDateText(request.expiresAt)}.`
  }
}

/** Everything its page shows. */
export async function approvalView(app: Application, found: SeenRequest) {
  const { request } = found
  const store = asRequester(app, request)
  const isLive = request.state === 'waiting' && request.requestedBy !== null
  const cart = isLive ? await readCart(store, request.cartId) : undefined
  return {
    ...approvalRow(found),
    isOwn: found.isOwn,
    isApprover: found.isApprover,
    mayApprove: found.mayApprove,
    outcome: outcomeWords(found),
    orderId: request.orderId,
    mayReopen: found.isOwn && ['refused', 'withdrawn', 'expired'].includes(request.state),
    cart: cart ? await cartView(store, cart, request.totalCents) : null,
  }
}

async function cartView(store: Application, cart: Cart, agreedCents: number) {
  const { contact, billing } = await readDetails(store, cart.id)
  const quote = await quoteCart(store, cart, contact, { isAgreed: true })
  const { breakdown } = quote
  const [lines, verdict, chosen, line] = await Promise.all([
    lineViews(store, cart, breakdown),
    judgeCart(store, cart),
    isInstallation(cart.fulfillment) ? findChosenTime(store, cart.id) : undefined,
    readCreditLine(store),
  ])
  return {
    lines: lines.map(({ itemId, axle, brand, line: model, size, service, quantity, unit }) => ({
      key: `${itemId} ${axle}`,
      name: `${brand} ${model}`,
      size: `${size} ${service}${axle === 'all' ? '' : `, ${axle} axle`}`,
      count: `${quantity} at ${unit}`,
    })),
    rows: breakdown ? summaryRows(breakdown.explain) : [],
    fingerprint:
      breakdown && quote.problems.length === 0
        ? agreementKey({ cart, contact, breakdown, time: chosen?.booking ?? null })
        : null,
    problems: quote.problems.map(problemText),
    moved: movedWords(agreedCents, breakdown?.totals.totalCents ?? agreedCents),
    facts: [
      ['For', vehicleText(verdict, contact)],
      ['Where', whereText(quote, contact)],
      ['When', chosen ? timeText(chosen) : null],
      ['PO number', billing?.poNumber ?? null],
      ['Paid', line ? `Net ${line.netDays}` : 'Your company has no net terms now'],
    ] satisfies [string, string | null][],
  }
}

function movedWords(agreedCents: number, nowCents: number): string | null {
  if (nowCents === agreedCents) return null
  return `It was ${formatCents(agreedCents)} when it was submitted, and is ${formatCents(nowCents)} now.`
}

function vehicleText(verdict: CartVerdict | null, contact: SavedContact | null): string | null {
  return verdict?.vehicleName ?? contact?.vehicleNote ?? null
}

function timeText({ booking, status }: ChosenTime): string {
  return status === 'held' ? holdText(booking) : `${holdText(booking)}, if it is still free. It is not held.`
}

/** The shop, counter or address the tires go to. */
function whereText({ shop, carrierLocation, warehouse }: CartQuote, contact: SavedContact | null): string | null {
  const place = shop ?? carrierLocation ?? warehouse
  if (place) return `${place.name}, ${place.street}, ${cityLine(place)}`
  return contact && [contact.address1, contact.address2, cityLine(contact)].filter(Boolean).join(', ')
}
