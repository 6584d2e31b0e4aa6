import { applicationContext } from '#app/server/context.ts'
import { rankedLines, reviewView } from '#app/views/review-view.server.ts'
import { paths, reviewSections, withQuery, type ReviewSection } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import type { RankedLine, ReviewView } from '#app/ui/review-data.ts'
import { Ranking, ReviewArticle } from '#app/ui/reviews.tsx'
import { contentRules, imaginedReviews, parseReviewQuery, refusalReasons } from '#domain/aftercare/reviews/reviews.ts'
import { listBestLines, listStoreReviews } from '#domain/aftercare/reviews/reviews.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Application } from '#application'
import { movedTo, notFound } from './answers.ts'
import { directoryOf } from './directory.server.ts'
import { RankingNote } from './ranking-note.tsx'
import { ReviewDirectory, type DirectoryEntry } from './review-directory.tsx'
import { ReviewPager } from './review-pager.tsx'
import { ReviewRules, type RulesView } from './review-rules.tsx'
import type { Route } from './+types/section.ts'

export const handle = { script: false }
export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [{ title: 'Tire reviews' }]
  const { section, isFirst } = loaderData
  return pageHead(matches, {
    title: words[section].title,
    description: words[section].description,
    path: paths.tireReviews(section),
    isIndexed: isFirst,
  })
}

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

const linesShown = 50

const words: Record<ReviewSection, { heading: string; title: string; description: string; lead: string }> = {
  brands: {
    heading: 'Reviews by brand',
    title: 'Tire reviews by brand',
    description: 'Every tire brand with the mean of its reviews and how many there are.',
    lead: 'The most reviewed first.',
  },
  types: {
    heading: 'Reviews by type',
    title: 'Tire reviews by type',
    description: 'Owner reviews for all-season, winter, all-terrain, and other tire types.',
    lead: 'The most reviewed first.',
  },
  categories: {
    heading: 'Reviews by category',
    title: 'Tire reviews by category',
    description: 'Owner reviews for each tire category.',
    lead: 'The most reviewed first.',
  },
  'top-rated': {
    heading: 'The best tires by their reviews',
    title: 'Best tires by owner reviews',
    description: `The ${countOf(linesShown, 'tire')} that owners rate best, ranked by a mean in which a handful of reviews weighs little.`,
    lead: 'Across all types and brands, with the number of reviews behind each rank.',
  },
  newest: {
    heading: 'Newest reviews',
    title: 'Newest tire reviews',
    description: 'What drivers wrote about their tires in recent days, good and bad alike.',
    lead: 'Unedited reviews, both positive and negative.',
  },
  'most-helpful': {
    heading: 'Most helpful reviews',
    title: 'Most helpful tire reviews',
    description: 'The tire reviews that most other shoppers found helpful.',
    lead: 'Those that most other shoppers found helpful.',
  },
  rules: {
    heading: 'How reviews work',
    title: 'Review rules',
    description:
      'Who can write reviews, which reviews we publish, what the verified mark means, and how we calculate ratings.',
    lead: 'Who can write reviews, which ones we publish, and how we calculate ratings.',
  },
}

type Shown =
  | { kind: 'directory'; entries: DirectoryEntry[] }
  | { kind: 'ranking'; lines: RankedLine[] }
  | { kind: 'reviews'; reviews: ReviewView[]; next: string | null; first: string | null }
  | { kind: 'rules'; rules: RulesView }

/** One of the lists of all the store's reviews. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const section = reviewSections.find((name) => name === params.section.toLowerCase())
  if (!section) throw notFound()
  if (url.pathname !== paths.tireReviews(section)) throw movedTo(paths.tireReviews(section), url)
  return { section, isFirst: url.search === '', ...(await readSection(context.get(applicationContext), section, url)) }
}

async function readSection(
  { catalog }: Pick<Application, 'catalog'>,
  section: ReviewSection,
  url: URL,
): Promise<Shown> {
  switch (section) {
    case 'brands':
    case 'types':
    case 'categories':
      return { kind: 'directory', entries: await directoryOf(catalog, section) }
    case 'top-rated':
      return { kind: 'ranking', lines: rankedLines(await listBestLines(catalog, {}, linesShown)) }
    case 'newest':
    case 'most-helpful': {
      const { after } = parseReviewQuery(url.searchParams)
      const { reviews, next } = await listStoreReviews(catalog, {
        sort: section === 'newest' ? 'newest' : 'helpful',
        after,
      })
      const path = paths.tireReviews(section)
      return {
        kind: 'reviews',
        reviews: reviews.map(reviewView),
        next: next === null ? null : withQuery(path, { after: next }),
        first: after === null ? null : path,
      }
    }
    case 'rules':
      return {
        kind: 'rules',
        rules: {
          rules: refusalReasons.map((reason) => contentRules[reason].rule),
          imagined: imaginedReviews.count,
          stars: (imaginedReviews.hundredths / 100).toFixed(1),
        },
      }
  }
}

const noReviewsYet = 'No reviews yet.'

function isEmpty(view: Shown): boolean {
  if (view.kind === 'directory') return view.entries.length === 0
  return view.kind === 'ranking' && view.lines.length === 0
}

export default function ReviewsSection({ loaderData: view }: Route.ComponentProps) {
  const { heading, lead } = words[view.section]
  return (
    <div className="wrap reviews-page">
      <Crumbs crumbs={[{ label: 'Tire reviews', path: paths.tireReviews() }]} here={heading} />
      <header className="directory-head">
        <h1>{heading}</h1>
        <p className="muted">{isEmpty(view) ? noReviewsYet : lead}</p>
      </header>
      {view.kind === 'directory' ? <ReviewDirectory entries={view.entries} /> : null}
      {view.kind === 'ranking' ? (
        <div className="reviews-part">
          <Ranking lines={view.lines} />
          <RankingNote />
        </div>
      ) : null}
      {view.kind === 'reviews' ? (
        <section className="reviews-part" aria-label={heading}>
          <h2 className="visually-hidden">Reviews</h2>
          {view.reviews.map((review) => (
            <ReviewArticle key={review.id} review={review} />
          ))}
          {view.reviews.length === 0 ? (
            <p className="muted">{view.first === null ? noReviewsYet : 'That was the last one.'}</p>
          ) : null}
          <ReviewPager next={view.next} first={view.first} />
        </section>
      ) : null}
      {view.kind === 'rules' ? <ReviewRules {...view.rules} /> : null}
    </div>
  )
}
