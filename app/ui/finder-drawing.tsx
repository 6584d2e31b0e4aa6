import { paths } from '#content/paths.ts'
import { BREAKPOINTS_PX } from '#platform/business-constants.ts'
import { countOf } from '#platform/count-text.ts'

/** `/finder/size`: details of one size. */
export type SizeAnswer = SizeReadOut | { problem: string }
export type SizeReadOut = {
  size: string
  measures: { term: string; value: string }[]
  /** How many tires come in this size. */
  count: number
  /** The tire to render, the one with the highest score in this size. */
  drawn: { name: string; path: string; picture: { itemId: number; key: string } } | null
}

/** The tire with the highest score in a size, shown large, with the size's dimensions in inches. */
export function DrawnSize({ drawn: { size, measures, count, drawn } }: { drawn: SizeReadOut }) {
  return (
    <div className="stage">
      <div className="stage-tire">
        {drawn ? (
          <picture key={drawn.picture.key}>
            <source type="image/avif" srcSet={sourceSet(drawn.picture, 'avif')} sizes={stageSizes} />
            <img
              src={paths.picture(drawn.picture.itemId, drawn.picture.key, 480, 'webp')}
              srcSet={sourceSet(drawn.picture, 'webp')}
              sizes={stageSizes}
              alt={`Drawing of ${drawn.name} in ${size}`}
              width={560}
              height={560}
              fetchPriority="high"
            />
          </picture>
        ) : (
          <p className="muted">No tires in this size yet.</p>
        )}
      </div>
      <dl className="read-out tabular" aria-live="polite">
        {[{ term: 'Size', value: size }, ...measures].map(({ term, value }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {drawn ? (
        <p className="small muted stage-name">
          Drawn: <a href={drawn.path}>{drawn.name}</a>, one of {countOf(count, 'tire')} in {size}
        </p>
      ) : null}
    </div>
  )
}

const stageSizes = `(min-width: ${BREAKPOINTS_PX.L}px) 560px, (min-width: ${BREAKPOINTS_PX.M}px) 380px, 300px`

function sourceSet({ itemId, key }: { itemId: number; key: string }, format: 'avif' | 'webp'): string {
  return [480, 640, 960].map((width) => `${paths.picture(itemId, key, width, format)} ${width}w`).join(', ')
}
