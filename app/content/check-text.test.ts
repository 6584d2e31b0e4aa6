import { expect, test } from 'vitest'
import { whyNotText } from './check-text.server.ts'
import { readSource } from './library.server.ts'
import { findPage } from './pages.server.ts'

const policy = 'policies/returns-and-refunds'

test('a policy uses the store’s constants and has no hard-coded numbers', async () => {
  const { body } = await readSource(policy)
  expect(await whyNotText(policy, { body })).toBeUndefined()
  expect(await whyNotText(policy, { body: `${body}\n\nWe are happy to help.` })).toBeUndefined()
  expect(await whyNotText(policy, { body: body.replaceAll('{{handlingFee}}', 'a fee') })).toBe(
    'A policy must keep what the store acts on, word for word. Missing: {{handlingFee}}.',
  )
  expect(await whyNotText(policy, { body: `${body}\n\nWithin 60 days.` })).toContain('“Within 60 days.”')
  const privacy = await readSource('policies/privacy-policy')
  const names = /`(\w+)`/.exec(privacy.body)?.[0] ?? ''
  expect(await whyNotText('policies/privacy-policy', { body: privacy.body.replaceAll(names, 'a cookie') })).toContain(
    names,
  )
})

test('a value must exist; a page that is no policy may have numbers', async () => {
  for (const body of ['{{returnDaze}} days', '{{#if payLater}}open', '{{ returnDays }}'])
    expect(await whyNotText('pages/about', { body }), body).toContain('a value that does not exist')
  expect(await whyNotText('pages/about', { body: 'Since 2019, 4 shops, $20.' })).toBeUndefined()
})

test('a published text replaces the released one and is rendered as safely', async () => {
  const text = {
    title: 'About us',
    description: 'What is new at this store.',
    body: 'Within {{returnDays}} days.<script>alert(1)</script>\n\n[x](javascript:alert(1))',
    versionId: 1,
    publishedAt: Temporal.Instant.from('2027-01-01T03:00:00Z'),
  }
  const page = await findPage('about', new Map([['pages/about', text]]), 'own')
  expect(page).toMatchObject({ title: 'About us', updated: '2026-12-31', address: '/about' })
  expect(page?.html).toContain('Within 30 days.')
  expect(page?.html).not.toMatch(/script|javascript/)
  // A release can remove a constant. The page then shows its released text.
  const broken = { ...text, body: '{{gone}}' }
  expect((await findPage('about', new Map([['pages/about', broken]]), 'own'))?.title).toBe('About this store')
})
