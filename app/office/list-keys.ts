/**
 * A list's keyboard shortcuts: J, K, X, Space, Enter, F, / and Escape. Letters only apply if no field has the focus.
 */
import type { ListView } from './list.ts'
import type { ShownPreview } from './use-preview.ts'

const findId = 'list-find'
const typedInto = 'input:not([type=checkbox]), textarea, select, [contenteditable], dialog, [popover], [role=dialog]'

type List = { list: ListView; previewed: ShownPreview }

export function listKeys(event: KeyboardEvent, form: HTMLElement, list: List): void {
  const { target, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return
  const isMenuClosed = key === 'Escape' && closeMenu(target)
  if (isMenuClosed) event.preventDefault()
  // From the search box, the next key is for the rows.
  if (key === 'Escape' && target instanceof HTMLElement && target.id === findId) target.blur()
  if (isMenuClosed || target.closest(typedInto) || isTurnedOff(key)) return
  const act = actsAt(target, form, list)[key]
  if (!act) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

/** Whether the key is a single-key shortcut and the user turned those off. Space on a focused row still works. */
function isTurnedOff(key: string): boolean {
  return key.length === 1 && key !== ' ' && document.querySelector('#office-keys[data-off]') !== null
}

/** Actions per key for the focused element; false or null without one. */
function actsAt(
  target: Element,
  form: HTMLElement,
  { list, previewed }: List,
): Partial<Record<string, (() => void) | false | null>> {
  const row = target.closest<HTMLElement>('tr[data-row]')
  const focused = row && form.contains(row) ? row : null
  const here = focused ?? openRow(form, previewed)
  const isLink = !target.matches('input, button, summary')
  return {
    j: () => step(form, here, 1, previewed),
    k: () => step(form, here, -1, previewed),
    '/': () => focusOn(`#${findId}`),
    f: openFilters,
    x: here && (() => here.querySelector<HTMLInputElement>('input[type=checkbox]')?.click()),
    ' ': list.hasPreviews && isLink && focused && (() => toggle(focused, previewed)),
    Escape: previewed.id !== null && (() => close(form, previewed)),
  }
}

/** Closes the focused menu, and returns the focus to its opener. False if no menu has the focus. */
function closeMenu(target: Element): boolean {
  const menu = target.closest<HTMLDetailsElement>('details.list-menu[open]')
  if (!menu) return false
  menu.open = false
  menu.querySelector('summary')?.focus()
  return true
}

/** Returns the row with the open preview, when the focus is elsewhere. */
function openRow(form: HTMLElement, { id }: ShownPreview): HTMLElement | null {
  return id === null ? null : form.querySelector(`tr[data-row="${CSS.escape(id)}"]`)
}

/** Moves to the next or previous row, together with an open preview. */
function step(form: HTMLElement, from: HTMLElement | null, by: 1 | -1, previewed: ShownPreview): void {
  const rows = [...form.querySelectorAll<HTMLElement>('tr[data-row]')]
  const next = from ? rows[rows.indexOf(from) + by] : rows[0]
  if (!next) return
  focusRow(next)
  if (previewed.id !== null && next.dataset['row']) previewed.open(next.dataset['row'])
}

function focusRow(row: HTMLElement): void {
  const target = row.querySelector<HTMLElement>('th a') ?? row.querySelector<HTMLElement>('a, input')
  target?.focus()
  row.scrollIntoView({ block: 'nearest' })
}

function toggle(row: HTMLElement, previewed: ShownPreview): void {
  const id = row.dataset['row']
  if (id === undefined) return
  if (previewed.id === id) previewed.close()
  else previewed.open(id)
}

/** Returns the focus to the row, unless it is on another one. */
function close(form: HTMLElement, previewed: ShownPreview): void {
  const row = openRow(form, previewed)
  previewed.close()
  if (row && !form.contains(document.activeElement)) focusRow(row)
}

function focusOn(selector: string): void {
  const field = document.querySelector<HTMLInputElement>(selector)
  field?.focus()
  field?.select()
}

function openFilters(): void {
  const menu = document.querySelector<HTMLDetailsElement>('#list-filters')
  if (!menu) return
  menu.open = true
  menu.querySelector<HTMLElement>('input:not([type=hidden]), select')?.focus()
}
