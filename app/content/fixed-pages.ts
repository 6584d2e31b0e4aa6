/**
 * Pages whose address is fixed, and the files under content/ they are written in. Their routes and links are made from
 * this table; every other file of content/pages is a landing page at its own name.
 */
export const fixedPages = {
  about: 'pages/about',
  'privacy-policy': 'policies/privacy-policy',
  terms: 'policies/terms-of-use',
  sales: 'policies/terms-of-sale',
  'returns-and-refunds': 'policies/returns-and-refunds',
  'free-shipping': 'policies/free-shipping',
  'military-discount': 'pages/military-discount',
  financing: 'pages/financing',
  'repair-pal': 'pages/repair-pal',
  paid: 'pages/paid',
  affiliates: 'pages/affiliates',
} as const

export type FixedPage = keyof typeof fixedPages
