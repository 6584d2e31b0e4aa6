/** A product page's structured data, for an item with its offer or a model as a group of items by size. */
import type { Offer, Product as ProductNode } from 'schema-dts'
import { dollarsText, returnPolicy, shippingDetails, type StructuredData } from '#app/views/structured-data.server.ts'
import { paths } from '#content/paths.ts'
import type { Product, Sibling } from '#domain/catalog/catalog/catalog.server.ts'
import { fullSizeOf } from '#domain/catalog/catalog/catalog.ts'
import { pictureDataOf, pictureKey } from '#pictures/pictures.ts'
import { CURRENCY } from '#platform/business-constants.ts'
import { shippingRatesOf } from '#domain/kernel/settings/settings.ts'
import type { Application } from '#application'
import { dealEnd } from './product-head.server.ts'

/**
 * Structured data of a product page. The item is described in full, with price, stock, shipping and returns; on the
 * page of its line, every other size is listed with its price and stock. Ratings are included because the page shows
 * them.
 */
export function productStructuredData(
  { config, businessTerms, deliveryTimes }: Pick<Application, 'config' | 'businessTerms' | 'deliveryTimes'>,
  product: Product,
  isLine: boolean,
): StructuredData[] {
  const { store, web } = config
  const { origin } = web
  const { line, item, price, units, texts } = product
  const brand = { '@type': 'Brand', name: line.brand.name } as const
  const groupId = `${origin}${paths.line(line.brand.slug, line.slug)}#line`
  const urlOf = (itemId: number) => `${origin}${paths.item(line.brand.slug, line.slug, itemId)}`
  const until = dealEnd([product])
  const stars = line.rating && {
    aggregateRating: {
      '@type': 'AggregateRating' as const,
      ratingValue: (line.rating.overallHundredths / 100).toFixed(1),
      reviewCount: line.rating.count,
    },
  }
  const offer: Offer = {
    '@type': 'Offer',
    url: urlOf(item.id),
    price: dollarsText(price.unitCents),
    priceCurrency: CURRENCY.code,
    ...(until ? { priceValidUntil: until.toString() } : {}),
    availability: availability(units > 0),
    itemCondition: 'https://schema.org/NewCondition',
    seller: { '@type': 'OnlineStore', name: store.name, url: `${origin}/` },
    shippingDetails: shippingDetails(shippingRatesOf(businessTerms.current), deliveryTimes.current, item),
    hasMerchantReturnPolicy: returnPolicy(origin, businessTerms.current),
  }
  const article: ProductNode = {
    '@type': 'Product',
    name: `${line.brand.name} ${line.name} ${fullSizeOf(item)}`,
    ...(texts.about ? { description: texts.about } : {}),
    brand,
    sku: item.sku,
    ...(item.gtin === null ? {} : { gtin: item.gtin }),
    ...(item.mpn === null ? {} : { mpn: item.mpn }),
    ...(item.originCountry === null ? {} : { countryOfOrigin: { '@type': 'Country', name: item.originCountry } }),
    size: fullSizeOf(item),
    category: line.category.name,
    image: [
      ...texts.photos.map(({ key }) => `${origin}${paths.uploadedPicture(key)}`),
      `${origin}${paths.picture(item.id, pictureKey(pictureDataOf(item)), 960, 'webp')}`,
    ],
    url: urlOf(item.id),
    weight: { '@type': 'QuantitativeValue', value: item.weightLb, unitCode: 'LBR' },
    offers: offer,
  }
  const group = {
    '@type': 'ProductGroup',
    '@id': groupId,
    name: `${line.brand.name} ${line.name}`,
    productGroupID: String(line.id),
    url: `${origin}${paths.line(line.brand.slug, line.slug)}`,
    variesBy: ['https://schema.org/size'],
    brand,
  } as const
  if (!isLine) return [{ ...article, ...stars, isVariantOf: group }]

  const others = product.siblings
    .filter(({ itemId }) => itemId !== item.id)
    .map((sibling) => variantOf(sibling, `${line.brand.name} ${line.name}`, urlOf))
  return [
    { ...group, ...(texts.about ? { description: texts.about } : {}), ...stars, hasVariant: [article, ...others] },
  ]
}

function variantOf(
  { itemId, fullSize, unitCents, units }: Sibling,
  name: string,
  urlOf: (itemId: number) => string,
): ProductNode {
  return {
    '@type': 'Product',
    name: `${name} ${fullSize}`,
    size: fullSize,
    url: urlOf(itemId),
    offers: {
      '@type': 'Offer',
      url: urlOf(itemId),
      price: dollarsText(unitCents),
      priceCurrency: CURRENCY.code,
      availability: availability(units > 0),
    },
  }
}

function availability(isInStock: boolean): 'https://schema.org/InStock' | 'https://schema.org/OutOfStock' {
  return isInStock ? 'https://schema.org/InStock' : 'https://schema.org/OutOfStock'
}
