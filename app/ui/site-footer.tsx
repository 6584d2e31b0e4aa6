import { sellsProgram, storeKindOf, type StoreProgram } from '#domain/pricing/store-programs/store-programs.ts'
import { use } from 'react'
import type { Shell } from '#app/views/shell.server.ts'
import { paths } from '#content/paths.ts'
import { portalPaths } from '#content/portal-paths.ts'
import { StoreBand } from '#app/ui/store-name.tsx'
import { ServerRenderedParts } from '#app/ui/server-rendered.tsx'

/** The dark footer of every page; in demo mode it states that the data are samples. */
export function SiteFooter({ shell }: { shell: Shell }) {
  return (
    <footer className="site-footer">
      {shell.dealer ? <StoreBand dealer={shell.dealer} /> : null}
      <div className="wrap">
        <div className="about">
          <a className="logo" href={paths.home()}>
            {shell.store.name}
          </a>
          <p>
            Tires shipped to a shop near you and installed at a time you pick. One price, all of it shown before you
            pay.
          </p>
        </div>
        {columns().map((column) => (
          <div key={column.title}>
            <h2>{column.title}</h2>
            <ul>
              {column.links.filter(sold(shell)).map(([label, path]) => (
                <li key={path}>
                  <a href={path}>{label}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div className="legal">
          <span>
            © {shell.year}{' '}
            {shell.dealer
              ? `${shell.dealer.name}. Powered by ${shell.dealer.poweredBy}, which sells and ships the tires.`
              : shell.store.name}
          </span>
          <a href={paths.written('privacy-policy')}>Privacy</a>
          <a href={paths.written('accessibility')}>Accessibility</a>
          <a href={paths.privacyChoices()}>Your privacy choices</a>
          <PrivacySignal />
          <a href={paths.written('terms')}>Terms of use</a>
          <a href={paths.termsOfSale()}>Terms of sale</a>
          <a href="/licenses">Data and licenses</a>
          <a href={paths.apiDocs()}>API</a>
          <span>{shell.phoneHours}</span>
          {shell.demo ? <span className="demo-line">Demo: brands, shops, reviews and prices are samples.</span> : null}
        </div>
      </div>
    </footer>
  )
}

function sold({ dealer }: Shell): (link: readonly [string, string, StoreProgram?]) => boolean {
  return ([, , program]) => program === undefined || sellsProgram(storeKindOf(dealer), program)
}

/** The store must display, not only honor, the browser's privacy signal (11 CCR 7025). */
function PrivacySignal() {
  const words = use(ServerRenderedParts)['privacy']
  return words === undefined ? null : <b>{words}</b>
}

/** A function, so that the browser's script excludes what only the server renders. */
const columns = (): { title: string; links: [string, string, StoreProgram?][] }[] => [
  {
    title: 'Shop',
    links: [
      ['Find by vehicle', paths.vehicles()],
      ['Find by size', paths.sizes()],
      ['All brands', paths.brands()],
      ['All types', paths.types()],
      ['Deals', paths.deals()],
      ['Tire reviews', paths.tireReviews()],
      ['Tire shops', paths.tireShops()],
    ],
  },
  {
    title: 'Learn',
    links: [
      ['Learn about tires', paths.learn()],
      ['Tire buying guide', paths.buyingGuide()],
      ['Read a sidewall', paths.sidewallGuide()],
      ['Tire dictionary', paths.dictionary()],
      ['Car talk', paths.carTalk()],
    ],
  },
  {
    title: 'Help',
    links: [
      ['Help center', paths.help()],
      ['Questions and answers', paths.faqs()],
      ['Track your order', paths.trackOrder()],
      ['Returns and refunds', paths.written('returns-and-refunds')],
      ['Shipping', paths.written('free-shipping')],
      ['Contact us', paths.contact()],
    ],
  },
  {
    title: 'Saving and coverage',
    links: [
      ['Membership', paths.membership()],
      ['Price guarantee', paths.priceGuarantee()],
      ['Replacement coverage', paths.written('tire-replacement-coverage'), 'replacementCoverage'],
      ['Road hazard plan', paths.written('tire-replacement-coverage'), 'roadHazardPlan'],
      ['Roadside assistance', paths.written('roadside-assistance')],
      ['Mobile installation', paths.written('mobile-tire-installation'), 'mobileInstallation'],
      ['Financing', paths.written('financing')],
      ['Military discount', paths.written('military-discount')],
      ['Referral rewards', paths.written('referral-rewards')],
    ],
  },
  {
    title: 'About',
    links: [
      ['About us', paths.written('about')],
      ['Press', paths.press()],
      ['Refer a friend', paths.invite()],
      ['Partner program', paths.partnerProgram()],
      ['Become an installer', portalPaths.installerSignup()],
      ['Employees', paths.employees()],
      ['Affiliates', paths.written('affiliates')],
      ['Tires for your business', paths.business()],
      ['Request a quote', paths.tireSales()],
      ['All pages', paths.siteMap()],
    ],
  },
]
