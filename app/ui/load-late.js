/**
 * Loads a document's modules after it is painted and its images are loaded, or on the first interaction. A catalog page
 * (`data-catalog`) loads them on the first interaction only, when the pointer reaches a control, or when a part that acts
 * by itself (`data-acts`) is visible; a part that is a script of its page has its URL there. Written into the document by
 * app/server/late-scripts.ts, so it is plain JavaScript; this comment is removed.
 *
 * Before hydration it records events that need script, which are clicks on script-only buttons, and input and changes.
 * app/ui/replay-early.ts replays them. Links and forms that script does better (`data-interaction`, `data-waits`, the
 * router's forms) work without it too: they wait two seconds at most.
 *
 * A page that the browser renders before a click stays without script until it is shown.
 */
{
  /** @typedef {Document & { prerendering?: boolean }} Shown */
  /** @typedef {{ type: string, target: Element, submitter?: HTMLElement | null, value?: string, checked?: boolean }} Early */
  /** @type {Shown} */
  const doc = document
  /** @type {Set<Early>} */
  const events = new Set()
  const kinds = ['click', 'submit', 'input', 'change']
  const held =
    '[data-interaction], [data-waits], form[data-discover], button[type=button]:not([popovertarget], [command], [commandfor])'
  const uses = ['pointerdown', 'keydown', 'focusin', 'input']
  const controls = 'button, input, select, textarea, label, summary, [data-waits], [data-interaction]'
  const isCatalog = doc.currentScript?.hasAttribute('data-catalog')
  let isGivingUp = false

  /** @param {Event} event */
  const keep = (event) => {
    const { type, target } = event
    if (isGivingUp || !(target instanceof Element)) return
    if (type === 'input' || type === 'change') {
      // The page may set its fields again as it is hydrated.
      const { value, checked } = /** @type {HTMLInputElement} */ (target)
      return void events.add({ type, target, value, checked })
    }
    const part = target.closest(held)
    if (!part || (type === 'submit') !== (part.tagName === 'FORM')) return
    if (event instanceof MouseEvent && (event.ctrlKey || event.metaKey || event.shiftKey)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const early = { type, target: part, submitter: event instanceof SubmitEvent ? event.submitter : null }
    events.add(early)
    if (part.tagName !== 'BUTTON') setTimeout(giveUp, 2_000, early)
  }
  // What the browser does without script.
  /** @param {Early} early */
  const giveUp = (early) => {
    if (!events.delete(early)) return
    isGivingUp = true
    if (early.target instanceof HTMLFormElement) early.target.requestSubmit(early.submitter)
    else /** @type {HTMLElement} */ (early.target).click()
    isGivingUp = false
  }
  const load = () => {
    const late = doc.querySelector('script[type="text/late"]')
    if (!(late instanceof HTMLScriptElement)) return
    for (const use of uses) doc.removeEventListener(use, load, true)
    doc.removeEventListener('pointerover', approach, true)
    for (const link of doc.querySelectorAll('link[rel=late]')) link.setAttribute('rel', 'modulepreload')
    const script = doc.createElement('script')
    script.type = 'module'
    script.nonce = late.nonce
    script.textContent = late.textContent
    late.replaceWith(script)
  }
  for (const kind of kinds) doc.addEventListener(kind, keep, true)
  for (const use of uses) doc.addEventListener(use, load, true)
  /** @param {Event} event */
  const approach = ({ target }) => {
    if (target instanceof Element && target.closest(controls)) load()
  }
  /** @param {Element} field */
  const isRestored = (field) => {
    if (field instanceof HTMLSelectElement) return field.selectedIndex > 0 && !field.selectedOptions[0]?.defaultSelected
    const { type, checked, defaultChecked, value, defaultValue } = /** @type {HTMLInputElement} */ (field)
    return type === 'checkbox' || type === 'radio' ? checked !== defaultChecked : value !== defaultValue
  }
  const note = () => {
    const place = doc.querySelector('[data-offline]')
    if (place) place.textContent = navigator.onLine ? '' : place.getAttribute('data-offline')
  }
  const watch = () => {
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue
        seen.unobserve(target)
        const script = target.getAttribute('data-acts')
        if (script) import(script).catch(() => {})
        else load()
      }
    })
    for (const part of doc.querySelectorAll('[data-acts]')) seen.observe(part)
    // A link to a modal, and fields that the browser filled in again.
    if (location.hash && doc.getElementById(location.hash.slice(1))?.matches('[data-interaction]')) load()
    if ([...doc.querySelectorAll('input:not([type=hidden]), textarea, select')].some(isRestored)) load()
  }
  const loadPainted = () => {
    if (isCatalog) watch()
    else if (doc.hidden) load()
    else new PerformanceObserver(load).observe({ type: 'paint', buffered: true })
  }
  const start = () => {
    if (doc.readyState === 'complete') loadPainted()
    else addEventListener('load', loadPainted)
    // A failed image doesn't delay other loading.
    setTimeout(isCatalog ? watch : load, 5_000)
    if (!isCatalog) return
    doc.addEventListener('pointerover', approach, true)
    // Back within this document, which shows another state.
    addEventListener('popstate', load, { once: true })
    for (const change of ['online', 'offline']) addEventListener(change, note)
  }
  if (doc.prerendering) doc.addEventListener('prerenderingchange', start, { once: true })
  else start()
  const endEarly = () => {
    for (const kind of kinds) doc.removeEventListener(kind, keep, true)
    // React's note replaces this one.
    for (const change of ['online', 'offline']) removeEventListener(change, note)
    if (isCatalog) doc.querySelector('[data-offline]')?.replaceChildren()
    const kept = [...events]
    events.clear()
    return kept
  }
  Object.assign(window, { endEarly, loadedAddress: location.href })
}
