/** The groups of pages at the left of every office page; a drawer where the window is too narrow for both. */
import { useEffect, useState, type FormEvent, type MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { countText, groupsWith, officePageAt, type OfficeGroup } from '#app/office/navigation.ts'
import type { OfficeView } from '#app/server/office.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import type { OfficeCounts } from '#app/views/office/counts.server.ts'
import { officePaths } from '#content/office-paths.ts'
import { paths } from '#content/paths.ts'
import { Drawing, OfficeIcon } from './office-icon.tsx'
import { useCounts } from './use-counts.ts'

type Drawer = { isOpen: boolean; open(event: MouseEvent): void; close(): void }

const sideId = 'office-side'
/** The link that opens the drawer. */
export const drawerOpenerId = 'office-menu-link'
/** The width from which the sidebar is always visible, as in office-shell.css. */
const wide = '(min-width: 976px)'

/**
 * The drawer's state. While it is open the rest of the page is inert, so that the focus stays in it; closed, the focus
 * returns to what opened it.
 */
export function useDrawer(): Drawer {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => (isOpen ? holdFocus(() => setOpen(false)) : undefined), [isOpen])
  return {
    isOpen,
    open: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}

/** Moves the focus into the drawer and traps it there, until the returned function is called. */
function holdFocus(close: () => void): () => void {
  const drawer = document.getElementById(sideId)
  const others = [...document.body.children].filter(
    (element): element is HTMLElement =>
      element instanceof HTMLElement && element !== drawer && element.tagName !== 'SCRIPT' && !element.inert,
  )
  for (const element of others) element.inert = true
  const current = drawer?.querySelector<HTMLElement>('nav [aria-current]')
  current?.scrollIntoView({ block: 'nearest' })
  ;(current ?? drawer?.querySelector<HTMLElement>('.office-side-close'))?.focus()
  const room = matchMedia(wide)
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') close()
  }
  room.addEventListener('change', close)
  document.addEventListener('keydown', closeOnEscape)
  return () => {
    room.removeEventListener('change', close)
    document.removeEventListener('keydown', closeOnEscape)
    for (const element of others) element.inert = false
    document.getElementById(drawerOpenerId)?.focus()
  }
}

export function OfficeSidebar({ office, drawer }: { office: OfficeView; drawer: Drawer }) {
  const { pathname } = useLocation()
  const [isFolded, setFolded] = useState(office.isFolded)
  const counts = useCounts(office.counts)
  const here = officePageAt(office.list ?? pathname)
  return (
    <div
      id={sideId}
      className={`office-side${isFolded ? ' is-folded' : ''}${drawer.isOpen ? ' is-open' : ''}`}
      {...(drawer.isOpen ? { role: 'dialog', 'aria-modal': true, 'aria-label': 'Menu' } : {})}
    >
      <button type="button" className="office-side-veil" tabIndex={-1} aria-hidden="true" onClick={drawer.close} />
      <nav aria-label="Back office">
        <div className="office-side-head">
          <a className="office-logo capitals" href={officePaths.office()} aria-label="Sidewall back office">
            <span aria-hidden="true">Sidewall</span>
          </a>
          <FoldForm isFolded={isFolded} setFolded={setFolded} back={pathname} />
          <button type="button" className="office-side-close" aria-label="Close menu" onClick={drawer.close}>
            <Icon name="cross" />
          </button>
        </div>
        <ul className="office-groups">
          {groupsWith(office.pages).map((group) => (
            <Group
              key={group.name}
              group={group}
              counts={counts}
              here={here}
              isExact={isPathOf(group, here, pathname)}
            />
          ))}
        </ul>
        {office.setup ? <SetupCard {...office.setup} /> : null}
        <a className="office-side-foot" href={paths.home()} title="View store">
          <OfficeIcon name="outside" />
          <span className="office-side-text">View store</span>
        </a>
      </nav>
    </div>
  )
}

/** How far the setup is, until the store is open. */
function SetupCard({ done, of }: { done: number; of: number }) {
  return (
    <a className="office-side-setup" href={officePaths.officeSetup()}>
      <b>Store setup</b>
      <span>
        {done} of {of}
      </span>
      <progress max={of} value={done} aria-hidden="true" />
    </a>
  )
}

/** Returns whether the URL is the page itself, as opposed to a subpage. */
function isPathOf({ pages }: OfficeGroup, here: string | undefined, pathname: string): boolean {
  return pages.some(({ name, path }) => name === here && path === pathname)
}

function Group({
  group: { label, icon, pages },
  counts,
  here,
  isExact,
}: {
  group: OfficeGroup
  counts: OfficeCounts
  here: string | undefined
  isExact: boolean
}) {
  const isHere = pages.some(({ name }) => name === here)
  const current = isExact ? 'page' : 'true'
  return (
    <li className={isHere ? 'is-on' : undefined}>
      <a
        className="office-group"
        href={pages[0]?.path}
        title={label}
        aria-current={isHere && pages.length === 1 ? current : undefined}
      >
        <Drawing path={icon} />
        <span className="office-side-text">{label}</span>
        <Count count={pages.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0)} />
      </a>
      {isHere && pages.length > 1 ? (
        <ul className="office-pages">
          {pages.map(({ name, label: page, path }) => (
            <li key={name}>
              <a href={path} aria-current={name === here ? current : undefined}>
                {page}
                <Count count={counts[name] ?? 0} />
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  )
}

/** The number of pending items; empty for zero. */
function Count({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className="office-count">
      {countText(count)}
      <span className="visually-hidden"> waiting</span>
    </span>
  )
}

/** Folds the sidebar to its icons and back. With script the page stays; the server remembers it either way. */
function FoldForm({
  isFolded,
  setFolded,
  back,
}: {
  isFolded: boolean
  setFolded(isFolded: boolean): void
  back: string
}) {
  const toggle = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = new URLSearchParams({ folded: isFolded ? '' : 'yes' })
    // Not remembered, it is folded on this page only.
    fetch(officePaths.officeSidebar(), { method: 'POST', body, redirect: 'manual' }).catch(() => {})
    setFolded(!isFolded)
  }
  const label = isFolded ? 'Expand sidebar' : 'Collapse sidebar'
  return (
    <form method="post" action={officePaths.officeSidebar()} onSubmit={toggle}>
      <input type="hidden" name="folded" value={isFolded ? '' : 'yes'} />
      <input type="hidden" name="back" value={back} />
      <button className="office-side-fold" aria-label={label} title={`${label}, [`} aria-keyshortcuts="[">
        <OfficeIcon name={isFolded ? 'unfold' : 'fold'} />
      </button>
    </form>
  )
}
