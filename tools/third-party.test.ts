import { expect, test } from 'vitest'
import { describeThirdParties } from './third-party.ts'

const lock = (license: string) => ({
  packages: {
    '': { version: '1.0.0', license: 'GPL-3.0' },
    'node_modules/lru-cache': { version: '11.5.3', license: 'BlueOak-1.0.0' },
    'node_modules/one/node_modules/two': { version: '2.0.0', license },
    'node_modules/vitest': { version: '5.1.0', license: 'UNLICENSED', dev: true },
  },
})

test('what is shipped is listed by license, what only builds and tests is not', () => {
  const text = describeThirdParties(lock('MIT'))
  expect(text).toContain('## BlueOak-1.0.0\n\nlru-cache 11.5.3\n')
  expect(text).toContain('## MIT\n\ntwo 2.0.0\n')
  expect(text).not.toContain('vitest')
})

test('a license that does not go with ours is refused', () => {
  expect(() => describeThirdParties(lock('AGPL-3.0-only'))).toThrow('two is under AGPL-3.0-only')
})
