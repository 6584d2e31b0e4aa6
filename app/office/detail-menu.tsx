import { useEffect, useRef } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { OfficeIcon } from '#app/ui/office/office-icon.tsx'
import type { DetailActions } from './detail-actions.ts'

/**
 * Secondary actions in groups, followed by unavailable ones, each with its reason behind "Why?". Without script it
 * works as a regular disclosure. With script the arrow keys move through it, and Escape, an outside press or leaving
 * closes it.
 */
export function ActionsMenu({ actions: { groups, refused } }: { actions: DetailActions }) {
  const menu = useRef<HTMLDetailsElement>(null)
  useMenuKeys(menu)
  if (groups.length === 0 && refused.length === 0) return null
  return (
    <details className="office-more" ref={menu}>
      <summary className="btn quiet">
        More <Icon name="down" size="s" />
      </summary>
      <nav className="office-more-panel" aria-label="More actions">
        {groups.map(({ name, actions }, index) => (
          <div key={name} className="office-more-group">
            <p id={`more-group-${index}`}>{name}</p>
            <ul aria-labelledby={`more-group-${index}`}>
              {actions.map(({ name: action, path, icon, hotkey, isOpen }) => (
                <li key={path}>
                  <a href={path} aria-current={isOpen ? 'true' : undefined} aria-keyshortcuts={hotkey}>
                    {icon ? <OfficeIcon name={icon} size="s" /> : null}
                    {action}
                    {hotkey ? <kbd aria-hidden="true">{hotkey.toUpperCase()}</kbd> : null}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {refused.length > 0 ? (
          <div className="office-more-group">
            <p id="more-refused">Not possible now</p>
            <ul aria-labelledby="more-refused">
              {refused.map(({ name, why }) => (
                <li key={name}>
                  <details>
                    <summary>
                      <OfficeIcon name="lock" size="s" />
                      <span>{name}</span> <span className="link">Why?</span>
                    </summary>
                    <p>{why}</p>
                  </details>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </nav>
    </details>
  )
}

function close(menu: HTMLDetailsElement): void {
  menu.removeAttribute('open')
}

const itemSelector = '.office-more-panel a, .office-more-panel summary'

/** The place an arrow key leads to, of `count` items. */
function nextPlace(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count
    case 'ArrowUp':
      return at <= 0 ? count - 1 : at - 1
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

function moveInMenu(event: KeyboardEvent, menu: HTMLDetailsElement): void {
  if (event.key === 'Escape' && menu.open) {
    event.preventDefault()
    close(menu)
    menu.querySelector('summary')?.focus()
    return
  }
  const items = [...menu.querySelectorAll<HTMLElement>(itemSelector)]
  const at = items.findIndex((item) => item === document.activeElement)
  const place = nextPlace(event.key, at, items.length)
  if (place === null) return
  event.preventDefault()
  menu.open = true
  items[place]?.focus()
}

/** Listens for the menu's keys, and closes it when something else is pressed or gets the focus. */
function useMenuKeys(menu: { current: HTMLDetailsElement | null }): void {
  useEffect(() => {
    const self = menu.current
    if (!self) return
    const move = (event: KeyboardEvent) => moveInMenu(event, self)
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !self.contains(target)) close(self)
    }
    self.addEventListener('keydown', move)
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      self.removeEventListener('keydown', move)
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [menu])
}
