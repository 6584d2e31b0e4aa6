/**
 * The preview of an order, with the time left, the tires and their fitment, the appointment, the payment, and the last
 * message.
 */
import { officePaths } from '#content/office-paths.ts'
import { findItem } from '#domain/catalog/catalog/catalog.server.ts'
import { selectMailsOfOrder, type OrderMail } from '#domain/messaging/messages/messages.server.ts'
import { readOrder, type OrderView } from '#domain/ordering/orders/orders.server.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { clockText, installationState, timeText, vehicleText } from '#domain/ordering/orders/orders.ts'
import { methodName } from '#domain/payments/charge-words/charge-words.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { itemPictureKey } from '#pictures/pictures.ts'
import type { ListReader } from '../define-list.server.ts'
import type { ListPreview, PreviewSection } from '../list.ts'

/** Reads an order's preview; undefined for an unknown order. Customers are shown to roles that see them. */
export async function readOrderPreview(
  { app, customers, now }: ListReader,
  orderId: number,
): Promise<ListPreview | undefined> {
  const order = await readOrder(app.db, orderId)
  if (!order) return undefined
  const first = order.lines.find(({ itemId }) => itemId !== null)?.itemId ?? null
  const [item, mails] = await Promise.all([
    first === null ? undefined : findItem(app.catalog, first),
    selectMailsOfOrder(app.db, orderId),
  ])
  const name = customers.show(`${order.firstName} ${order.lastName}`)
  return {
    id: orderNumber(orderId),
    title: orderNumber(orderId),
    note: [order.company ?? name, `placed ${timeText(order.placedAt, order.timeZone)}`].join(' · '),
    path: officePaths.officeOrder(orderId),
    open: 'Open order',
    clock: clockOf(order, now),
    picture: first !== null && item ? { itemId: first, key: itemPictureKey(item) } : null,
    sections: [tiresOf(order), ...appointmentOf(order), moneyOf(order), ...lastMessageOf(order, mails)],
  }
}

/** Returns the time left to cancel free of charge, or to confirm the order. */
function clockOf(order: OrderView, now: Temporal.Instant): ListPreview['clock'] {
  const { state, releasedAt, cancelUntil, confirmBy, placedAt, timeZone } = order
  const until = state === 'needs-confirmation' ? confirmBy : state === 'confirmed' && !releasedAt ? cancelUntil : null
  if (!until) return null
  const minutes = Math.ceil(until.since(now).total('minutes'))
  if (minutes <= 0) return null
  const isToConfirm = state === 'needs-confirmation'
  const whole = isToConfirm ? until.since(placedAt).total('minutes') : order.terms.cancelMinutes
  const left = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return {
    title: `${isToConfirm ? 'Waiting for confirmation' : 'Cancel window'}: ${left} left`,
    note: isToConfirm
      ? `Canceled at ${timeText(until, timeZone)} unless the customer confirms.`
      : `We don’t buy or charge anything until ${clockText(until, timeZone)}.`,
    share: Math.min(100, Math.max(0, Math.round((minutes / Math.max(1, whole)) * 100))),
    tone: 'signal',
  }
}

function tiresOf(order: OrderView): PreviewSection {
  const tires = order.lines.filter(({ itemId }) => itemId !== null)
  const vehicle = vehicleText(order)
  const verdict = order.verdict?.sets.map(({ headline }) => headline).join('. ')
  return {
    title: 'Tires',
    lines: tires.map(({ quantity, canceled, description }) =>
      [`${quantity} ${description}`, canceled > 0 ? `${canceled} canceled` : ''].filter(Boolean).join(', '),
    ),
    isLead: true,
    good: verdict || vehicle,
  }
}

function appointmentOf({ booking, shop, shipments, timeZone, ...order }: OrderView): PreviewSection[] {
  if (!shop) return []
  const isBooked = booking && !['none', 'unbooked'].includes(installationState({ ...order, shop, booking }))
  const last = shipments
    .filter(({ state }) => state !== 'canceled')
    .map(({ expectedOn, promisedOn, deliveredAt }) =>
      deliveredAt ? deliveredAt.toZonedDateTimeISO(timeZone).toPlainDate().toString() : (expectedOn ?? promisedOn),
    )
    .toSorted()
    .at(-1)
  return [
    {
      title: 'Appointment',
      facts: [
        ['Time', isBooked ? timeText(booking.start, timeZone) : 'Not booked'],
        ['Shop', `${shop.name}, ${shop.city}`],
        ...(last === undefined ? [] : [['Tires there', dayText(Temporal.PlainDate.from(last))] as const]),
      ],
    },
  ]
}

function moneyOf({ breakdown, payment, invoice, totalCents }: OrderView): PreviewSection {
  const { grossCents, itemPromotionCents, programCents, installDiscountCents, tenderCents, ...totals } =
    breakdown.totals
  const discounts = (
    [
      ['promotion', itemPromotionCents],
      [breakdown.program.kind === 'none' ? 'offer' : breakdown.program.kind, programCents],
      ['installation', installDiscountCents],
      ['payment offer', tenderCents],
    ] as const
  ).filter(([, cents]) => cents > 0)
  const off = discounts.reduce((sum, [, cents]) => sum + cents, 0)
  return {
    title: 'Money',
    sums: [
      { label: 'Gross', amount: formatCents(grossCents), kind: 'plain' },
      ...(off === 0
        ? []
        : [
            {
              label: 'Discounts',
              note: discounts.map(([label, cents]) => `${label} ${formatCents(cents)}`).join(', '),
              amount: formatCents(-off),
              kind: 'discount' as const,
            },
          ]),
      {
        label: 'Tire fee and sales tax',
        amount: formatCents(totals.tireFeeCents + totals.fetCents + totals.taxCents),
        kind: 'plain',
      },
      {
        label: payment?.state === 'captured' ? 'Charged' : payment ? 'Authorized' : 'Total',
        note: payment ? methodName(payment) : invoice ? 'On net terms' : '',
        amount: formatCents(totalCents),
        kind: 'total',
      },
    ],
  }
}

function lastMessageOf({ timeZone }: OrderView, mails: readonly OrderMail[]): PreviewSection[] {
  const last = mails.at(-1)
  if (!last) return []
  const subject = last.kind.charAt(0).toUpperCase() + last.kind.slice(1).replaceAll('-', ' ')
  return [
    {
      title: 'Last message',
      lines: [`${subject} email, ${last.state}, ${timeText(last.sentAt ?? last.queuedAt, timeZone)}`],
    },
  ]
}
