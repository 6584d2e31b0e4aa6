/**
 * Keeps an open day or week up to date, enables dragging its jobs, and shows the Print button. Sent to the browser
 * unbuilt, so it is plain JavaScript. Without it the page is correct when loaded, and each job links to its form.
 */
const every = 1_500
let isDragging = false
let version = ''

/** @returns {HTMLElement | null} */
const live = () => document.querySelector('[data-live]')

/** Checks whether the calendar has changed since the page was rendered, and rerenders it if so. */
async function look() {
  const part = live()
  if (!part || document.visibilityState === 'hidden' || isDragging) return
  version ||= `"${part.dataset.version ?? ''}"`
  const answer = await fetch(part.dataset.live ?? '', { headers: { 'if-none-match': version } })
  if (!answer.ok || answer.redirected || answer.headers.get('etag') === version) return
  const page = await fetch(location.href)
  if (!page.ok || page.redirected) return
  const next = new DOMParser().parseFromString(await page.text(), 'text/html').querySelector('[data-live]')
  if (next instanceof HTMLElement && !isDragging) replace(part, next)
}

/**
 * Replaces the old rendering with a new one; the focus stays on its link.
 * @param {HTMLElement} part
 * @param {HTMLElement} next
 */
function replace(part, next) {
  const focused = document.activeElement
  const link = focused instanceof HTMLAnchorElement && part.contains(focused) ? focused.getAttribute('href') : null
  part.replaceWith(next)
  version = `"${next.dataset.version ?? ''}"`
  if (link) for (const each of next.querySelectorAll('a')) if (each.getAttribute('href') === link) each.focus()
}

/** One request at a time; failures are retried. */
async function keepLooking() {
  try {
    await look()
  } catch {
    // Offline, so the next request may succeed.
  }
  setTimeout(() => void keepLooking(), every)
}

if (live()) {
  void keepLooking()
  document.addEventListener('visibilitychange', () => void look().catch(() => undefined))
}

for (const place of document.querySelectorAll('[data-print]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'btn'
  button.textContent = 'Print'
  button.addEventListener('click', () => print())
  place.append(button)
}

/** The empty time under the pointer. */
function emptyAt(/** @type {PointerEvent} */ { clientX, clientY }) {
  for (const element of document.elementsFromPoint(clientX, clientY)) {
    const found = element.closest('[data-empty]')
    if (found instanceof HTMLElement) return found
  }
  return null
}

document.addEventListener('pointerdown', (down) => {
  const job = down.target instanceof Element ? down.target.closest('[data-drag]') : null
  if (!(job instanceof HTMLElement) || down.button !== 0 || down.pointerType === 'touch') return
  const from = { x: down.clientX, y: down.clientY }
  const controller = new AbortController()
  const { signal } = controller
  const mark = (/** @type {HTMLElement | null} */ target) => {
    for (const old of document.querySelectorAll('.is-target')) old.classList.remove('is-target')
    target?.classList.add('is-target')
  }
  const stop = () => {
    controller.abort()
    mark(null)
    job.classList.remove('is-lifted')
    job.style.translate = ''
    isDragging = false
  }
  addEventListener(
    'pointermove',
    (move) => {
      const [x, y] = [move.clientX - from.x, move.clientY - from.y]
      if (!isDragging && Math.hypot(x, y) < 8) return
      isDragging = true
      getSelection()?.removeAllRanges()
      job.classList.add('is-lifted')
      job.style.translate = `${x}px ${y}px`
      mark(emptyAt(move))
    },
    { signal },
  )
  addEventListener(
    'pointerup',
    (up) => {
      const target = isDragging ? emptyAt(up) : null
      const wasDragged = isDragging
      stop()
      if (wasDragged) addEventListener('click', (click) => click.preventDefault(), { capture: true, once: true })
      if (!target) return
      // The form is the same as without dragging, with the target filled in. The job moves only when it is submitted.
      const address = new URL(job.dataset.drag ?? '', location.href)
      for (const name of ['bay', 'at', 'on']) address.searchParams.set(name, target.dataset[name] ?? '')
      location.assign(address)
    },
    { signal },
  )
  addEventListener('pointercancel', stop, { signal })
  addEventListener('keydown', (key) => (key.key === 'Escape' ? stop() : undefined), { signal })
})
document.addEventListener('dragstart', (start) => {
  if (start.target instanceof Element && start.target.closest('[data-drag]')) start.preventDefault()
})
