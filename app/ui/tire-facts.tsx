import { countText } from '#app/ui/count-text.ts'
import { Icon, Star, type IconName } from '#app/ui/icon.tsx'

export type FitTone = 'yes' | 'conditions' | 'no' | 'unknown'

const fitIcons: Record<FitTone, IconName> = { yes: 'check-circle', conditions: 'warning', no: 'cross-circle', unknown: 'question' }

/** The fitment verdict: always a sign, a colour and words. */
export function FitLine({ tone, children }: { tone: FitTone; children: string }) {
  return (
    <span className={`fit ${tone}`}>
      <Icon name={fitIcons[tone]} size="s" />
      <span>{children}</span>
    </span>
  )
}

/** The tire score of ten as slanted tread ticks, the number and its word. `tenths` is 0 to 100. */
export function Score({ tenths, word, store }: { tenths: number; word: string; store: string }) {
  const text = (tenths / 10).toFixed(1)
  return (
    <span className="score tabular" role="img" aria-label={`${store} score ${text} of 10, ${word}`}>
      <i aria-hidden="true">
        {ticks.map((tick) => (
          <b key={tick} className={tick <= Math.floor(tenths / 10 + 0.25) ? 'is-on' : undefined} />
        ))}
      </i>
      {text} <span className="muted score-word">{word}</span>
    </span>
  )
}

const ticks = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

/** One star, the mean and how many reviews it comes from. */
export function Rating({ hundredths, count }: { hundredths: number; count?: number }) {
  const mean = (hundredths / 100).toFixed(1)
  return (
    <span className="stars tabular" role="img" aria-label={count === undefined ? `${mean} of 5` : `${mean} of 5 from ${count} reviews`}>
      <Star />
      {mean} {count === undefined ? null : <span className="muted rating-count">({countText(count)})</span>}
    </span>
  )
}
