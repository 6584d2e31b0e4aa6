/** The markers of a map, kept apart at every zoom. Where they go is in map-pins.ts. */
import { LngLatBounds, Marker, type Map as MapView } from 'maplibre-gl'
import type { Pin } from '#app/ui/draw-map.client.ts'
import { arrangePins, markSize, spreadAround, type Mark } from '#app/ui/map-pins.ts'

type Shown = {
  map: MapView
  pins: readonly Pin[]
  widths: readonly number[]
  markers: Marker[]
  /** Pins of pressed counts that the map cannot bring further apart: they stand around their place. */
  spread: Set<number>
}

/** Shows `pins` on the map, arranged anew whenever its zoom changes. */
export function showPins(map: MapView, pins: readonly Pin[]): void {
  const shown: Shown = { map, pins, widths: measure(map, pins), markers: [], spread: new Set() }
  let zoom = map.getZoom()
  arrange(shown)
  map.on('moveend', () => {
    if (map.getZoom() === zoom) return
    zoom = map.getZoom()
    shown.spread.clear()
    arrange(shown)
  })
}

/** How wide each pin is with its words, in the page's own font. */
function measure(map: MapView, pins: readonly Pin[]): number[] {
  const box = document.createElement('div')
  box.className = 'map-measure'
  box.setAttribute('aria-hidden', 'true')
  const links = pins.map((pin) => pinLink(pin, true))
  box.append(...links)
  map.getContainer().append(box)
  const widths = links.map((link) => Math.max(link.offsetWidth, markSize))
  box.remove()
  return widths
}

/** Renders all markers for the current zoom. `opened` are the pins of a pressed count; the first one gets the focus. */
function arrange(shown: Shown, opened: readonly number[] = []): void {
  const { map, pins, widths } = shown
  for (const marker of shown.markers) marker.remove()
  const placed = pins.map(({ longitude, latitude, isChosen }, index) => {
    const { x, y } = map.project([longitude, latitude])
    return { x, y, width: widths[index] ?? markSize, isChosen }
  })
  shown.markers = arrangePins(placed).flatMap((mark) => markersOf(shown, mark, opened))
  const elements = shown.markers.map((marker) => marker.getElement())
  elements.find(({ dataset }) => dataset['opened'] === 'true')?.focus()
}

function markersOf(shown: Shown, mark: Mark, opened: readonly number[]): Marker[] {
  const { map, pins, spread } = shown
  const isOpened = mark.pins.some((index) => opened.includes(index))
  const isSpread = mark.pins.length > 1 && mark.pins.every((index) => spread.has(index))
  const places = isSpread ? spreadAround(mark.pins.length) : [{ x: 0, y: 0 }]
  const groups = isSpread ? mark.pins.map((index) => [index]) : [mark.pins]
  return groups.map((group, order) => {
    const [only] = group
    const pin = group.length === 1 && only !== undefined ? pins[only] : undefined
    const element = pin ? pinLink(pin, mark.isFull) : countButton(shown, group)
    if (isOpened && order === 0) element.dataset['opened'] = 'true'
    const { x, y } = places[order] ?? { x: 0, y: 0 }
    return new Marker({ element, anchor: 'bottom', offset: [x, y] })
      .setLngLat(map.unproject([mark.x, mark.y]))
      .addTo(map)
  })
}

/** A marker links to its entry in the list, so that both are reachable by keyboard. */
function pinLink(pin: Pin, isFull: boolean): HTMLElement {
  const link = document.createElement('a')
  link.href = pin.href
  link.className = `map-pin${pin.isChosen ? ' is-chosen' : ''}${isFull && pin.text !== '' ? '' : ' is-short'}`
  const letter = document.createElement('span')
  letter.className = 'map-letter'
  letter.textContent = pin.letter
  const words = isFull ? pin.label : `${pin.text} ${pin.label}`.trim()
  link.append(letter, isFull ? ` ${pin.text}`.trimEnd() : '', hidden(` ${words}`))
  return link
}

/** Several pins as their count. Pressed, the map comes closer until they are apart, or they spread around their place. */
function countButton(shown: Shown, group: readonly number[]): HTMLElement {
  const { map, pins } = shown
  const members = group.flatMap((index) => pins[index] ?? [])
  const button = document.createElement('button')
  button.type = 'button'
  button.className = members.some(({ isChosen }) => isChosen) ? 'map-count is-chosen' : 'map-count'
  const names = members.map(({ letter, label }) => `${letter} ${label}`).join(', ')
  const count = members.reduce((sum, member) => sum + member.count, 0)
  button.append(String(count), hidden(` shops here, show them: ${names}`))
  button.addEventListener('click', () => {
    const bounds = new LngLatBounds()
    for (const { longitude, latitude } of members) bounds.extend([longitude, latitude])
    const next = map.cameraForBounds(bounds, { padding: 72 })
    const isCloser = Math.min(next?.zoom ?? 0, map.getMaxZoom()) > map.getZoom() + 0.1
    if (isCloser) {
      map.once('moveend', () => arrange(shown, group))
      map.fitBounds(bounds, { padding: 72 })
      return
    }
    for (const index of group) shown.spread.add(index)
    arrange(shown, group)
  })
  return button
}

function hidden(text: string): HTMLElement {
  const element = document.createElement('span')
  element.className = 'visually-hidden'
  element.textContent = text
  return element
}
