import { Icon, type IconName } from '#app/ui/icon.tsx'

/** `listed` means an OE size with only the placard left to confirm. */
export type FitTone = 'yes' | 'listed' | 'conditions' | 'no' | 'unknown'

const fitIcons: Record<FitTone, IconName> = {
  yes: 'check-circle',
  listed: 'car',
  conditions: 'warning',
  no: 'cross-circle',
  unknown: 'question',
}

/** The fitment result, always with an icon, a color and text. */
export function FitLine({ tone, children }: { tone: FitTone; children: string }) {
  return (
    <span className={`fit ${tone}`}>
      <Icon name={fitIcons[tone]} size="s" />
      <span>{children}</span>
    </span>
  )
}

/** The tire score out of ten as slanted tread ticks, with the number and its word. `tenths` is 0 to 100. */
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
