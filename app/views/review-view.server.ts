/** Views of reviews and ratings, for every page that shows them. */
import { paths } from '#content/paths.ts'
import { countText } from '#platform/count-text.ts'
import type { RankedLine, ReviewSumsView, ReviewView } from '#app/ui/review-data.ts'
import type { Review, TopReview } from '#domain/catalog/catalog/catalog.server.ts'
import { attributes, type Item, type Line, type Rating } from '#domain/catalog/catalog/catalog.ts'
import { attributeNames, rankingMean } from '#domain/aftercare/reviews/reviews.ts'
import { itemPictureKey } from '#pictures/pictures.ts'
import { monthDayText } from '#platform/day-text.ts'

/** One review; one that names its product line links to that line's reviews. */
export function reviewView(review: Review | TopReview): ReviewView {
  const day = Temporal.PlainDate.from(review.writtenOn)
  return {
    id: review.id,
    hundredths: review.overallHundredths,
    summary: review.summary,
    comments: review.comments,
    about: [
      review.author,
      review.vehicle,
      review.milesDriven > 0 ? `${countText(review.milesDriven)} mi` : '',
      `${review.whereUsed.toLowerCase()}, ${review.drivingStyle.toLowerCase()}`,
    ]
      .filter(Boolean)
      .join(' · '),
    day: `${monthDayText(day)}, ${day.year}`,
    date: review.writtenOn,
    isVerified: review.isVerified,
    isSample: review.isSample,
    buysAgain: review.buyAgain,
    ratings: attributes.flatMap((attribute) => {
      const stars = review.attributes[attribute]
      return stars === null ? [] : [{ name: attributeNames[attribute], stars }]
    }),
    helpful: review.helpfulCount,
    tire:
      'lineSlug' in review
        ? { name: `${review.brandName} ${review.lineName}`, path: paths.lineReviews(review.brandSlug, review.lineSlug) }
        : null,
  }
}

/** The summary of a line's reviews; `pathOf` returns the page of reviews with a given number of stars. */
export function reviewSumsView(rating: Rating, pathOf: (stars: number) => string): ReviewSumsView {
  const longest = Math.max(1, ...rating.histogram)
  return {
    mean: (rating.overallHundredths / 100).toFixed(1),
    count: rating.count,
    buyAgainPercent: rating.buyAgainPercent,
    histogram: rating.histogram
      .map((count, index) => ({
        stars: index + 1,
        count,
        width: Math.round((count / longest) * 1000) / 10,
        path: pathOf(index + 1),
      }))
      .toReversed(),
    attributes: attributes.flatMap((attribute) => {
      const hundredths = rating.attributes[attribute]
      return hundredths === null
        ? []
        : [{ name: attributeNames[attribute], mean: (hundredths / 100).toFixed(1), width: hundredths / 5 }]
    }),
  }
}

/** The best lines as rows of a ranking, each pictured by one of its items. */
export function rankedLines(items: readonly Item[]): RankedLine[] {
  return items.flatMap((item, index) => {
    const { line } = item
    if (!line.rating) return []
    const { count, overallHundredths, buyAgainPercent } = line.rating
    return [
      {
        place: index + 1,
        name: `${line.brand.name} ${line.name}`,
        kind: line.category.name,
        path: paths.lineReviews(line.brand.slug, line.slug),
        picture: pictureOf(item),
        hundredths: overallHundredths,
        count,
        buyAgainPercent,
        ranking: (rankingMean(count, overallHundredths) / 100).toFixed(2),
      },
    ]
  })
}

export function pictureOf(item: Item): { itemId: number; key: string } {
  return { itemId: item.id, key: itemPictureKey(item) }
}

/** https://schema.org/Product with its rating and the reviews shown on the page, for search engines. */
export function reviewsStructuredData(line: Line, reviews: readonly Review[], url: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: `${line.brand.name} ${line.name}`,
    brand: { '@type': 'Brand', name: line.brand.name },
    url,
    ...(line.rating
      ? {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: (line.rating.overallHundredths / 100).toFixed(1),
            bestRating: 5,
            worstRating: 1,
            reviewCount: line.rating.count,
          },
        }
      : {}),
    review: reviews.map((review) => ({
      '@type': 'Review',
      name: review.summary,
      reviewBody: review.comments,
      author: { '@type': 'Person', name: review.author },
      datePublished: review.writtenOn,
      reviewRating: {
        '@type': 'Rating',
        ratingValue: (review.overallHundredths / 100).toFixed(1),
        bestRating: 5,
        worstRating: 1,
      },
    })),
  }
}
