import { useEffect, useRef, useState } from 'react'
import type { ApiFailure } from '#api/client/client.ts'
import { paths } from '#content/paths.ts'
import { Missed } from '#app/ui/finder-missed.tsx'
import { answerOf, api } from '#app/ui/store-client.ts'

type Named = { slug: string; name: string }
export type BrandFinderView = { brands: Named[]; brand: string; lines: Named[] }

/** Choice of a brand and, optionally, one of its lines. */
export function BrandFinder({ view, isHidden }: { view: BrandFinderView; isHidden: boolean }) {
  const [brand, setBrand] = useState(view.brand)
  const [lines, setLines] = useState(view.lines)
  const [missed, setMissed] = useState<ApiFailure>()
  const asked = useRef<AbortController>(null)
  useEffect(() => () => asked.current?.abort(), [])

  async function choose(slug: string): Promise<void> {
    setBrand(slug)
    setLines([])
    setMissed(undefined)
    asked.current?.abort()
    if (slug === '') return
    const asking = new AbortController()
    asked.current = asking
    const answer = await answerOf(api.call('GET /brands/{brand}/lines', { params: { brand: slug } }, asking))
    if (asking.signal.aborted) return
    if (answer.ok) setLines(answer.data)
    else setMissed(answer)
  }

  const name = view.brands.find(({ slug }) => slug === brand)?.name
  return (
    <form className="finder-form" action={paths.find()} hidden={isHidden}>
      <input type="hidden" name="by" value="brand" />
      <label className="field" htmlFor="finder-brand">
        Brand
        <select
          className="input"
          id="finder-brand"
          name="brand"
          value={brand}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== brand) void choose(currentTarget.value)
          }}
        >
          <option value="">Choose</option>
          {view.brands.map((entry) => (
            <option key={entry.slug} value={entry.slug}>
              {entry.name}
            </option>
          ))}
        </select>
      </label>
      <label className="field" htmlFor="finder-line">
        Line
        <select className="input" id="finder-line" name="line" disabled={lines.length === 0}>
          <option value="">All lines</option>
          {lines.map((line) => (
            <option key={line.slug} value={line.slug}>
              {line.name}
            </option>
          ))}
        </select>
      </label>
      {missed ? <Missed what="The lines of this brand" failure={missed} onAgain={() => void choose(brand)} /> : null}
      <button className="btn primary large" type="submit">
        {name ? `Show ${name} tires` : 'Show tires'}
      </button>
    </form>
  )
}
