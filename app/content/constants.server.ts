/**
 * The business constants for copy. `{{returnDays}}` in a Markdown file is the code's constant, so the two can't
 * diverge. `{{returnDays day}}` is "30 days".
 */
import { rateLimits } from '#domain/kernel/rate-limits/rate-limits.ts'
import { storeMarks } from '#app/content/store-values.ts'
import { capabilities, isCapability } from '#app/content/capabilities.ts'
import { copyTerms, copyTimes, perTerms } from '#app/content/copy-terms.server.ts'
import { choiceDays } from '#http/consent.ts'
import { keptDays } from '#http/visitor.ts'
import { attemptMinutes, oneTapNoDays, sessionSeconds } from '#domain/customers/accounts/accounts.ts'
import { coverageYears, coverageYearsText, roadHazardYearsText } from '#domain/ordering/checkout/checkout.ts'
import { dropOffWindows, holdMinutes, moveNoticeMinutes } from '#domain/scheduling/booking/booking.ts'
import { freeFromCentsIn, freeFromText, isShippingFree, rangeText, regionOf } from '#domain/supply/delivery/delivery.ts'
import type { DeliveryRegion, ShippingRates, ShippingZoneKey, ZoneRates } from '#domain/kernel/rates/rates.ts'
import {
  exceptionRateText,
  shippingRatesOf,
  tiresText,
  whereText,
  zoneKey,
  zonePlaces,
} from '#domain/kernel/settings/settings.ts'
import { grouped } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { installerAgreement, leastWarranty } from '#domain/scheduling/installers/installers.ts'
import { isStoreProgram, sellsProgram, type StoreKind } from '#domain/pricing/store-programs/store-programs.ts'
import { codeAccessMinutes, orderCodeLife } from '#domain/ordering/orders/orders.ts'
import { referralLinkDays } from '#domain/customers/programs/programs.ts'
import { punchoutHours } from '#domain/channels/purchasing/purchasing.ts'
import { retentionDays } from '#domain/operations/retention/retention.ts'
import { portalSessionSeconds } from '#domain/installer-portal/portal/portal.ts'
import { officeSessionSeconds } from '#domain/kernel/staff/staff.ts'
import { maxAttachmentBytes } from '#domain/kernel/files/files.ts'
import { answerWithinText, rotationAdvice } from '#domain/messaging/support/support.ts'
import {
  DAILY_DEAL_MAX_PPM,
  EXCISE_FREE_LOAD_LB,
  FREE_SHIPPING_AREA,
  INSTALLER_PAID_WITHIN_HOURS,
  INSTALLER_PAY_PER_TIRE_CENTS,
  REFUND_WITHIN_HOURS,
  TIRES_PULLED_WITHIN_MINUTES,
  TOP_PICKS,
  WAREHOUSE_PICKUP_READY_HOURS,
} from '#platform/business-constants.ts'
import { dateText } from '#platform/day-text.ts'
import { escapeMarkdown } from '#platform/markdown-text.ts'
import { formatCents, formatRate } from '#platform/money.ts'
import { fillPlaceholders } from '#platform/placeholders.ts'

const dollars = (cents: number) => formatCents(cents).replace(/\.00$/, '')
const orFree = (cents: number) => (cents === 0 ? 'free' : dollars(cents))
/** Rows of a Markdown table. */
const rowsOf = (rows: readonly string[][]) => rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const regionTexts: Readonly<Record<DeliveryRegion, string>> = {
  CONUS: 'the 48 contiguous states and DC',
  AK: 'Alaska',
  HI: 'Hawaii',
  TERRITORY: 'Puerto Rico, Guam, and the other territories',
}
const otherTexts = { ...regionTexts, CONUS: 'the other contiguous states', TERRITORY: 'the other territories' }

/** Returns "to Alaska with tires for $600 or more", for each region with a total for free shipping. */
function freeFromTexts(rates: ShippingRates): string {
  return placesOf(rates)
    .flatMap(({ place, text }) => {
      const cents = freeFromCentsIn(rates, place)
      return cents === null ? [] : [`to ${text} ${freeFromText(cents)}`]
    })
    .join(', and ')
}

/** Regions with states outside zones, and the zones. */
function placesOf({ zones, plan }: ShippingRates): { place: ShippingZoneKey; text: string; rates: ZoneRates }[] {
  const taken = plan.zones.flatMap(({ states }) => states)
  return [
    ...(Object.keys(regionTexts) as DeliveryRegion[])
      .filter((region) => !taken.includes(region))
      .map((region) => {
        const isPart = taken.some((state) => regionOf(state) === region)
        return { place: region, text: isPart ? otherTexts[region] : regionTexts[region], rates: zones[region] }
      }),
    ...plan.zones.map((zone) => ({
      place: zoneKey(zone),
      text: `${escapeMarkdown(zone.name)} (${zonePlaces(zone)})`,
      rates: zone,
    })),
  ]
}

function shippingRows(rates: ShippingRates): string {
  return rowsOf(
    placesOf(rates).map(({ text, rates: ratesIn }) => {
      const { perTireCents, oversizePerTireCents, handlingCents } = ratesIn
      return [text.replace(/^the/, 'The'), ...[perTireCents, oversizePerTireCents, handlingCents].map(orFree)]
    }),
  )
}

function exceptionRows({ plan }: ShippingRates): string {
  return rowsOf(
    plan.exceptions.map((exception) => [
      tiresText(exception),
      escapeMarkdown(whereText(exception.where, plan)),
      exceptionRateText(exception),
      exception.until === null ? 'No end' : dateText(exception.until),
    ]),
  )
}

/** What staff can change in the business settings and of warehouses. */
const termConstants = perTerms((): Record<string, string> => {
  const terms = copyTerms()
  const rates = shippingRatesOf(terms)
  const { zones, oversizeAboveLb } = rates
  const { transit, arrival } = copyTimes()
  return {
    shippingContiguous: orFree(zones.CONUS.perTireCents),
    oversizeContiguous: orFree(zones.CONUS.oversizePerTireCents),
    handlingContiguous: orFree(zones.CONUS.handlingCents),
    handlingAlaska: orFree(zones.AK.handlingCents),
    handlingHawaii: orFree(zones.HI.handlingCents),
    handlingTerritory: orFree(zones.TERRITORY.handlingCents),
    shippingAlaska: dollars(zones.AK.perTireCents),
    shippingHawaii: dollars(zones.HI.perTireCents),
    shippingTerritory: dollars(zones.TERRITORY.perTireCents),
    oversizeAlaska: dollars(zones.AK.oversizePerTireCents),
    oversizeHawaii: dollars(zones.HI.oversizePerTireCents),
    oversizeTerritory: dollars(zones.TERRITORY.oversizePerTireCents),
    shippingFreeFrom: freeFromTexts(rates),
    shippingRows: shippingRows(rates),
    shippingExceptionRows: exceptionRows(rates),
    oversizePounds: String(oversizeAboveLb),
    oldestTireYears: String(terms['tire-age-years']),
    bookableDays: String(terms['bookable-days']),
    cancelMinutes: String(terms['cancel-minutes']),
    returnDays: String(terms['return-days']),
    guaranteeDays: String(terms['guarantee-days']),
    referralPercent: formatRate(terms['friend-ppm']),
    referrerReward: dollars(terms['referrer-reward-cents']),
    coverageMonths: String(terms['coverage-months']),
    coverageYears: coverageYearsText(terms),
    coverageRows: rowsOf(coverageYears('replacement', terms).map(({ when, pays }) => [when, `up to ${pays}`])),
    roadHazardMonths: String(terms['road-hazard-months']),
    roadHazardYears: roadHazardYearsText(terms),
    roadHazardRows: rowsOf(
      coverageYears('road-hazard', terms).map(({ when, pays }) => [when, `${pays} of the tire’s price`]),
    ),
    roadHazardYear1: formatRate(1_000_000 - terms['road-hazard-year-1-ppm']),
    // Texts written by staff may use single years.
    roadHazardYear2: formatRate(1_000_000 - terms['road-hazard-year-2-ppm']),
    coverageYear1: dollars(terms['coverage-year-1-cents']),
    coverageYear2: dollars(terms['coverage-year-2-cents']),
    coverageYear3: dollars(terms['coverage-year-3-cents']),
    coverageRepair: dollars(terms['coverage-repair-cents']),
    handlingFee: dollars(terms['return-fee-cents']),
    storeCardPercent: formatRate(terms['store-card-ppm']),
    militaryPercent: formatRate(terms['military-ppm']),
    installDiscount: dollars(terms['install-discount-cents']),
    installDiscountTires: String(terms['install-discount-tires']),
    roadsideMonths: String(terms['roadside-months']),
    roadsideTires: String(terms['roadside-tires']),
    deliveryDays: rangeText(arrival),
    transitDays: rangeText(transit.CONUS),
    alaskaDays: rangeText(transit.AK),
    hawaiiDays: rangeText(transit.HI),
    territoryDays: rangeText(transit.TERRITORY),
  }
})

/** Returns the days that deliveries take within the contiguous states, such as "2-4 business days". */
export function deliveryTimeText(): string {
  return fillConstants('{{deliveryDays business day}}', 'The delivery time')
}

const constants: Record<string, string> = {
  ...storeMarks,

  holdMinutes: String(holdMinutes),
  moveNoticeMinutes: String(moveNoticeMinutes),
  eveningFrom: `${dropOffWindows.EVE.from / 60 - 12}pm`,

  keptCartDays: String(retentionDays.cart),
  keptCartContactDays: String(retentionDays.cartContact),
  keptProviderEventDays: String(retentionDays.providerEvent),
  keptCardDeclineDays: String(retentionDays.cardDecline),
  keptPaymentNetworkDays: String(retentionDays.paymentNetwork),
  keptSearchDays: String(retentionDays.search),
  keptApprovalDays: String(retentionDays.orderApproval),
  keptContactChangeDays: String(retentionDays.contactChange),
  keptQuoteDays: String(retentionDays.quote),
  keptEmailCopyDays: String(retentionDays.emailCopy),
  keptOrderCodeDays: String(retentionDays.orderCode),
  keptReturnPhotoDays: String(retentionDays.returnPhoto),
  keptShopReportPhotoDays: String(retentionDays.shopReportPhoto),
  keptMilitaryDays: String(retentionDays.militaryVerification),
  keptWebhookDays: String(retentionDays.webhook),
  keptAgentSessionDays: String(retentionDays.agentSession),
  keptRemovedCardDays: String(retentionDays.removedCard),
  keptEarlierTimeWishDays: String(retentionDays.earlierTimeWish),
  keptOwnJobPeopleDays: String(retentionDays.ownJobPeople),
  keptPurchasingDays: String(retentionDays.purchasing),
  keptShopPictureDays: String(retentionDays.shopPicture),
  orderCodeMinutes: String(orderCodeLife.minutes),
  codeAccessMinutes: String(codeAccessMinutes),
  lookUpMinutes: String(rateLimits['order-lookup'].minutes),

  refundHours: String(REFUND_WITHIN_HOURS),

  freeShippingArea: FREE_SHIPPING_AREA.replace('US', 'United States'),
  warehousePickupHours: String(WAREHOUSE_PICKUP_READY_HOURS),
  tiresPulledMinutes: String(TIRES_PULLED_WITHIN_MINUTES),

  referralLinkDays: String(referralLinkDays),
  dailyDealPercent: formatRate(DAILY_DEAL_MAX_PPM),
  fetPounds: grouped(EXCISE_FREE_LOAD_LB),

  installerPayMin: dollars(INSTALLER_PAY_PER_TIRE_CENTS.min),
  installerPayMax: dollars(INSTALLER_PAY_PER_TIRE_CENTS.max),
  installerPaidHours: String(INSTALLER_PAID_WITHIN_HOURS),
  rimMin: String(installerAgreement.rimMinIn),
  rimMax: String(installerAgreement.rimMaxIn),
  aspectMin: String(installerAgreement.aspectMin),
  certifiedMonths: String(leastWarranty.months),
  certifiedMiles: leastWarranty.miles.toLocaleString('en-US'),
  takenInMinutes: String(installerAgreement.takenInWithinMinutes),

  topPicks: String(TOP_PICKS),
  rotationMonths: String(rotationAdvice.months),
  rotationMiles: grouped(rotationAdvice.miles),

  answerWithin: answerWithinText,
  attachmentLimit: `${maxAttachmentBytes / 1024 / 1024}MB`,
  zipCookieDays: String(keptDays.zip),
  vehicleCookieDays: String(keptDays.vehicle),
  cartCookieDays: String(keptDays.cart),
  recentCookieDays: String(keptDays.recent),
  ordersCookieDays: String(keptDays.orders),
  comparedCookieDays: String(keptDays.compared),
  visitorCookieDays: String(keptDays.visitor),
  ownReferralCookieDays: String(keptDays.ownReferral),
  dealerCookieDays: String(keptDays.dealer),
  widgetCookieDays: String(keptDays.widget),
  shopApplicationCookieDays: String(keptDays.shopApplication),
  officeSidebarCookieDays: String(keptDays.officeSidebar),
  sessionCookieDays: String(sessionSeconds / 86_400),
  signInMinutes: String(attemptMinutes),
  officeCookieHours: String(officeSessionSeconds / 3_600),
  punchoutHours: String(punchoutHours),
  portalCookieHours: String(portalSessionSeconds / 3_600),
  oneTapNoDays: String(oneTapNoDays),
  consentCookieDays: String(choiceDays),
}

/**
 * Replaces every `{{name}}` and `{{name noun}}` in `text` with its constant, or with one of `more` (for example, the
 * store's name and phone). `{{#if payLater}}…{{else}}…{{/if}}` selects a branch by capability (capabilities.ts), by the
 * programs of the kind `store` (domain/installer-portal/branded-stores/store-programs.ts), or by the business terms (`freeShipping`, `shippingFreeFrom`, `shippingExceptionRows`).
 * Throws with the name of `file` if a name is unknown.
 */
export function fillConstants(
  text: string,
  file: string,
  { store = 'own', more = {} }: { store?: StoreKind; more?: Record<string, string> } = {},
): string {
  const open = text.replace(
    /\{\{#if (\w+)\}\}((?:[^{]|\{(?!\{(?:#if |\/if\}\})))*)\{\{\/if\}\}/g,
    (_, name: string, parts: string) => {
      const [on = '', off = ''] = parts.split('{{else}}')
      return isOn(name, store, file) ? on : off
    },
  )
  return fillPlaceholders(open, (name, counted) => {
    const value = more[name] ?? termConstants()[name] ?? constants[name]
    if (value === undefined) throw new Error(`${file} refers to ${name}, which isn’t a constant.`)
    return counted(value)
  })
}

function isOn(name: string, store: StoreKind, file: string): boolean {
  if (isCapability(name)) return capabilities[name]
  if (isStoreProgram(name)) return sellsProgram(store, name)
  if (name === 'freeShipping') return isShippingFree(shippingRatesOf(copyTerms()))
  if (name === 'shippingFreeFrom' || name === 'shippingExceptionRows') return termConstants()[name] !== ''
  throw new Error(`${file} checks ${name}, which isn’t a capability or a program.`)
}
