import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { paths } from '#app/paths.ts'
import { askChoices, type Choice, type VehicleChoices } from '#app/ui/finder-choices.ts'

export type VehicleFinderView = { years: number[]; chosen: { year: string; make: string; model: string; trim: string } } & VehicleChoices

type Level = keyof VehicleFinderView['chosen']
const levels: readonly Level[] = ['year', 'make', 'model', 'trim']
const nothingChosen = { year: '', make: '', model: '', trim: '' }

/** Year, make, model and trim. A list opens when everything above it is chosen. */
export function VehicleFinder({ view, isHidden }: { view: VehicleFinderView; isHidden: boolean }) {
  const [chosen, setChosen] = useState(view.chosen)
  const [lists, setLists] = useState<VehicleChoices>(view)
  const [isAsking, setAsking] = useState(false)
  /** The choice whose lists did not come. */
  const [missed, setMissed] = useState<Level>()
  const form = useRef<HTMLFormElement>(null)
  const asked = useRef<AbortController>(null)

  // A year chosen before script came, or restored by the browser, counts.
  const catchUp = useEffectEvent(() => {
    const year = form.current?.elements.namedItem('year')
    if (year instanceof HTMLSelectElement && year.value !== chosen.year) void choose('year', year.value)
  })
  useEffect(() => {
    catchUp()
    return () => asked.current?.abort()
  }, [])

  async function choose(level: Level, value: string): Promise<void> {
    const next = { ...nothingChosen }
    for (const above of levels.slice(0, levels.indexOf(level))) next[above] = chosen[above]
    next[level] = value
    setChosen(next)
    if (level === 'trim') return
    asked.current?.abort()
    const asking = new AbortController()
    asked.current = asking
    const { makes, models } = lists
    setLists({ makes: level === 'year' ? [] : makes, models: level === 'model' ? models : [], trims: [] })
    setMissed(undefined)
    if (value === '') return
    setAsking(true)
    const answer = await askChoices<VehicleChoices>({ year: next.year, make: next.make, model: next.model }, asking.signal)
    if (asking.signal.aborted) return
    setAsking(false)
    if (answer) setLists(answer)
    else setMissed(level)
  }

  const select = (level: Level, label: string, options: React.ReactNode, isOpen: boolean) => (
    <label className="field" htmlFor={`finder-${level}`}>
      {label}
      <select
        className="input"
        id={`finder-${level}`}
        name={level}
        value={chosen[level]}
        disabled={!isOpen}
        onChange={(event) => void choose(level, event.currentTarget.value)}
      >
        <option value="">{isOpen || !isAsking ? 'Choose' : 'One moment…'}</option>
        {options}
      </select>
    </label>
  )

  return (
    <form className="finder-form" action={paths.find()} hidden={isHidden} ref={form} aria-busy={isAsking}>
      <input type="hidden" name="by" value="vehicle" />
      {select(
        'year',
        'Year',
        view.years.map((year) => <option key={year}>{year}</option>),
        true,
      )}
      {select('make', 'Make', <ChoiceOptions choices={lists.makes} />, lists.makes.length > 0)}
      {select('model', 'Model', <ChoiceOptions choices={lists.models} />, lists.models.length > 0)}
      {select(
        'trim',
        'Trim',
        <>
          {lists.trims.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
          <option value="any">I’m not sure</option>
        </>,
        lists.trims.length > 0,
      )}
      {missed ? (
        <p className="finder-problem" role="alert">
          The next list did not come: you seem to be offline. What you chose is still here.{' '}
          <button className="link" type="button" onClick={() => void choose(missed, chosen[missed])}>
            Try again
          </button>
        </p>
      ) : null}
      <button className="btn primary large" type="submit">
        Show tires that fit
      </button>
    </form>
  )
}

/** Those whose sizes are listed first; the others lead to the door label. */
function ChoiceOptions({ choices }: { choices: Choice[] }) {
  const option = ({ slug, name }: Choice) => (
    <option key={slug} value={slug}>
      {name}
    </option>
  )
  const known = choices.filter(({ hasSizes }) => !hasSizes)
  if (known.length === 0) return choices.map(option)
  return (
    <>
      {choices.filter(({ hasSizes }) => hasSizes).map(option)}
      <optgroup label="Size from your door label">{known.map(option)}</optgroup>
    </>
  )
}
