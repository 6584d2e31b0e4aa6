/**
 * Keeps an open day or week up to date, loads the script that drags jobs, and shows the Print button. Sent to the browser
 * unbuilt, so it is plain JavaScript. Without it the page is correct when loaded, and each job links to its form.
 */
const every = 1_500
let version = ''
/** While a job is lifted, the page stays as it is. */
const isLifted = () => document.querySelector('.is-lifted') !== null

/** @returns {HTMLElement | null} */
const live = () => document.querySelector('[data-live]')

/** Checks whether the calendar has changed since the page was rendered, and rerenders it if so. */
async function look() {
  const part = live()
  if (!part || document.visibilityState === 'hidden' || isLifted()) return
  version ||= `"${part.dataset.version ?? ''}"`
  const answer = await fetch(part.dataset.live ?? '', { headers: { 'if-none-match': version } })
  if (!answer.ok || answer.redirected || answer.headers.get('etag') === version) return
  const page = await fetch(location.href)
  if (!page.ok || page.redirected) return
  const next = new DOMParser().parseFromString(await page.text(), 'text/html').querySelector('[data-live]')
  if (next instanceof HTMLElement && !isLifted()) replace(part, next)
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

/** @type {HTMLScriptElement | null} */
const dragScript = document.querySelector('script[data-drag-script]')
/** Loaded once a mouse or the focus is at a job, so that phones never load it. @param {Event} event */
function loadDrag({ target }) {
  const address = dragScript?.dataset['dragScript']
  if (address && target instanceof Element && target.closest('[data-drag]')) void import(address)
}
document.addEventListener('pointerover', (over) => (over.pointerType === 'touch' ? undefined : loadDrag(over)))
document.addEventListener('focusin', loadDrag)
