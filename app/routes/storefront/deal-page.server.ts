/** The data of a deal's or rebate's page. */
import { paths, type ListingAddress } from '#content/paths.ts'
import { modelCardView } from './listing-cards.server.ts'
import { offeredTires } from '#domain/catalog/offers/offers.ts'
import { dollars } from './listing-messages.server.ts'
import type { CardView } from '#app/ui/listing-data.ts'
import { summaryRows, type SummaryRow } from '#app/ui/order-summary.tsx'
import {
  dealsAlike,
  findDeal,
  findRebate,
  type DealPage,
  type RebatePage,
} from '#domain/catalog/catalog/catalog.server.ts'
import { endOfDeal, type Offer, type Promotion } from '#domain/catalog/catalog/catalog.ts'
import { priceTires } from '#domain/catalog/offers/offers.ts'
import { dayText } from '#platform/day-text.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import { readShippingTo, type ShippingTo } from '#domain/catalog/offers/offers.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { BusinessTerms } from '#domain/kernel/settings/settings.ts'
import type { Application } from '#application'
import { dealRow, dealsNote, paidWords, promotionWords, rebateWords, type DealRow } from './deal-views.server.ts'

export type Term = { term: string; text: string; link?: { label: string; path: string; isOutside?: boolean } }
export type DealPageView = {
  title: string
  path: string
  heading: string
  lead: string
  /** "Ends through …" in words; null if it is over. */
  state: 'coming' | 'running' | 'claimable' | 'ended'
  isRebate: boolean
  when: string
  terms: Term[]
  /** The steps to claim a rebate. */
  steps: string[]
  cart: { tire: string; rows: SummaryRow[]; sum: string; other: string | null } | null
  cards: CardView[]
  all: { label: string; path: string } | null
  alternatives: DealRow[]
  store: string
}

/** The page at an address below /tire-deals; undefined if there never was such a deal. */
export async function readDealPage(
  app: Application,
  slug: string,
  zip: string | undefined,
): Promise<DealPageView | undefined> {
  const shippingTo = await readShippingTo(app, zip)
  const deal = slug.endsWith('-rebate') ? undefined : await findDeal(app.catalog, slug)
  if (deal) return dealView(app, deal, shippingTo)
  const rebate = slug.endsWith('-rebate') ? await findRebate(app.catalog, slug) : undefined
  return rebate && rebateView(app, rebate, shippingTo)
}

async function dealView(app: Application, deal: DealPage, shippingTo: ShippingTo | null): Promise<DealPageView> {
  const { promotion, subject, state, models } = deal
  const now = app.clock.now()
  const onWhat = subjectText(deal)
  const ends = {
    ended: `It ran until ${timeText(promotion.endsAt, storeZone)}.`,
    coming: `Starts ${timeText(promotion.startsAt, storeZone)}.`,
    running: sentence(endOfDeal(promotion.endsAt, now)),
  }
  return {
    title: promotion.daily
      ? `${promotion.name} ${subject.size ?? ''}, ${dayText(promotion.startsAt.toZonedDateTimeISO(storeZone))}`
      : promotion.name,
    path: paths.deal(promotion.slug),
    heading: promotion.headline,
    lead: promotionWords(promotion),
    state,
    isRebate: false,
    when: ends[state],
    terms: [
      { term: 'On which tires', text: onWhat, ...linkTo(deal) },
      { term: 'Funded by', text: payer(promotion, deal, app.config.store.name) },
      { term: 'Starts', text: timeText(promotion.startsAt, storeZone) },
      { term: 'Ends', text: timeText(promotion.endsAt, storeZone) },
      {
        term: 'In your cart',
        text:
          (await dealsNote(app)) ??
          'It comes off automatically, as its own line: no code. If several deals apply to a tire, the one that saves you most counts; they cannot be combined.',
      },
    ],
    steps: [],
    cart: models[0] ? cartExample(models[0].offer, promotion, app.businessTerms.current) : null,
    ...shownOffers(deal, shippingTo),
    alternatives: state === 'ended' ? (await dealsAlike(app.catalog, subject)).map((other) => dealRow(other, now)) : [],
    store: app.config.store.name,
  }
}

async function rebateView(app: Application, found: RebatePage, shippingTo: ShippingTo | null): Promise<DealPageView> {
  const { rebate, subject, state } = found
  const now = app.clock.now()
  const amount = dollars(rebate.amountCents)
  const by = dayText(Temporal.PlainDate.from(rebate.claimBy))
  const form =
    'formUrl' in rebate.claim
      ? { label: 'The maker’s form', path: rebate.claim.formUrl, isOutside: true }
      : { label: 'Claim form to print', path: paths.rebateForm(rebate.slug) }
  const lastBuy = sentence(endOfDeal(rebate.endsAt, now))
  return {
    title: rebate.name,
    path: paths.deal(rebate.slug),
    heading: rebate.name,
    lead: `${subject.brand?.name ?? 'The maker'} pays ${rebateWords(rebate)}. You pay our price first. The rebate isn’t deducted at checkout.`,
    state,
    isRebate: true,
    when: {
      coming: `For tires bought from ${timeText(rebate.startsAt, storeZone)}.`,
      running: `For tires bought now: ${lastBuy.charAt(0).toLowerCase()}${lastBuy.slice(1)}`,
      claimable: `The purchase period is over. If you bought in time, send the form by ${by}.`,
      ended: `The last day for claims was ${by}.`,
    }[state],
    terms: [
      {
        term: 'Rebate amount',
        text: `${amount} by ${paidWords[rebate.paidAs]}, once for ${countOf(rebate.units, 'tire')} bought together.`,
      },
      { term: 'On which tires', text: subjectText(found), ...linkTo(found) },
      {
        term: 'Paid by',
        text: `${subject.brand?.name ?? 'The maker'}, after the purchase. It is not taken off in your cart.`,
      },
      { term: 'Bought from', text: timeText(rebate.startsAt, storeZone) },
      { term: 'Bought before', text: timeText(rebate.endsAt, storeZone) },
      {
        term: 'Form sent by',
        text: `${by}, ${rebate.claimBy.slice(0, 4)}`,
        ...(state === 'ended' ? {} : { link: form }),
      },
    ],
    steps:
      state === 'ended'
        ? []
        : [
            `Buy ${rebate.units} of these tires in one order.`,
            'Have them installed, and keep the receipt we email you.',
            `Send the form with a copy of the receipt by ${by}.`,
            `${subject.brand?.name ?? 'The maker'} sends ${amount} by ${paidWords[rebate.paidAs]}, usually within eight weeks.`,
          ],
    cart: null,
    ...shownOffers(found, shippingTo),
    alternatives: state === 'ended' ? (await dealsAlike(app.catalog, subject)).map((other) => dealRow(other, now)) : [],
    store: app.config.store.name,
  }
}

/** Prices four of the first tire as in the cart. Excludes tax and installation, which depend on the location. */
function cartExample(offer: Offer, promotion: Promotion, terms: BusinessTerms): DealPageView['cart'] {
  const [item] = offer.items
  const breakdown = priceTires(offeredTires([item], offer.prices, 4), terms)
  const tires = breakdown.lines.filter(({ kind }) => kind === 'tire')
  const rows = breakdown.explain.filter(
    ({ key }) => tires.some(({ id }) => id === key) || key.startsWith('promotion:') || key === 'fet',
  )
  const applied = tires[0]?.promotion
  return {
    tire: `${item.line.brand.name} ${item.line.name} ${item.size.designation}`,
    rows: summaryRows(rows),
    sum: formatCents(tires.reduce((sum, { netCents, fetCents }) => sum + netCents + fetCents, 0)),
    other: applied && applied.id !== String(promotion.id) ? applied.name : null,
  }
}

function shownOffers(
  { models, count, subject }: DealPage | RebatePage,
  shippingTo: ShippingTo | null,
): Pick<DealPageView, 'cards' | 'all'> {
  const path = pathOf(subject)
  const noun = subject.line ? 'sizes' : 'lines'
  return {
    cards: models.map((model) => modelCardView(model, shippingTo)),
    all: path && count > models.length ? { label: `All ${count} ${noun}`, path } : null,
  }
}

type On = { subject: DealPage['subject'] }

function subjectText({ subject: { brand, line, size, filter } }: On): string {
  const whole = [brand?.name, line?.name].filter(Boolean).join(' ')
  if (filter) return whole === '' ? `${filter}.` : `${whole}: ${filter}.`
  if (!brand) return 'Every tire we sell.'
  if (!line) return `Every ${brand.name} tire.`
  return size ? `${brand.name} ${line.name} in ${size}, this one item.` : `${brand.name} ${line.name}, in every size.`
}

function linkTo({ subject }: On): Pick<Term, 'link'> {
  const path = pathOf(subject)
  if (path === null || !subject.brand) return {}
  return {
    link: {
      label: subject.line ? `${subject.brand.name} ${subject.line.name}` : `All ${subject.brand.name} tires`,
      path,
    },
  }
}

function pathOf({ brand, line }: On['subject']): string | null {
  if (!brand) return null
  return line ? paths.line(brand.slug, line.slug) : paths.listing({ brand: brand.slug } satisfies ListingAddress)
}

function payer({ fundedBy }: Promotion, { subject: { brand } }: On, store: string): string {
  if (fundedBy === 'store') return `${store}.`
  // A manufacturer's promotion doesn't reduce the taxable price (pricing docs, step 2).
  if (fundedBy === 'maker') return `${brand?.name ?? 'The maker'}, the maker. Sales tax applies to the price before it.`
  return fundedBy === 'lender' ? 'Our pay-later partner.' : 'The bank that issues the card.'
}

/** "through Sun, Dec 13" → "It ends at midnight ET on Sun, Dec 13." is written as "Runs through Sun, Dec 13." */
function sentence(ends: string): string {
  return `Runs ${ends}.`
}
