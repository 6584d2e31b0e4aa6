/** What every page of text must have, wherever it is served. */
import { expect } from 'vitest'

/**
 * Reads the pages at `paths`: each is cacheable and has one heading, its canonical address, no id twice and no framework;
 * no two share a title or a description.
 */
export async function expectWrittenPages(origin: string, paths: readonly string[]): Promise<void> {
  const seen: string[] = []
  for (const path of paths) {
    const answer = await fetch(`${origin}${path}`, { redirect: 'manual' })
    const html = await answer.text()
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'public, s-maxage=600'])
    expect([path, html.match(/<h1/g)?.length]).toEqual([path, 1])
    expect([path, html.includes(`<link rel="canonical" href="${origin}${path}"/>`)]).toEqual([path, true])
    expect([path, html.includes('__reactRouterContext'), html.includes('{{')]).toEqual([path, false, false])
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect([path, ids.filter((id, index) => ids.indexOf(id) !== index)]).toEqual([path, []])
    seen.push(
      /<title>(.*?)<\/title>/.exec(html)?.[1] ?? '',
      /<meta name="description" content="(.*?)"/.exec(html)?.[1] ?? '',
    )
  }
  expect(seen.filter((text, index) => text === '' || seen.indexOf(text) !== index)).toEqual([])
}
