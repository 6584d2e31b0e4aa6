import { officePaths } from '#content/office-paths.ts'
import type { OfficePageName, OfficeView } from '#app/server/office.server.ts'

/** What each page of the rail is called, and its drawing. Kept apart from the store's icons, which shoppers load. */
const named: Record<OfficePageName, { words: string; drawing: string }> = {
  today: { words: 'Today', drawing: 'M2.5 10a7.5 7.5 0 1 0 15 0 7.5 7.5 0 0 0-15 0M10 5.8V10l2.8 2' },
  orders: { words: 'Orders', drawing: 'M7 5h10M7 10h10M7 15h10M3.200 5h.6M3.200 10h.6M3.200 15h.6' },
  'held-orders': {
    words: 'Held orders',
    drawing: 'M5.500 9V6.500a4.500 4.500 0 0 1 9 0V9M4 9h12v8H4zM10 12v2',
  },
  disputes: {
    words: 'Disputes',
    drawing: 'M10 3v14M5 17h10M4 6h12M4 6l-2 5h4zM16 6l-2 5h4z',
  },
  returns: { words: 'Returns', drawing: 'M7.5 4 3.500 8l4 4M3.500 8H12a4.500 4.500 0 0 1 0 9H8' },
  quotes: {
    words: 'Quotes',
    drawing: 'M5 2.500h7l3.500 3.500V17.500H5zM12 2.500V6h3.500M7.500 10h5.500M7.500 13h5.500',
  },
  stock: { words: 'Stock', drawing: 'M3 6.5 10 3l7 3.5v7L10 17l-7-3.5zM3 6.500l7 3.5 7-3.500M10 10v7' },
  catalog: {
    words: 'Catalog',
    drawing:
      'M3.500 3.500h5.500v5.500H3.500zM11 3.500h5.500v5.500H11zM3.500 11h5.500v5.500H3.500zM11 11h5.500v5.500H11z',
  },
  promotions: {
    words: 'Promotions',
    drawing: 'M3 3.5h6.5l7.5 7.5-6 6L3 9.500zM5.7 7a1 1 0 1 0 2 0 1 1 0 0 0-2 0',
  },
  customers: {
    words: 'Customers',
    drawing:
      'M4 7a2.700 2.700 0 1 0 5.400 0A2.700 2.700 0 0 0 4 7M2 16c.4-3 2-4.500 4.700-4.500S11 13 11.400 16M12.500 4.600a2.500 2.500 0 0 1 0 4.800M14 11.700c2.300.3 3.600 1.800 4 4.300',
  },
  companies: {
    words: 'Companies',
    drawing: 'M4 17V3.500h7.500V17M11.500 8H16v9M2.500 17h15M6.500 7h2.500M6.500 10h2.500M6.500 13h2.500',
  },
  messages: { words: 'Messages', drawing: 'M2.500 4.500h15v11h-15zM2.500 5.500l7.500 5.500 7.500-5.500' },
  reviews: {
    words: 'Reviews',
    drawing: 'm10 2.500 2.300 4.800 5.200.7-3.800 3.600.9 5.200L10 14.300l-4.600 2.500.9-5.200L2.500 8l5.200-.7z',
  },
  refunds: {
    words: 'Refunds',
    drawing: 'M2.500 5.500h15v9h-15zM12.500 10h-5M7.500 10l2-2M7.500 10l2 2',
  },
  content: {
    words: 'Content',
    drawing: 'M4 3h12v14H4zM7 7h6M7 10h6M7 13h4',
  },
  guarantees: {
    words: 'Price guarantee',
    drawing:
      'M10 2.500v15M14 6c-.8-1.300-2.200-2-4-2-2.300 0-4 1.200-4 3s1.500 2.500 4 3 4 1.200 4 3-1.700 3-4 3c-1.800 0-3.200-.7-4-2',
  },
  'certified-shops': {
    words: 'Certified shops',
    drawing:
      'M10 2.500l1.900 1.900 2.600-.4.4 2.600L17.500 8.500l-1.200 2.400 1.200 2.400-2.600 1.200-.4 2.600-2.600-.4L10 17.500l-1.900-1.800-2.600.4-.4-2.600-2.600-1.200 1.200-2.400-1.200-2.400 2.600-1.900.4-2.600 2.600.4zM7 10l2.200 2.200L13.200 8',
  },
  'branded-stores': {
    words: 'Branded stores',
    drawing:
      'M3 8.500 4.500 3.500h11L17 8.500M3 8.500h14v1.500a2 2 0 0 1-4 0 2 2 0 0 1-4 0 2 2 0 0 1-4 0 2 2 0 0 1-2 0zM4.500 12v4.500h11V12',
  },
  claims: {
    words: 'Coverage claims',
    drawing: 'M10 2.500 16.500 5v5c0 4-2.800 6.500-6.500 8-3.700-1.500-6.500-4-6.500-8V5zM7 10l2.200 2.200L13.200 8',
  },
  partners: {
    words: 'Partners',
    drawing:
      'M4 7a2.700 2.700 0 1 0 5.400 0A2.700 2.700 0 0 0 4 7M2 16c.4-3 2-4.500 4.700-4.500S11 13 11.400 16M12.500 4.600a2.500 2.500 0 0 1 0 4.800M14 11.700c2.300.3 3.600 1.800 4 4.300',
  },
  'shop-applications': {
    words: 'Shop applications',
    drawing:
      'M3 8.500V17h14V8.500M2 8l2-4.500h12L18 8c0 1.300-.9 2-2 2s-2-.7-2-2c0 1.300-.9 2-2 2s-2-.7-2-2c0 1.300-.9 2-2 2s-2-.7-2-2c0 1.300-.9 2-2 2s-2-.7-2-2M8 17v-4.500h4V17',
  },
  pickups: { words: 'Pickups', drawing: 'M2.500 17V7.500L10 3l7.500 4.500V17M6 17v-6.500h8V17M6 13.500h8' },
  'shop-reports': { words: 'Shop reports', drawing: 'M3 6.5 10 3l7 3.500v7L10 17l-7-3.500zM10 6.500v4m0 2.500v.1' },
  recalls: { words: 'Recalls', drawing: 'M10 3 18 16.500H2zM10 8v4m0 2v.1' },
  'tire-registrations': {
    words: 'Tire registrations',
    drawing: 'M3 10a7 7 0 1 0 14 0 7 7 0 0 0-14 0M7 10a3 3 0 1 0 6 0 3 3 0 0 0-6 0',
  },
  'shop-pay': { words: 'Shop pay', drawing: 'M2.500 5.500h15v9h-15zM8 10a2 2 0 1 0 4 0 2 2 0 0 0-4 0M5 8v4M15 8v4' },
  reconciliation: {
    words: 'Reconciliation',
    drawing: 'M3 6h11M11 3l3 3-3 3M17 14H6M9 11l-3 3 3 3',
  },
  reports: { words: 'Reports', drawing: 'M3.500 3v14H17M7 13.500V10M10.500 13.500V6.500M14 13.500V8.500' },
  staff: {
    words: 'Staff',
    drawing:
      'M6.8 7a3.200 3.200 0 1 0 6.400 0 3.200 3.200 0 0 0-6.400 0M3.800 17c.6-3.400 3-5 6.200-5s5.600 1.600 6.200 5',
  },
  audit: {
    words: 'Audit log',
    drawing: 'M10 2.800 4 5v4.800c0 3.500 2.500 6 6 7.400 3.500-1.400 6-3.900 6-7.400V5l-6-2.200Z',
  },
  health: { words: 'Health', drawing: 'M2.500 10h3.500l2-5.500 4 11 2-5.500h3.500' },
  settings: {
    words: 'Settings',
    drawing: 'M3 6h7m4 0h3M3 14h3m4 0h7M10 6a2 2 0 1 0 4 0 2 2 0 0 0-4 0M6 14a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
  },
}

/** The rail beside every page: the pages that the reader's roles open. */
export function Rail({ office: { pages }, at }: { office: OfficeView; at: OfficePageName | undefined }) {
  return (
    <nav className="office-rail" aria-label="Back office">
      <a className="office-logo capitals" href={officePaths.office()} aria-label="Sidewall back office">
        <span aria-hidden="true">Sidewall</span>
      </a>
      {pages.map(({ name, path }) => (
        <a key={name} href={path} title={named[name].words} aria-current={name === at ? 'page' : undefined}>
          <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d={named[name].drawing} />
          </svg>
          {named[name].words}
        </a>
      ))}
    </nav>
  )
}
