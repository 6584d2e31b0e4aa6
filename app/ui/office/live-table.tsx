/** The list as a grid with a keyboard, by React Aria. Loaded after the page, and by office lists alone. */
import { useEffect, useRef, useState } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { Cell, Column, Row, Table, TableBody, TableHeader, type Selection } from 'react-aria-components/Table'
import { Icon } from '#app/ui/icon.tsx'
import { BulkActs, type ListProps } from './list-acts.tsx'

export function LiveTable({ caption, columns, rows, field, acts, layout }: ListProps) {
  const [selection, setSelection] = useState<Selection>(new Set())
  const box = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const walk = (event: KeyboardEvent) => walkRows(event, box.current)
    document.addEventListener('keydown', walk, { capture: true })
    return () => document.removeEventListener('keydown', walk, { capture: true })
  }, [])
  const chosen = rows.filter(({ id }) => selection === 'all' || selection.has(id))
  const canSelect = acts.length > 0
  return (
    <form className={layout ? `office-list is-${layout}` : 'office-list'} method="get" ref={box}>
      <Table
        className="office-table"
        aria-label={caption}
        selectionMode={canSelect ? 'multiple' : 'none'}
        selectedKeys={selection}
        onSelectionChange={setSelection}
      >
        <TableHeader>
          {canSelect ? (
            <Column className="office-select">
              <SelectBox />
            </Column>
          ) : null}
          {columns.map(({ key, label, isAmount, isRowHeader }) => (
            <Column key={key} isRowHeader={isRowHeader ?? false} className={isAmount ? 'amount' : ''} data-column={key}>
              {label}
            </Column>
          ))}
        </TableHeader>
        <TableBody>
          {rows.map(({ id, label, cells }) => (
            <Row key={id} id={id} textValue={label}>
              {canSelect ? (
                <Cell className="office-select" data-column="select">
                  <SelectBox />
                </Cell>
              ) : null}
              {columns.map((column) => (
                <Cell
                  key={column.key}
                  className={[column.isAmount ? 'amount' : '', cells[column.key] ? '' : 'is-empty'].join(' ').trim()}
                  data-column={column.key}
                  data-label={column.isRowHeader ? undefined : column.label}
                >
                  {cells[column.key]}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </Table>
      {chosen.map(({ id }) => (
        <input key={id} type="hidden" name={field} value={id} />
      ))}
      {canSelect ? (
        <BulkActs
          acts={acts}
          note={chosen.length === 0 ? 'Select rows first.' : `${chosen.length} selected`}
          isDisabled={chosen.length === 0}
        />
      ) : null}
      <ListHints canSelect={canSelect} />
    </form>
  )
}

function ListHints({ canSelect }: { canSelect: boolean }) {
  return (
    <p className="office-hints">
      <span>
        <kbd>J</kbd> <kbd>K</kbd> next, previous
      </span>
      <span>
        <kbd>Enter</kbd> open
      </span>
      {canSelect ? (
        <span>
          <kbd>Space</kbd> select
        </span>
      ) : null}
      <span>
        <kbd>/</kbd> find
      </span>
      <span>
        <kbd>?</kbd> all keys
      </span>
    </p>
  )
}

function SelectBox() {
  return (
    <Checkbox slot="selection" className="office-check">
      {({ isSelected, isIndeterminate }) => (
        <span className={isSelected || isIndeterminate ? 'office-check-box is-on' : 'office-check-box'}>
          {isIndeterminate ? <Icon name="minus" size="s" /> : isSelected ? <Icon name="check" size="s" /> : null}
        </span>
      )}
    </Checkbox>
  )
}

/**
 * J and K move through the rows as the arrows do; from anywhere else on the page, they enter the list. Enter opens the
 * row, where React Aria would select it; Space selects.
 */
function walkRows(event: KeyboardEvent, box: HTMLElement | null): void {
  const from = event.target
  if (!box || event.ctrlKey || event.metaKey || event.altKey || !(from instanceof HTMLElement)) return
  const row = from.closest<HTMLElement>('[role=row]')
  const inside = row && box.contains(row) ? row : null
  if (event.key === 'Enter' && inside === from) {
    stop(event)
    const link = inside.querySelector('a')
    if (link) location.assign(link.href)
    return
  }
  const key = { j: 'ArrowDown', k: 'ArrowUp' }[event.key]
  if (key === undefined || from.closest(typedInto)) return
  stop(event)
  if (inside) inside.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  else box.querySelector<HTMLElement>('tbody [role=row]')?.focus()
}

const typedInto = 'input:not([type=checkbox]), textarea, select, [contenteditable], dialog, [popover]'

function stop(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
