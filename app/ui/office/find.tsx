import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { officePaths } from '#content/office-paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import { findHint, findLabel, findLength } from './find-words.ts'
import type { LiveFind } from './live-find.tsx'

/**
 * Finds anything by what people remember of it. The server sends a form that leads to the page of results. With script,
 * its first use brings a combobox that lists them below; if that does not load, the form stays.
 */
export function Find() {
  const [live, setLive] = useState<{ Box: typeof LiveFind; typed: string; isFocused: boolean } | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const load = () =>
    void import('./live-find.tsx').then(
      ({ LiveFind: Box }) =>
        // At once, so that no key falls between reading what is typed and taking the box's place.
        flushSync(() =>
          setLive(
            (now) =>
              now ?? {
                Box,
                typed: input.current?.value ?? '',
                isFocused: document.activeElement === input.current,
              },
          ),
        ),
      () => {},
    )
  // Whoever was faster than this script has used it already.
  useEffect(() => {
    if (!live && input.current !== null && document.activeElement === input.current) load()
  })
  if (live) return <live.Box typed={live.typed} isFocused={live.isFocused} />
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
        ref={input}
        onFocus={load}
      />
    </form>
  )
}
