/** The back office search as a dialog, with records, pages and actions in one keyboard-accessible list. */
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { actionsWith, groupsWith, officeGroups } from '#app/office/navigation.ts'
import type { OfficeView } from '#app/server/office.server.ts'
import type { PaletteAnswer } from '#app/views/office/search.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { countOf } from '#platform/count-text.ts'
import { officePaths } from '#content/office-paths.ts'
import { findHint, findLength } from './find-words.ts'
import { Drawing } from './office-icon.tsx'

/** Shorter text would match too much to be of use, as on the page of results. */
const minLetters = 2
const pauseMs = 120
const announceMs = 300
const maxPerGroup = 3

type Line = { key: string; title: string; notes: string; path: string; icon: string }
type Section = { title: string; lines: Line[] }
type Found = Pick<PaletteAnswer, 'groups' | 'pages' | 'acts'>

export function Palette({ office, typed, onClose }: { office: OfficeView; typed: string; onClose(): void }) {
  const [text, setText] = useState(typed)
  const query = text.trim()
  const found = useFound(query)
  const sections = sectionsFor(office, query, found)
  const lines = sections.flatMap((section) => section.lines)
  const [active, setActive] = useState(0)
  const at = Math.min(active, Math.max(lines.length - 1, 0))
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, at])
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && lines.length > 0) {
      event.preventDefault()
      setActive((at + step + lines.length) % lines.length)
    }
    const line = lines[at]
    if (event.key !== 'Enter' || !line) return
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) window.open(line.path, '_blank', 'noopener')
    else location.assign(line.path)
  }
  return (
    <dialog className="office-palette" ref={dialog} aria-label="Search and commands" onClose={onClose}>
      <form action={officePaths.officeSearch()} role="search" aria-label="Back office">
        <Icon name="search" />
        <input
          id="office-palette"
          name="q"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setActive(0)
          }}
          onKeyDown={move}
          maxLength={findLength}
          placeholder={findHint}
          autoComplete="off"
          role="combobox"
          aria-label="Search or type a command"
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={lines.length > 0 ? `${id}-${at}` : undefined}
          autoFocus
        />
        <button type="button" className="office-palette-close" onClick={() => dialog.current?.close()}>
          <kbd>Esc</kbd>
          <span className="visually-hidden">Close</span>
        </button>
      </form>
      <Results sections={sections} id={id} active={lines[at]} query={query} />
      <Foot />
      <Announced text={query.length < minLetters ? '' : found ? countOf(lines.length, 'result') : 'Searching'} />
    </dialog>
  )
}

function Results({
  sections,
  id,
  active,
  query,
}: {
  sections: readonly Section[]
  id: string
  active: Line | undefined
  query: string
}) {
  const lines = sections.flatMap((section) => section.lines)
  return (
    <div className="office-palette-list" role="listbox" id={`${id}-list`} aria-label="Results">
      {sections.map((section) => (
        <div key={section.title} role="group" aria-label={section.title}>
          <p aria-hidden="true">{section.title}</p>
          {section.lines.map((line) => (
            <LineLink
              key={line.key}
              line={line}
              id={`${id}-${lines.indexOf(line)}`}
              isActive={line === active}
              query={query}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

function Foot() {
  return (
    <p className="office-palette-foot" aria-hidden="true">
      <span>
        <kbd>↑</kbd>
        <kbd>↓</kbd> move
      </span>
      <span>
        <kbd>↵</kbd> open
      </span>
      <span>
        <kbd>Ctrl</kbd>
        <kbd>↵</kbd> new tab
      </span>
      <span>Finds part of a number, name, phone, email, SKU, VIN, ZIP</span>
    </p>
  )
}

function LineLink({
  line: { title, notes, path, icon },
  id,
  isActive,
  query,
}: {
  line: Line
  id: string
  isActive: boolean
  query: string
}) {
  return (
    <a role="option" id={id} href={path} tabIndex={-1} aria-selected={isActive}>
      <Drawing path={icon} />
      <span>
        {marked(title, query)}
        {notes ? <small>{notes}</small> : null}
      </span>
      {isActive ? <kbd aria-hidden="true">↵</kbd> : null}
    </a>
  )
}

/** Highlights the query in the title. */
function marked(title: string, query: string): ReactNode {
  const at = query === '' ? -1 : title.toLowerCase().indexOf(query.toLowerCase())
  if (at < 0) return title
  const end = at + query.length
  return (
    <>
      {title.slice(0, at)}
      <b>{title.slice(at, end)}</b>
      {title.slice(end)}
    </>
  )
}

/** Read to screen readers once it has stood for a moment, so that typing is not interrupted. */
function Announced({ text }: { text: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), announceMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  )
}

const iconOf = (group: string) => officeGroups.find(({ name }) => name === group)?.icon ?? ''
const searchIcon = 'M3.5 9a5.5 5.5 0 1 0 11 0 5.5 5.5 0 0 0-11 0m9.7 4.200 4 4'
const actIcon = 'M10 4v12M4 10h12'
/** The group with the icon for a search result, by search id. */
const groupOfSearch: Readonly<Record<string, string>> = {
  customers: 'customers',
  companies: 'customers',
  models: 'products',
  tires: 'products',
  shops: 'shops',
}

/** Records first, then pages and actions that have every typed word, then the page of all results. */
function sectionsFor(office: OfficeView, query: string, found: Found | null): Section[] {
  const words = query.toLowerCase().split(/\s+/)
  const has = (label: string) => words.every((word) => label.toLowerCase().includes(word))
  const pages = groupsWith(office.pages).flatMap((group) =>
    group.pages
      .filter((page, index) => (query === '' ? index === 0 : has(`${group.label} ${page.label}`)))
      .map((page) => ({
        key: `page ${page.name}`,
        title: page.label,
        notes: page.label === group.label ? '' : group.label,
        path: page.path,
        icon: group.icon,
      })),
  )
  const acts = actionsWith(office.actions)
    .filter(({ label }) => has(label))
    .map(({ name, label, path }) => ({ key: `act ${name}`, title: label, notes: '', path, icon: actIcon }))
  const foundActs = found?.acts.map((act) => ({ ...act, icon: actIcon })) ?? []
  const foundPages = found?.pages.map((page) => ({ ...page, icon: iconOf('orders') })) ?? []
  const all = { key: 'all', title: `All results for “${query}”`, notes: '', icon: searchIcon }
  return [
    ...recordsIn(found?.groups ?? []),
    { title: 'Go to', lines: query === '' ? pages : [...foundPages, ...pages].slice(0, maxPerGroup) },
    { title: 'Do', lines: query === '' ? acts : [...foundActs, ...acts.slice(0, maxPerGroup)] },
    { title: 'Search', lines: query === '' ? [] : [{ ...all, path: officePaths.officeSearch({ q: query }) }] },
  ].filter(({ lines }) => lines.length > 0)
}

function recordsIn(groups: PaletteAnswer['groups']): Section[] {
  return groups.map(({ id, title, lines, more }) => ({
    title,
    lines: [
      ...lines.map((line) => ({ ...line, icon: iconOf(groupOfSearch[id] ?? 'orders') })),
      ...(more ? [{ key: `more ${id}`, title: more.title, notes: '', path: more.path, icon: searchIcon }] : []),
    ],
  }))
}

/** Returns the records and actions for `text`, once typing pauses; null without results. Errors are ignored. */
function useFound(text: string): Found | null {
  const [answer, setAnswer] = useState<(Found & { to: string }) | null>(null)
  useEffect(() => {
    if (text.length < minLetters) return
    const gone = new AbortController()
    const timer = setTimeout(() => {
      fetch(officePaths.officeFound(text), { signal: gone.signal, redirect: 'error' })
        .then((response) => response.json() as Promise<PaletteAnswer>)
        .then(
          ({ groups, pages, acts }) => setAnswer({ to: text, groups, pages, acts }),
          () => {},
        )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      gone.abort()
    }
  }, [text])
  return text.length < minLetters || answer?.to !== text ? null : answer
}
