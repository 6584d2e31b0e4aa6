/**
 * The store's schema.org data for search engines. Required and recommended properties follow Google's documentation on
 * merchant listings, product variants, return policies and shipping
 * (developers.google.com/search/docs/appearance/structured-data). All of it is also shown to shoppers, and every number
 * is the constant used for charging.
 */
import type {
  DefinedRegion,
  Article,
  BreadcrumbList,
  DefinedTermSet,
  MerchantReturnPolicy,
  NewsArticle,
  OfferShippingDetails,
  OnlineStore,
  Product,
  ProductGroup,
  TireShop,
  WebSite,
} from 'schema-dts'
import { paths } from '#content/paths.ts'
import type { Crumb } from '#app/ui/crumbs.tsx'
import type { Item } from '#domain/catalog/catalog/catalog.ts'
import {
  priceShipping,
  shippingAreas,
  type DayRange,
  type DeliveryTimes,
  type ShippingArea,
} from '#domain/supply/delivery/delivery.ts'
import { type ShippingRates } from '#domain/kernel/rates/rates.ts'
import { internationalPhone } from '#platform/phone-text.ts'
import { standardPhoneHours } from '#platform/phone-hours.ts'
import type { BusinessTerms } from '#domain/kernel/settings/settings.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import type { Config } from '#platform/config.ts'
import { zipRangeEnds } from '#platform/zip-ranges.ts'

export type StructuredData = Exclude<
  | Article
  | BreadcrumbList
  | DefinedTermSet
  | MerchantReturnPolicy
  | NewsArticle
  | OfferShippingDetails
  | OnlineStore
  | Product
  | ProductGroup
  | TireShop
  | WebSite,
  string
>

/** Amounts as schema.org writes them: "123.45". */
export function dollarsText(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** The breadcrumbs to a page. The last one is the page itself, which needs no address. */
export function breadcrumbs(origin: string, way: readonly Crumb[]): StructuredData {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: way.map(({ label, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: label,
      ...(path ? { item: `${origin}${path}` } : {}),
    })),
  }
}

/** The store and its site, for the home page, with contact, hours and return policy. */
export function onlineStore({ web: { origin }, store }: Config, terms: BusinessTerms): StructuredData[] {
  return [
    {
      '@type': 'OnlineStore',
      '@id': `${origin}/#store`,
      name: store.name,
      url: `${origin}/`,
      logo: `${origin}/icon-512.png`,
      image: `${origin}${paths.storePicture()}`,
      email: store.email,
      telephone: internationalPhone(store.phone),
      contactPoint: {
        '@type': 'ContactPoint',
        contactType: 'customer service',
        email: store.email,
        telephone: internationalPhone(store.phone),
        areaServed: 'US',
        availableLanguage: 'English',
        hoursAvailable: (store.phoneHours ?? standardPhoneHours).week.map(({ weekday, opens, closes }) => ({
          '@type': 'OpeningHoursSpecification',
          dayOfWeek: weekdays[weekday - 1] ?? 'Monday',
          opens,
          closes,
        })),
      },
      hasMerchantReturnPolicy: returnPolicy(origin, terms),
    },
    {
      '@type': 'WebSite',
      '@id': `${origin}/#site`,
      name: store.name,
      url: `${origin}/`,
      publisher: { '@id': `${origin}/#store` },
    },
  ]
}

/**
 * Unmounted tires can be returned within the window. The maximum cost is the handling fee for a tire ordered in the
 * wrong size (domain/pricing/pricing); defective tires are free to return.
 */
export function returnPolicy(origin: string, terms: BusinessTerms): Exclude<MerchantReturnPolicy, string> {
  return {
    '@type': 'MerchantReturnPolicy',
    '@id': `${origin}/#returns`,
    applicableCountry: 'US',
    returnPolicyCountry: 'US',
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: terms['return-days'],
    returnMethod: 'https://schema.org/ReturnByMail',
    itemCondition: 'https://schema.org/NewCondition',
    refundType: 'https://schema.org/FullRefund',
    returnFees: 'https://schema.org/ReturnShippingFees',
    returnShippingFeesAmount: {
      '@type': 'MonetaryAmount',
      value: dollarsText(terms['return-fee-cents']),
      currency: CURRENCY.code,
    },
    itemDefectReturnFees: 'https://schema.org/FreeReturn',
    merchantReturnLink: `${origin}${paths.written('returns-and-refunds')}`,
  }
}

/** Returns shipping costs and times for one tire with this weight, by destination. */
export function shippingDetails(
  rates: ShippingRates,
  { handling, transit }: DeliveryTimes,
  item: Pick<Item, 'weightLb' | 'retailCents'>,
): Exclude<OfferShippingDetails, string>[] {
  return shippingAreas(rates).flatMap((area) =>
    area.region === 'TERRITORY' ? [] : shippingDetail(rates, { area, item, handling, transit: transit[area.region] }),
  )
}

function shippingDetail(
  rates: ShippingRates,
  {
    area,
    item: { weightLb, retailCents: unitCents },
    handling,
    transit,
  }: {
    area: ShippingArea
    item: Pick<Item, 'weightLb' | 'retailCents'>
    handling: DayRange
    transit: DayRange
  },
): Exclude<OfferShippingDetails, string> {
  const days = ({ min, max }: DayRange) =>
    ({ '@type': 'QuantitativeValue', minValue: min, maxValue: max, unitCode: 'DAY' }) as const
  return {
    '@type': 'OfferShippingDetails',
    shippingRate: {
      '@type': 'MonetaryAmount',
      value: dollarsText(priceShipping(rates, area.place, [{ quantity: 1, weightLb, unitCents }]).totalCents),
      currency: CURRENCY.code,
    },
    shippingDestination:
      area.zips.length > 0
        ? area.zips.map(zipDestination)
        : { '@type': 'DefinedRegion', addressCountry: 'US', addressRegion: [...area.states] },
    deliveryTime: {
      '@type': 'ShippingDeliveryTime',
      // Handling starts a business day later after the cutoff.
      handlingTime: days({ min: handling.min, max: handling.max + 1 }),
      transitTime: days(transit),
    },
  }
}

/** The destination of a range of ZIP codes, such as 995-999. */
function zipDestination(range: string): Exclude<DefinedRegion, string> {
  const { first, last } = zipRangeEnds(range)
  const to = { '@type': 'DefinedRegion', addressCountry: 'US' } as const
  if (first === last) return { ...to, postalCodePrefix: first }
  return {
    ...to,
    postalCodeRange: {
      '@type': 'PostalCodeRangeSpecification',
      postalCodeBegin: first.padEnd(5, '0'),
      postalCodeEnd: last.padEnd(5, '9'),
    },
  }
}

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
