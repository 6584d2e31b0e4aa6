/** Returns a tire shop's structured data. All of it is also visible on its page. */
import { weekdays, type StructuredData } from '#app/views/structured-data.server.ts'
import { paths } from '#content/paths.ts'
import type { ShopInFull, VanTown } from '#domain/scheduling/installers/installers.ts'
import { internationalPhone } from '#platform/phone-text.ts'
import type { Config } from '#platform/config.ts'

/** A van has no address, so its data lists its towns. */
export function shopStructuredData(
  { web: { origin } }: Config,
  shop: ShopInFull,
  towns: readonly VanTown[],
): StructuredData {
  const url = `${origin}${paths.tireShop(shop.slug, shop.code)}`
  const place = {
    '@type': 'PostalAddress',
    ...(shop.kind === 'shop' ? { streetAddress: shop.street } : {}),
    addressLocality: shop.city,
    addressRegion: shop.state,
    postalCode: shop.zip,
    addressCountry: 'US',
  } as const
  return {
    '@type': 'TireShop',
    '@id': `${url}#shop`,
    name: shop.name,
    url,
    telephone: internationalPhone(shop.phone),
    address: place,
    ...(shop.kind === 'shop'
      ? { geo: { '@type': 'GeoCoordinates' as const, latitude: shop.latitude, longitude: shop.longitude } }
      : { areaServed: towns.map(({ city, state }) => ({ '@type': 'City' as const, name: `${city}, ${state}` })) }),
    openingHoursSpecification: shop.hours.map(({ weekday, opens, closes }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: weekdays[weekday - 1] ?? 'Monday',
      opens: timeText(opens),
      closes: timeText(closes),
    })),
    specialOpeningHoursSpecification: shop.closures.map(({ on }) => ({
      '@type': 'OpeningHoursSpecification',
      validFrom: on,
      validThrough: on,
      opens: '00:00',
      closes: '00:00',
    })),
    ...(shop.ratingTenths !== null
      ? {
          aggregateRating: {
            '@type': 'AggregateRating' as const,
            ratingValue: (shop.ratingTenths / 10).toFixed(1),
            reviewCount: shop.ratingCount,
          },
        }
      : {}),
    amenityFeature: shop.amenities.map((name) => ({ '@type': 'LocationFeatureSpecification', name, value: true })),
  }
}

/** "08:00"; a day that ends at midnight ends at 23:59, as schema.org has no hour 24. */
function timeText(minute: number): string {
  const shown = Math.min(minute, 24 * 60 - 1)
  return `${String(Math.floor(shown / 60)).padStart(2, '0')}:${String(shown % 60).padStart(2, '0')}`
}
