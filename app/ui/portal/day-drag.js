/**
 * Drags the jobs of a day, and moves them with the arrow keys on their link. Shows where a job lands, and why it can't.
 * Sent to the browser unbuilt, so it is plain JavaScript. Without it, and on touch screens, the link opens the form.
 */
/** @typedef {{ column: number, from: number, to: number }} Place A column, and quarter hours after the first one. */

/** The grid of a job that can be moved in it; null where the day is a list. @param {HTMLElement} job */
function gridOf(job) {
  const grid = job.closest('.is-grid')
  return grid instanceof HTMLElement && matchMedia('(min-width: 700px)').matches ? grid : null
}

/** @param {HTMLElement} part @returns {Place} */
function placeOf({ style }) {
  const [column = 0, from = 0, to = 0] = ['--column', '--from', '--to'].map((name) =>
    Number(style.getPropertyValue(name)),
  )
  return { column, from, to }
}

/** The day's times by quarter hour, such as "09:30 9:30 AM". @param {HTMLElement} grid */
const timesOf = (grid) => (grid.dataset.times ?? '').split('|')
/** The IDs of bays by column, empty for a drop-off place. @param {HTMLElement} grid */
const baysOf = (grid) => (grid.dataset.bays ?? '').split('|')

/**
 * The place under the pointer; null outside of the bays.
 * @param {HTMLElement} grid
 * @param {PointerEvent} pointer
 * @returns {{ column: number, from: number } | null}
 */
function quarterUnder(grid, { clientX, clientY }) {
  for (const element of document.elementsFromPoint(clientX, clientY)) {
    const part = element.closest('[data-empty], .portal-job')
    if (!(part instanceof HTMLElement) || !grid.contains(part)) continue
    const { column, from, to } = placeOf(part)
    const { top, height } = part.getBoundingClientRect()
    const share = Math.min(0.999, Math.max(0, (clientY - top) / height))
    return { column, from: from + Math.floor(share * (to - from)) }
  }
  return null
}

/**
 * Whether a job fits a place. An own job over an appointment asks for a reason. The server decides when the form is sent.
 * @param {HTMLElement} grid
 * @param {HTMLElement} job
 * @param {Place} place
 * @returns {{ state: 'free' | 'asks' | 'refused', words: string }}
 */
function fitOf(grid, job, { column, from, to }) {
  if (!baysOf(grid)[column]) return { state: 'refused', words: 'Not a bay' }
  if (from < Number(grid.dataset.first)) return { state: 'refused', words: 'This time is over' }
  if (to >= timesOf(grid).length) return { state: 'refused', words: 'Ends after this day' }
  const over = [...grid.querySelectorAll('.portal-job:not(.is-no-show)')].flatMap((other) => {
    if (!(other instanceof HTMLElement) || other === job) return []
    const its = placeOf(other)
    const quarters = its.column === column ? Math.min(to, its.to) - Math.max(from, its.from) : 0
    const isFixed = !job.matches('.is-own') || other.matches('.is-own')
    const name = other.querySelector('h2 span')?.textContent ?? ''
    return quarters > 0 ? [{ isFixed, words: `Overlaps ${name} by ${quarters * 15} min` }] : []
  })
  const worst = over.find(({ isFixed }) => isFixed) ?? over[0]
  if (!worst) return { state: 'free', words: 'Not saved yet' }
  if (worst.isFixed) return { state: 'refused', words: worst.words }
  return { state: 'asks', words: `${worst.words}, needs a reason` }
}

/**
 * Where a lifted job would land.
 * @type {{ job: HTMLElement, place: Place, state: 'free' | 'asks' | 'refused' } | null}
 */
let landing = null
let isByKeys = false

/** @param {HTMLElement} grid */
function landingIn(grid) {
  const known = grid.querySelector('.portal-landing')
  if (known instanceof HTMLElement) return known
  const made = document.createElement('p')
  made.setAttribute('role', 'status')
  made.append(document.createElement('b'), document.createElement('span'))
  grid.append(made)
  return made
}

/**
 * Shows where a job lands, and why it can't.
 * @param {HTMLElement} grid
 * @param {HTMLElement} job
 * @param {Place} place
 */
function showLanding(grid, job, place) {
  const { state, words } = fitOf(grid, job, place)
  const times = timesOf(grid)
  const shown = landingIn(grid)
  shown.className = `portal-landing is-${state}`
  const last = Math.max(place.from + 1, Math.min(place.to, times.length - 1))
  for (const [name, value] of Object.entries({ column: place.column, from: place.from, to: last }))
    shown.style.setProperty(`--${name}`, String(value))
  const bay = grid.querySelectorAll('.portal-bay')[place.column]?.textContent ?? ''
  const [time, note] = shown.children
  if (time) time.textContent = `${(times[place.from] ?? '').slice(6)}, ${bay}`
  if (note) note.textContent = words
  job.classList.add('is-lifted')
  landing = { job, place, state }
}

function hideLanding() {
  landing?.job.classList.remove('is-lifted')
  document.querySelector('.portal-landing')?.remove()
  landing = null
  isByKeys = false
}

/** Opens the form with the landing place filled in. The job moves only when the form is sent. */
function openForm() {
  const grid = landing && gridOf(landing.job)
  if (!landing || !grid || landing.state === 'refused') return
  const { job, place } = landing
  const address = new URL(job.dataset.drag ?? '', location.href)
  address.searchParams.set('bay', baysOf(grid)[place.column] ?? '')
  address.searchParams.set('at', (timesOf(grid)[place.from] ?? '').slice(0, 5))
  address.searchParams.set('on', grid.dataset.on ?? '')
  location.assign(address)
}

/** The click that ends a drag doesn't follow the link under it. */
function swallowClick() {
  const controller = new AbortController()
  addEventListener('click', (click) => click.preventDefault(), { capture: true, signal: controller.signal })
  setTimeout(() => controller.abort(), 0)
}

document.addEventListener('pointerdown', (down) => {
  const job = down.target instanceof Element ? down.target.closest('[data-drag]') : null
  if (!(job instanceof HTMLElement) || down.button !== 0 || down.pointerType === 'touch') return
  const grid = gridOf(job)
  if (!grid) return
  const from = { x: down.clientX, y: down.clientY }
  const own = placeOf(job)
  const grabbed = (quarterUnder(grid, down)?.from ?? own.from) - own.from
  const controller = new AbortController()
  const { signal } = controller
  const stop = () => {
    controller.abort()
    hideLanding()
  }
  addEventListener(
    'pointermove',
    (move) => {
      if (!landing && Math.hypot(move.clientX - from.x, move.clientY - from.y) < 8) return
      getSelection()?.removeAllRanges()
      const under = quarterUnder(grid, move)
      if (!under) return
      const start = Math.max(0, under.from - grabbed)
      showLanding(grid, job, { column: under.column, from: start, to: start + own.to - own.from })
    },
    { signal },
  )
  addEventListener(
    'pointerup',
    (up) => {
      if (landing) swallowClick()
      if (landing && quarterUnder(grid, up)) openForm()
      stop()
    },
    { signal },
  )
  addEventListener('pointercancel', stop, { signal })
  addEventListener('keydown', (key) => (key.key === 'Escape' ? stop() : undefined), { signal })
})
document.addEventListener('dragstart', (start) => {
  if (start.target instanceof Element && start.target.closest('[data-drag]')) start.preventDefault()
})

/** @type {Readonly<Record<string, { column: number, from: number }>>} */
const arrows = {
  ArrowUp: { column: 0, from: -1 },
  ArrowDown: { column: 0, from: 1 },
  ArrowLeft: { column: -1, from: 0 },
  ArrowRight: { column: 1, from: 0 },
}
/** The job whose link has the focus. @param {KeyboardEvent} key */
function focusedJob({ target, altKey, ctrlKey, metaKey }) {
  const link = target instanceof Element ? target.closest('[data-drag] .portal-move') : null
  const job = link?.closest('[data-drag]')
  return job instanceof HTMLElement && !altKey && !ctrlKey && !metaKey ? job : null
}

/**
 * @param {HTMLElement} grid
 * @param {HTMLElement} job
 * @param {{ column: number, from: number }} arrow
 */
function moveByKey(grid, job, arrow) {
  isByKeys = true
  const { column, from, to } = landing?.place ?? placeOf(job)
  const start = Math.min(timesOf(grid).length - 2, Math.max(0, from + arrow.from))
  const next = Math.min(baysOf(grid).length - 1, Math.max(0, column + arrow.column))
  showLanding(grid, job, { column: next, from: start, to: start + to - from })
}

// The same by keyboard, on a job's link: arrows move it, Enter opens the form, and Escape puts it back.
document.addEventListener('keydown', (key) => {
  const job = focusedJob(key)
  const grid = job && gridOf(job)
  const arrow = arrows[key.key]
  if (!job || !grid) return
  if (arrow) moveByKey(grid, job, arrow)
  else if (landing && key.key === 'Enter') openForm()
  else if (landing && key.key === 'Escape') hideLanding()
  else return
  key.preventDefault()
})
document.addEventListener('focusout', () => (isByKeys ? hideLanding() : undefined))
