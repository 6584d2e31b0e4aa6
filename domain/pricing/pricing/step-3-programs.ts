import { formatCents, formatRate, rateOf, unitShare } from '#platform/money.ts'
import { BUY_THREE_GET_ONE_UNITS } from '#platform/business-constants.ts'
import { ignored, type IgnoredOffer, type IgnoredReason } from './ignored-offers.ts'
import {
  excludesOffers,
  isQuoted,
  type CouponOffer,
  type CouponReduction,
  type FundedBy,
  type PriceInput,
  type ProgramOffer,
} from './price-input.ts'
import { standardPriceRates } from '#domain/kernel/rates/rates.ts'
import { compareText, discountLine, discountLines, isTire, SERVICE_NAMES, sumOf, type PriceLine } from './price-line.ts'

/** Which of coupon, military discount and referral applies, and why. */
export type ProgramOutcome = {
  readonly kind: ProgramOffer['kind'] | 'none'
  /** Coupon code or referral id. */
  readonly id: string | null
  /** "Coupon SAVE10" and its effect, "10% off tires"; empty if no program applies. */
  readonly name: string
  readonly words: string
  readonly fundedBy: FundedBy | null
  readonly discountCents: number
  /** On a service instead of the tires. */
  readonly isOnService: boolean
  readonly why: 'none-offered' | 'none-lowers-the-total' | 'only-one-offered' | 'lowest-total' | 'first-among-equals'
  /** Every applicable program, with the order's total under it. */
  readonly considered: readonly {
    readonly kind: ProgramOffer['kind']
    readonly id: string | null
    readonly totalCents: number
  }[]
}

/**
 * Step 3: applies the one program with the lowest order total after step 8, which is not always the largest discount (a
 * maker's coupon does not lower the taxable price). Ties go to military, then referral, then coupon; one that does not
 * lower the total is not redeemed.
 *
 * @param totalOf the order's total in cents after steps 4 to 8
 */
export function applyProgram(
  lines: readonly PriceLine[],
  input: PriceInput,
  totalOf: (lines: readonly PriceLine[]) => number,
): { lines: readonly PriceLine[]; program: ProgramOutcome; ignored: IgnoredOffer[] } {
  const offers = distinctInOrder(input.programs)
  const refused: IgnoredOffer[] = []
  const refuse = (offer: ProgramOffer, reason: IgnoredReason, better: { by?: string; cents?: number } = {}) => {
    const id = idOf(offer)
    refused.push(ignored(offer.kind, reason, nameOf(offer), { ...better, ...(id !== null && { id }) }))
  }

  const isAtLabel = lines.some(({ atAccountPrice }) => atAccountPrice)
  const isExcluded = excludesOffers(input, 'programs', isAtLabel)
  const candidates = offers.flatMap((offer) => {
    const effect = isQuoted(input) ? 'quoted-price' : isExcluded ? 'account-price' : effectOf(offer, lines, input)
    if (typeof effect !== 'string') return [{ offer, ...effect, totalCents: totalOf(effect.lines) }]
    refuse(offer, effect, { cents: minimumOf(offer) })
    return []
  })
  const totalWithout = totalOf(lines)
  const lowest = Math.min(totalWithout, ...candidates.map(({ totalCents }) => totalCents))
  const winner = lowest < totalWithout ? candidates.find(({ totalCents }) => totalCents === lowest) : undefined
  for (const candidate of candidates)
    if (candidate !== winner)
      if (winner)
        refuse(candidate.offer, 'better-program', {
          by: inSentence(winner.offer),
          cents: candidate.totalCents - winner.totalCents,
        })
      else refuse(candidate.offer, 'no-lower-total')

  const considered = candidates.map(({ offer, totalCents }) => ({ kind: offer.kind, id: idOf(offer), totalCents }))
  if (!winner) {
    const why = offers.length > 0 ? 'none-lowers-the-total' : 'none-offered'
    return { lines, ignored: refused, program: { ...NO_PROGRAM, why, considered } }
  }
  const equals = candidates.filter(({ totalCents }) => totalCents === lowest).length
  return {
    lines: winner.lines,
    ignored: refused,
    program: {
      kind: winner.offer.kind,
      id: idOf(winner.offer),
      name: nameOf(winner.offer),
      words: winner.words,
      fundedBy: fundedBy(winner.offer),
      discountCents: sumOf(winner.lines, 'programCents'),
      isOnService: winner.lines.some((line) => !isTire(line) && line.programCents > 0),
      why: offers.length === 1 ? 'only-one-offered' : equals > 1 ? 'first-among-equals' : 'lowest-total',
      considered,
    },
  }
}

const NO_PROGRAM = {
  kind: 'none',
  id: null,
  name: '',
  words: '',
  fundedBy: null,
  discountCents: 0,
  isOnService: false,
} as const

type Effect = { lines: PriceLine[]; words: string }

function effectOf(
  offer: ProgramOffer,
  lines: readonly PriceLine[],
  { terms = standardPriceRates }: Pick<PriceInput, 'terms'>,
): Effect | IgnoredReason {
  switch (offer.kind) {
    case 'military':
      return ofTires({ type: 'Percentage', ratePpm: terms.militaryPpm, articleIds: 'all' }, 'store', true, lines)
    case 'referral':
      return ofTires({ type: 'Percentage', ratePpm: offer.ratePpm, articleIds: 'all' }, 'store', false, lines)
    case 'coupon': {
      const effect =
        offer.reduction.type === 'Free'
          ? oneThingFree(offer.reduction, offer.fundedBy, offer.stacksWithPromotions, lines)
          : ofTires(offer.reduction, offer.fundedBy, offer.stacksWithPromotions, lines)
      return typeof effect === 'object' && meantCents(offer, lines) < minimumOf(offer) ? 'below-minimum' : effect
    }
  }
}

/** What the tires that a coupon is for cost; all tires where it frees something. */
function meantCents({ reduction, stacksWithPromotions }: CouponOffer, lines: readonly PriceLine[]): number {
  const meant = lines.filter(
    (line) =>
      isTire(line) &&
      (reduction.type === 'Free' ||
        ((stacksWithPromotions || line.promotion === null) &&
          (reduction.articleIds === 'all' || reduction.articleIds.includes(line.articleId ?? '')))),
  )
  return sumOf(meant, 'netCents')
}

/** A reduction of all eligible tires together, rounded once and split by price. */
function ofTires(
  reduction: Exclude<CouponReduction, { type: 'Free' }>,
  fundedBy: FundedBy,
  stacks: boolean,
  lines: readonly PriceLine[],
): Effect | IgnoredReason {
  const { articleIds } = reduction
  const isNamed = (line: PriceLine) =>
    isTire(line) && (articleIds === 'all' || articleIds.includes(line.articleId ?? ''))
  const isEligible = (line: PriceLine) => isNamed(line) && (stacks || line.promotion === null)
  const eligible = lines.filter(isEligible)
  const sumCents = sumOf(eligible, 'netCents')
  if (sumCents === 0) return lines.some(isNamed) && eligible.length === 0 ? 'tires-on-promotion' : 'nothing-eligible'

  const units = sumOf(eligible, 'quantity')
  const tires = lines.every((line) => isEligible(line) || !isTire(line)) ? 'tires' : 'eligible tires'
  const reduce = (cents: number, words: string) => ({
    lines: discountLines(lines, isEligible, 'programCents', cents, fundedBy),
    words,
  })
  switch (reduction.type) {
    case 'Percentage':
      return reduce(rateOf(sumCents, reduction.ratePpm), `${formatRate(reduction.ratePpm)} off ${tires}`)
    case 'Flat Amount':
      return reduce(Math.min(reduction.amountCents, sumCents), `${formatCents(reduction.amountCents)} off ${tires}`)
    case 'Buy3Get1': {
      const free = Math.floor(units / BUY_THREE_GET_ONE_UNITS)
      return free === 0
        ? 'needs-more-tires'
        : reduce(cheapestUnits(eligible, free), `${free} of ${units} ${tires} free, the lowest priced`)
    }
  }
}

function cheapestUnits(lines: readonly PriceLine[], count: number): number {
  return lines
    .flatMap((line) =>
      Array.from({ length: line.quantity }, (_, unit) => unitShare(line.netCents, line.quantity, unit)),
    )
    .toSorted((a, b) => a - b)
    .slice(0, count)
    .reduce((sum, cents) => sum + cents, 0)
}

/** Makes the named tire or service free, up to the coupon's units and its price here. The excess has no cash value. */
function oneThingFree(
  reduction: CouponReduction & { type: 'Free' },
  fundedBy: FundedBy,
  stacks: boolean,
  lines: readonly PriceLine[],
): Effect | IgnoredReason {
  const { item, units } = reduction
  const isNamed = (line: PriceLine) =>
    'service' in item ? line.kind === item.service : isTire(line) && line.articleId === item.articleId
  const isEligible = (line: PriceLine) => isNamed(line) && (stacks || line.promotion === null)
  if (lines.some(isNamed) && !lines.some(isEligible)) return 'tires-on-promotion'

  let left = units === 'all' ? Number.POSITIVE_INFINITY : units
  const reduced = lines.map((line) => {
    if (!isEligible(line)) return line
    const free = Math.min(left, line.quantity)
    left -= free
    return discountLine(line, 'programCents', unitShare(line.netCents, line.quantity, 0, free), fundedBy)
  })
  if (sumOf(reduced, 'programCents') === 0) return 'nothing-eligible'
  const what = 'service' in item ? SERVICE_NAMES[item.service].toLowerCase() : 'tire'
  return { lines: reduced, words: units === 'all' ? `Free ${what}` : `Free ${what}, up to ${units}` }
}

/** Military, referrals, coupons, each sorted by id, without duplicates. */
function distinctInOrder(offers: readonly ProgramOffer[]): ProgramOffer[] {
  const rank: Readonly<Record<ProgramOffer['kind'], number>> = { military: 0, referral: 1, coupon: 2 }
  const distinct = new Map(offers.map((offer) => [`${offer.kind}:${idOf(offer) ?? ''}`, offer]))
  return [...distinct.values()].toSorted(
    (a, b) => rank[a.kind] - rank[b.kind] || compareText(idOf(a) ?? '', idOf(b) ?? ''),
  )
}

function idOf(offer: ProgramOffer): string | null {
  return offer.kind === 'coupon' ? offer.code : offer.kind === 'referral' ? offer.id : null
}

function nameOf(offer: ProgramOffer): string {
  return offer.kind === 'coupon'
    ? `Coupon ${offer.code}`
    : offer.kind === 'referral'
      ? 'Referral discount'
      : 'Military discount'
}

function inSentence(offer: ProgramOffer): string {
  return offer.kind === 'coupon' ? `coupon ${offer.code}` : `your ${nameOf(offer).toLowerCase()}`
}

function minimumOf(offer: ProgramOffer): number {
  return offer.kind === 'coupon' ? (offer.minimumCents ?? 0) : 0
}

function fundedBy(offer: ProgramOffer): FundedBy {
  return offer.kind === 'coupon' ? offer.fundedBy : 'store'
}
