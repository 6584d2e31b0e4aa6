/**
 * The return rules, each a small named check with a message explaining the result. A rule that fails for some tires
 * names them.
 */
import { addBusinessDays } from '#domain/supply/delivery/delivery.ts'
import type { OrderState, OrderTerms } from '#domain/ordering/orders/orders.ts'
import { RETURN_PHOTOS_MAX } from '#platform/business-constants.ts'
import { dayText } from '#platform/day-text.ts'
import { countOf } from '#platform/count-text.ts'
import {
  damageReportText,
  lastReturnDay,
  mustReportSoon,
  requiresPhotos,
  shipsBack,
  type ReturnReason,
} from './return-terms.ts'

/** An order's tire line, with delivered units and units in other returns. */
export type ReturnableLine = {
  readonly lineNo: number
  readonly name: string
  readonly delivered: number
  /** Units in returns that are not canceled. */
  readonly taken: number
  /** The day its last unit arrived; null before the first delivery. */
  readonly deliveredOn: Temporal.PlainDate | null
}

/** A return request, and the facts to evaluate it. */
export type ReturnFacts = {
  readonly order: { readonly state: OrderState; readonly isInstalled: boolean; readonly terms: OrderTerms }
  readonly lines: readonly ReturnableLine[]
  readonly asked: readonly { readonly lineNo: number; readonly quantity: number }[]
  /** Null until one is chosen. */
  readonly reason: ReturnReason | null
  readonly isUnmounted: boolean
  readonly photos: number
  readonly today: Temporal.PlainDate
}

/** The field of the form that a rule is about. */
export type ReturnField = 'tires' | 'unmounted' | 'reason' | 'photos'

/** A rule, its result, and the message explaining it. */
export type ReturnFinding = {
  readonly rule: ReturnRule
  readonly field: ReturnField
  readonly title: string
  readonly isMet: boolean
  readonly reason: string
}

type Answer = { readonly isMet: boolean; readonly reason: string }
type Rule = {
  readonly title: string | ((facts: ReturnFacts) => string)
  readonly field: ReturnField
  /** Null where the rule does not apply. */
  readonly check: (facts: ReturnFacts) => Answer | null
}

const met = (reason: string): Answer => ({ isMet: true, reason })
const failed = (reason: string): Answer => ({ isMet: false, reason })

const rules = {
  delivered: {
    title: 'Delivered',
    field: 'tires',
    check(facts) {
      if (facts.order.state === 'canceled') return failed('This order was canceled, so there are no tires to return.')
      if (facts.order.state === 'returned') return failed('All tires in this order were already returned.')
      const missing = askedLines(facts).filter(({ delivered }) => delivered === 0)
      if (missing.length > 0) return failed(`${namesOf(facts, missing)} not delivered yet. Come back once they are.`)
      const days = askedLines(facts).flatMap(({ deliveredOn }) => deliveredOn ?? [])
      return met(days.length === 0 ? 'Choose which tires go back.' : `Delivered ${daysText(days)}.`)
    },
  },
  'in-time': {
    title: ({ order }) => `Within ${countOf(order.terms.returnDays, 'day')} of delivery`,
    field: 'tires',
    check(facts) {
      const lines = askedLines(facts).filter(({ deliveredOn }) => deliveredOn !== null)
      const late = lines.filter((line) => isAfter(facts.today, lastDayOf(facts, line)))
      const [first] = late
      if (first) return failed(`${namesOf(facts, late)} past the window: it ended ${dayText(lastDayOf(facts, first))}.`)
      const last = lines.map((line) => lastDayOf(facts, line)).toSorted(Temporal.PlainDate.compare)[0]
      if (!last) return null
      const left = facts.today.until(last).days
      return met(
        `The window ends ${dayText(last)}: ${left === 0 ? 'today is the last day' : countOf(left, 'day left', 'days left')}.`,
      )
    },
  },
  'at-least-one': {
    title: 'At least one tire',
    field: 'tires',
    check({ asked }) {
      const count = asked.reduce((sum, { quantity }) => sum + quantity, 0)
      if (count === 0) return failed('Choose at least one tire.')
      return met(`${countOf(count, 'tire goes back', 'tires go back')}.`)
    },
  },
  'not-returned-yet': {
    title: 'Not returned yet',
    field: 'tires',
    check(facts) {
      const over = facts.asked.filter(({ lineNo, quantity }) => quantity > leftOf(facts, lineNo))
      const [first] = over
      if (!first) return met('The tires aren’t part of another return.')
      const left = leftOf(facts, first.lineNo)
      const line = facts.lines.find(({ lineNo }) => lineNo === first.lineNo)
      const name = line && facts.lines.length > 1 ? ` of ${line.name}` : ''
      return failed(left === 0 ? `No tire${name} is left to return.` : `Only ${left}${name} can still go back.`)
    },
  },
  'not-installed': {
    title: 'Not installed',
    field: 'tires',
    check: ({ order }) =>
      order.isInstalled
        ? failed('These tires were installed. If one went bad, the maker’s warranty or the replacement coverage helps.')
        : met('The order has no completed installation.'),
  },
  unmounted: {
    title: 'Never mounted on a wheel',
    field: 'unmounted',
    check({ isUnmounted, reason }) {
      if (reason !== null && !shipsBack(reason)) return null
      return isUnmounted
        ? met('Confirmed with the request.')
        : failed('Please confirm that they have never been mounted.')
    },
  },
  reason: {
    title: 'A reason',
    field: 'reason',
    check: ({ reason }) => (reason === null ? failed('Please say why they go back.') : null),
  },
  'reported-soon': {
    title: 'Damage and missing tires reported soon',
    field: 'reason',
    check(facts) {
      if (facts.reason === null || !mustReportSoon(facts.reason)) return null
      const late = askedLines(facts).filter(
        ({ deliveredOn }) =>
          deliveredOn && isAfter(facts.today, addBusinessDays(deliveredOn, facts.order.terms.damageDays)),
      )
      return late.length > 0
        ? failed(`We can only take this up ${damageReportText(facts.order.terms)}. Choose another reason, or call us.`)
        : met(`Reported ${damageReportText(facts.order.terms)}.`)
    },
  },
  photos: {
    title: 'Photos show it',
    field: 'photos',
    check({ reason, photos }) {
      if (photos > RETURN_PHOTOS_MAX) return failed(`Send up to ${countOf(RETURN_PHOTOS_MAX, 'photo')}.`)
      if (reason === null || !requiresPhotos(reason)) return null
      return photos > 0 ? met(`${countOf(photos, 'photo')}.`) : failed('Add at least one photo that shows it.')
    },
  },
} as const satisfies Record<string, Rule>
export type ReturnRule = keyof typeof rules

/** Returns every applicable rule, failed ones first. A return can be opened if all passed. */
export function checkReturn(facts: ReturnFacts): ReturnFinding[] {
  const findings = (Object.entries(rules) as [ReturnRule, Rule][]).flatMap(([rule, { title, field, check }]) => {
    const answer = check(facts)
    return answer ? [{ rule, title: typeof title === 'string' ? title : title(facts), field, ...answer }] : []
  })
  return findings.toSorted((one, other) => Number(one.isMet) - Number(other.isMet))
}

/** Returns how many of a line's units can still be returned. */
export function leftOf({ lines }: Pick<ReturnFacts, 'lines'>, lineNo: number): number {
  const line = lines.find((each) => each.lineNo === lineNo)
  return line ? Math.max(0, line.delivered - line.taken) : 0
}

function askedLines({ lines, asked }: ReturnFacts): ReturnableLine[] {
  return lines.filter(({ lineNo }) => asked.some((each) => each.lineNo === lineNo && each.quantity > 0))
}

function lastDayOf({ order }: Pick<ReturnFacts, 'order'>, { deliveredOn }: ReturnableLine): Temporal.PlainDate {
  if (!deliveredOn) throw new Error('The window of a line starts with its delivery.')
  return lastReturnDay(deliveredOn, order.terms)
}

/** "These tires are", or the names where the order has others. */
function namesOf({ lines }: ReturnFacts, some: readonly ReturnableLine[]): string {
  return some.length === lines.length ? 'These tires are' : `${some.map(({ name }) => name).join(' and ')}:`
}

function daysText(days: readonly Temporal.PlainDate[]): string {
  return [...new Set(days.toSorted(Temporal.PlainDate.compare).map((day) => dayText(day)))].join(' and ')
}

function isAfter(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(one, other) > 0
}
