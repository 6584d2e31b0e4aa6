import { type MouseEvent, useState } from 'react'
import { paths } from '#content/paths.ts'
import { BrandFinder, type BrandFinderView } from '#app/ui/finder-brand.tsx'
import { SizeFinder, type SizeFinderView } from '#app/ui/finder-size.tsx'
import { VehicleFinder, type VehicleFinderView } from '#app/ui/finder-vehicle.tsx'

export type FinderWay = 'vehicle' | 'size' | 'brand'
export type FinderView = {
  way: FinderWay
  vehicle: VehicleFinderView
  size: SizeFinderView
  brand: BrandFinderView
  recent: { label: string; path: string }[]
  /** Why a submitted form found no result. */
  problem: string | null
  /** Sizes we sell that are close to one that we don’t. */
  near: { label: string; path: string; detail: string }[]
}

const ways: [FinderWay, string][] = [
  ['vehicle', 'Vehicle'],
  ['size', 'Size'],
  ['brand', 'Brand'],
]

/**
 * The three ways to find tires. Each is a GET form to /find, which requests missing input. The tabs are links to `path`
 * with the tab in the query. With script, the tabs switch in place and the lists narrow with each choice.
 */
export function Finder({ view, path, onSize }: { view: FinderView; path: string; onSize?: (size: string) => void }) {
  const [way, setWay] = useState(view.way)

  function turn(event: MouseEvent<HTMLAnchorElement>, to: FinderWay) {
    if (event.metaKey || event.ctrlKey) return
    event.preventDefault()
    setWay(to)
  }

  return (
    <div className="panel finder" id="finder">
      <nav className="finder-tabs" aria-label="Find tires by">
        {ways.map(([name, label]) => (
          <a
            key={name}
            href={`${path}?by=${name}#finder`}
            onClick={(event) => turn(event, name)}
            data-waits
            {...(name === way ? { 'aria-current': 'true' as const } : {})}
          >
            {label}
          </a>
        ))}
      </nav>
      {view.problem ? (
        <p className="finder-problem" role="alert">
          {view.problem}
        </p>
      ) : null}
      {view.near.length > 0 ? (
        <div className="finder-recent">
          <span className="small muted">The nearest we sell:</span>
          {view.near.map(({ label, path: to }) => (
            <a key={to} className="chip tabular" href={to}>
              {label}
            </a>
          ))}
        </div>
      ) : null}
      <VehicleFinder view={view.vehicle} isHidden={way !== 'vehicle'} />
      <SizeFinder view={view.size} isHidden={way !== 'size'} onSize={onSize} />
      <BrandFinder view={view.brand} isHidden={way !== 'brand'} />
      {view.recent.length > 0 ? (
        <div className="finder-recent">
          <span>Recent:</span>
          {view.recent.map((entry) => (
            <a key={entry.path} className="tabular" href={entry.path}>
              {entry.label}
            </a>
          ))}
          <form method="post" action={paths.search()}>
            <input type="hidden" name="back" value={path} />
            <button className="link small" type="submit">
              Clear<span className="visually-hidden"> recent searches</span>
            </button>
          </form>
        </div>
      ) : null}
    </div>
  )
}
