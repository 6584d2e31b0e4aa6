/** Tests the specification's requirements for editorial pages. */
import { expect, test } from 'vitest'
import { listArticles } from './library.server.ts'
import { learnSections, pressSections } from './sections.ts'

test('learn has its categories and at least a dozen articles, each of a worthwhile length', async () => {
  const articles = await listArticles('learn', 'own')
  expect(articles.length).toBeGreaterThanOrEqual(12)
  expect(new Set(articles.map(({ category }) => category))).toEqual(new Set(learnSections.map(({ slug }) => slug)))
  for (const { path, html } of articles) {
    const words = html.replace(/<[^>]+>/g, ' ').split(/\s+/).length
    expect({ path, isArticle: words > 550 && words < 1_300 }).toEqual({ path, isArticle: true })
  }
})

test('press, car talk and the buying guide have what the specification requires', async () => {
  const press = await listArticles('press', 'own')
  expect(press.length).toBeGreaterThanOrEqual(3)
  expect(new Set(press.map(({ category }) => category))).toEqual(new Set(pressSections.map(({ slug }) => slug)))
  expect((await listArticles('car-talk', 'own')).length).toBeGreaterThanOrEqual(6)
  const [guide] = await listArticles('guides', 'own')
  expect(guide?.headings.map(({ level }) => level)).toEqual(guide?.tools.map(() => 2))
})

test('related articles exist and differ from the page', async () => {
  const learn = new Set((await listArticles('learn', 'own')).map(({ path }) => path))
  for (const collection of ['learn', 'guides', 'car-talk'] as const)
    for (const { path, related } of await listArticles(collection, 'own'))
      for (const name of related)
        expect(learn.has(`learn/${name}`) && path !== `learn/${name}`, `${path} ${name}`).toBe(true)
  const press = await listArticles('press', 'own')
  for (const { path, related } of press)
    for (const name of related)
      expect(
        press.some((other) => other.path === `press/${name}` && other.path !== path),
        `${path} ${name}`,
      ).toBe(true)
})

test('no two pages have the same title or description', async () => {
  const collections = await Promise.all(
    (['policies', 'pages', 'learn', 'press', 'guides', 'car-talk'] as const).map((name) => listArticles(name, 'own')),
  )
  const pages = [...collections.flat(), ...learnSections.map(({ name, description }) => ({ title: name, description }))]
  const seen = pages.flatMap(({ title, description }) => [title, description])
  expect(seen.filter((text, index) => seen.indexOf(text) !== index)).toEqual([])
})

test('every table column has a heading', async () => {
  for (const collection of ['policies', 'pages', 'learn', 'press', 'guides'] as const)
    for (const { path, html } of await listArticles(collection, 'own'))
      expect(html, path).not.toContain('<th scope="col"></th>')
})

test('no heading reuses an id of the page itself', async () => {
  for (const collection of ['learn', 'press', 'guides'] as const)
    for (const { path, headings } of await listArticles(collection, 'own'))
      for (const { id } of headings)
        expect(['main', 'shop-this', 'article-sources', 'related-reading', 'board', 'size'], path).not.toContain(id)
})
