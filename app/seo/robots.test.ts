import { expect, test } from 'vitest'
import { robotsText } from './robots.ts'

test('an unlisted store disallows all crawling and names no sitemap', () => {
  expect(robotsText({ isListed: false, origin: 'https://tires.example' })).toBe('User-agent: *\nDisallow: /\n')
})
