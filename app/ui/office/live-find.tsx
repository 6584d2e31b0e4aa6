/** The search box of the back office as a combobox, by React Aria. Loaded when the box is first used. */
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { ComboBox } from 'react-aria-components/ComboBox'
import { Input } from 'react-aria-components/Input'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { officePaths } from '#content/office-paths.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { PaletteAnswer } from '#app/views/office-search.server.ts'
import { findHint, findLabel, findLength } from './find-words.ts'

/** Shorter text would match too much to be of use, as on the page of results. */
const leastLetters = 2
const pauseMs = 120

type FoundSuggestion = PaletteAnswer['found'][number]

/** Takes the place of the plain box, with what was typed there, and with the focus if that had it. */
export function LiveFind({ typed, isFocused }: { typed: string; isFocused: boolean }) {
  const [text, setText] = useState(typed)
  const found = useFound(text.trim())
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const input = form.current?.querySelector('input')
    if (!isFocused || !input) return
    input.focus()
    input.setSelectionRange(input.value.length, input.value.length)
  }, [isFocused])
  return (
    <form
      className="office-find"
      action={officePaths.officeSearch()}
      role="search"
      aria-label="Back office"
      ref={form}
      onKeyDownCapture={searchAll}
    >
      <Icon name="search" size="s" />
      <ComboBox
        id="office-find"
        aria-label={findLabel}
        name="q"
        inputValue={text}
        onInputChange={setText}
        items={found ?? []}
        menuTrigger="input"
        allowsCustomValue
        allowsEmptyCollection
      >
        <Input className="input" type="text" maxLength={findLength} placeholder={findHint} autoComplete="off" />
        <Popover className="office-found-list" placement="bottom start" offset={4}>
          <ListBox<FoundSuggestion> renderEmptyState={() => <p>{emptyWords(text.trim(), found)}</p>}>
            {({ key, group, title, path, notes }) => (
              <ListBoxItem id={key} href={path} textValue={title} className="office-found-item">
                <b>{title}</b>
                <span className="office-found-group">{group}</span>
                <small>{notes}</small>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </form>
  )
}

function emptyWords(text: string, found: readonly FoundSuggestion[] | null): string {
  if (text.length < leastLetters) return 'Type at least two characters.'
  return found ? 'No matches.' : 'Searching…'
}

/** Enter opens the line it is on; on none, it sends the form, where React Aria would only close the list. */
function searchAll(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
  if (event.target.getAttribute('aria-activedescendant')) return
  event.preventDefault()
  event.stopPropagation()
  event.currentTarget.requestSubmit()
}

/** The lines for `text`, once typing pauses; null while there is nothing to show. A failure shows nothing. */
function useFound(text: string): FoundSuggestion[] | null {
  const [answer, setAnswer] = useState<{ to: string; found: FoundSuggestion[] } | null>(null)
  useEffect(() => {
    if (text.length < leastLetters) return
    const gone = new AbortController()
    const timer = setTimeout(() => {
      fetch(officePaths.officeFound(text), { signal: gone.signal, redirect: 'error' })
        .then((response) => response.json() as Promise<PaletteAnswer>)
        .then(
          ({ found }) => setAnswer({ to: text, found }),
          () => {},
        )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [text])
  return text.length < leastLetters ? null : (answer?.found ?? null)
}
