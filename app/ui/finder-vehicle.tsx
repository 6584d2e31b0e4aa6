import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import type { ApiFailure } from '#api/client/client.ts'
import { paths } from '#content/paths.ts'
import { Missed } from '#app/ui/finder-missed.tsx'
import { answerOf, api } from '#app/ui/store-client.ts'

export type Choice = { slug: string; name: string; hasSizes: boolean }
type VehicleChoices = { makes: Choice[]; models: Choice[]; trims: Choice[] }

export type VehicleFinderView = {
  years: number[]
  /** Whether license plates can be looked up. */
  hasPlates: boolean
  chosen: { year: string; make: string; model: string; trim: string }
} & VehicleChoices

type Level = keyof VehicleFinderView['chosen']
const levels: readonly Level[] = ['year', 'make', 'model', 'trim']
const nothingChosen = { year: '', make: '', model: '', trim: '' }

/** Year, make, model and trim. A list is enabled once everything above it is chosen. */
export function VehicleFinder({ view, isHidden }: { view: VehicleFinderView; isHidden: boolean }) {
  const [chosen, setChosen] = useState(view.chosen)
  const [lists, setLists] = useState<VehicleChoices>(view)
  const [isAsking, setAsking] = useState(false)
  /** The choice with lists that failed to load, and the reason. */
  const [missed, setMissed] = useState<{ level: Level; failure: ApiFailure }>()
  const form = useRef<HTMLFormElement>(null)
  const asked = useRef<AbortController>(null)

  // Picks up a year chosen before the script loaded, or restored by the browser.
  const catchUp = useEffectEvent(() => {
    const year = form.current?.elements.namedItem('year')
    if (year instanceof HTMLSelectElement && year.value !== '' && year.value !== chosen.year)
      void choose('year', year.value)
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
    const query = { year: Number(next.year), make: next.make || undefined, model: next.model || undefined }
    const answer = await answerOf(api.call('GET /vehicles', { query }, asking))
    if (asking.signal.aborted) return
    setAsking(false)
    if (answer.ok) setLists(answer.data)
    else setMissed({ level, failure: answer })
  }

  const list = (level: Level) => ({ level, value: chosen[level], isAsking, onChoose: choose })
  return (
    <>
      <form className="finder-form" action={paths.find()} hidden={isHidden} ref={form} aria-busy={isAsking}>
        <input type="hidden" name="by" value="vehicle" />
        <LevelList {...list('year')} label="Year" isOpen>
          {view.years.map((year) => (
            <option key={year}>{year}</option>
          ))}
        </LevelList>
        <LevelList {...list('make')} label="Make" isOpen={lists.makes.length > 0}>
          <ChoiceOptions choices={lists.makes} />
        </LevelList>
        <LevelList {...list('model')} label="Model" isOpen={lists.models.length > 0}>
          <ChoiceOptions choices={lists.models} />
        </LevelList>
        <LevelList {...list('trim')} label="Trim" isOpen={lists.trims.length > 0}>
          {lists.trims.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
          <option value="any">I’m not sure</option>
        </LevelList>
        {missed ? (
          <Missed
            what="The next list"
            failure={missed.failure}
            onAgain={() => void choose(missed.level, chosen[missed.level])}
          />
        ) : null}
        <button className="btn primary large" type="submit">
          Show tires that fit
        </button>
      </form>
      <VinForm isHidden={isHidden} hasPlates={view.hasPlates} />
    </>
  )
}

/** A VIN is posted, so that no address or cache has it. */
function VinForm({ isHidden, hasPlates }: { isHidden: boolean; hasPlates: boolean }) {
  return (
    <form className="finder-vin" method="post" action={paths.findByVin()} hidden={isHidden}>
      <label className="field" htmlFor="finder-vin">
        Or enter the VIN
        <input
          className="input"
          id="finder-vin"
          name="vin"
          maxLength={40}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="17 characters"
        />
      </label>
      <button className="btn" type="submit">
        Find<span className="visually-hidden"> my vehicle by VIN</span>
      </button>
      {hasPlates ? (
        <a className="small" href={paths.findByPlate()}>
          Use the license plate instead
        </a>
      ) : null}
    </form>
  )
}

type LevelListProps = {
  level: Level
  label: string
  value: string
  /** Whether there is anything to choose from. */
  isOpen: boolean
  isAsking: boolean
  onChoose: (level: Level, value: string) => Promise<void>
  children: ReactNode
}

function LevelList({ level, label, value, isOpen, isAsking, onChoose, children }: LevelListProps) {
  return (
    <label className="field" htmlFor={`finder-${level}`}>
      {label}
      <select
        className="input"
        id={`finder-${level}`}
        name={level}
        value={value}
        disabled={!isOpen}
        onChange={({ currentTarget }) => {
          // A choice made before hydration may be replayed after the next one.
          if (currentTarget.value !== value) void onChoose(level, currentTarget.value)
        }}
      >
        <option value="">{isOpen || !isAsking ? 'Choose' : 'One moment…'}</option>
        {children}
      </select>
    </label>
  )
}

/** Options with known sizes first; the others lead to the placard form. */
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
