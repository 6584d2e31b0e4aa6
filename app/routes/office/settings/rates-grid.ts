/** Spreadsheet keys for a table of inputs: Enter moves down a column, and a pasted block fills the cells. */
import type { ClipboardEvent, KeyboardEvent } from 'react'

/** Handlers for the element around the table. */
export const gridHandlers = { onKeyDown, onPaste }

/** Characters of a pasted text that are read. */
const maxPasted = 2_000

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey) return
  const place = placeOf(event.currentTarget, event.target)
  if (!place) return
  // Otherwise Enter would submit the form.
  event.preventDefault()
  const next = place.rows[place.row + (event.shiftKey ? -1 : 1)]?.[place.column]
  next?.focus()
  next?.select()
}

function onPaste(event: ClipboardEvent<HTMLElement>): void {
  const text = event.clipboardData.getData('text/plain').slice(0, maxPasted)
  const block = readBlock(text)
  const place = placeOf(event.currentTarget, event.target)
  if (!place || (block.length === 1 && block[0]?.length === 1)) return
  event.preventDefault()
  for (const [down, values] of block.entries())
    for (const [right, value] of values.entries()) {
      const cell = place.rows[place.row + down]?.[place.column + right]
      if (!cell) continue
      cell.value = value
      cell.dispatchEvent(new Event('input', { bubbles: true }))
    }
}

/** Returns rows of amounts without dollar signs and commas. */
export function readBlock(text: string): string[][] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t').map((cell) => cell.replaceAll(/[$,\s]/g, '')))
}

function placeOf(table: HTMLElement, target: EventTarget) {
  const rows = [...table.querySelectorAll('tbody tr')].map((row) => [...row.querySelectorAll('input')])
  const row = rows.findIndex((cells) => cells.some((cell) => cell === target))
  const column = rows[row]?.findIndex((cell) => cell === target) ?? -1
  return row === -1 ? null : { rows, row, column }
}
