/** The frame of every back office page, with sidebar, bar with search and account, and menus. */
import { useCallback, useState, type MouseEvent } from 'react'
import { officePaths } from '#content/office-paths.ts'
import type { OfficeView } from '#app/server/office.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import officeKeys from '#app/ui/office/office-keys.js?url'
import { Find } from './find.tsx'
import { Avatar } from './avatar.tsx'
import { OfficeIcon } from './office-icon.tsx'
import type { Palette } from './palette.tsx'
import { drawerOpenerId, OfficeSidebar, useDrawer } from './office-sidebar.tsx'

export function OfficeShell({ office }: { office: OfficeView }) {
  const drawer = useDrawer()
  const palette = usePalette()
  return (
    <>
      <header className="office-phone">
        <a
          className="office-phone-menu"
          href={officePaths.officeMenu()}
          aria-haspopup="dialog"
          id={drawerOpenerId}
          onClick={drawer.open}
        >
          <Icon name="menu" />
          Menu
        </a>
        <a className="office-logo capitals" href={officePaths.office()}>
          Sidewall
        </a>
        <a
          className="office-phone-end"
          href={officePaths.officeSearch()}
          aria-label="Search"
          aria-keyshortcuts="/ Control+K Meta+K"
          onClick={palette.openFrom}
        >
          <Icon name="search" />
        </a>
        <button className="office-account-button" popoverTarget="office-account">
          <Avatar who={office.who} />
          <span className="visually-hidden">Account, {office.who}</span>
        </button>
      </header>
      <OfficeSidebar office={office} drawer={drawer} />
      <header className="office-top">
        <Find open={palette.open} />
        <div className="office-end">
          <button
            className="office-icon-button"
            popoverTarget="office-keys"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts"
          >
            <OfficeIcon name="keyboard" />
          </button>
          <button className="office-account-button" popoverTarget="office-account">
            <Avatar who={office.who} />
            <span>
              {office.who}
              <small>{office.roles}</small>
            </span>
            <Icon name="down" size="s" />
          </button>
        </div>
      </header>
      <Account office={office} />
      <Keys isOn={office.hasShortcuts} />
      {palette.shown ? (
        <palette.shown.Palette office={office} typed={palette.shown.typed} onClose={palette.close} />
      ) : null}
      <script type="module" src={officeKeys} />
    </>
  )
}

type ShownPalette = { Palette: typeof Palette; typed: string }

/** Loads the command palette when it is first opened. If it doesn't load, the search page opens instead. */
function usePalette() {
  const [shown, setShown] = useState<ShownPalette | null>(null)
  const open = useCallback((typed: string) => {
    import('./palette.tsx').then(
      (module) => setShown((now) => now ?? { Palette: module.Palette, typed }),
      () => location.assign(officePaths.officeSearch({ q: typed || undefined })),
    )
  }, [])
  return {
    shown,
    open,
    openFrom: (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      open('')
    },
    close: () => setShown(null),
  }
}

/** The menu under the reader's name. It opens without script. */
function Account({ office: { who, email, roles, zone } }: { office: OfficeView }) {
  return (
    <div className="office-account" id="office-account" popover="auto">
      <p className="office-account-head">
        <b>{who}</b>
        <span>
          {roles} · {email}
        </span>
      </p>
      <a href={officePaths.officeAccount()}>
        <OfficeIcon name="account" />
        Your account
      </a>
      <a href={`${officePaths.officeAccount()}#digest`}>
        <OfficeIcon name="email" />
        Notifications
      </a>
      <button popoverTarget="office-keys">
        <OfficeIcon name="keyboard" />
        Keyboard shortcuts
        <kbd>?</kbd>
      </button>
      <p>
        <Icon name="clock" />
        Times in {zone}
      </p>
      <hr />
      <form method="post" action={officePaths.officeSignOut()}>
        <button>
          <OfficeIcon name="leave" />
          Sign out
        </button>
      </form>
    </div>
  )
}

const keys: readonly [key: string, does: string][] = [
  ['Ctrl K', 'Search or jump to a page'],
  ['/', 'Search, or find in a list'],
  ['[', 'Collapse or expand the sidebar'],
  ['J K', 'Next or previous row in a list'],
  ['X', 'Select the row'],
  ['Space', 'Preview the row'],
  ['Enter', 'Open the row'],
  ['F', 'Filter a list, or refund an order'],
  ['N', 'New quote in the orders list, or new note on an order'],
  ['V', 'Record the VIN of an order'],
  ['Ctrl S', 'Save changes'],
  ['Ctrl Enter', 'Send a reply or note, or move an appointment'],
  ['?', 'Show or hide this list'],
]

function Keys({ isOn }: { isOn: boolean }) {
  return (
    <div
      className="office-keys"
      id="office-keys"
      popover="auto"
      role="dialog"
      aria-label="Keyboard shortcuts"
      data-off={isOn ? undefined : ''}
    >
      <h2>Keyboard shortcuts</h2>
      {isOn ? null : <p>Single keys are off. Only Space, Enter, and keys with Ctrl work.</p>}
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <a href={`${officePaths.officeAccount()}#keyboard`}>{isOn ? 'Turn off single keys' : 'Turn on single keys'}</a>
    </div>
  )
}
