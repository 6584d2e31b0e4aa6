import { paths } from '#content/paths.ts'
import { countOf } from '#platform/count-text.ts'

export type BrandView = {
  slug: string
  name: string
  lines: number
  /** `logo`: the key of an uploaded picture. */
  wordmark: {
    weight: number
    stretch: number
    spacing: number
    case: 'upper' | 'title' | 'lower'
    logo?: string | null
  }
}

/** Brands, shown by their wordmarks. */
export function BrandGrid({ brands }: { brands: BrandView[] }) {
  return (
    <ul className="brand-grid">
      {brands.map(({ slug, name, lines, wordmark }) => (
        <li key={slug}>
          <a href={paths.brand(slug)}>
            <Wordmark name={name} wordmark={wordmark} />
            <span className="tiny muted tabular">{countOf(lines, 'line')}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** A brand's logo, or its name in the brand's own lettering. */
export function Wordmark({ name, wordmark }: Pick<BrandView, 'name' | 'wordmark'>) {
  if (wordmark.logo)
    return <img className="brand-logo" src={paths.uploadedPicture(wordmark.logo)} alt={name} height={32} />
  return (
    <span
      className="wordmark"
      style={{
        fontWeight: wordmark.weight,
        fontStretch: `${wordmark.stretch}%`,
        letterSpacing: `${wordmark.spacing}em`,
        textTransform: cases[wordmark.case],
      }}
    >
      {name}
    </span>
  )
}

const cases = { upper: 'uppercase', title: 'none', lower: 'lowercase' } as const
