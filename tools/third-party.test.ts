import { expect, test } from 'vitest'
import { describeThirdParties } from './third-party.ts'

const lock = (license: string, ofDevelopment = 'MPL-2.0') => ({
  packages: {
    '': { version: '1.0.0', license: 'GPL-3.0' },
    'node_modules/lru-cache': { version: '11.5.3', license: 'BlueOak-1.0.0' },
    'node_modules/one/node_modules/two': { version: '2.0.0', license },
    'node_modules/vitest': { version: '5.1.0', license: ofDevelopment, dev: true },
  },
})

test('shipped packages are listed by license, those only for building and testing are not', () => {
  const text = describeThirdParties(lock('MIT'))
  expect(text).toContain('## BlueOak-1.0.0\n\nlru-cache 11.5.3\n')
  expect(text).toContain('## MIT\n\ntwo 2.0.0\n')
  expect(text).not.toContain('vitest')
})

test('a development package with a copied script is listed', () => {
  const dev = true
  const text = describeThirdParties({
    packages: {
      'node_modules/swagger-ui-dist': { version: '5.35.0', license: 'Apache-2.0', dev },
      'node_modules/vite': { version: '8.0.0', license: 'MIT', dev },
    },
  })
  expect(text).toContain('## Apache-2.0\n\nswagger-ui-dist 5.35.0\n')
  expect(text).not.toContain('vite')
})

test('an incompatible license is refused, and one that is good for building is not good for shipping', () => {
  expect(() => describeThirdParties(lock('AGPL-3.0-only'))).toThrow('two is under AGPL-3.0-only')
  expect(() => describeThirdParties(lock('MPL-2.0'))).toThrow('two is under MPL-2.0')
  expect(() => describeThirdParties(lock('MIT', 'SSPL-1.0'))).toThrow('vitest is under SSPL-1.0')
})
