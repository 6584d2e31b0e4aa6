import { useEffect, useState, type KeyboardEvent, type SubmitEvent } from 'react'
import { paths } from '#content/paths.ts'
import { resemblesVin, vinInSearch } from '#domain/catalog/vehicles/vehicles.ts'
import { Icon } from '#app/ui/icon.tsx'
import { countOrNone } from '#platform/count-text.ts'

export type Suggestion = { kind: string; label: string; detail: string; path: string }

/** Each page has one search box. The two routers of pages would create different IDs with `useId`. */
const listId = 'site-suggestions'

/**
 * The search box. A plain form without script; with script, suggestions appear while typing and the arrow keys select
 * one.
 */
export function SiteSearch() {
  const [query, setQuery] = useState('')
  const [open, setOpen] = useState(false)
  const { suggestions, active, setActive } = useSuggestions(query)

  const shown = open && query.trim().length >= 2 && suggestions.length > 0
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Escape') setOpen(false)
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setOpen(true)
    if (!shown) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((now) => (now + step + suggestions.length + (now < 0 && step < 0 ? 1 : 0)) % suggestions.length)
    }
    const chosen = suggestions[active]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      window.location.assign(chosen.path)
    }
  }

  return (
    <form className="search" role="search" action={paths.search()} onSubmit={postVin}>
      <label className="visually-hidden" htmlFor="site-search">
        Search by vehicle, size, brand, item, shop, or ZIP
      </label>
      <Icon name="search" />
      <input
        className="input"
        id="site-search"
        name="q"
        placeholder="Vehicle, size, brand or shop"
        autoComplete="off"
        maxLength={120}
        role="combobox"
        aria-expanded={shown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setOpen(true)
        }}
        onFocus={() => {
          setOpen(true)
          loadClient().catch(() => {})
        }}
        // Clicking a suggestion first takes the focus; the list stays until the click is handled.
        onBlur={() => setTimeout(() => setOpen(false), 200)}
        onKeyDown={onKeyDown}
      />
      <div className="suggestions panel" id={listId} role="listbox" aria-label="Suggestions" hidden={!shown}>
        {shown
          ? suggestions.map((suggestion, index) => (
              <SuggestionRow
                key={suggestion.path}
                suggestion={suggestion}
                id={`${listId}-${index}`}
                isActive={index === active}
              />
            ))
          : null}
      </div>
      <p className="visually-hidden" role="status">
        {shown ? countOrNone(suggestions.length, 'suggestion') : ''}
      </p>
    </form>
  )
}

/** Posts a VIN to the finder. Without script, the search page redirects from the URL that contains it. */
function postVin({ currentTarget: form }: SubmitEvent<HTMLFormElement>): void {
  const field = form.elements.namedItem('q')
  if (!(field instanceof HTMLInputElement)) return
  const isVin = vinInSearch(field.value) !== undefined
  field.name = isVin ? 'vin' : 'q'
  form.method = isVin ? 'post' : 'get'
  form.action = isVin ? paths.findByVin() : paths.search()
}

function SuggestionRow({
  suggestion: { label, detail, path },
  id,
  isActive,
}: {
  suggestion: Suggestion
  id: string
  isActive: boolean
}) {
  return (
    <a
      id={id}
      role="option"
      aria-selected={isActive}
      className={isActive ? 'is-active' : undefined}
      href={path}
      tabIndex={-1}
    >
      <span>{label}</span>
      <span className="muted small">{detail}</span>
    </a>
  )
}

/** Suggestions for the query, requested once typing pauses; `active` is the one selected with the arrow keys, or -1. */
function useSuggestions(query: string) {
  const [suggestions, setSuggestions] = useState<Suggestion[]>([])
  const [active, setActive] = useState(-1)

  useEffect(() => {
    const text = query.trim()
    if (text.length < 2 || resemblesVin(text)) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      loadClient()
        .then(({ answerOf, pages }) =>
          answerOf(pages.call(`GET ${paths.suggestions()}`, { query: { q: text } }, abort)),
        )
        .then((answer) => {
          if (abort.signal.aborted) return
          setSuggestions(answer.ok ? answer.data.suggestions : [])
          setActive(-1)
        })
        // Without a connection, the form still works.
        .catch(() => {})
    }, 120)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [query])

  return { suggestions, active, setActive }
}

/** Loads the client when someone starts to type: the box is on every page. */
function loadClient(): Promise<typeof import('#app/ui/store-client.ts')> {
  return import('#app/ui/store-client.ts')
}
