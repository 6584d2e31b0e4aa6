import type { ReactNode } from 'react'
import { paths } from '#content/paths.ts'
import { useLocation, useRouteLoaderData } from '#app/router/router.tsx'

type Chosen = { readonly keys: readonly string[]; readonly bar: string } | null

/**
 * Pages where tires can be compared set this as `bar` in their handle, so that only they load it; it is placed below
 * the page.
 */
export function comparingBar({ comparison }: { comparison: Chosen }): ReactNode {
  return <Comparing comparison={comparison} />
}

/**
 * A button that adds a tire or a set to the comparison or removes it. `itemKey` is the offer's key. The page must have
 * `comparingBar` in its handle.
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
 * The form that every comparison button on the page belongs to, and the bar with the tires being compared. Submitted
 * without script, it leads back here; with script, the response replaces the bar, which React leaves alone.
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
