import { expect, test } from 'vitest'
import { robotsText } from './robots.ts'

test('a store that is not to be listed asks everybody to stay out, and names no sitemap', () => {
  expect(robotsText({ isListed: false, origin: 'https://tires.example' })).toBe('User-agent: *\nDisallow: /\n')
})
