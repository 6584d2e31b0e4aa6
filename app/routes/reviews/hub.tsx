import { applicationContext } from '#app/server/context.ts'
import { rankedLines, reviewView } from '#app/views/review-view.server.ts'
import { paths } from '#content/paths.ts'
import { countOf, countText } from '#platform/count-text.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { Ranking, ReviewArticle } from '#app/ui/reviews.tsx'
import { listBestLines, listScopeReviews, sumReviews } from '#domain/aftercare/reviews/reviews.server.ts'
import { directoryOf } from './directory.server.ts'
import { RankingNote } from './ranking-note.tsx'
import { ReviewDirectory } from './review-directory.tsx'
import type { Route } from './+types/hub.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageHead(matches, {
    title: 'Tire reviews',
    description: `${countText(loaderData?.reviews ?? 0)} reviews from drivers, by type, category, and brand, with transparent rankings.`,
    path: paths.tireReviews(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

const [linesShown, reviewsShown, brandsShown] = [6, 4, 12]

/** The start page of all reviews. */
export async function loader({ context }: Route.LoaderArgs) {
  const { catalog } = context.get(applicationContext)
  const [sums, types, categories, brands, best, newest, helpful] = await Promise.all([
    sumReviews(catalog),
    directoryOf(catalog, 'types'),
    directoryOf(catalog, 'categories'),
    directoryOf(catalog, 'brands'),
    listBestLines(catalog, {}, linesShown),
    listScopeReviews(catalog, {}, 'newest', reviewsShown),
    listScopeReviews(catalog, {}, 'helpful', reviewsShown),
  ])
  const [all] = sums.all
  return {
    reviews: all?.reviews ?? 0,
    lines: all?.lines ?? 0,
    types,
    categories,
    brands: brands.slice(0, brandsShown),
    brandCount: brands.length,
    best: rankedLines(best),
    newest: newest.map(reviewView),
    helpful: helpful.map(reviewView),
  }
}

export default function TireReviews({
  loaderData: { reviews, lines, types, categories, brands, brandCount, best, newest, helpful },
}: Route.ComponentProps) {
  return (
    <div className="wrap reviews-page">
      <header className="directory-head">
        <h1>Tire reviews</h1>
        <p className="muted tabular">
          {reviews === 0
            ? 'No reviews yet. '
            : `${countOf(reviews, 'review')} of ${countOf(lines, 'tire')}, good and bad alike. `}
          <a href={paths.tireReviews('rules')}>How reviews work</a>
        </p>
      </header>
      {reviews === 0 ? null : <AllReviews {...{ types, categories, brands, brandCount, best, newest, helpful }} />}
    </div>
  )
}

/** Reviews by type, ranking, category and brand, and the newest and most helpful ones. */
function AllReviews({
  types,
  categories,
  brands,
  brandCount,
  best,
  newest,
  helpful,
}: Omit<Route.ComponentProps['loaderData'], 'reviews' | 'lines'>) {
  return (
    <>
      <section className="reviews-part" aria-labelledby="types">
        <h2 id="types">By type</h2>
        <ReviewDirectory entries={types} />
        <a className="btn quiet" href={paths.tireReviews('types')}>
          All types, most reviewed first
        </a>
      </section>
      <section className="reviews-part" aria-labelledby="best">
        <h2 id="best">The best of all</h2>
        <Ranking lines={best} />
        <RankingNote />
        <a className="btn quiet" href={paths.tireReviews('top-rated')}>
          More of the best
        </a>
      </section>
      <div className="reviews-pair">
        <section aria-labelledby="helpful">
          <h2 id="helpful">Most helpful</h2>
          {helpful.map((review) => (
            <ReviewArticle key={review.id} review={review} isNamed={false} />
          ))}
          <a className="btn quiet" href={paths.tireReviews('most-helpful')}>
            More helpful ones
          </a>
        </section>
        <section aria-labelledby="newest">
          <h2 id="newest">Newest</h2>
          {newest.map((review) => (
            <ReviewArticle key={review.id} review={review} isNamed={false} />
          ))}
          <a className="btn quiet" href={paths.tireReviews('newest')}>
            More new ones
          </a>
        </section>
      </div>
      <section className="reviews-part" aria-labelledby="categories">
        <h2 id="categories">By category</h2>
        <ReviewDirectory entries={categories} />
        <a className="btn quiet" href={paths.tireReviews('categories')}>
          All categories, most reviewed first
        </a>
      </section>
      <section className="reviews-part" aria-labelledby="brands">
        <h2 id="brands">Most reviewed brands</h2>
        <ReviewDirectory entries={brands} />
        <a className="btn quiet" href={paths.tireReviews('brands')}>
          All {countOf(brandCount, 'brand')}
        </a>
      </section>
    </>
  )
}
