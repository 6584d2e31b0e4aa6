import { expect, test } from 'vitest'
import { createCanonicalPath } from './canonical-url.ts'

const spelling = createCanonicalPath([
  undefined,
  { id: 'root' },
  { id: 'home', index: true },
  { id: 'brands', path: 'brands' },
  { id: 'item', path: 'brands/:brand/:productLine/p/:itemId' },
  { id: 'size', path: 'tire-sizes/:size' },
  { id: 'rim', path: 'tire-sizes/diameter/:rim' },
  { id: 'receipt', path: 'my_customers/pdf/:orderId/:customerId/:file' },
  { id: 'rest', path: '*' },
])

test.for([
  ['/', '/'],
  ['//', '/'],
  ['/brands', '/brands'],
  ['/Brands', '/brands'],
  ['/brands/', '/brands'],
  ['//BRANDS//', '/brands'],
  ['/TIRE-SIZES/225-65R17', '/tire-sizes/225-65R17'],
  ['/Tire-Sizes/Diameter/17/', '/tire-sizes/diameter/17'],
  ['/BRANDS/Kestrel/Alltide-AS2/P/100001/', '/brands/Kestrel/Alltide-AS2/p/100001'],
  ['/my_customers/pdf/7/01ABC/Receipt_7.pdf', '/my_customers/pdf/7/01ABC/Receipt_7.pdf'],
  ['/No/Such//Page/', '/No/Such/Page'],
  ['//evil.test/', '/evil.test'],
] as const)('%s is canonicalPath %s', ([asked, canonicalPath]) => {
  expect(spelling(asked)).toBe(canonicalPath)
})
