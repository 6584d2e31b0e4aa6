import { paths } from '#app/paths.ts'
import type { Shell } from '#app/http/shell.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { SiteSearch } from '#app/ui/site-search.tsx'
import { ZipDialog } from '#app/ui/zip-dialog.tsx'

/** The dark line, the search and the main ways in. Works as plain links and forms; the menus open without script. */
export function SiteHeader({ shell }: { shell: Shell }) {
  const { store, vehicle, cartCount } = shell
  return (
    <>
      <section className="topbar" aria-label="Your ZIP and our phone">
        <div className="wrap">
          <ZipDialog zip={shell.zip} city={shell.city} />
          <span className="row only-large">
            <Icon name="truck" size="s" /> Free shipping to shops near you
          </span>
          <span className="end">
            <Phone store={store} />
            <span className="only-large">
              <SupportHours support={shell.support} />
            </span>
          </span>
        </div>
      </section>
      <header className="site-header">
        <div className="wrap">
          <a className="logo" href={paths.home()}>
            {store.name}
          </a>
          <SiteSearch />
          <div className="actions">
            {vehicle ? (
              <a className="icon-button only-large" href={vehicle.path}>
                <Icon name="car" />
                <span>{vehicle.name}</span>
              </a>
            ) : null}
            <button className="icon-button header-account" type="button" popoverTarget="account-menu">
              <Icon name="person" />
              <span>Account</span>
            </button>
            <a className="icon-button" href={paths.cart()} data-gesture="modal" data-page={paths.cartSummary()}>
              <Icon name="cart" />
              {cartCount ? (
                <span className="count" aria-hidden="true">
                  {cartCount}
                </span>
              ) : null}
              <span className="only-large" aria-hidden="true">
                Cart
              </span>
              <span className="visually-hidden">Cart{cartCount === null ? '' : `, ${cartCount} ${cartCount === 1 ? 'tire' : 'tires'}`}</span>
            </a>
            <button className="icon-button header-menu" type="button" popoverTarget="site-menu">
              <Icon name="menu" />
              <span className="visually-hidden">Menu</span>
            </button>
          </div>
        </div>
        <nav className="subnav" aria-label="Main">
          <div className="wrap">
            <Links links={mainLinks} />
          </div>
        </nav>
        <div className="menu panel" id="account-menu" popover="auto">
          <nav aria-label="Account">
            <Links links={accountLinks(vehicle)} />
          </nav>
          <p className="menu-foot small">
            <SupportHours support={shell.support} /> <Phone store={store} />
          </p>
        </div>
        <div className="menu panel" id="site-menu" popover="auto">
          <nav aria-label="Menu">
            <Links links={[...mainLinks, ...accountLinks(vehicle)]} />
          </nav>
          <p className="menu-foot small">
            <SupportHours support={shell.support} /> <Phone store={store} />
          </p>
        </div>
      </header>
    </>
  )
}

function Links({ links }: { links: readonly (readonly [string, string])[] }) {
  return (
    <ul>
      {links.map(([label, path]) => (
        <li key={path}>
          <a href={path}>{label}</a>
        </li>
      ))}
    </ul>
  )
}

function Phone({ store: { phone } }: { store: Shell['store'] }) {
  return (
    <span className="row">
      <Icon name="phone" size="s" />
      <a className="plain nowrap" href={`tel:${phone.replace(/\D/g, '')}`}>
        {phone}
      </a>
    </span>
  )
}

function SupportHours({ support }: { support: Shell['support'] }) {
  return support.open ? (
    <span>
      <b>Open now</b>, until {support.until}
    </span>
  ) : (
    <span>Opens {support.from}</span>
  )
}

const mainLinks: [string, string][] = [
  ['By vehicle', paths.vehicles()],
  ['By size', paths.sizes()],
  ['Brands', paths.brands()],
  ['Types', paths.types()],
  ['Deals', paths.deals()],
  ['Tire shops', paths.tireShops()],
  ['Reviews', paths.tireReviews()],
  ['Learn', paths.learn()],
  ['Help', paths.help()],
]

/** What is the shopper's own, as far as a browser knows it. */
function accountLinks(vehicle: Shell['vehicle']): [string, string][] {
  return [
    ['Track your order', paths.trackOrder()],
    vehicle ? [`Your ${vehicle.name}`, vehicle.path] : ['Add your vehicle', paths.find()],
    ['Your cart', paths.cart()],
  ]
}
