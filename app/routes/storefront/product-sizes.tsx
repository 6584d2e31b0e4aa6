import type { SizeLink, SizesView } from './product-view.ts'
import { countOf } from '#platform/count-text.ts'

/** Renders a link for every size of the model. Likely sizes are visible, the others collapsed. */
export function ProductSizes({ sizes }: { sizes: SizesView }) {
  return (
    <section className="product-sizes" aria-labelledby="sizes-title">
      <h2 id="sizes-title">Size</h2>
      <ul className="tabular">
        {sizes.near.map((link) => (
          <li key={link.path}>
            <SizeBox link={link} />
          </li>
        ))}
      </ul>
      {sizes.moreCount > 0 ? (
        <details className="more-sizes">
          <summary className="btn quiet small">{countOf(sizes.moreCount, 'more size')}</summary>
          {sizes.more.map(({ rim, sizes: links }) => (
            <div key={rim}>
              <h3 className="small muted">{rim}</h3>
              <ul className="tabular">
                {links.map((link) => (
                  <li key={link.path}>
                    <SizeBox link={link} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </details>
      ) : null}
    </section>
  )
}

function SizeBox({ link: { path, size, note, tone, isChosen } }: { link: SizeLink }) {
  return (
    <a
      className={isChosen ? 'size-box is-chosen' : 'size-box'}
      href={path}
      aria-current={isChosen ? 'true' : undefined}
    >
      {size}
      <small className={tone === 'no' ? 'stop' : undefined}>{note}</small>
    </a>
  )
}
