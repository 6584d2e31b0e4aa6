import type { DrawnView } from './product-view.ts'

/** Every specification of the tire, with its meaning. */
export function ProductNumbers({ specs, about }: Pick<DrawnView, 'specs' | 'about'>) {
  return (
    <section className="product-numbers" aria-labelledby="numbers-title">
      <h2 id="numbers-title">What the numbers mean</h2>
      <dl className="specs tabular">
        {specs.map(({ name, value, note, isService }) => (
          <div key={name} className={isService ? 'is-service' : undefined}>
            <dt>{name}</dt>
            <dd>
              {value}
              {note ? <small>{note}</small> : null}
            </dd>
          </div>
        ))}
      </dl>
      {about ? <p className="product-about">{about}</p> : null}
    </section>
  )
}
