/**
 * Pages with a fixed URL, and their files in content/. Their routes and links use this table. Every other file in
 * content/pages is a landing page, with its file name as the URL.
 */
export const fixedPages = {
  about: 'pages/about',
  accessibility: 'pages/accessibility',
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
