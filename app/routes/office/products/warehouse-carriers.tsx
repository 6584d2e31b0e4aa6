/** The carriers of a warehouse, in order. We buy labels from the first that takes the parcel. */
import { useEffect, useRef, useState } from 'react'
import type { FormReply } from '#app/forms/form.ts'
import { CellSelect } from '#app/office/form-fields.tsx'
import { useFormInput } from '#app/office/form-input.ts'
import { FormInputs } from '#app/office/form.tsx'
import { OfficeIcon } from '#app/ui/office/office-icon.tsx'
import { carrierField, carrierNames, carrierPlaceField, type CarrierName } from '#domain/supply/delivery/delivery.ts'

const placeNames = ['1st', '2nd', '3rd', '4th'] as const
const placeOptions = carrierNames.map((_, index): [string, string] => [String(index + 1), placeNames[index] ?? ''])

/** Place labels for the error summary. */
export const placeLabels: Readonly<Record<string, string>> = Object.fromEntries(
  carrierNames.map((name) => [carrierPlaceField(name), `${name}: place`]),
)

/** Each carrier with its switch and place. It is moved by its place, by a drag, or by Alt and an arrow key. */
export function CarrierList({
  carriers,
  formId,
  reply,
}: {
  carriers: readonly CarrierName[]
  formId: string
  reply: FormReply | undefined
}) {
  const [first] = useState(() => [...carriers, ...carrierNames.filter((name) => !carriers.includes(name))])
  const [names, setNames] = useState<readonly CarrierName[]>(first)
  const list = useRef<HTMLUListElement>(null)
  const [news, setNews] = useState('')
  useFormInput(formId, (form, changed) => {
    const moved = names.find((name) => changed.name === carrierPlaceField(name))
    const next = moved ? movedTo(names, moved, Number(changed.value) - 1) : sorted(names)
    if (next.every((name, index) => name === names[index])) return
    for (const [index, name] of next.entries()) setPlace(name, index)
    setNames(next)
    if (moved) setNews(`${moved} is ${placeNames[next.indexOf(moved)] ?? ''} of ${next.length}.`)
  })
  useEffect(() => (list.current ? listenForMoves(list.current) : undefined), [])
  return (
    <>
      <ul className="carrier-list" ref={list}>
        {names.map((name) => (
          <li key={name} data-carrier={name} draggable>
            <span className="carrier-grip" title="Drag, or press Alt and an arrow key" aria-hidden="true">
              <OfficeIcon name="grip" size="s" />
            </span>
            <span className="carrier-place">
              <CellSelect
                name={carrierPlaceField(name)}
                label={placeLabels[carrierPlaceField(name)] ?? name}
                value={String(first.indexOf(name) + 1)}
                options={placeOptions}
                reply={reply}
              />
            </span>
            <FormInputs
              reply={reply}
              fields={{ [carrierField(name)]: { label: name, kind: 'switch', isOn: carriers.includes(name) } }}
            />
          </li>
        ))}
      </ul>
      <p className="visually-hidden" role="status">
        {news}
      </p>
    </>
  )
}

const placeSelect = (name: CarrierName) => document.querySelector<HTMLSelectElement>(`#${carrierPlaceField(name)}`)

function setPlace(name: CarrierName, index: number): void {
  const select = placeSelect(name)
  if (select) select.value = String(index + 1)
}

function sorted(names: readonly CarrierName[]): CarrierName[] {
  const placeOf = (name: CarrierName) => Number(placeSelect(name)?.value)
  return names.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function movedTo(names: readonly CarrierName[], moved: CarrierName, index: number): CarrierName[] {
  return names.filter((name) => name !== moved).toSpliced(index, 0, moved)
}

/** Moves a carrier by choosing its place, which moves the others. */
function move(name: CarrierName, index: number): void {
  setPlace(name, index)
  placeSelect(name)?.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Moves carriers of a list by dragging, or by Alt and an arrow key. Returns a cleanup. */
function listenForMoves(list: HTMLUListElement): () => void {
  const stop = new AbortController()
  const { signal } = stop
  let dragged: HTMLElement | null = null
  const rowAt = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>('li') : null)
  const moveTo = (row: HTMLElement, index: number) => {
    const name = carrierNames.find((each) => each === row.dataset['carrier'])
    if (name && index >= 0 && index < carrierNames.length) move(name, index)
  }
  const indexOf = (row: HTMLElement) => [...list.children].indexOf(row)
  const drag = (row: HTMLElement | null) => {
    dragged?.classList.remove('is-dragged')
    row?.classList.add('is-dragged')
    dragged = row
  }
  list.addEventListener(
    'keydown',
    (event) => {
      const row = rowAt(event)
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (!row || !event.altKey || step === undefined) return
      event.preventDefault()
      moveTo(row, indexOf(row) + step)
    },
    { signal },
  )
  list.addEventListener('dragstart', (event) => drag(rowAt(event)), { signal })
  list.addEventListener('dragend', () => drag(null), { signal })
  for (const kind of ['dragover', 'drop'] as const)
    list.addEventListener(
      kind,
      (event) => {
        const row = rowAt(event)
        if (!dragged || !row) return
        event.preventDefault()
        if (kind === 'drop') moveTo(dragged, indexOf(row))
      },
      { signal },
    )
  return () => stop.abort()
}
