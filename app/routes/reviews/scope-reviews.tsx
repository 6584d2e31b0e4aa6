import { applicationContext } from '#app/server/context.ts'
import { rankedLines, reviewView } from '#app/views/review-view.server.ts'
import { paths } from '#content/paths.ts'
import { countOf, countText } from '#platform/count-text.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { Ranking, ReviewArticle } from '#app/ui/reviews.tsx'
import { listBrands, listKinds } from '#domain/catalog/catalog/catalog.server.ts'
import {
  listBestLines,
  listScopeReviews,
  sumReviews,
  type ReviewScope,
} from '#domain/aftercare/reviews/reviews.server.ts'
import type { Application } from '#application'
import { movedTo, notFound } from './answers.ts'
import { RankingNote } from './ranking-note.tsx'
import type { Route } from './+types/scope-reviews.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [{ title: 'Tire reviews' }]
  const { title, noun, reviews, lines, path } = loaderData
  return pageHead(matches, {
    title,
    description: `${countOf(reviews, 'review')} of ${countText(lines)} ${noun} from drivers. See the best rated, most helpful, and newest.`,
    path,
  })
}

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

const [linesShown, reviewsShown] = [24, 5]

/** The lines of a brand, a type or a category by rating, with the reviews to read first. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  const part = await findPart(app, params)
  if (!part) throw notFound()
  const path = paths.scopeReviews(part.scope)
  if (url.pathname !== path) throw movedTo(path, url)
  const [best, helpful, newest] = await Promise.all([
    listBestLines(app.catalog, part.scope, linesShown),
    listScopeReviews(app.catalog, part.scope, 'helpful', reviewsShown),
    listScopeReviews(app.catalog, part.scope, 'newest', reviewsShown),
  ])
  return { ...part, path, best: rankedLines(best), helpful: helpful.map(reviewView), newest: newest.map(reviewView) }
}

export default function ScopeReviews({ loaderData: view }: Route.ComponentProps) {
  const { heading, crumbs, reviews, lines, mean, best } = view
  return (
    <div className="wrap reviews-page">
      <Crumbs crumbs={crumbs} here="Reviews" />
      <header className="directory-head">
        <h1>{heading}</h1>
        {mean === null ? (
          <p className="muted">No reviews yet for these tires.</p>
        ) : (
          <p className="muted tabular">
            {countOf(reviews, 'review')} of {countOf(lines, 'tire')}, {mean} of 5 on average.{' '}
            <a href={view.shop}>{view.shopLabel}</a>
          </p>
        )}
      </header>
      {best.length > 0 ? (
        <section className="reviews-part" aria-labelledby="best">
          <h2 id="best">{best.length < lines ? `The best ${best.length}` : 'From the best down'}</h2>
          <Ranking lines={best} />
          <RankingNote />
        </section>
      ) : null}
      <div className="reviews-pair">
        {[
          { id: 'helpful', heading: 'Most helpful', reviews: view.helpful },
          { id: 'newest', heading: 'Newest', reviews: view.newest },
        ].map((list) =>
          list.reviews.length === 0 ? null : (
            <section key={list.id} aria-labelledby={list.id}>
              <h2 id={list.id}>{list.heading}</h2>
              {/* A review can appear in both lists, so its anchor belongs to its own page. */}
              {list.reviews.map((review) => (
                <ReviewArticle key={review.id} review={review} isNamed={false} />
              ))}
            </section>
          ),
        )}
      </div>
    </div>
  )
}

type Part = {
  scope: ReviewScope
  heading: string
  /** As the heading, made distinct if a type and a category share a name. */
  title: string
  noun: string
  crumbs: { label: string; path: string }[]
  shop: string
  shopLabel: string
  reviews: number
  lines: number
  /** "4.4"; null until something in it is reviewed. */
  mean: string | null
}

/** Returns the part in the URL, ignoring case. Returns undefined if there is no match. */
async function findPart({ catalog }: Pick<Application, 'catalog'>, params: ReviewScope): Promise<Part | undefined> {
  const { of, slug } = askedOf(params)
  const [sums, named] = await Promise.all([
    sumReviews(catalog),
    of === 'brands' ? listBrands(catalog) : listKinds(catalog).then((kinds) => kinds[of]),
  ])
  const entry = named.find((candidate) => candidate.slug === slug)
  if (!entry) return undefined
  const sum = sums[of].find((candidate) => candidate.slug === slug)
  const { scope, parent, inTitle, noun, shopLabel } = scopeWords[of](slug, entry.name)
  return {
    scope,
    heading: `${entry.name} tire reviews`,
    title: `${entry.name} tire reviews${inTitle}`,
    noun,
    crumbs: [parent, { label: entry.name, path: paths.listing(scope) }],
    shop: paths.listing(scope),
    shopLabel,
    reviews: sum?.reviews ?? 0,
    lines: sum?.lines ?? 0,
    mean: sum ? (sum.hundredths / 100).toFixed(1) : null,
  }
}

function askedOf({ brand, type, category = '' }: ReviewScope): { of: keyof typeof scopeWords; slug: string } {
  if (brand !== undefined) return { of: 'brands', slug: brand.toLowerCase() }
  if (type !== undefined) return { of: 'types', slug: type.toLowerCase() }
  return { of: 'categories', slug: category.toLowerCase() }
}

/** How a page refers to a brand, a type or a category, and its breadcrumbs. */
const scopeWords = {
  brands: (slug: string, name: string) => ({
    scope: { brand: slug },
    parent: { label: 'Brands', path: paths.brands() },
    inTitle: '',
    noun: `${name} tires`,
    shopLabel: `Shop ${name} tires`,
  }),
  types: (slug: string, name: string) => ({
    scope: { type: slug },
    parent: { label: 'Types', path: paths.types() },
    inTitle: '',
    noun: `${name.toLowerCase()} tires`,
    shopLabel: `Shop ${name.toLowerCase()} tires`,
  }),
  categories: (slug: string, name: string) => ({
    scope: { category: slug },
    parent: { label: 'Categories', path: paths.categories() },
    inTitle: ' by category',
    noun: `tires of the category ${name.toLowerCase()}`,
    shopLabel: `Shop ${name.toLowerCase()} tires`,
  }),
}
