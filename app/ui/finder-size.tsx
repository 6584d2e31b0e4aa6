import { useRef, useState } from 'react'
import { paths } from '#content/paths.ts'
import { joinSizeParts, narrowSizes, sizeParts, widthGroup, type SizeParts } from '#app/ui/finder-sizes.ts'
import { answerOf, api } from '#app/ui/store-client.ts'

export type SizeFinderView = {
  /** Every width, ratio and rim sold; valid combinations are loaded when needed. */
  widths: string[]
  ratios: string[]
  rims: string[]
  front: SizeParts
  rear: SizeParts
  typed: string
}

/** Width, ratio and rim, a second time for the rear if it differs, or the size as printed on the sidewall. */
export function SizeFinder({
  view,
  isHidden,
  onSize,
}: {
  view: SizeFinderView
  isHidden: boolean
  onSize: ((size: string) => void) | undefined
}) {
  const [front, setFront] = useState(view.front)
  const [rear, setRear] = useState(view.rear)
  const [typed, setTyped] = useState(view.typed)
  const [sold, setSold] = useState<SizeParts[]>()
  const isAsked = useRef(false)

  /** Loads the sizes sold once someone starts to choose. Until then, every list shows every value. */
  async function learn(): Promise<void> {
    if (isAsked.current) return
    isAsked.current = true
    const answer = await answerOf(api.call('GET /sizes'))
    if (answer.ok) setSold(answer.data.flatMap(({ designation }) => sizeParts(designation) ?? []))
    else isAsked.current = false
  }

  function chooseFront(next: SizeParts): void {
    const fitting = fittedTo(sold, next)
    setFront(fitting)
    setTyped('')
    if (isWhole(fitting)) onSize?.(joinSizeParts(fitting))
  }

  const whole =
    typed.trim() === '' ? (isWhole(front) ? joinSizeParts(front) : '') : /\d{2}/.test(typed) ? typed.trim() : ''
  return (
    <form className="finder-form of-three" action={paths.find()} hidden={isHidden}>
      <input type="hidden" name="by" value="size" />
      <SizeLists prefix="" view={view} chosen={front} sold={sold} onBegin={() => void learn()} onChoose={chooseFront} />
      <details className="finder-more" open={view.rear.width !== ''}>
        <summary>Rear tires are a different size</summary>
        <div className="finder-form of-three">
          <SizeLists
            prefix="rear-"
            view={view}
            chosen={rear}
            sold={sold}
            onBegin={() => void learn()}
            onChoose={(next) => setRear(fittedTo(sold, next))}
          />
        </div>
      </details>
      <label className="field finder-typed" htmlFor="finder-size">
        Or type it as on the sidewall
        <input
          className="input tabular"
          id="finder-size"
          name="size"
          value={typed}
          maxLength={40}
          autoComplete="off"
          placeholder="225/65R17, LT275/70R18, 35x12.50R17"
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => typed.trim() !== '' && onSize?.(typed.trim())}
        />
      </label>
      <a className="small" href={paths.sizeCamera()}>
        Read it off my tire with the camera
      </a>
      <button className="btn primary large" type="submit">
        Show tires
        {whole === '' ? (
          ''
        ) : (
          <>
            {' '}
            in <span className="tabular">{whole}</span>
          </>
        )}
      </button>
    </form>
  )
}

type SizeListsProps = {
  prefix: '' | 'rear-'
  view: SizeFinderView
  chosen: SizeParts
  sold: SizeParts[] | undefined
  onBegin: () => void
  onChoose: (next: SizeParts) => void
}

function SizeLists({ prefix, view, chosen, sold, onBegin, onChoose }: SizeListsProps) {
  const lists = sold ? narrowSizes(sold, chosen) : view
  const select = (part: keyof SizeParts, label: string, options: React.ReactNode) => (
    <label className="field" htmlFor={`finder-${prefix}${part}`}>
      {label}
      <select
        className="input tabular"
        id={`finder-${prefix}${part}`}
        name={`${prefix}${part}`}
        value={chosen[part]}
        onFocus={onBegin}
        onChange={(event) => onChoose({ ...chosen, [part]: event.currentTarget.value })}
      >
        {/* A dash: a word would not fit next to two other lists on a phone. */}
        <option value="">–</option>
        {options}
      </select>
    </label>
  )
  const groups = [...Map.groupBy(lists.widths, widthGroup)]
  return (
    <>
      {select(
        'width',
        'Width',
        groups.map(([group, widths]) => (
          <optgroup key={group} label={group}>
            {widths.map(plainOption)}
          </optgroup>
        )),
      )}
      {select('ratio', 'Ratio', lists.ratios.map(plainOption))}
      {select('rim', 'Rim', lists.rims.map(plainOption))}
    </>
  )
}

function plainOption(value: string) {
  return <option key={value}>{value}</option>
}

/** Clears the choices that no longer match those before them. */
function fittedTo(sold: SizeParts[] | undefined, chosen: SizeParts): SizeParts {
  if (!sold) return chosen
  const { ratios } = narrowSizes(sold, { width: chosen.width, ratio: '' })
  const ratio = ratios.includes(chosen.ratio) ? chosen.ratio : ratios.length === 1 ? (ratios[0] ?? '') : ''
  const { rims } = narrowSizes(sold, { width: chosen.width, ratio })
  const rim = rims.includes(chosen.rim) ? chosen.rim : rims.length === 1 ? (rims[0] ?? '') : ''
  return { width: chosen.width, ratio, rim }
}

function isWhole({ width, ratio, rim }: SizeParts): boolean {
  return width !== '' && rim !== '' && (ratio !== '' || !/^[A-Z]*\d{3}$/.test(width))
}
