import { expect, test } from 'vitest'
import { readContent } from './content.server.ts'

test('the terms of sale say the numbers the code uses', async () => {
  const page = await readContent('policies/terms-of-sale')
  expect(page.html).toContain('for 30 minutes after placing it')
  expect(page.html).toContain('within 30 days of delivery')
  expect(page.html).toContain('up to $400 per tire in the first year')
  expect(page.html).not.toContain('{{')
})
