import { type ChangeEvent, type FormEvent, useEffect, useRef, useSyncExternalStore } from 'react'
import { useNavigation } from '#app/router/router.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { FacetView, ListingView, OptionView } from '#app/ui/listing-data.ts'
import { ListingLink, useStayingNavigation } from '#app/ui/listing-link.tsx'

/** The sort field is outside the form and belongs to it by this id. */
export const filterFormId = 'filters-form'

/**
 * The filters, next to the tires on wide screens, and an overlay on narrow ones, opened by any button with
 * `popovertarget="filters"`. One form, submitted by a button or, with script, on each change.
 */
export function ListingFilters({ listing, countWords }: { listing: ListingView; countWords: string }) {
  const form = useRef<HTMLFormElement>(null)
  const go = useStayingNavigation()
  const isLive = useIsLive()

  // The URL is authoritative. After going back or removing a filter chip, the checkboxes match it.
  useEffect(() => {
    form.current?.reset()
    const sort = form.current?.elements.namedItem('sort')
    if (sort instanceof HTMLSelectElement) sort.value = listing.sort
    const size = form.current?.elements.namedItem('size')
    if (size instanceof HTMLSelectElement) size.value = String(listing.pageSize)
  }, [listing])

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const filled = [...new FormData(event.currentTarget)].filter(
      (field): field is [string, string] =>
        typeof field[1] === 'string' && field[1] !== '' && defaults[field[0]] !== field[1],
    )
    go(filled.length === 0 ? listing.action : `${listing.action}?${new URLSearchParams(filled).toString()}`)
  }

  function sendOnChoice({ target }: ChangeEvent<HTMLFormElement>) {
    // React reports every keystroke in the price fields as a change; those are submitted with Enter or their button.
    if ((target as HTMLElement) instanceof HTMLInputElement && target.type !== 'text') form.current?.requestSubmit()
  }

  return (
    <aside className="filters" id="filters" popover="auto" aria-labelledby="filters-title">
      <form id={filterFormId} ref={form} action={listing.action} onSubmit={send} onChange={sendOnChoice} data-waits>
        <div className="row between filters-head">
          <h2 id="filters-title">Filters</h2>
          {listing.chips.length > 0 ? (
            <ListingLink className="link small" href={listing.clear}>
              Clear {listing.chips.length}
            </ListingLink>
          ) : null}
          <button
            className="icon-button filters-close"
            type="button"
            popoverTarget="filters"
            popoverTargetAction="hide"
            aria-label="Close filters"
          >
            <Icon name="cross" />
          </button>
        </div>
        {listing.kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {listing.facets.map((facet) => (
          <Facet key={facet.name} facet={facet} />
        ))}
        <div className={isLive ? 'filters-foot is-live' : 'filters-foot'}>
          {isLive ? (
            <button className="btn primary wide" type="button" popoverTarget="filters" popoverTargetAction="hide">
              Show {countWords}
            </button>
          ) : (
            <button className="btn wide" type="submit">
              Apply filters
            </button>
          )}
        </div>
      </form>
    </aside>
  )
}

const defaults: Readonly<Record<string, string>> = { sort: 'best', size: '24' }

/** Sort order and page size, which both belong to the filter form. */
export function SortField({ listing }: { listing: ListingView }) {
  return (
    <span className="row sort-field">
      <label className="visually-hidden" htmlFor="sort">
        Sort by
      </label>
      <select
        className="input"
        id="sort"
        name="sort"
        form={filterFormId}
        defaultValue={listing.sort}
        onChange={(event) => event.currentTarget.form?.requestSubmit()}
      >
        {listing.sorts.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {listing.pageSizes.length > 0 ? (
        <>
          <label className="visually-hidden" htmlFor="page-size">
            Per page
          </label>
          <select
            className="input page-size"
            id="page-size"
            name="size"
            form={filterFormId}
            defaultValue={String(listing.pageSize)}
            onChange={(event) => event.currentTarget.form?.requestSubmit()}
          >
            {listing.pageSizes.map((size) => (
              <option key={size} value={size}>
                {size} a page
              </option>
            ))}
          </select>
        </>
      ) : null}
      <button className="btn small quiet without-script" type="submit" form={filterFormId}>
        {listing.pageSizes.length > 0 ? 'Apply' : 'Sort'}
      </button>
    </span>
  )
}

/** True while the next list is loading. */
export function useIsLoading(): boolean {
  return useNavigation().state !== 'idle'
}

/** Whether JavaScript runs on the page. False on the server and until hydration. */
function useIsLive(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}

/** How many values show at first; a click shows the others. */
const shortList = 6

function Facet({ facet }: { facet: FacetView }) {
  if (facet.kind === 'price') return <PriceFacet facet={facet} />
  const { name, legend, kind, options } = facet
  const row = (option: OptionView) => <OptionRow key={option.value} name={name} kind={kind} option={option} />
  const isLong = options.length > shortList + 2
  const first = isLong ? options.slice(0, shortList) : options
  const rest = isLong ? options.slice(shortList) : []
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div>
        {first.map(row)}
        {rest.length > 0 ? (
          <details open={rest.some(({ isChosen }) => isChosen)}>
            <summary>{rest.length} more</summary>
            {rest.map(row)}
          </details>
        ) : null}
        {kind === 'one' ? (
          <OptionRow
            name={name}
            kind="one"
            option={{ value: '', label: 'Any', count: 0, isChosen: options.every(({ isChosen }) => !isChosen) }}
          />
        ) : null}
      </div>
    </fieldset>
  )
}

function OptionRow({
  name,
  kind,
  option: { value, label, count, isChosen },
}: {
  name: string
  kind: 'many' | 'one'
  option: OptionView
}) {
  const isAny = value === ''
  return (
    <label className={count === 0 && !isAny && !isChosen ? 'option is-empty' : 'option'}>
      <input type={kind === 'many' ? 'checkbox' : 'radio'} name={name} value={value} defaultChecked={isChosen} />
      <span>{label}</span>
      {isAny ? null : <span className="option-count tabular">{count}</span>}
    </label>
  )
}

function PriceFacet({ facet: { legend, min, max, options } }: { facet: Extract<FacetView, { kind: 'price' }> }) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div>
        {options.map(({ value, label, count, isChosen, path }) => (
          <ListingLink
            key={value}
            className={isChosen ? 'option is-on' : count === 0 ? 'option is-empty' : 'option'}
            href={path}
            {...(isChosen ? { 'aria-current': 'true' as const } : {})}
          >
            <span className="option-box" aria-hidden="true" />
            <span>{label}</span>
            <span className="option-count tabular">{count}</span>
          </ListingLink>
        ))}
        <div className="price-fields">
          <label className="visually-hidden" htmlFor="min">
            Lowest price in dollars
          </label>
          <input
            className="input tabular"
            type="text"
            id="min"
            name="min"
            defaultValue={min}
            inputMode="numeric"
            maxLength={6}
            placeholder="$ from"
            autoComplete="off"
          />
          <label className="visually-hidden" htmlFor="max">
            Highest price in dollars
          </label>
          <input
            className="input tabular"
            type="text"
            id="max"
            name="max"
            defaultValue={max}
            inputMode="numeric"
            maxLength={6}
            placeholder="$ to"
            autoComplete="off"
          />
          <button className="btn small quiet" type="submit">
            Set
          </button>
        </div>
      </div>
    </fieldset>
  )
}
