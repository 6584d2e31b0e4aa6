/**
 * Pages with a fixed address, and the files in content/ that hold their text. Their routes and links are built from
 * this table; every other file in content/pages is a landing page at its own name.
 */
export const fixedPages = {
  about: 'pages/about',
  'privacy-policy': 'policies/privacy-policy',
  terms: 'policies/terms-of-use',
  sales: 'policies/terms-of-sale',
  'installer-agreement': 'policies/installer-agreement',
  'returns-and-refunds': 'policies/returns-and-refunds',
  'free-shipping': 'policies/free-shipping',
  'military-discount': 'pages/military-discount',
  financing: 'pages/financing',
  paid: 'pages/paid',
} as const

export type FixedPage = keyof typeof fixedPages
