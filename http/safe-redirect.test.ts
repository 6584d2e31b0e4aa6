import { expect, test } from 'vitest'
import { safePath } from './safe-redirect.ts'

test.for(['/cart', '/tire-sizes/235-65r17?sort=price&brand=tarn', '/', '/a#b'])('%s stays', (path) => {
  expect(safePath(path, '/x')).toBe(path)
})

test.for([
  '//evil.test',
  '/\\evil.test',
  'https://evil.test',
  'javascript:alert(1)',
  '/\tevil',
  '/a\\b',
  '',
  null,
  undefined,
  `/${'a'.repeat(3000)}`,
  '/a\r\nSet-Cookie: x=1',
])('%o becomes the fallback', (path) => {
  expect(safePath(path, '/x')).toBe('/x')
})
