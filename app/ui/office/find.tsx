import { useSyncExternalStore } from 'react'
import { officePaths } from '#content/office-paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import { findHint, findLabel, findLength } from './find-words.ts'

/** Whether the page's script runs; hydration starts with the server's output. */
const never = () => () => {}
const inBrowser = () => true
const onServer = () => false

/**
 * The server renders a form that leads to the results page. With script, a button replaces it that opens the palette
 * with the text entered so far.
 */
export function Find({ open }: { open(typed: string): void }) {
  const isLive = useSyncExternalStore(never, inBrowser, onServer)
  if (isLive)
    return (
      <button
        type="button"
        className="office-command"
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
        onClick={() => open('')}
      >
        <Icon name="search" size="s" />
        <span>Search or jump to</span>
        <kbd>Ctrl</kbd>
        <kbd>K</kbd>
      </button>
    )
  return (
    <form className="office-find" action={officePaths.officeSearch()} role="search" aria-label="Back office">
      <label className="visually-hidden" htmlFor="office-find">
        {findLabel}
      </label>
      <Icon name="search" size="s" />
      <input
        className="input"
        id="office-find"
        name="q"
        type="search"
        maxLength={findLength}
        placeholder={findHint}
        autoComplete="off"
        ref={(input) => () => {
          if (input && document.activeElement === input) open(input.value)
        }}
      />
    </form>
  )
}
