/** The bar above the rows, with search box, active filters, and menus for filters, saved views and columns. */
import { useFetcher } from 'react-router'
import { Icon } from '#app/ui/icon.tsx'
import { DateRange } from '#app/ui/office/date-range.tsx'
import { withQuery } from '#content/paths.ts'
import { namesOf, type ListFilter, type ListView } from './list.ts'
import type { ListData } from './read-list.server.ts'

export function ListBar({ list, counts }: Pick<ListData, 'counts'> & { list: ListView }) {
  const { path, find, chips, filters, file, save, columns, values } = list
  return (
    <div className="list-bar">
      {find ? (
        <form className="list-find" action={path} role="search">
          <Kept values={values} without={[find.name]} />
          <Icon name="search" size="s" />
          <input
            className="input"
            id="list-find"
            type="search"
            name={find.name}
            defaultValue={find.value}
            placeholder={find.label}
            aria-label={find.label}
            maxLength={100}
            autoComplete="off"
          />
        </form>
      ) : null}
      {chips.map(({ label, value, without }) => (
        <a key={label} className="chip is-set" href={without}>
          {label} <b>{value}</b>
          <span className="visually-hidden">, remove filter</span>
          <Icon name="cross" size="s" />
        </a>
      ))}
      {filters.length > 0 ? <AddFilter list={list} counts={counts} /> : null}
      <div className="list-bar-end">
        {file === null ? null : (
          <a className="btn quiet" href={file}>
            Export CSV
          </a>
        )}
        {save === null ? null : (
          <a className="btn quiet" href={save}>
            Save view
          </a>
        )}
        {columns.some(({ isFixed }) => !isFixed) ? <ColumnChoice list={list} /> : null}
      </div>
    </div>
  )
}

/** The remaining parameters without the page, which a list's form must include. */
function Kept({ values, without }: Pick<ListView, 'values'> & { without: readonly string[] }) {
  const left = Object.entries(values).filter(([name]) => !without.includes(name) && !places.includes(name))
  return left.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
}

const places = ['after', 'before', 'trail']

/**
 * The menu of filters. With script, opening it loads the number of orders or other rows for each value. Without, a link in
 * it loads the page with the menu open.
 */
function AddFilter({
  list: { path, filters, values, hasCounts },
  counts: given,
}: Pick<ListData, 'counts'> & { list: ListView }) {
  const fetcher = useFetcher<ListData>()
  const counts = fetcher.data?.counts ?? given
  return (
    <details
      className="list-menu"
      id="list-filters"
      name="list-menu"
      open={given !== null}
      onToggle={(event) => {
        if (hasCounts && event.currentTarget.open) void fetcher.load(withQuery(path, { ...values, part: 'counts' }))
      }}
    >
      <summary className="chip is-add">
        <Icon name="plus" size="s" />
        Filter
      </summary>
      <form className="list-menu-box" action={path} aria-label="Filters">
        <Kept values={values} without={filters.flatMap(namesOf)} />
        {filters.map((filter) => (
          <FilterField key={filter.label} filter={filter} values={values} counts={counts} />
        ))}
        <button className="btn primary">Apply</button>
        {hasCounts && given === null ? (
          <noscript>
            <a href={`${withQuery(path, { ...values, menu: 'filters' })}#list-filters`}>Show counts</a>
          </noscript>
        ) : null}
      </form>
    </details>
  )
}

function FilterField({
  filter,
  values,
  counts,
}: { filter: ListFilter; counts: ListData['counts'] } & Pick<ListView, 'values'>) {
  if (filter.kind === 'days')
    return <DateRange label={filter.label} from={values['from'] ?? ''} to={values['to'] ?? ''} />
  const { name, label } = filter
  return (
    <label className="field" htmlFor={`filter-${name}`}>
      {label}
      {filter.kind === 'text' ? (
        <input
          className="input"
          id={`filter-${name}`}
          name={name}
          defaultValue={values[name] ?? ''}
          maxLength={filter.max}
          autoComplete="off"
        />
      ) : (
        <select className="input" id={`filter-${name}`} name={name} defaultValue={values[name] ?? ''}>
          <option value="">Any</option>
          {filter.options.map(([value, words]) => {
            const count = counts?.[name]?.[value]
            return (
              <option key={value} value={value}>
                {count ? `${words} (${count})` : words}
              </option>
            )
          })}
        </select>
      )}
    </label>
  )
}

function ColumnChoice({ list: { path, columns, values, roomy } }: { list: ListView }) {
  return (
    <details className="list-menu is-end" id="list-columns" name="list-menu">
      <summary className="btn quiet list-icon-button" aria-label="Columns">
        <Icon name="columns" />
      </summary>
      <form className="list-menu-box" action={path} aria-label="Columns in this view">
        <p className="office-note">Columns in this view</p>
        <Kept values={values} without={['columns', 'rows']} />
        {columns.map(({ key, label, isFixed = false, isShown }) => (
          <label key={key} className="check">
            <input type="checkbox" name="columns" value={key} defaultChecked={isShown} disabled={isFixed} />
            <span>{label}</span>
          </label>
        ))}
        {roomy ? (
          <label className="check list-roomy">
            <input type="checkbox" name="rows" value="roomy" defaultChecked={roomy.isOn} />
            <span>Roomy rows, with {roomy.text}</span>
          </label>
        ) : null}
        <button className="btn primary">Apply</button>
      </form>
    </details>
  )
}
