import { useEffect, useRef, useState } from 'react'
import { paths } from '#app/paths.ts'
import { askChoices, type LineChoices } from '#app/ui/finder-choices.ts'

export type BrandFinderView = { brands: { slug: string; name: string }[]; brand: string; lines: LineChoices['lines'] }

/** A brand, and one of its lines if one knows it. */
export function BrandFinder({ view, isHidden }: { view: BrandFinderView; isHidden: boolean }) {
  const [brand, setBrand] = useState(view.brand)
  const [lines, setLines] = useState(view.lines)
  const asked = useRef<AbortController>(null)
  useEffect(() => () => asked.current?.abort(), [])

  async function choose(slug: string): Promise<void> {
    setBrand(slug)
    setLines([])
    asked.current?.abort()
    if (slug === '') return
    const asking = new AbortController()
    asked.current = asking
    const answer = await askChoices<LineChoices>({ brand: slug }, asking.signal)
    if (answer && !asking.signal.aborted) setLines(answer.lines)
  }

  const name = view.brands.find(({ slug }) => slug === brand)?.name
  return (
    <form className="finder-form" action={paths.find()} hidden={isHidden}>
      <input type="hidden" name="by" value="brand" />
      <label className="field" htmlFor="finder-brand">
        Brand
        <select className="input" id="finder-brand" name="brand" value={brand} onChange={(event) => void choose(event.currentTarget.value)}>
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
      <button className="btn primary large" type="submit">
        {name ? `Show ${name} tires` : 'Show tires'}
      </button>
    </form>
  )
}
