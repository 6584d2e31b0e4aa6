/**
 * Renders the rows of a list as a table of links, with checkboxes in a form. With JavaScript, staff can move through it
 * with the keyboard.
 */
import { useEffect, useRef, useSyncExternalStore, type ReactNode, type RefObject } from 'react'
import { Icon } from '#app/ui/icon.tsx'
import { Avatar } from '#app/ui/office/avatar.tsx'
import { Tag, Timer } from '#app/ui/office/office-parts.tsx'
import { Unbroken } from '#app/ui/office/unbroken.tsx'
import type { CellParts, ListCell, ListRow, ListView } from './list.ts'
import { listKeys } from './list-keys.ts'
import { previewAddress, type ShownPreview } from './use-preview.ts'

type Columns = ListView['columns']

/** Custom renderers by column key. */
export type CellRenderers = Readonly<Record<string, (row: ListRow) => ReactNode>>

export function ListTable({
  list,
  previewed,
  render,
}: {
  list: ListView
  previewed: ShownPreview
  render: CellRenderers | undefined
}) {
  const { caption, columns, rows, bulk } = list
  const box = useRef<HTMLDivElement>(null)
  const selection = useSelection(box)
  const isLive = useKeys(box, { list, previewed })
  const shown = columns.filter(({ isShown }) => isShown)
  return (
    <div className="list-form" ref={box}>
      {/* The checkboxes and buttons reference it by ID, because rows can contain their own forms. */}
      {bulk ? (
        <form id={selectionForm} method="get">
          {bulk.view === '' ? null : <input type="hidden" name="back" value={bulk.view} />}
        </form>
      ) : null}
      <div className="list-scroll">
        <table className="list-table">
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {bulk ? (
                <th className="list-box">
                  {isLive ? (
                    <label>
                      <input
                        type="checkbox"
                        aria-label="Select all rows"
                        checked={selection.ids.length === rows.length}
                        onChange={(event) => selection.setAll(event.target.checked)}
                      />
                    </label>
                  ) : (
                    <span className="visually-hidden">Select</span>
                  )}
                </th>
              ) : null}
              {shown.map((column) => (
                <ColumnHead key={column.key} column={column} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.id}
                {...{ list, row, shown, render, previewed }}
                isSelected={selection.ids.includes(selectIdOf(row))}
                pick={selection.pick}
              />
            ))}
          </tbody>
        </table>
      </div>
      {bulk ? (
        <BulkBar
          bulk={bulk}
          chosen={rows.filter((row) => selection.ids.includes(selectIdOf(row)))}
          isPageFull={selection.ids.length === rows.length}
          isLive={isLive}
          clear={() => selection.setAll(false)}
        />
      ) : null}
    </div>
  )
}

const selectionForm = 'list-selection'

const selectIdOf = ({ id, selectId = id }: ListRow) => selectId

function Row({
  list,
  row,
  shown,
  render,
  previewed,
  isSelected,
  pick,
}: {
  list: ListView
  row: ListRow
  shown: Columns
  render: CellRenderers | undefined
  previewed: ShownPreview
  isSelected: boolean
  pick(box: HTMLInputElement, isRange: boolean): void
}) {
  return (
    <tr
      className={rowClass({ isOpen: row.id === previewed.id, isSelected })}
      data-row={row.id}
      onClick={(event) => {
        if (list.hasPreviews && !isControl(event.target)) previewed.open(row.id)
      }}
    >
      {list.bulk ? (
        <td className="list-box">
          <label>
            <input
              type="checkbox"
              form={selectionForm}
              name={list.bulk.field}
              value={selectIdOf(row)}
              defaultChecked={list.selected.includes(selectIdOf(row))}
              aria-label={`Select ${row.label}`}
              onClick={(event) => pick(event.currentTarget, event.shiftKey)}
            />
          </label>
        </td>
      ) : null}
      {shown.map((column, place) =>
        place === 0 ? (
          <RowHead key={column.key} list={list} row={row} column={column} />
        ) : (
          <td key={column.key} className={cellClass(column, row.cells[column.key])} data-label={column.label}>
            {render?.[column.key]?.(row) ?? <CellContent cell={row.cells[column.key] ?? null} />}
          </td>
        ),
      )}
    </tr>
  )
}

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a, input, button, label') !== null

function rowClass({ isOpen, isSelected }: { isOpen: boolean; isSelected: boolean }): string | undefined {
  return [isOpen ? 'is-open' : '', isSelected ? 'is-selected' : ''].filter(Boolean).join(' ') || undefined
}

/** Which rows are selected, as their boxes say; with Shift, all from the last one to this one. */
function useSelection(form: RefObject<HTMLDivElement | null>) {
  const last = useRef<HTMLInputElement | null>(null)
  const boxes = () => [...(form.current?.querySelectorAll<HTMLInputElement>('td.list-box input') ?? [])]
  const selected = useSyncExternalStore(
    (notify) => {
      const own = form.current
      own?.addEventListener('change', notify)
      return () => own?.removeEventListener('change', notify)
    },
    () =>
      boxes()
        .flatMap(({ checked, value }) => (checked ? [value] : []))
        .join(' '),
    () => '',
  )
  const changed = () => form.current?.dispatchEvent(new Event('change'))
  return {
    ids: selected === '' ? [] : selected.split(' '),
    setAll: (isOn: boolean) => {
      for (const box of boxes()) box.checked = isOn
      changed()
    },
    pick: (box: HTMLInputElement, isRange: boolean) => {
      const all = boxes()
      const from = isRange && last.current ? all.indexOf(last.current) : all.indexOf(box)
      const [first, end = 0] = [from, all.indexOf(box)].toSorted((one, other) => one - other)
      const picked = new Set(all.slice(first, end + 1).map(({ value }) => value))
      for (const each of all) if (picked.has(each.value)) each.checked = box.checked
      last.current = box
      changed()
    },
  }
}

/** Listens to the keys of the list; false until it does, as without script. */
function useKeys(
  form: RefObject<HTMLDivElement | null>,
  { list, previewed }: { list: ListView; previewed: ShownPreview },
): boolean {
  useEffect(() => {
    const walk = (event: KeyboardEvent) => {
      if (form.current) listKeys(event, form.current, { list, previewed })
    }
    document.addEventListener('keydown', walk, { capture: true })
    return () => document.removeEventListener('keydown', walk, { capture: true })
  })
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}

function ColumnHead({ column: { key, label, kind, sort, isWide } }: { column: Columns[number] }) {
  const isAmount = kind === 'money' || kind === 'count'
  return (
    <th
      scope="col"
      className={[isAmount ? 'amount' : '', isWide ? 'is-wide' : ''].filter(Boolean).join(' ') || undefined}
      data-column={key}
      aria-sort={sort ? (sort.isAscending ? 'ascending' : 'descending') : undefined}
    >
      {sort ? (
        <a href={sort.path} title={sort.words}>
          {label} <Icon name={sort.isAscending ? 'up' : 'down'} size="s" />
        </a>
      ) : (
        label
      )}
    </th>
  )
}

function RowHead({ list, row, column }: { list: ListView; row: ListRow; column: Columns[number] }) {
  const cell = row.cells[column.key] ?? null
  return (
    <th scope="row" className={cellClass(column, cell)} data-column={column.key}>
      <CellContent cell={row.path === null ? cell : { ...partsOf(cell), path: row.path }} />
      {list.hasPreviews ? (
        <a className="list-peek" href={previewAddress(list, row.id)}>
          Preview<span className="visually-hidden"> {row.label}</span>
        </a>
      ) : null}
    </th>
  )
}

function cellClass({ kind, isLabeled, isWide }: Columns[number], cell: ListCell | undefined): string | undefined {
  const parts = partsOf(cell ?? null)
  return (
    [
      kind === 'money' || kind === 'count' ? `amount is-${kind}` : '',
      parts.tone ? 'is-state' : '',
      isLabeled ? 'is-labeled' : '',
      isWide ? 'is-wide' : '',
      parts.text === null || parts.text === '' ? 'is-empty' : '',
    ]
      .filter(Boolean)
      .join(' ') || undefined
  )
}

function partsOf(cell: ListCell) {
  return typeof cell === 'object' && cell !== null ? cell : { text: cell }
}

function CellContent({ cell }: { cell: ListCell }) {
  const { text, note, more, hasAvatar, tone, tags, path, timer } = partsOf(cell)
  const body = tags ? <Tags tags={tags} /> : tone ? <Tag tone={tone}>{text}</Tag> : <Unbroken>{text}</Unbroken>
  return (
    <>
      {path === undefined ? body : <a href={path}>{body}</a>}
      {timer ? <Timer tone={timer.tone}>{timer.words}</Timer> : null}
      {note ? (
        <small>
          <Unbroken>{note}</Unbroken>
        </small>
      ) : null}
      {more ? <small>{more}</small> : null}
      {hasAvatar ? <Avatar who={String(text)} /> : null}
    </>
  )
}

function Tags({ tags }: { tags: NonNullable<CellParts['tags']> }) {
  return (
    <span className="list-tags">
      {tags.map(({ tone, words }) => (
        <Tag key={words} tone={tone}>
          {words}
        </Tag>
      ))}
    </span>
  )
}

type Bulk = NonNullable<ListView['bulk']>

/**
 * Renders the bulk actions that all selected rows allow. The others are in a menu, with the number of rows that allow
 * them. Each button opens a preview page for the selected rows.
 */
function BulkBar({
  bulk: { acts, all },
  chosen,
  isPageFull,
  isLive,
  clear,
}: {
  bulk: Bulk
  chosen: readonly ListRow[]
  isPageFull: boolean
  isLive: boolean
  clear(): void
}) {
  const count = chosen.length
  const counted = acts.map((act) => ({ act, fits: chosen.filter(({ unfit }) => !unfit?.includes(act.name)).length }))
  const [direct, others] = isLive
    ? [counted.filter(({ fits }) => fits === count), counted.filter(({ fits }) => fits < count)]
    : [counted, []]
  return (
    <div className={isLive ? 'list-bulk' : 'list-bulk is-static'} hidden={isLive && count === 0}>
      <span role="status">{isLive ? `${count} selected` : 'With the selected rows:'}</span>
      {all !== null && (isPageFull || !isLive) ? (
        <label className="list-all">
          <input type="checkbox" form={selectionForm} name="all" value="1" /> {all}
        </label>
      ) : null}
      {direct.map(({ act }) => (
        <BulkButton key={act.label} act={act} text={act.label} />
      ))}
      {others.length > 0 ? (
        <details className="list-menu is-end list-more" name="list-menu">
          <summary className="btn" aria-label="Other actions">
            …
          </summary>
          <div className="list-menu-box">
            {others.map(({ act, fits }) => (
              <BulkButton key={act.label} act={act} text={`${act.label}, ${fits} of ${count}`} isOff={fits === 0} />
            ))}
          </div>
        </details>
      ) : null}
      {isLive ? (
        <button type="button" className="link" onClick={clear}>
          Clear
        </button>
      ) : null}
    </div>
  )
}

function BulkButton({
  act: { action, isStop },
  text,
  isOff = false,
}: {
  act: Bulk['acts'][number]
  text: string
  isOff?: boolean
}) {
  return (
    <button form={selectionForm} className={isStop ? 'btn stop' : 'btn'} formAction={action} disabled={isOff}>
      {text}
    </button>
  )
}
