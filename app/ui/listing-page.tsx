import { paths } from '#content/paths.ts'
import { useLocation } from '#app/router/router.tsx'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { countOf, countText, pluralForm } from '#platform/count-text.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { EmptyView, ListingPageView, ListingView, PagerView } from '#app/ui/listing-data.ts'
import { ListingFilters, SortField, useIsLoading } from '#app/ui/listing-filters.tsx'
import { ListingLink } from '#app/ui/listing-link.tsx'
import { ListingPanel } from '#app/ui/listing-panel.tsx'
import { Share } from '#app/ui/share.tsx'
import { TireCard } from '#app/ui/tire-card.tsx'
import { TirePicture } from '#app/ui/tire-picture.tsx'

/**
 * The listing page, with its subject, the fitment panel, five picks, the filters and the tires. `children` is the
 * introduction.
 */
export function ListingPage({ view, children }: { view: ListingPageView; children?: React.ReactNode }) {
  const { listing, empty, store } = view
  const { pathname, search } = useLocation()
  return (
    <div className="wrap listing">
      <div className="listing-head">
        <Crumbs crumbs={view.crumbs} here={view.here} />
        <h1>{view.heading}</h1>
        {view.about ? <p className="muted listing-about">{view.about}</p> : null}
        <div className="row listing-tools">
          {view.help && listing ? (
            <a className="btn small quiet" href={view.help} data-interaction="modal">
              Help me decide
            </a>
          ) : null}
          <Share path={pathname + search} title={view.heading} />
        </div>
      </div>
      {view.panel ? <ListingPanel panel={view.panel} /> : null}
      {children}
      {listing && listing.picks.length > 0 ? <Picks listing={listing} /> : null}
      {listing ? <Results listing={listing} store={store} /> : null}
      {empty ? <NothingThere empty={empty} /> : null}
      {view.ways.map(({ title, links }) => (
        <section key={title} className="way">
          <h2>{title}</h2>
          <ul className="tabular">
            {links.map(({ label, path, detail }) => (
              <li key={path}>
                <a href={path}>
                  {label} {detail ? <span className="small muted">{detail}</span> : null}
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Picks({ listing: { picks } }: { listing: ListingView }) {
  return (
    <section className="picks" aria-labelledby="picks-title">
      <h2 id="picks-title">
        {picks.length === 5 ? 'Five top picks' : pluralForm(picks.length, 'Our pick', 'Top picks')}
      </h2>
      <details className="picks-how">
        <summary>How we pick</summary>
        <p className="small muted">
          Each pick stands out for something shown on its card, such as score, score for the money, a severe-snow mark,
          the price, or the mileage warranty. Each model is picked once. A brand is picked at most twice while others
          qualify, and then the next best tire is picked. A tire that may not fit, is rated below what your vehicle
          needs, or cannot be delivered as a set is never picked. Placement isn’t for sale.
        </p>
      </details>
      <ol>
        {picks.map((pick) => (
          <li key={pick.reason} className="panel">
            <TirePicture picture={pick.picture} alt="" size={64} eager />
            <div>
              <p className="picks-why">{pick.reason}</p>
              <h3 className="card-t">
                <a href={pick.path}>{pick.name}</a>
              </h3>
              <p className="small tabular">
                {pick.amount} <span className="muted">for 4</span>
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Results({ listing, store }: { listing: ListingView; store: string }) {
  const isLoading = useIsLoading()
  const countWords = countOf(listing.total, listing.noun)
  const isGrouped = listing.models < listing.total
  return (
    <div className="listing-columns">
      <ListingFilters listing={listing} countWords={countWords} />
      <section aria-labelledby="results-title" aria-busy={isLoading}>
        <div className="listing-bar">
          <h2 id="results-title" className="listing-count">
            {countWords}
            {listing.total < listing.inScope ? <span className="muted"> of {countText(listing.inScope)}</span> : null}
            {isGrouped ? <span className="muted"> in {countOf(listing.models, 'model')}</span> : null}
            {listing.modelsNotFitting > 0 ? (
              <span className="muted small">
                {' '}
                · {countOf(listing.modelsNotFitting, 'does not fit and comes last', 'do not fit and come last')}
              </span>
            ) : null}
          </h2>
          <p className="visually-hidden" role="status">
            {isLoading ? 'Filtering' : `${countWords} shown`}
          </p>
          <button className="btn small quiet filters-open" type="button" popoverTarget="filters">
            <Icon name="filter" size="s" /> Filters{listing.chips.length > 0 ? ` (${listing.chips.length})` : ''}
          </button>
          <SortField listing={listing} />
        </div>
        {listing.chips.length > 0 ? (
          <ul className="active-filters" aria-label="Active filters">
            {listing.chips.map(({ label, path }) => (
              <li key={path}>
                <ListingLink className="chip is-on" href={path}>
                  <span className="visually-hidden">Remove </span>
                  {label}
                  <Icon name="cross" size="tiny" />
                </ListingLink>
              </li>
            ))}
          </ul>
        ) : null}
        {listing.unknown ? (
          <p className="listing-note small" role="note">
            <Icon name="question" size="s" />
            <span>
              {pluralForm(listing.unknown.filters.length, 'This filter means', 'These filters mean')} nothing here:{' '}
              {listing.unknown.filters.join(', ')}.{' '}
              <ListingLink className="link" href={listing.unknown.path}>
                {pluralForm(listing.unknown.filters.length, 'Drop it', 'Drop them')}
              </ListingLink>
            </span>
          </p>
        ) : null}
        <ListingNotes listing={listing} />
        {listing.cards.length === 0 ? (
          <NoMatch listing={listing} />
        ) : (
          <div className="card-grid">
            {listing.cards.map((card, index) => (
              <TireCard key={card.key} card={card} isFirst={index === 0} isEager={index < 3} store={store} />
            ))}
          </div>
        )}
        <Pager pager={listing.pager} noun={isGrouped ? 'model' : listing.noun} />
      </section>
    </div>
  )
}

/** Which ZIP code the totals are for, or how to get totals. */
function ListingNotes({ listing: { zip, isInstalled, noun, action } }: { listing: ListingView }) {
  return (
    <>
      {noun !== 'line' && zip === null ? (
        <p className="listing-note small">
          <Icon name="pin" size="s" />
          <span>
            <a href={paths.zip(action)}>Set your ZIP</a> to see the price out the door and the earliest time near you.
          </span>
        </p>
      ) : null}
      {noun !== 'line' && zip !== null ? (
        <p className="listing-note small">
          <Icon name="pin" size="s" />
          <span>
            {isInstalled
              ? `Out the door near ${zip}, including tires, installation, state fee, and tax at the nearest shop that installs them.`
              : `No shop near ${zip} installs these. We can ship them to you.`}{' '}
            <a href={paths.zip(action)}>Change ZIP</a>
          </span>
        </p>
      ) : null}
    </>
  )
}

function NoMatch({ listing }: { listing: ListingView }) {
  return (
    <div className="panel nothing">
      <h3>No {listing.noun} passes all these filters</h3>
      <p className="muted">
        {countOf(listing.inScope, listing.noun)} {pluralForm(listing.inScope, 'is', 'are')} here without them. Remove
        one above, or start over.
      </p>
      <ListingLink className="btn" href={listing.clear}>
        Clear all filters
      </ListingLink>
    </div>
  )
}

function NothingThere({ empty }: { empty: EmptyView }) {
  return (
    <section className="panel nothing" aria-labelledby="nothing-title">
      <h2 id="nothing-title">{empty.title ?? 'No tires available right now'}</h2>
      {empty.alternatives.length > 0 ? (
        <>
          <p className="muted">The closest we have:</p>
          <ul className="link-rows">
            {empty.alternatives.map(({ label, path, detail }) => (
              <li key={path}>
                <a href={path}>
                  <span>{label}</span>
                  <span className="muted tabular">{detail}</span>
                </a>
              </li>
            ))}
          </ul>
          <p className="small muted">Another size may not fit your vehicle. Check before you buy.</p>
        </>
      ) : (
        <>
          <p className="muted">No tire we sell matches. Check the size on your door label, or choose your vehicle.</p>
          <p className="row">
            <a className="btn" href={paths.find()}>
              Find my tires
            </a>
            <a className="btn quiet" href={paths.sizes()}>
              All sizes
            </a>
          </p>
        </>
      )}
    </section>
  )
}

function Pager({ pager, noun }: { pager: PagerView; noun: ListingView['noun'] | 'model' }) {
  if (pager.pages.length === 0) return null
  return (
    <nav className="pager" aria-label="Pages">
      {pager.next ? (
        <a className="btn" href={pager.next} rel="next">
          Show {countOf(pager.nextCount, `more ${noun}`)}
        </a>
      ) : null}
      <ol className="pager-pages tabular">
        {pager.previous ? (
          <li>
            <a href={pager.previous} rel="prev" aria-label="Previous page">
              <Icon name="left" size="s" />
            </a>
          </li>
        ) : null}
        {pager.pages.map((page, index) =>
          page === null ? (
            // At most two gaps, one on each side of the current page.
            <li key={`gap-${index}`} aria-hidden="true">
              …
            </li>
          ) : (
            <li key={page.number}>
              <a
                href={page.path}
                aria-label={`Page ${page.number}`}
                {...(page.isNow ? { 'aria-current': 'page' as const } : {})}
              >
                {page.number}
              </a>
            </li>
          ),
        )}
        {pager.next ? (
          <li>
            <a href={pager.next} rel="next" aria-label="Next page">
              <Icon name="right" size="s" />
            </a>
          </li>
        ) : null}
      </ol>
    </nav>
  )
}
