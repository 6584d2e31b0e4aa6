/** The requirements for every content page, on any URL. */
import { expect } from 'vitest'

/**
 * Checks the pages at `paths`. Each is cacheable, with one heading, its canonical URL, no duplicate ID, and no
 * framework script. Titles and descriptions are unique.
 */
export async function expectWrittenPages(origin: string, paths: readonly string[]): Promise<void> {
  const seen: string[] = []
  for (const path of paths) {
    const answer = await fetch(`${origin}${path}`, { redirect: 'manual' })
    const html = await answer.text()
    expect(answer.status, path).toBe(200)
    expect(answer.headers.get('cache-control'), path).toBe('public, s-maxage=600')
    expect(html.match(/<h1/g), path).toHaveLength(1)
    expect(html).toContain(`<link rel="canonical" href="${origin}${path}"/>`)
    expect(html, path).not.toContain('__reactRouterContext')
    expect(html, path).not.toContain('{{')
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      path,
    ).toEqual([])
    seen.push(
      /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '',
      /<meta name="description" content="(.*?)"/.exec(html)?.[1] ?? '',
    )
  }
  expect(seen.filter((text, index) => text === '' || seen.indexOf(text) !== index)).toEqual([])
}
