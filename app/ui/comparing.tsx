import type { ReactNode } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { paths } from '#content/paths.ts'

type Chosen = { readonly keys: readonly string[]; readonly bar: string } | null

/**
 * What a page on which tires are compared names as `bar` in its handle, so that only such pages load it; it stands
 * below the page.
 */
export function comparingBar({ comparison }: { comparison: Chosen }): ReactNode {
  return <Comparing comparison={comparison} />
}

/**
 * Takes a tire, or a set, into the comparison or out of it. `itemKey` is the offer's key. The page has `comparingBar`
 * in its handle.
 */
export function CompareToggle({ itemKey, name }: { itemKey: string; name: string }) {
  const isChosen = useRouteLoaderData<{ comparison: Chosen }>('root')?.comparison?.keys.includes(itemKey) ?? false
  return (
    <button
      className="compare-toggle"
      type="submit"
      form="compare"
      name={isChosen ? 'remove' : 'add'}
      value={itemKey}
      aria-pressed={isChosen}
    >
      Compare<span className="visually-hidden"> {name}</span>
    </button>
  )
}

/**
 * The form that every button of the page that has to do with comparing belongs to, and the bar with the chosen tires.
 * Sent as it stands it leads back here; with script the answer takes the place of the bar, which React leaves alone.
 */
function Comparing({ comparison }: { comparison: Chosen }) {
  const { pathname, search } = useLocation()
  return (
    <>
      <form id="compare" method="post" action={paths.compareChoice()} data-interaction="compare">
        <input type="hidden" name="back" value={pathname + search} />
        <p className="visually-hidden" role="status" />
      </form>
      <div
        className="compare-bar"
        suppressHydrationWarning
        dangerouslySetInnerHTML={{ __html: comparison?.bar ?? '' }}
      />
    </>
  )
}
