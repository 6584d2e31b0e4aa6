/** Returns as shown to shoppers, including returnable tires with their refund, and a return's progress. */
import { pictureOfItem } from '#app/views/tire-picture.server.ts'
import type { StepperStep } from '#app/ui/order-timeline.tsx'
import type { PictureRef } from '#app/ui/tire-picture.tsx'
import { paths } from '#content/paths.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { dayText, timeText, vehicleText } from '#domain/ordering/orders/orders.ts'
import type { OrderView } from '#domain/ordering/orders/orders.server.ts'
import {
  canCancelReturn,
  checkReturn,
  feePerTire,
  lastReturnDay,
  feeReasonFor,
  feeReasonText,
  leftOf,
  refundWithinHours,
  returnMoney,
  returnNumber,
  returnReasons,
  returnReasonWords,
  returnState,
  returnStateWords,
  shipsBack,
  type FeeReason,
  type ReturnFacts,
  type ReturnMoney,
  type ReturnReason,
} from '#domain/ordering/returns/returns.ts'
import {
  currentFeeReason,
  findReplacements,
  listOrderReturns,
  moneyOfTires,
  nextReturnSeq,
  readReturnFacts,
  type AskedReturn,
  type ExchangePlace,
  type ReturnView,
} from '#domain/ordering/returns/returns.server.ts'
import { salesTaxName, salesTaxNote, tireFeeName } from '#domain/pricing/pricing/pricing.ts'
import { formatCents } from '#platform/money.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'

export type ReturnMoneyView = {
  rows: { label: string; detail: string; amount: string; tone: 'plain' | 'waived' }[]
  total: string
}

export type AskView = {
  number: string
  track: string
  until: string | null
  seq: number
  lines: { lineNo: number; name: string; detail: string; left: number; quantity: number; picture: PictureRef }[]
  reasons: { value: ReturnReason; label: string; fee: string; isFree: boolean }[]
  rules: { title: string; reason: string; isMet: boolean }[]
  /** The refund for the selected tires. Null if no tire is selected. */
  money: ReturnMoneyView | null
  /** Why the order can't be returned at all; null if it can. */
  closed: string | null
  earlier: { label: string; state: string; href: string }[]
  payment: string
}

type Chosen = Pick<AskedReturn, 'lines' | 'reason' | 'isUnmounted'> & { photos: number }

/** Returns the return request page for the current selection, or initially with everything returnable. */
export async function askView(
  app: Pick<Application, 'db' | 'clock' | 'catalog'>,
  order: OrderView,
  { chosen, earlier, key }: { chosen: Chosen | null; earlier: readonly ReturnView[]; key: string | undefined },
): Promise<AskView> {
  const blank = await readReturnFacts(app, order, { lines: [], reason: null, isUnmounted: false, photos: 0 })
  const all = blank.lines.flatMap(({ lineNo }) => {
    const quantity = leftOf(blank, lineNo)
    return quantity > 0 ? [{ lineNo, quantity }] : []
  })
  const { lines: asked, ...said } = chosen ?? { lines: all }
  const facts: ReturnFacts = { ...blank, ...said, asked }
  const findings = checkReturn(facts)
  const days = facts.lines.flatMap(({ deliveredOn }) => deliveredOn ?? [])
  const closing = ['delivered', 'in-time', 'not-installed'] as const
  const wasSaidToFit = order.verdict?.verdict === 'fits'
  const feeOf = (reason: ReturnReason) => feeReasonFor({ reason, wasSaidToFit, isReordered: false })
  return {
    number: orderNumber(order.id),
    track: paths.trackResult(order.id, { key }),
    until:
      days.length > 0
        ? dayText(lastReturnDay(days.toSorted(Temporal.PlainDate.compare)[0] ?? facts.today, order.terms))
        : null,
    seq: await nextReturnSeq(app, order.id),
    lines: await Promise.all(
      facts.lines.map(async (line) => ({
        ...line,
        ...(await tireOf(app, order, line.lineNo)),
        left: leftOf(facts, line.lineNo),
        quantity: facts.asked.find(({ lineNo }) => lineNo === line.lineNo)?.quantity ?? 0,
      })),
    ),
    reasons: returnReasons.map((value) => ({
      value,
      label: returnReasonWords[value],
      isFree: feeOf(value) !== 'due',
      fee: feeOf(value) === 'due' ? `${formatCents(feePerTire('due', order.terms))} a tire` : 'No fee',
    })),
    rules: findings.map(({ title, reason, isMet }) => ({ title, reason, isMet })),
    money: chosenMoney(order, facts, feeOf(facts.reason ?? 'changed-mind')),
    closed:
      all.length === 0
        ? (findings.find(({ isMet }) => !isMet)?.reason ?? 'No items in this order are eligible for return.')
        : (findings.find(({ rule, isMet }) => !isMet && closing.some((one) => one === rule) && chosen === null)
            ?.reason ?? null),
    earlier: earlier.map((view) => ({
      label: returnNumber(view.id),
      state: returnStateWords[returnState(view.tires)],
      href: paths.orderReturn(order.id, { returnId: view.id, key }),
    })),
    payment: wayOf(order),
  }
}

async function tireOf({ catalog }: Pick<Application, 'catalog'>, order: OrderView, lineNo: number) {
  const line = order.lines.find((each) => each.lineNo === lineNo)
  return {
    detail: `${line?.quantity ?? 0} at ${formatCents(line?.unitCents ?? 0)}`,
    picture: await pictureOfItem(catalog, line?.itemId ?? 0),
  }
}

/** Assumes the first units in each line. */
function chosenMoney(order: OrderView, { asked, lines }: ReturnFacts, fee: FeeReason): ReturnMoneyView | null {
  const units = asked.flatMap(({ lineNo, quantity }) => {
    const line = lines.find((each) => each.lineNo === lineNo)
    const count = Math.min(quantity, line ? line.delivered - line.taken : 0)
    return Array.from({ length: Math.max(0, count) }, (_, unit) => ({ lineNo, unit: (line?.taken ?? 0) + unit + 1 }))
  })
  return units.length === 0
    ? null
    : moneyView(returnMoney(order.breakdown, units, feePerTire(fee, order.terms)), order, fee)
}

/** The amounts of a return as rows; the fee is a row at $0.00 too, with the reason. */
export function moneyView(
  money: ReturnMoney,
  order: Pick<OrderView, 'breakdown' | 'terms'>,
  fee: FeeReason,
): ReturnMoneyView {
  const { tax } = order.breakdown
  const plain = (label: string, detail: string, cents: number) => ({
    label,
    detail,
    amount: formatCents(cents),
    tone: 'plain' as const,
  })
  return {
    rows: [
      plain(
        countOf(money.tires, 'tire goes back', 'tires go back'),
        'What you paid for them, after discounts',
        money.tiresCents,
      ),
      ...(money.servicesCents > 0
        ? [plain('Services you did not use', 'Coverage, installation and kits of these tires', money.servicesCents)]
        : []),
      ...(money.tireFeeCents > 0 ? [plain(tireFeeName(tax), '', money.tireFeeCents)] : []),
      ...(money.salesTaxCents > 0
        ? [plain(salesTaxName(tax), salesTaxNote(tax) || 'As charged', money.salesTaxCents)]
        : []),
      {
        label: 'Handling fee',
        detail:
          fee === 'due'
            ? `${money.tires} at ${formatCents(feePerTire(fee, order.terms))}`
            : feeReasonText(fee, order.terms),
        amount: money.feeCents > 0 ? formatCents(-money.feeCents) : formatCents(0),
        tone: fee === 'due' ? 'plain' : 'waived',
      },
    ],
    total: formatCents(money.refundCents),
  }
}

/** "To the card you paid with, within 48 hours of receiving the tires." */
function wayOf({ invoice }: OrderView): string {
  const to = invoice ? 'Off your company’s invoice' : 'The way you paid'
  return `${to}, within ${countOf(refundWithinHours, 'hour')} of receiving the tires.`
}

/** An order's returns, and the link to request another. `ask` is null before the first delivery, and for viewers. */
export type OrderReturnsView = { list: { label: string; state: string; href: string }[]; ask: string | null }

/** Returns the returns section for an order's page. */
export async function orderReturnsView(
  { db }: Pick<Application, 'db'>,
  { order, access, key }: { order: OrderView; access: 'own' | 'read'; key: string | undefined },
): Promise<OrderReturnsView> {
  const isThere = order.state === 'confirmed' && order.shipments.some(({ state }) => state === 'delivered')
  return {
    list: (await listOrderReturns(db, order.id)).map((view) => ({
      label: returnNumber(view.id),
      state: returnStateWords[returnState(view.tires)],
      href: paths.orderReturn(order.id, { returnId: view.id, key }),
    })),
    ask: isThere && access === 'own' ? paths.orderReturn(order.id, { key }) : null,
  }
}

export type ResultView = {
  number: string
  order: string
  track: string
  title: string
  isOver: boolean
  email: string
  steps: StepperStep[]
  labelsPdf: string | null
  tires: {
    no: number
    name: string
    state: string
    label: string | null
    print: string | null
    refusal: string | null
  }[]
  money: ReturnMoneyView
  reorder: { number: string; isCanceled: boolean } | null
  canCancel: boolean
  /** How the shopper gets the replacing tires; null when they are in the cart, ordered, or the return is canceled. */
  exchange: { by: 'cart'; button: string } | { by: 'choice'; link: string; href: string } | null
  /** Where the visitor's cart has the replacing tires; null if it does not, or they are ordered. */
  cart: string | null
  exchangeNote: string
  /** What to do with the tires that have not shipped yet; null when all have. */
  handOver: string | null
  payment: string
}

function exchangeNoteOf({ reason }: ReturnView, place: 'in-cart' | 'cart' | 'choice'): string {
  if (reason !== 'wrong-size')
    return place === 'in-cart'
      ? 'The same tires are in your cart.'
      : 'Want the same tires again? Add them to your cart.'
  switch (place) {
    case 'in-cart':
      return 'These tires in your vehicle’s size are in your cart. Once you order them, there is no handling fee.'
    case 'cart':
      return 'Add these tires in your vehicle’s size to your cart. Once you order them, there is no handling fee.'
    case 'choice':
      return 'We don’t sell these tires in your vehicle’s size. Choose others and enter the order number to avoid a handling fee.'
  }
}

/** Returns the page for choosing tires for an exchange's vehicle, or the tire finder. */
export function exchangePath(vehicle: ExchangePlace): string {
  return vehicle ? paths.vehicle(vehicle.makeSlug, vehicle.modelSlug, vehicle.year) : paths.find()
}

async function exchangeOf(
  app: Pick<Application, 'db' | 'clock' | 'buyer' | 'catalog'>,
  order: OrderView,
  view: ReturnView,
): Promise<NonNullable<ResultView['exchange']>> {
  const found = await findReplacements(app, order, view)
  if (found.ok)
    return {
      by: 'cart',
      button: view.reason === 'wrong-size' ? 'Put the right tires in my cart' : 'Add the same tires to my cart',
    }
  const { vehicle } = found.detail
  return {
    by: 'choice',
    link: vehicle ? `See tires that fit your ${vehicleText(order) ?? 'vehicle'}` : 'Find tires for your vehicle',
    href: exchangePath(vehicle),
  }
}

/** One return, for its shopper. */
export async function resultView(
  app: Pick<Application, 'db' | 'clock' | 'buyer' | 'catalog'>,
  order: OrderView,
  view: ReturnView,
  { key, cartId }: { key: string | undefined; cartId: string | undefined },
): Promise<ResultView> {
  const live = view.tires.filter(({ state }) => state !== 'canceled')
  const state = returnState(view.tires)
  const fee = currentFeeReason(view)
  const counted = live.filter((tire) => tire.state !== 'refused')
  const isInCart = view.reorder === null && view.exchangeCartId !== null && view.exchangeCartId === cartId
  const exchange = state === 'canceled' || view.reorder !== null || isInCart ? null : await exchangeOf(app, order, view)
  return {
    number: returnNumber(view.id),
    order: orderNumber(order.id),
    track: paths.trackResult(order.id, { key }),
    title: titles[state],
    isOver: state === 'canceled',
    email: order.email,
    steps: stepsOf(order, view),
    labelsPdf: live.some(({ state: tire, trackingNumber }) => tire === 'labeled' && trackingNumber !== null)
      ? paths.returnLabels(order.id, view.id, { key })
      : null,
    tires: view.tires.map((tire) => ({
      no: tire.tireNo,
      name: tire.name,
      state: returnStateWords[tire.state],
      label: tire.trackingNumber && `${tire.carrier ?? ''} ${tire.trackingNumber}`,
      print:
        tire.trackingNumber && tire.state === 'labeled'
          ? paths.returnLabels(order.id, view.id, { tire: tire.tireNo, key })
          : null,
      refusal: tire.refusal,
    })),
    money: moneyView(moneyOfTires(order, counted, fee), order, fee),
    reorder: view.reorder && { number: orderNumber(view.reorder.id), isCanceled: view.reorder.state === 'canceled' },
    canCancel: canCancelReturn(view.tires),
    exchange,
    cart: isInCart && state !== 'canceled' ? paths.cart() : null,
    exchangeNote: exchangeNoteOf(view, exchange?.by ?? 'in-cart'),
    handOver: handOverOf(view),
    payment: wayOf(order),
  }
}

/** The next step with the tires that the shopper still has. */
function handOverOf({ tires, shipBy, reason }: ReturnView): string | null {
  if (shipBy === null || !shipsBack(reason)) return null
  if (tires.some(({ state }) => state === 'labeled'))
    return `Tape a label around the tread of each tire. No box needed. Hand them to the carrier by ${dayText(Temporal.PlainDate.from(shipBy))}.`
  return tires.some(({ state }) => state === 'requested')
    ? 'We are making a label for each tire. We will email them to you in a few minutes.'
    : null
}

const titles: Record<ReturnType<typeof returnState>, string> = {
  requested: 'Your return is open',
  labeled: 'Your labels are ready',
  shipped: 'Your tires are on the way to us',
  received: 'We received your tires',
  accepted: 'We accepted your tires',
  refused: 'We could not take your tires back',
  refunded: 'We approved your refund',
  canceled: 'This return is canceled',
}

function stepsOf(order: OrderView, view: ReturnView): StepperStep[] {
  const states = ['requested', 'labeled', 'shipped', 'received', 'accepted', 'refunded'] as const
  const state = returnState(view.tires)
  const at = state === 'refused' ? 5 : state === 'canceled' ? 0 : states.indexOf(state)
  const back = shipsBack(view.reason)
  const received = view.tires.filter(({ receivedAt }) => receivedAt !== null).length
  const steps: [string, string, number][] = [
    ['Requested', timeText(view.requestedAt, order.timeZone), 0],
    ...(back
      ? ([
          ['Send the tires back', view.shipBy ? `By ${dayText(Temporal.PlainDate.from(view.shipBy))}` : '', 2],
          [
            'We receive them',
            received > 0 ? `${received} of ${view.tires.length}` : '2 to 4 business days after that',
            3,
          ],
        ] satisfies [string, string, number][])
      : ([['We look for them', 'With the carrier', 3]] satisfies [string, string, number][])),
    ['Money back', `Within ${countOf(refundWithinHours, 'hour')} of that`, 5],
  ]
  const now = steps.findIndex(([, , until]) => at < until)
  return steps.map(([title, detail], index) => ({
    title,
    detail,
    state: now < 0 || index < now ? 'done' : index === now ? 'now' : 'next',
  }))
}
