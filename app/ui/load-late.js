/**
 * Loads a document's modules after it is painted and its images are loaded, or on the first interaction. Written into
 * the document by app/server/late-scripts.ts, so it is plain JavaScript; this comment is removed.
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
    for (const link of doc.querySelectorAll('link[rel=late]')) link.setAttribute('rel', 'modulepreload')
    const script = doc.createElement('script')
    script.type = 'module'
    script.nonce = late.nonce
    script.textContent = late.textContent
    late.replaceWith(script)
  }
  for (const kind of kinds) doc.addEventListener(kind, keep, true)
  for (const use of uses) doc.addEventListener(use, load, true)
  const loadPainted = () => {
    if (doc.hidden) load()
    else new PerformanceObserver(load).observe({ type: 'paint', buffered: true })
  }
  const start = () => {
    if (doc.readyState === 'complete') loadPainted()
    else addEventListener('load', loadPainted)
    // A failed image doesn't delay other loading.
    setTimeout(load, 5_000)
  }
  if (doc.prerendering) doc.addEventListener('prerenderingchange', start, { once: true })
  else start()
  const endEarly = () => {
    for (const kind of kinds) doc.removeEventListener(kind, keep, true)
    const kept = [...events]
    events.clear()
    return kept
  }
  Object.assign(window, { endEarly, loadedAddress: location.href })
}
