import { useRef, useState, type ReactNode } from 'react'
import { applicationContext, structuredDataContext, visitorContext } from '#app/server/context.ts'
import { onlineStore } from '#app/views/structured-data.server.ts'
import { paths } from '#content/paths.ts'
import { Claims } from '#app/ui/claims.tsx'
import { Finder } from '#app/ui/finder.tsx'
import { BrandGrid } from '#app/ui/listing-brands.tsx'
import { KindGrid } from '#app/ui/listing-kinds.tsx'
import { Rating } from '#app/ui/rating.tsx'
import { DealCard } from '#app/ui/tire-card-deal.tsx'
import { DrawnSize } from '#app/ui/finder-drawing.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { answerOf, pages } from '#app/ui/store-client.ts'
import { countOf } from '#platform/count-text.ts'
import { readHome, type HomeView } from './home.server.ts'
import type { Route } from './+types/home.ts'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Tires, installed near you',
    description:
      'Find tires that fit your vehicle, see the price you will really pay, and book the installation at a shop near you.',
    path: paths.home(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=60' }
}

export function loader({ context, url }: Route.LoaderArgs) {
  const app = context.get(applicationContext)
  context.get(structuredDataContext).push(...onlineStore(app.config, app.businessTerms.current))
  return readHome(app, context.get(visitorContext), url.searchParams)
}

export default function Home({ loaderData: view }: Route.ComponentProps) {
  const { deals, dealCount, types, categories, brands, brandCount, vehicles, reviews, claims } = view
  return (
    <>
      {view.banner ? (
        <section className="home-banner" aria-labelledby="banner">
          <div className="wrap">
            <h2 id="banner">{view.banner.title}</h2>
            <div dangerouslySetInnerHTML={{ __html: view.banner.html }} />
          </div>
        </section>
      ) : null}
      <Hero view={view} />
      <Section
        id="deals"
        title="Deals today"
        isEmpty={deals.length === 0}
        end={
          <a className="small nowrap" href={paths.deals()}>
            All {countOf(dealCount, 'deal')}
          </a>
        }
      >
        <div className="deal-grid">
          {deals.map((deal) => (
            <DealCard key={deal.path} deal={deal} />
          ))}
        </div>
      </Section>
      <InstallationSteps />
      <Section
        id="types"
        title="By type"
        isEmpty={types.length === 0}
        end={<span className="small muted">Drawn to one scale</span>}
      >
        <KindGrid kinds={types} />
      </Section>
      <Section
        id="categories"
        title="By category"
        isEmpty={categories.length === 0}
        end={
          <a className="small nowrap" href={paths.categories()}>
            What they mean
          </a>
        }
      >
        <CategoryChips categories={categories} />
      </Section>
      <Section
        id="brands"
        title="By brand"
        isEmpty={brands.length === 0}
        end={
          <a className="small nowrap" href={paths.brands()}>
            All {countOf(brandCount, 'brand')}
          </a>
        }
      >
        <BrandGrid brands={brands} />
      </Section>
      <div className="wrap home-section home-pair">
        <PopularVehicles vehicles={vehicles} />
        {reviews.length > 0 ? <TopReviews reviews={reviews} /> : null}
      </div>
      <section className="wrap home-section" aria-labelledby="promises">
        <h2 id="promises">What’s included</h2>
        <Claims claims={claims} />
      </section>
    </>
  )
}

/** The headline, the finder, and on the right a tire in the size selected in it. */
function Hero({ view: { finder, next, drawn: drawnFirst } }: { view: HomeView }) {
  const [drawn, setDrawn] = useState(drawnFirst)
  const asked = useRef<AbortController>(null)

  /** An unreadable size leaves the drawing as it is. */
  async function draw(size: string): Promise<void> {
    asked.current?.abort()
    const asking = new AbortController()
    asked.current = asking
    const answer = await answerOf(pages.call(`GET ${paths.finderSize()}`, { query: { size } }, asking))
    if (answer.ok && !('problem' in answer.data) && !asking.signal.aborted) setDrawn(answer.data)
  }

  return (
    <section className="hero">
      <div className="wrap">
        <div>
          <h1 className="capitals">Pick a tire. Pick a time.</h1>
          <p className="hero-lead">
            See the price you will really pay, installed at a shop near you.{' '}
            {next ? (
              <>
                Next free bay: <b className="tabular">{next}.</b>
              </>
            ) : null}
          </p>
          <Finder view={finder} path={paths.home()} onSize={(size) => void draw(size)} />
        </div>
        {drawn ? <DrawnSize drawn={drawn} /> : null}
      </div>
    </section>
  )
}

/** A section of the page; a store with an empty catalog has no tires to show in most of them. */
function Section({
  id,
  title,
  end,
  isEmpty,
  children,
}: {
  id: string
  title: string
  end: ReactNode
  isEmpty: boolean
  children: ReactNode
}) {
  if (isEmpty) return null
  return (
    <section className="wrap home-section" aria-labelledby={id}>
      <SectionHead id={id} title={title}>
        {end}
      </SectionHead>
      {children}
    </section>
  )
}

/** A section heading, with a link on its right. */
function SectionHead({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <div className="section-head">
      <h2 id={id}>{title}</h2>
      {children}
    </div>
  )
}

function InstallationSteps() {
  return (
    <section className="band" aria-labelledby="how">
      <div className="wrap">
        <h2 id="how">How installation works</h2>
        <ol className="band-steps">
          {steps.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function CategoryChips({ categories }: Pick<HomeView, 'categories'>) {
  return (
    <ul className="category-chips">
      {categories.map(({ slug, name, lines }) => (
        <li key={slug}>
          <a className="chip" href={paths.category(slug)}>
            {name} <span className="muted tabular">{lines}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function PopularVehicles({ vehicles }: Pick<HomeView, 'vehicles'>) {
  return (
    <section aria-labelledby="vehicles">
      <SectionHead id="vehicles" title="Popular vehicles">
        <a className="small nowrap" href={paths.vehicles()}>
          All vehicles
        </a>
      </SectionHead>
      <ul className="link-rows">
        {vehicles.map(({ name, path, size }) => (
          <li key={path}>
            <a href={path}>
              <span>{name}</span>
              <span className="muted tabular">{size}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function TopReviews({ reviews }: Pick<HomeView, 'reviews'>) {
  return (
    <section aria-labelledby="reviews">
      <SectionHead id="reviews" title="Top reviews">
        <a className="small nowrap" href={paths.tireReviews()}>
          All reviews
        </a>
      </SectionHead>
      {reviews.map(({ id, text, hundredths, by, line, path }) => (
        <figure key={id} className="home-review">
          <blockquote>{text}</blockquote>
          <figcaption className="small muted">
            <Rating hundredths={hundredths} />
            <span className="tabular">
              {by} on <a href={path}>{line}</a>
            </span>
          </figcaption>
        </figure>
      ))}
    </section>
  )
}

const steps = [
  { title: 'Choose tires that fit', text: 'We check size, load and speed for each axle, and say why.' },
  { title: 'Pick a shop and a time', text: 'Live calendars. No phone tag, and no details asked first.' },
  { title: 'We ship to the shop', text: 'Free. Your time starts after the tires can be there.' },
  { title: 'Drive in, drive out', text: 'Show your order number. The work is already paid.' },
]
