/** View models of deals and rebates with formatted text and links. */
import { labelView } from '#content/messages/price-labels.ts'
import { paths } from '#content/paths.ts'
import type { DealView } from '#app/ui/tire-card-deal.tsx'
import type { Deal, RunningRebate } from '#domain/catalog/catalog/catalog.server.ts'
import { endOfDeal, type Promotion, type Rebate } from '#domain/catalog/catalog/catalog.ts'
import { memberOffersOf } from '#domain/kernel/settings/settings.ts'
import { hasAccountPrice } from '#domain/pricing/pricing/pricing.ts'
import { DAILY_DEAL_MAX_PPM } from '#platform/business-constants.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import type { ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { pluralForm } from '#platform/count-text.ts'
import { cardView } from './listing-cards.server.ts'
import { dealText, dollars } from './listing-messages.server.ts'

export type DealRow = { key: string; name: string; path: string; what: string; ends: string }
export type DealGroup = { title: string; about: string; cards: DealView[]; rows: DealRow[]; more: number }

/** The most deals listed per group, the first ones with pictures; the rest are found by brand. */
const shownOfGroup = 24
const picturedOfGroup = 6

/** Returns a note for accounts with special prices. They pay the lower price. */
export async function dealsNote({
  buyer,
  businessTerms,
}: Pick<Application, 'buyer' | 'businessTerms'>): Promise<string | null> {
  const pricing = await buyer.pricing()
  const isApart =
    hasAccountPrice(pricing?.type ?? 'none') ||
    (pricing?.type === 'Retail Member' && !memberOffersOf(businessTerms.current).deals)
  const label = pricing && isApart ? labelView(pricing.type) : undefined
  return label
    ? `Deals don’t combine with your ${label.label.toLowerCase()}. You always pay the lower of the two prices.`
    : null
}

/** Deals grouped by what they offer, in reading order; empty groups are omitted. */
export function dealGroups(deals: readonly Deal[], now: Temporal.Instant, to: ShippingTo | null): DealGroup[] {
  const kinds: { title: string; about: string; has: (deal: Deal) => boolean }[] = [
    {
      title: 'Deals of the day',
      about: `Up to ${formatRate(DAILY_DEAL_MAX_PPM)} off single sizes, gone at the end of their day.`,
      has: ({ promotion }) => promotion.daily,
    },
    { title: 'Whole brands', about: 'Discount on all of a brand’s tires.', has: ({ offer }) => offer === null },
    {
      title: 'Buy 3, get 1',
      about: 'Buy three tires, get the fourth free.',
      has: ({ promotion: { kind } }) => kind === 'Buy3Get1' || kind === 'Free',
    },
    {
      title: 'Dollars off',
      about: 'The same amount off each tire.',
      has: ({ promotion: { kind } }) => kind === 'Flat Amount',
    },
    { title: 'Percent off', about: 'A share off each tire, in every size of the line.', has: () => true },
  ]
  const left = new Set(deals)
  return kinds.flatMap(({ title, about, has }) => {
    const mine = [...left].filter(has)
    for (const deal of mine) left.delete(deal)
    if (mine.length === 0) return []
    const shown = mine.slice(0, shownOfGroup)
    const pictured = shown.filter(({ offer }) => offer !== null).slice(0, picturedOfGroup)
    return [
      {
        title,
        about,
        cards: pictured.flatMap((deal) => dealCard(deal, now, to)),
        rows: shown.filter((deal) => !pictured.includes(deal)).map((deal) => dealRow(deal, now)),
        more: mine.length - shown.length,
      },
    ]
  })
}

/** A deal with a tire to show. `to` is where the visitor's tires ship, `totalCents` is the out-the-door price, if known. */
export function dealCard(
  { promotion, offer }: Deal,
  now: Temporal.Instant,
  to: ShippingTo | null,
  totalCents: number | null = null,
): DealView[] {
  if (!offer) return []
  const short = dealText(offer)
  // The label describes this promotion, but the price uses the best promotion.
  const isBest = offer.prices[0].promotion?.id === promotion.id
  const words = isBest && short ? short : promotion.headline
  const isComing = Temporal.Instant.compare(now, promotion.startsAt) < 0
  const headline = promotion.daily ? `${isComing ? 'One day' : 'Today'} only: ${words}` : promotion.headline
  return [
    {
      card: cardView({ ...offer, totalCents }, to),
      headline,
      path: paths.deal(promotion.slug),
      ends: timeOf(promotion, now),
    },
  ]
}

export function dealRow({ promotion, subject, offer }: Deal, now: Temporal.Instant): DealRow {
  const what =
    offer?.kind === 'tire'
      ? [subject.brand?.name, subject.line?.name, subject.size].filter(Boolean).join(' ')
      : promotion.headline
  return {
    key: promotion.slug,
    name: promotion.name,
    path: paths.deal(promotion.slug),
    what,
    ends: timeOf(promotion, now),
  }
}

export function rebateRow({ rebate }: RunningRebate, now: Temporal.Instant): DealRow {
  return {
    key: rebate.slug,
    name: rebate.name,
    path: paths.deal(rebate.slug),
    what: rebateWords(rebate),
    ends: `Buy ${endOfDeal(rebate.endsAt, now)}`,
  }
}

/** "$60 back by prepaid card after you buy 4" */
export function rebateWords({ amountCents, units, paidAs }: Rebate): string {
  return `${dollars(amountCents)} back by ${paidWords[paidAs]} after you buy ${units}`
}

export const paidWords: Record<Rebate['paidAs'], string> = { 'prepaid-card': 'prepaid card', check: 'check' }

/** "Ends today until …", "Starts Mon, Nov 30" */
function timeOf(promotion: Promotion, now: Temporal.Instant): string {
  if (Temporal.Instant.compare(now, promotion.startsAt) < 0) return `Starts ${startText(promotion.startsAt)}`
  return `Ends ${endOfDeal(promotion.endsAt, now)}`
    .replace('Ends through', 'Through')
    .replace('Ends today until', 'Until')
    .replace(/^Until midnight/, 'Until midnight tonight')
}

/** "Mon, Nov 30" for a start at midnight store time, otherwise with the hour. */
function startText(instant: Temporal.Instant): string {
  const local = instant.toZonedDateTimeISO(storeZone)
  return local.equals(local.startOfDay()) ? dayText(local) : timeText(instant, storeZone)
}

/** A promotion's discount in a sentence. */
export function promotionWords({ kind, amount }: Promotion): string {
  if (kind === 'Percentage') return `${amount}% off each tire, however many you buy.`
  if (kind === 'Flat Amount') return `${formatCents(amount)} off each tire, however many you buy.`
  if (kind === 'Buy3Get1')
    return 'One of every four identical tires is free. Get four for the price of three, or eight for the price of six.'
  return pluralForm(amount, 'One tire is free.', `${amount} tires are free.`)
}
