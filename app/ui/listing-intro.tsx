import { Wordmark, type BrandView } from '#app/ui/listing-brands.tsx'
import { TirePicture, type PictureRef } from '#app/ui/tire-picture.tsx'

export type IntroView = {
  /** A brand is shown by its wordmark, a type or category by one of its tires. */
  wordmark: Pick<BrandView, 'name' | 'wordmark'> | null
  picture: PictureRef | null
  text: string | null
  facts: { term: string; value: string; path: string | null }[]
}

/** Introduces a brand, a type or a category above its lines. */
export function ListingIntro({ intro: { wordmark, picture, text, facts } }: { intro: IntroView }) {
  return (
    <section className="panel listing-intro" aria-label="At a glance">
      <div className="listing-intro-sign" aria-hidden="true">
        {wordmark ? <Wordmark {...wordmark} /> : null}
        {picture ? <TirePicture picture={picture} alt="" size={168} eager /> : null}
      </div>
      <div>
        {text ? <p>{text}</p> : null}
        <dl className="tabular">
          {facts.map(({ term, value, path }) => (
            <div key={term}>
              <dt className="small muted">{term}</dt>
              <dd>{path ? <a href={path}>{value}</a> : value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
