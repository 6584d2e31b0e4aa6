import { paths } from '#content/paths.ts'
import type { Shell } from '#app/views/shell.server.ts'
import { Icon } from '#app/ui/icon.tsx'
import { StoreName } from '#app/ui/store-name.tsx'
import { SiteSearch } from '#app/ui/site-search.tsx'
import { ZipDialog } from '#app/ui/zip-dialog.tsx'
import { countOf } from '#platform/count-text.ts'

/** The dark top bar, the search and the main navigation. Plain links and forms; the menus open without script. */
export function SiteHeader({ shell }: { shell: Shell }) {
  const { vehicle, cartCount, account } = shell
  return (
    <>
      <TopLine shell={shell} />
      <header className="site-header">
        <div className="wrap">
          <Logo shell={shell} />
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
              <span>{account?.name ?? 'Account'}</span>
            </button>
            <CartLink count={cartCount} />
            <button className="icon-button header-menu" type="button" popoverTarget="site-menu">
              <Icon name="menu" />
              <span className="visually-hidden">Menu</span>
            </button>
          </div>
        </div>
        <nav className="subnav" aria-label="Main">
          <div className="wrap">
            <MainLinks />
          </div>
        </nav>
        <div className="menu panel" id="account-menu" popover="auto">
          <nav aria-label="Account">
            <Links links={accountLinks(shell)} />
            <SignInOut shell={shell} />
          </nav>
          <MenuFoot shell={shell} />
        </div>
        <div className="menu panel" id="site-menu" popover="auto">
          <nav aria-label="Menu">
            <MainLinks />
            <Links links={accountLinks(shell)} />
            <SignInOut shell={shell} />
          </nav>
          <MenuFoot shell={shell} />
        </div>
      </header>
    </>
  )
}

function Logo({ shell: { store, dealer } }: { shell: Shell }) {
  if (!import.meta.env.SSR) return <div className="server-rendered" {...asSent} />
  const { name, logo } = store
  if (dealer)
    return (
      <div className="server-rendered">
        <StoreName dealer={dealer} logo={logo} />
      </div>
    )
  return (
    <div className="server-rendered">
      <a className="logo" href={paths.home()}>
        {logo === null ? name : <img src={logo} alt={name} height={32} />}
      </a>
    </div>
  )
}

function TopLine({ shell: { zip, city, shippingFrom, account, store, support } }: { shell: Shell }) {
  return (
    <section className="topbar" aria-label="Your ZIP and our phone">
      <div className="wrap">
        <ZipDialog zip={zip} city={city} />
        <span className="row only-large">
          <Icon name="truck" size="s" />{' '}
          {shippingFrom ? `Shipping${zip ? ` to ${zip}` : ''} from ${shippingFrom}` : 'Free shipping to shops near you'}
        </span>
        <span className="end">
          {account?.badge ? (
            <a className="plain nowrap only-large" href={account.badge.path} data-interaction="modal">
              {account.badge.label}
              <span className="visually-hidden"> account: what your price is</span>
            </a>
          ) : null}
          <Phone store={store} />
          <span className="only-large">
            <SupportHours support={support} />
          </span>
        </span>
      </div>
    </section>
  )
}

/** `count` is null while it is unavailable. */
function CartLink({ count }: { count: Shell['cartCount'] }) {
  return (
    <a className="icon-button" href={paths.cart()} data-interaction="modal" data-page={paths.cartSummary()}>
      <Icon name="cart" />
      {count ? (
        <span className="count" aria-hidden="true">
          {count}
        </span>
      ) : null}
      <span className="only-large" aria-hidden="true">
        Cart
      </span>
      <span className="visually-hidden">Cart{count ? `, ${countOf(count, 'tire')}` : ''}</span>
    </a>
  )
}

function MenuFoot({ shell: { support, store } }: { shell: Shell }) {
  return (
    <p className="menu-foot small">
      <SupportHours support={support} /> <Phone store={store} />
    </p>
  )
}

/**
 * Content that doesn't change while a document is open is rendered only by the server. The browser retains the received
 * HTML, and has neither the code nor the text.
 */
const asSent = { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: '' } } as const

function MainLinks() {
  if (import.meta.env.SSR) return <Links links={mainLinks()} />
  return <ul {...asSent} />
}

/**
 * Forms, because crawlers and browsers may follow links ahead of time, and signing in or out must not happen that way.
 */
function SignInOut({ shell: { account, hasAccounts } }: { shell: Shell }) {
  if (!import.meta.env.SSR) return <div className="server-rendered" {...asSent} />
  return (
    <div className="server-rendered">
      {account ? <MenuForm action={paths.signOut()} words="Sign out" /> : null}
      {account || !hasAccounts ? null : (
        <>
          <MenuForm action={paths.signIn()} words="Sign in" />
          <MenuForm action={paths.register()} words="Create an account" />
        </>
      )}
    </div>
  )
}

function MenuForm({ action, words }: { action: string; words: string }) {
  return (
    <form method="post" action={action}>
      <button className="menu-row">{words}</button>
    </form>
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
  if (!import.meta.env.SSR) return <span className="row" {...asSent} />
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
  if (!import.meta.env.SSR) return <span {...asSent} />
  return support.open ? (
    <span>
      <b>Open now</b>, until {support.until}
    </span>
  ) : (
    <span>{support.from === null ? 'Closed' : `Opens ${support.from}`}</span>
  )
}

const mainLinks = (): [string, string][] => [
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

/** The shopper's own pages, as far as the browser has the data. */
function accountLinks({ account, vehicle }: Shell): [string, string][] {
  return [
    ...(account
      ? ([
          ['Your account', paths.account()],
          ['Your orders', paths.myOrders()],
          ['Your garage', paths.myGarage()],
        ] satisfies [string, string][])
      : []),
    ['Track your order', paths.trackOrder()],
    vehicle ? [`Your ${vehicle.name}`, vehicle.path] : ['Add your vehicle', paths.find()],
    ['Your cart', paths.cart()],
  ]
}
