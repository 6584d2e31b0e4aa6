import { paths } from '#app/paths.ts'
import type { Shell } from '#app/http/shell.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { SiteSearch } from '#app/ui/site-search.tsx'
import { ZipDialog } from '#app/ui/zip-dialog.tsx'

/** The dark line, the search and the main ways in. Works as plain links and forms. */
export function SiteHeader({ shell }: { shell: Shell }) {
  return (
    <>
      <section className="topbar" aria-label="Your ZIP and our phone">
        <div className="wrap">
          <ZipDialog zip={shell.zip} city={shell.city} />
          <span className="row only-large">
            <Icon name="truck" size="s" /> Free shipping to shops near you
          </span>
          <span className="end">
            <span className="row">
              <Icon name="phone" size="s" />
              <a className="plain nowrap" href={`tel:${shell.store.phone.replace(/\D/g, '')}`}>
                {shell.store.phone}
              </a>
            </span>
            <span className="only-large">
              {shell.support.open ? (
                <span>
                  <b>Open now</b>, until {shell.support.until}
                </span>
              ) : (
                <span>Opens {shell.support.from}</span>
              )}
            </span>
          </span>
        </div>
      </section>
      <header className="site-header">
        <div className="wrap">
          <a className="logo" href={paths.home()}>
            {shell.store.name}
          </a>
          <SiteSearch />
          <div className="actions">
            {shell.vehicle ? (
              <a className="icon-button only-large" href={shell.vehicle.path}>
                <Icon name="car" />
                <span>{shell.vehicle.name}</span>
              </a>
            ) : null}
            <a className="icon-button" href={paths.cart()} data-gesture="modal" data-page={paths.cartSummary()}>
              <Icon name="cart" />
              {shell.cartCount > 0 ? (
                <span className="count" aria-hidden="true">
                  {shell.cartCount}
                </span>
              ) : null}
              <span className="only-large" aria-hidden="true">
                Cart
              </span>
              <span className="visually-hidden">
                Cart, {shell.cartCount} {shell.cartCount === 1 ? 'tire' : 'tires'}
              </span>
            </a>
          </div>
        </div>
        <nav className="subnav" aria-label="Main">
          <div className="wrap">
            <ul>
              {mainLinks.map(([label, path]) => (
                <li key={path}>
                  <a href={path}>{label}</a>
                </li>
              ))}
            </ul>
          </div>
        </nav>
      </header>
    </>
  )
}

const mainLinks: [string, string][] = [
  ['By vehicle', paths.vehicles()],
  ['By size', paths.sizes()],
  ['Brands', paths.brands()],
  ['Types', paths.types()],
  ['Track order', paths.trackOrder()],
]
