import { useLocation, useRouteLoaderData } from 'react-router'
import { paths } from '#app/paths.ts'

type Chosen = { readonly keys: readonly string[]; readonly bar: string } | null

/**
 * The form that every button of the page that has to do with comparing belongs to, and the bar with the chosen tires. Sent as it stands it leads back
 * here; with script the answer takes the place of the bar, which React leaves alone.
 */
export function Comparing({ comparison }: { comparison: Chosen }) {
  const { pathname, search } = useLocation()
  return (
    <>
      <form id="compare" method="post" action={paths.compareChoice()} data-gesture="compare">
        <input type="hidden" name="back" value={pathname + search} />
        <p className="visually-hidden" role="status" />
      </form>
      <div className="compare-bar" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: comparison?.bar ?? '' }} />
    </>
  )
}

/** Takes a tire, or a set, into the comparison or out of it. `itemKey` is the offer's key. The page says `compares: true` in its handle. */
export function CompareToggle({ itemKey, name }: { itemKey: string; name: string }) {
  const isChosen = useRouteLoaderData<{ comparison: Chosen }>('root')?.comparison?.keys.includes(itemKey) ?? false
  return (
    <button className="compare-toggle" type="submit" form="compare" name={isChosen ? 'remove' : 'add'} value={itemKey} aria-pressed={isChosen}>
      Compare<span className="visually-hidden"> {name}</span>
    </button>
  )
}
